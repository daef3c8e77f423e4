// Prints of the row before and after a change, by which it is told whether a change continues the one before it: 64 bits over the canonical
// image, behind a tag of its columns. They decide only whether a stream has a hole, never whether two sides agree.
import { PRINT, type ChangeEvent, type Layout } from '../change-event.ts';
import { createSink, type Sink } from '../canonical/sink.ts';
import { beforeMemoEntries } from '../limits.ts';
import { wordsOf } from './words.ts';

/**
 * What raw rows were printed as. A before image is, byte for byte, an earlier after image, as a rule: then it need not be read at all, which
 * would cost half as much as the decoding of the whole record.
 */
export interface PrintMemo { readonly entries: Int32Array; readonly raw: Int32Array; readonly scratch: Sink; readonly key: Int32Array }

/** raw (2) · key (1) · print (3) */
const ENTRY = 6;

export function createPrintMemo(): PrintMemo {
  return { entries: new Int32Array(beforeMemoEntries * ENTRY), raw: new Int32Array(2), scratch: createSink(), key: new Int32Array(2) };
}

/** Two 32-bit words over b[from, to), read four bytes at a time. */
export function hashSpan(b: Buffer, from: number, to: number, seed: number, out: Int32Array, at: number): void {
  const words = wordsOf(b);
  let x = seed ^ 0x243f6a88;
  let y = (to - from) ^ 0x85a308d3;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const word = words.getInt32(i, true);
    x = Math.imul(x ^ word, 0x9e3779b1);
    x ^= x >>> 15;
    y = Math.imul(y + word, 0x85ebca6b) ^ x;
    y = (y << 13) | (y >>> 19);
  }
  for (; i < to; i++) {
    x = Math.imul(x ^ b[i], 0x01000193);
    y = Math.imul(y + b[i], 0xcc9e2d51) ^ x;
  }
  x ^= y >>> 16;
  out[at] = Math.imul(x, 0xc2b2ae35);
  out[at + 1] = Math.imul(y ^ (x >>> 13), 0x9e3779b1);
}

/** The print of an image, bytes[from, to), into three words at `at`; none where some column is unknown. */
export function printImage(layout: Layout, bytes: Buffer, from: number, to: number, out: Int32Array, at: number): void {
  if (!layout.plain) return;
  out[at] = layout.tag;
  hashSpan(bytes, from, to, layout.tag, out, at + 1);
}

/** Remembers what the row that stands raw at b[from, to) was printed as. `seed`: of its schema. */
export function rememberRow(memo: PrintMemo, event: ChangeEvent, keyBytes: Buffer, b: Buffer, from: number, to: number, seed: number): void {
  const { entries, raw, key } = memo;
  hashSpan(b, from, to, seed, raw, 0);
  hashSpan(keyBytes, 0, event.keyLength, 0, key, 0);
  const at = entryOf(raw);
  entries[at] = raw[0];
  entries[at + 1] = raw[1];
  entries[at + 2] = key[0];
  for (let i = 0; i < 3; i++) entries[at + 3 + i] = event.prints[PRINT.after + i];
}

/** Whether the row at b[from, to) is remembered; then its print is written, if it is of the same key. */
export function recallRow(memo: PrintMemo, event: ChangeEvent, keyBytes: Buffer, b: Buffer, from: number, to: number, seed: number): boolean {
  const { entries, raw, key } = memo;
  hashSpan(b, from, to, seed, raw, 0);
  const at = entryOf(raw);
  if (entries[at] !== raw[0] || entries[at + 1] !== raw[1]) return false;
  hashSpan(keyBytes, 0, event.keyLength, 0, key, 0);
  if (entries[at + 2] === key[0]) for (let i = 0; i < 3; i++) event.prints[PRINT.before + i] = entries[at + 3 + i];
  return true;
}

function entryOf(raw: Int32Array): number {
  return ((raw[0] ^ (raw[1] >>> 7)) & (beforeMemoEntries - 1)) * ENTRY;
}
