// The columns of a finding: every differing column by name, both values in their canonical print, and why they differ where it can be told.
import type { Comparison, Image } from './comparator.ts';
import { columnStarts } from './comparator.ts';
import { hintFor } from './hints.ts';
import { printValue } from '../schemas/canonical/print.ts';
import type { ColumnDifference, ColumnValue, Hint } from '../schemas/records.ts';
import type { Shard } from './shard.ts';

export function differences(shard: Shard, source: Image, target: Image, comparison: Comparison): { columns: ColumnDifference[]; hint: Hint | undefined } {
  if (comparison.equal) return { columns: [], hint: undefined };
  const sourceAt = columnStarts(source);
  const targetAt = columnStarts(target);
  const columns = comparison.differences.map(({ name, source: i, target: j }): ColumnDifference => {
    const hint = hintFor(shard.context, name, cell(source, sourceAt, i), cell(target, targetAt, j));
    return { name, source: valueAt(source, sourceAt, i, name), target: valueAt(target, targetAt, j, name), ...(hint === undefined ? {} : { hint }) };
  });
  return { columns, hint: columns.find(column => column.hint !== undefined)?.hint };
}

/** A canonical value: its tag and bytes; undefined where the image does not have it. */
export interface Cell { readonly tag: number; readonly bytes: Buffer }

function cell(image: Image, starts: readonly number[], i: number): Cell | undefined {
  if (i < 0) return undefined;
  const at = starts[i];
  return { tag: image.bytes[at], bytes: image.bytes.subarray(at + 4, starts[i + 1] ?? image.end) };
}

function valueAt(image: Image, starts: readonly number[], i: number, name: string): ColumnValue {
  const value = cell(image, starts, i);
  if (value !== undefined) return printValue(value.tag, value.bytes);
  return image.layout?.unavailable.includes(name) === true ? { unavailable: true } : { absent: true };
}
