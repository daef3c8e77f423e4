// How the columns of a pair are compared: by their canonical bytes, and by a column's rule where bytes are not enough (rounding either way).
import type { ColumnEquality } from '../processors/comparator.ts';
import { compareColumn } from '../schemas/canonical/compare.ts';
import type { PairContext } from '../schemas/decoder.ts';

export function columnEquality(context: PairContext): ColumnEquality {
  const ruled = new Set(Object.entries(context.settings.columns.types).filter(([, type]) => type.rounding === 'either').map(([name]) => name));
  return (name, source, sourceAt, target, targetAt) => {
    const sourceEnd = sourceAt + 4 + (source.readInt32LE(sourceAt) >>> 8);
    const targetEnd = targetAt + 4 + (target.readInt32LE(targetAt) >>> 8);
    if (source.compare(target, targetAt, targetEnd, sourceAt, sourceEnd) === 0) return true;
    if (!ruled.has(name)) return false;
    return compareColumn(context, name, source[sourceAt], source.subarray(sourceAt + 4, sourceEnd), target[targetAt], target.subarray(targetAt + 4, targetEnd));
  };
}
