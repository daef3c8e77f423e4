// JSON as a capture line needs it, on the bytes: skipping values of any kind.
//
// Invariant: the byte after the line is a control character (the caller's newline), so every loop here stops at the end of the
// line without a bound check. A reader returns the index after what it read, or -1 with `scan.error` and `scan.at` set.
import { maxNestingDepth } from './limits.ts';

/** Where a reader left its findings. One long-lived object, overwritten by each read. */
export interface Scan {
  /** Span of the last string read, unescaped. */
  textStart: number;
  textEnd: number;
  /** What is wrong and where (index in the data), after a -1. */
  error: string;
  at: number;
}

export function newScan(): Scan {
  return { textStart: 0, textEnd: 0, error: '', at: 0 };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LOWER_U = 0x75;
export const UNENDED = 'a string does not end, or holds a bare control character';

/** 1 for the bytes that stand for themselves in a JSON string: all but quote, backslash and control characters. */
const PLAIN: Uint8Array = Uint8Array.from({ length: 256 }, (_, c) => (c >= 0x20 && c !== QUOTE && c !== BACKSLASH ? 1 : 0));
/** What the character after a backslash stands for; 0 where it is no such escape (`u` is read apart). */
export const ESCAPED: Uint8Array = new Uint8Array(256);
for (const [name, value] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) ESCAPED[name.charCodeAt(0)] = value.charCodeAt(0);
/** Value of a hexadecimal digit, 255 for other bytes. */
const HEX: Uint8Array = new Uint8Array(256).fill(255);
for (const [value, digit] of [...'0123456789abcdef'].entries()) HEX[digit.charCodeAt(0)] = HEX[digit.toUpperCase().charCodeAt(0)] = value;
export function fail(scan: Scan, at: number, error: string): -1 {
  scan.at = at;
  scan.error = error;
  return -1;
}

/** The newline is no white space here: it is the end. */
export function skipSpace(data: Uint8Array, at: number): number {
  let p = at;
  while (data[p] === 0x20 || data[p] === 0x09 || data[p] === 0x0d) p++;
  return p;
}

/** Skips one value of any kind, checking that it is JSON, without changing a byte. */
export function skipValue(scan: Scan, data: Uint8Array, at: number, depth: number): number {
  const c = data[at];
  if (c === QUOTE) return skipString(scan, data, at);
  if (c === OPEN_OBJECT) return skipObject(scan, data, at, depth + 1);
  if (c === OPEN_ARRAY) return skipArray(scan, data, at, depth + 1);
  if (c === 0x2d || (c >= 0x30 && c <= 0x39)) return skipNumber(scan, data, at);
  const end = skipWord(data, at);
  return end < 0 ? fail(scan, at, 'a value is expected') : end;
}

export function skipString(scan: Scan, data: Uint8Array, at: number): number {
  let p = at + 1;
  for (;;) {
    while (PLAIN[data[p]] === 1) p++;
    if (data[p] === QUOTE) return p + 1;
    const end = data[p] === BACKSLASH ? (ESCAPED[data[p + 1]] !== 0 ? p + 2 : skipUnicode(data, p)) : 0;
    if (end <= 0) return fail(scan, p, end === 0 ? UNENDED : 'no such escape in a string');
    p = end;
  }
}

function skipUnicode(data: Uint8Array, at: number): number {
  return codeUnit(data, at) < 0 ? -1 : at + 6;
}

function skipObject(scan: Scan, data: Uint8Array, at: number, depth: number): number {
  if (depth > maxNestingDepth) return fail(scan, at, `nested deeper than ${maxNestingDepth} levels`);
  let p = skipSpace(data, at + 1);
  if (data[p] === CLOSE_OBJECT) return p + 1;
  for (;;) {
    if (data[p] !== QUOTE) return fail(scan, p, 'a name in quotes is expected');
    p = skipString(scan, data, p);
    if (p < 0) return -1;
    if (data[p] !== COLON) p = skipSpace(data, p);
    if (data[p] !== COLON) return fail(scan, p, 'a colon is expected');
    p = skipValue(scan, data, skipSpace(data, p + 1), depth);
    if (p < 0) return -1;
    p = skipSpace(data, p);
    if (data[p] === CLOSE_OBJECT) return p + 1;
    if (data[p] !== COMMA) return fail(scan, p, 'a comma or a closing brace is expected');
    p = skipSpace(data, p + 1);
  }
}

function skipArray(scan: Scan, data: Uint8Array, at: number, depth: number): number {
  if (depth > maxNestingDepth) return fail(scan, at, `nested deeper than ${maxNestingDepth} levels`);
  let p = skipSpace(data, at + 1);
  if (data[p] === CLOSE_ARRAY) return p + 1;
  for (;;) {
    p = skipValue(scan, data, p, depth);
    if (p < 0) return -1;
    p = skipSpace(data, p);
    if (data[p] === CLOSE_ARRAY) return p + 1;
    if (data[p] !== COMMA) return fail(scan, p, 'a comma or a closing bracket is expected');
    p = skipSpace(data, p + 1);
  }
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

/** `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` */
function skipNumber(scan: Scan, data: Uint8Array, at: number): number {
  let p = data[at] === 0x2d ? at + 1 : at;
  if (!isDigit(data[p]) || (data[p] === 0x30 && isDigit(data[p + 1]))) return fail(scan, at, 'not a number');
  while (isDigit(data[p])) p++;
  if (data[p] === 0x2e) {
    if (!isDigit(data[++p])) return fail(scan, at, 'not a number');
    while (isDigit(data[p])) p++;
  }
  if (data[p] === 0x65 || data[p] === 0x45) {
    p++;
    if (data[p] === 0x2b || data[p] === 0x2d) p++;
    if (!isDigit(data[p])) return fail(scan, at, 'not a number');
    while (isDigit(data[p])) p++;
  }
  return p;
}

const WORDS: readonly Uint8Array[] = ['null', 'true', 'false'].map((word) => Buffer.from(word));

/** The index after `null`, `true` or `false`, -1 where there is none of them. */
function skipWord(data: Uint8Array, at: number): number {
  for (const word of WORDS) {
    let matched = 0;
    while (matched < word.length && data[at + matched] === word[matched]) matched++;
    if (matched === word.length) return at + matched;
  }
  return -1;
}

/** The index after `null`, -1 where it is something else. */
export function skipNull(data: Uint8Array, at: number): number {
  return data[at] === 0x6e && data[at + 1] === 0x75 && data[at + 2] === 0x6c && data[at + 3] === 0x6c ? at + 4 : -1;
}

/** The UTF-16 code unit of the `\uXXXX` at `at`, -1 where there is none. */
export function codeUnit(data: Uint8Array, at: number): number {
  if (data[at] !== BACKSLASH || data[at + 1] !== LOWER_U) return -1;
  const a = HEX[data[at + 2]];
  const b = HEX[data[at + 3]];
  const c = HEX[data[at + 4]];
  const d = HEX[data[at + 5]];
  return (a | b | c | d) > 15 ? -1 : (a << 12) | (b << 8) | (c << 4) | d;
}
