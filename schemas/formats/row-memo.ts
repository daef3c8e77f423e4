// What raw rows were printed as. A before image is, byte for byte, an earlier after image, as a rule. So rows are remembered by a hash of their
// bytes, and a before image whose hash is remembered is neither read nor even scanned: it is a row that was found good before, and its print
// is known. That costs a tenth of scanning and printing it.
import { PRINT, type ChangeEvent } from '../change-event.ts';
import { beforeMemoEntries } from '../limits.ts';
import { matchLiteral, type Literals } from './literals.ts';
import type { Sink } from '../canonical/sink.ts';
import { hashSpan } from './row-print.ts';
import { wordsOf } from './words.ts';

export interface RowMemo {
  readonly entries: Int32Array;
  /** Hash of the row looked for last. */
  readonly raw: Int32Array;
  readonly key: Int32Array;
  /** Where the entry of the row found last begins; -1 where none was. */
  found: number;
}

/** raw (2) · key (1) · print (3) */
const ENTRY = 6;

export function createRowMemo(): RowMemo {
  return { entries: new Int32Array(beforeMemoEntries * ENTRY), raw: new Int32Array(2), key: new Int32Array(2), found: -1 };
}

/** Takes the key, which stands at the front of the sink: of it are the rows that are remembered and recalled next. */
export function hashKey({ key }: RowMemo, sink: Sink, length: number): void {
  hashSpan(sink, 0, length, 0, key, 0);
}

/** Remembers what the row that stands raw at b[from, to) was printed as. `seed`: of its schema. */
export function rememberRow(memo: RowMemo, event: ChangeEvent, b: Buffer, from: number, to: number, seed: number): void {
  const { entries, raw, key } = memo;
  hashRow(raw, b, from, to, seed);
  const at = entryOf(raw);
  entries[at] = raw[0];
  entries[at + 1] = raw[1];
  entries[at + 2] = key[0];
  for (let i = 0; i < 3; i++) entries[at + 3 + i] = event.prints[PRINT.after + i];
}

/**
 * Where the row that begins at b[from] ends, if it is remembered and the k-th piece of `literals` (comma and next name) stands behind it;
 * else 0. No part of a row is a row, so it ends there.
 */
export function findRow(memo: RowMemo, b: Buffer, from: number, end: number, seed: number, literals: Literals, k: number): number {
  const words = wordsOf(b);
  const last = end - 8;
  let x = seed ^ SEED_X;
  let y = SEED_Y;
  for (let i = from; i <= last; i += 8) {
    const first = words.getInt32(i, true);
    const second = words.getInt32(i + 4, true);
    const braces = (braceMarks(first) | braceMarks(second)) & 0x80808080;
    if (braces !== 0) {
      for (let to = i + 1; to <= i + 8; to++) {
        if (b[to - 1] !== 125 || matchLiteral(literals, k, words, to, end) === 0) continue;
        finish(memo.raw, x, y, first, second, to - i, to - from);
        return lookUp(memo) ? to : 0;
      }
    }
    const u = Math.imul(x ^ first, MULTIPLIER_X);
    const v = Math.imul(y ^ second, MULTIPLIER_Y);
    x = u ^ (v >>> 15);
    y = v ^ (u >>> 15);
  }
  return 0;
}

/** Whether the row at b[from, to) is remembered; then `memo.found` is set. */
export function recallRow(memo: RowMemo, b: Buffer, from: number, to: number, seed: number): boolean {
  hashRow(memo.raw, b, from, to, seed);
  return lookUp(memo);
}

/** Writes the print of the row found last, if it is of the same key. */
export function recallPrint({ entries, key, found }: RowMemo, event: ChangeEvent): void {
  if (entries[found + 2] === key[0]) for (let i = 0; i < 3; i++) event.prints[PRINT.before + i] = entries[found + 3 + i];
}

function lookUp(memo: RowMemo): boolean {
  const { entries, raw } = memo;
  const at = entryOf(raw);
  if (entries[at] !== raw[0] || entries[at + 1] !== raw[1]) return false;
  memo.found = at;
  return true;
}

function entryOf(raw: Int32Array): number {
  return ((raw[0] ^ (raw[1] >>> 7)) & (beforeMemoEntries - 1)) * ENTRY;
}

const SEED_X = 0x243f6a88;
const SEED_Y = 0x85a308d3 | 0;
const MULTIPLIER_X = 0x9e3779b1 | 0;
const MULTIPLIER_Y = 0x85ebca6b | 0;

/** Two words of hash over b[from, to), eight bytes a step in two lanes that do not wait for each other. The same as `findRow` makes. */
function hashRow(raw: Int32Array, b: Buffer, from: number, to: number, seed: number): void {
  const words = wordsOf(b);
  let x = seed ^ SEED_X;
  let y = SEED_Y;
  let i = from;
  for (; i + 8 < to; i += 8) {
    const u = Math.imul(x ^ words.getInt32(i, true), MULTIPLIER_X);
    const v = Math.imul(y ^ words.getInt32(i + 4, true), MULTIPLIER_Y);
    x = u ^ (v >>> 15);
    y = v ^ (u >>> 15);
  }
  if (i + 8 <= b.length) finish(raw, x, y, words.getInt32(i, true), words.getInt32(i + 4, true), to - i, to - from);
  else finish(raw, x, y, wordAt(b, i), wordAt(b, i + 4), to - i, to - from);
}

/** The last step: of its eight bytes the first `count` belong to the row. */
function finish(raw: Int32Array, x: number, y: number, first: number, second: number, count: number, length: number): void {
  const u = Math.imul(x ^ headOf(first, count), MULTIPLIER_X) ^ length;
  const v = Math.imul(y ^ headOf(second, count - 4), MULTIPLIER_Y);
  x = Math.imul(u ^ (v >>> 15), 0xc2b2ae35);
  y = Math.imul(v ^ (u >>> 15), 0x27d4eb2f);
  x ^= x >>> 16;
  raw[0] = Math.imul(x ^ (y >>> 13), 0x9e3779b1);
  raw[1] = Math.imul(y ^ (x >>> 15), 0xc2b2ae35);
}

/** The first `count` bytes of a word, the others zero. */
function headOf(word: number, count: number): number {
  if (count >= 4) return word;
  return count <= 0 ? 0 : word & ((1 << (count << 3)) - 1);
}

/** The word at `p` of which not all bytes need be there. */
function wordAt(b: Buffer, p: number): number {
  let word = 0;
  for (let i = 0; i < 4 && p + i < b.length; i++) word |= b[p + i] << (8 * i);
  return word;
}

/** Marks (highest bit of each byte) closing braces; the lowest mark is exact. */
function braceMarks(word: number): number {
  const brace = word ^ 0x7d7d7d7d;
  return (brace - 0x01010101) & ~brace;
}
