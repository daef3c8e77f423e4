// What the two decoders of a pair share: layouts, interned so that equal ones are one object, and which columns are declared.
import crypto from 'node:crypto';
import { assert } from './assert.ts';
import { fieldsOf, renames, rowSchema } from './canonical/column-rule.ts';
import { SIDES } from './change-event.ts';
import type { Layout } from './change-event.ts';
import type { PairContext } from './decoder.ts';
import { sideOf } from './pair.ts';
import type { PairSettings } from './pair.ts';

/** Set in every tag of columns, and in none of PRINT's own. */
const PRINT_TAG_BIT = 2;

export function createPairContext(settings: PairSettings): PairContext {
  const layouts: Layout[] = [];
  const byContent = new Map<string, Layout>();
  const declared = declaredColumns(settings);

  function layout(known: readonly string[], unavailable: readonly string[], placeholders: readonly string[]): Layout {
    const content = JSON.stringify([known, unavailable, placeholders]);
    const found = byContent.get(content);
    if (found !== undefined) return found;
    const hash = crypto.hash('sha256', JSON.stringify(known), 'buffer').subarray(0, 16);
    const made: Layout = {
      id: layouts.length,
      known: [...known], unavailable: [...unavailable], placeholders: [...placeholders],
      plain: unavailable.length === 0 && placeholders.length === 0,
      hash,
      tag: hash.readInt32LE(0) | PRINT_TAG_BIT,
    };
    layouts.push(made);
    byContent.set(content, made);
    return made;
  }

  function layoutById(id: number): Layout {
    const found = layouts[id];
    assert(found !== undefined, 'no layout has this id');
    return found;
  }

  return { settings, layout, layoutById, isDeclared: (column) => declared.has(column) };
}

/** Ruling 29: in `types`, or in either side's `valueSchema`. Source names. */
function declaredColumns(settings: PairSettings): Set<string> {
  const names = new Set(Object.keys(settings.columns.types));
  for (const side of SIDES) {
    const rename = renames(settings, side);
    for (const name of fieldsOf(rowSchema(sideOf(settings, side).valueSchema)).keys()) names.add(rename.get(name) ?? name);
  }
  return names;
}
