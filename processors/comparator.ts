// Compares two row images, column by column where it must be. A column that is not known on both sides is never compared as a value:
// it is counted. What two layouts have in common is worked out once per pair of layouts, so the clean case is one comparison of bytes.
import type { Layout } from '../schemas/change-event.ts';
import type { PairContext } from '../schemas/decoder.ts';

/** A row image as bytes in a page; `layout` undefined stands for the absent row. */
export interface Image {
  layout: Layout | undefined;
  bytes: Buffer;
  start: number;
  end: number;
}

/** How two layouts relate: places of the columns known on both sides, and what could not be compared. */
interface Relation {
  readonly common: readonly { readonly name: string; readonly source: number; readonly target: number }[];
  /** Columns that hold a stored placeholder on either side: unequal to everything (ruling 30). */
  readonly placeholders: readonly string[];
  readonly unknown: number;
  /** Columns missing on one side without having been declared (ruling 29). */
  readonly undeclared: readonly { readonly side: 'source' | 'target'; readonly column: string }[];
}

/** One differing column: its name and where its value stands in each image (-1: not in it). */
export interface Difference { readonly name: string; readonly source: number; readonly target: number }

export interface Comparison {
  readonly equal: boolean;
  readonly differences: readonly Difference[];
  /** Columns not known on both sides. */
  readonly unknown: number;
  readonly undeclared: Relation['undeclared'];
}

export interface Comparator {
  compare(source: Image, target: Image): Comparison;
}

const SAME: Comparison = { equal: true, differences: [], unknown: 0, undeclared: [] };

export type ColumnEquality = (name: string, source: Buffer, sourceAt: number, target: Buffer, targetAt: number) => boolean;

export function createComparator(context: PairContext, columnEquals: ColumnEquality): Comparator {
  const relations = new Map<number, Relation>();

  function compare(source: Image, target: Image): Comparison {
    const a = source.layout;
    const b = target.layout;
    if (a === undefined || b === undefined) return a === b ? SAME : absentAgainstPresent(a, b);
    if (a === b && a.plain && sameBytes(source, target)) return SAME;
    const relation = relate(a, b);
    const differences = unequal(relation, source, target);
    return { equal: differences.length === 0, differences, unknown: relation.unknown, undeclared: relation.undeclared };
  }

  function relate(a: Layout, b: Layout): Relation {
    const id = a.id * 65536 + b.id;
    const known = relations.get(id);
    if (known !== undefined) return known;
    const relation = relateLayouts(a, b, context);
    relations.set(id, relation);
    return relation;
  }

  function unequal(relation: Relation, source: Image, target: Image): Difference[] {
    const sourceAt = columnStarts(source);
    const targetAt = columnStarts(target);
    const differences: Difference[] = [];
    for (const { name, source: i, target: j } of relation.common) {
      if (!columnEquals(name, source.bytes, sourceAt[i], target.bytes, targetAt[j])) differences.push({ name, source: i, target: j });
    }
    for (const name of relation.placeholders) {
      differences.push({ name, source: source.layout?.known.indexOf(name) ?? -1, target: target.layout?.known.indexOf(name) ?? -1 });
    }
    return differences.sort((x, y) => (x.name < y.name ? -1 : 1));
  }

  return { compare };
}

function relateLayouts(a: Layout, b: Layout, context: PairContext): Relation {
  const names = new Set([...a.known, ...a.unavailable, ...b.known, ...b.unavailable]);
  const placeholders = [...new Set([...a.placeholders, ...b.placeholders])].sort();
  const common: { name: string; source: number; target: number }[] = [];
  const undeclared: { side: 'source' | 'target'; column: string }[] = [];
  let unknown = 0;
  for (const name of [...names].sort()) {
    const source = a.known.indexOf(name);
    const target = b.known.indexOf(name);
    if (placeholders.includes(name)) continue;
    if (source >= 0 && target >= 0) common.push({ name, source, target });
    else unknown++;
    const onSource = source >= 0 || a.unavailable.includes(name);
    const onTarget = target >= 0 || b.unavailable.includes(name);
    if (onSource !== onTarget && !context.isDeclared(name)) undeclared.push({ side: onSource ? 'target' : 'source', column: name });
  }
  return { common, placeholders, unknown, undeclared };
}

function absentAgainstPresent(a: Layout | undefined, b: Layout | undefined): Comparison {
  const differences = (a ?? b)?.known.map((name, i) => ({ name, source: a === undefined ? -1 : i, target: b === undefined ? -1 : i })) ?? [];
  return { equal: false, differences, unknown: 0, undeclared: [] };
}

function sameBytes(source: Image, target: Image): boolean {
  if (source.end - source.start !== target.end - target.start) return false;
  return source.bytes.compare(target.bytes, target.start, target.end, source.start, source.end) === 0;
}

/** Where each column of the image begins: at its header (tag in the low byte, length in the other three, little-endian). */
export function columnStarts(image: Image): number[] {
  const starts: number[] = [];
  for (let at = image.start; at < image.end; at += 4 + (image.bytes.readInt32LE(at) >>> 8)) starts.push(at);
  return starts;
}
