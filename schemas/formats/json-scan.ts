// Strict JSON on the bytes: finds where a value ends and what kind it is, and makes nothing.
//
// Invariant: no byte at or behind `end` is read, and whatever the bytes are, a scan ends at a position or throws `malformed`,
// one long-lived error that says where and what was expected and never what stood there (a payload must not reach a log).
// Strings are checked to be UTF-8, so that later copies need no check.
import { maxNestingDepth } from '../limits.ts';
import type { DeadReason } from '../change-event.ts';
import { digitMarks, firstMark, stringMarks, wordsOf } from './words.ts';

/** Kind of a scanned value. */
export const TOKEN = { null: 0, true: 1, false: 2, integer: 3, decimal: 4, text: 5, escaped: 6, object: 7, array: 8 } as const;

/** What the last scan found: the kind of the value. `escaped` is a string with escapes in it. */
export const scan: { token: number } = { token: 0 };

/** Thrown for bytes that are not what they should be. Caught by the decoder, where it becomes a dead letter. */
export class Malformed extends Error {
  override name = 'Malformed';
  reason: DeadReason = 'malformed';
  /** Absolute position in the data; -1 where no single byte is to blame. */
  at = -1;
  expected = '';
}
const malformed = new Malformed('malformed record');

export function fail(at: number, expected: string, reason: DeadReason = 'malformed'): never {
  malformed.reason = reason;
  malformed.at = at;
  malformed.expected = expected;
  throw malformed;
}

/** Scans one value that begins at `p`; returns the position behind it. */
export function scanValue(b: Buffer, p: number, end: number, depth: number): number {
  const c = p < end ? b[p] : 0;
  if (c === 34) return scanString(b, p + 1, end);
  if (c === 45 || (c >= 48 && c <= 57)) return scanNumberEnd(b, p, end);
  if (c === 110) return scanWord(b, p, end, 4, NULL, TOKEN.null);
  if (c === 123) return scanObject(b, p, end, depth + 1);
  if (c === 91) return scanArray(b, p, end, depth + 1);
  if (c === 116) return scanWord(b, p, end, 4, TRUE, TOKEN.true);
  if (c === 102) return scanWord(b, p, end, 5, ALSE, TOKEN.false);
  return fail(p, 'a value');
}

/** `p` is behind the opening quote; returns the position behind the closing one. */
export function scanString(b: Buffer, p: number, end: number): number {
  const words = wordsOf(b);
  const lastPair = end - 8;
  let token: number = TOKEN.text;
  for (;;) {
    if (p <= lastPair) {
      let marks = stringMarks(words.getInt32(p, true));
      if (marks === 0) {
        p += 4;
        marks = stringMarks(words.getInt32(p, true));
        if (marks === 0) { p += 4; continue; }
      }
      p += firstMark(marks);
    } else if (p >= end) return fail(end, 'the end of a string');
    const c = b[p];
    if (c === 34) {
      scan.token = token;
      return p + 1;
    }
    if (c === 92) {
      token = TOKEN.escaped;
      p = scanEscape(b, p + 1, end);
    } else if (c < 32) fail(p, 'no control character in a string');
    else p = c < 128 ? p + 1 : scanUtf8(b, p, end);
  }
}

/** Position behind white space. */
export function skipSpace(b: Buffer, p: number, end: number): number {
  while (p < end) {
    const c = b[p];
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return p;
    p++;
  }
  return p;
}

/** Expects a colon at `p`, white space around it allowed; returns where the value begins. */
export function scanColon(b: Buffer, p: number, end: number): number {
  p = skipSpace(b, p, end);
  if (p >= end || b[p] !== 58) fail(p, 'a colon');
  return skipSpace(b, p + 1, end);
}

/** Behind a member or element: true where a comma follows (`p` of `next` is then behind it), false at `close`. */
export function scanNext(b: Buffer, p: number, end: number, close: number): boolean {
  p = skipSpace(b, p, end);
  const c = p < end ? b[p] : 0;
  if (c !== 44 && c !== close) fail(p, close === 125 ? 'a comma or the end of an object' : 'a comma or the end of an array');
  next.at = skipSpace(b, p + 1, end);
  if (c === close) next.at = p + 1;
  return c === 44;
}
/** Where scanning goes on after `scanNext`. */
export const next: { at: number } = { at: 0 };

function scanObject(b: Buffer, p: number, end: number, depth: number): number {
  if (depth > maxNestingDepth) fail(p, `at most ${maxNestingDepth} levels`, 'oversize');
  p = skipSpace(b, p + 1, end);
  if (p < end && b[p] === 125) p++;
  else {
    for (;;) {
      if (p >= end || b[p] !== 34) fail(p, 'a member name');
      p = scanString(b, p + 1, end);
      if (p < end && b[p] === 58 && p + 1 < end && b[p + 1] > 32) p++;
      else p = scanColon(b, p, end);
      p = scanValue(b, p, end, depth);
      if (p < end && b[p] === 44 && p + 1 < end && b[p + 1] > 32) { p++; continue; }
      const more = scanNext(b, p, end, 125);
      p = next.at;
      if (!more) break;
    }
  }
  scan.token = TOKEN.object;
  return p;
}

function scanArray(b: Buffer, p: number, end: number, depth: number): number {
  if (depth > maxNestingDepth) fail(p, `at most ${maxNestingDepth} levels`, 'oversize');
  p = skipSpace(b, p + 1, end);
  if (p < end && b[p] === 93) p++;
  else {
    for (;;) {
      p = scanValue(b, p, end, depth);
      const more = scanNext(b, p, end, 93);
      p = next.at;
      if (!more) break;
    }
  }
  scan.token = TOKEN.array;
  return p;
}

export function scanNumberEnd(b: Buffer, p: number, end: number): number {
  scan.token = TOKEN.integer;
  if (b[p] === 45) p++;
  if (p < end && b[p] === 48) p++;
  else p = scanDigits(b, p, end);
  if (p < end && b[p] === 46) {
    scan.token = TOKEN.decimal;
    p = scanDigits(b, p + 1, end);
  }
  if (p < end && (b[p] | 32) === 101) {
    scan.token = TOKEN.decimal;
    p++;
    if (p < end && (b[p] === 43 || b[p] === 45)) p++;
    p = scanDigits(b, p, end);
  }
  return p;
}

function scanDigits(b: Buffer, p: number, end: number): number {
  const from = p;
  const words = wordsOf(b);
  while (p <= end - 4) {
    const marks = digitMarks(words.getInt32(p, true));
    if (marks === 0) { p += 4; continue; }
    p += firstMark(marks);
    if (p === from) fail(p, 'a digit');
    return p;
  }
  while (p < end && b[p] >= 48 && b[p] <= 57) p++;
  if (p === from) fail(p, 'a digit');
  return p;
}

/** The words `null` and `true`, and the last four letters of `false`, as they are read little-endian. */
const NULL = 0x6c6c756e;
const TRUE = 0x65757274;
const ALSE = 0x65736c61;

/** The word of `length` letters that ends in the four of `word`; its first letter has been seen. */
function scanWord(b: Buffer, p: number, end: number, length: number, word: number, token: number): number {
  if (p + length > end || wordsOf(b).getInt32(p + length - 4, true) !== word) fail(p, 'null, true or false');
  scan.token = token;
  return p + length;
}

function scanEscape(b: Buffer, p: number, end: number): number {
  const c = p < end ? b[p] : 0;
  if (c === 34 || c === 92 || c === 47 || c === 98 || c === 102 || c === 110 || c === 114 || c === 116) return p + 1;
  if (c !== 117) fail(p, 'an escape');
  for (let i = 1; i <= 4; i++) if (p + i >= end || hexDigit(b[p + i]) < 0) fail(Math.min(p + i, end), 'a hexadecimal digit');
  return p + 5;
}

/** Value of a hexadecimal digit, -1 where it is none. */
export function hexDigit(c: number): number {
  if (c >= 48 && c <= 57) return c - 48;
  c |= 32;
  return c >= 97 && c <= 102 ? c - 87 : -1;
}

/** A sequence of two to four bytes at `p`: no overlong form, no surrogate, nothing above U+10FFFF. */
function scanUtf8(b: Buffer, p: number, end: number): number {
  const c = b[p];
  const length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c > 0xf4 || p + length > end) fail(p, 'UTF-8');
  const second = b[p + 1];
  let low = 0x80;
  let high = 0xbf;
  if (c === 0xe0) low = 0xa0;
  else if (c === 0xed) high = 0x9f;
  else if (c === 0xf0) low = 0x90;
  else if (c === 0xf4) high = 0x8f;
  if (second < low || second > high) fail(p + 1, 'UTF-8');
  for (let i = 2; i < length; i++) if ((b[p + i] & 0xc0) !== 0x80) fail(p + i, 'UTF-8');
  return p + length;
}
