// A stretch of keys as latin1 text (code units are bytes): [from, to), where `to` undefined is the end of all keys.
import type { RangeOptions } from './store.ts';

export interface KeySpan { readonly from: string; readonly to: string | undefined }

/** A key as text whose code units are its bytes, for maps and for comparing. */
export function keyText(key: Buffer): string {
  if (!(key instanceof Uint8Array)) throw new TypeError('a store key must be a Buffer');
  return key.toString('latin1');
}

/** The key of such a text. */
export function keyBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Throws TypeError where both `gte` and `gt` are given: engines would differ in which one counts. */
export function keySpan(options: RangeOptions): KeySpan {
  const { gte, gt, lt } = options;
  if (gte !== undefined && gt !== undefined) throw new TypeError('a range takes gte or gt, not both');
  // The least key above k is k and a zero byte.
  const from = gt !== undefined ? `${keyText(gt)}\0` : gte === undefined ? '' : keyText(gte);
  return { from, to: lt === undefined ? undefined : keyText(lt) };
}

export function isEmptyRange(span: KeySpan): boolean {
  return span.to !== undefined && span.from >= span.to;
}

/** Indexes [from, to) of the keys of a span in a sorted list. */
export function spanIn(keys: readonly string[], span: KeySpan): { from: number; to: number } {
  const from = lowerBound(keys, span.from);
  const to = span.to === undefined ? keys.length : lowerBound(keys, span.to);
  return { from, to: Math.max(from, to) };
}

/** Index of the first key that is not below `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Order of text keys: that of their bytes, of no locale. */
export function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
