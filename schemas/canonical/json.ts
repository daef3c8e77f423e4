// JSON in one form: members sorted by the bytes of their names, the last of equal names (as jsonb and MySQL keep it), numbers as exact
// decimals, strings with the fewest escapes, no white space. Order and spelling of a document are its engine's, not its value's.
import { copyInto, createSink, reserve } from './sink.ts';
import type { Sink } from './sink.ts';
import { writeDecimal } from './number.ts';
import { unescape } from './text.ts';
import { Malformed, scanNumberEnd, scanString, scanValue, scan, skipSpace, TOKEN } from '../formats/json-scan.ts';

/** Writes the JSON text b[from, to). False (and nothing written) where it is not JSON. */
export function writeJsonText(sink: Sink, b: Buffer, from: number, to: number): boolean {
  try {
    const p = scanValue(b, skipSpace(b, from, to), to, 0);
    if (skipSpace(b, p, to) !== to) return false;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return false;
  }
  writeJson(sink, b, from, to);
  return true;
}

/** The same for text that has been scanned. */
export function writeJson(sink: Sink, b: Buffer, from: number, to: number): void {
  top = 0;
  writeValue(sink, b, skipSpace(b, from, to), to);
}

/** Places of the members of the objects being written, three a member: start, end of the name, end. A stack over the levels. */
let members = new Int32Array(192);
let top = 0;
const spare = { bytes: Buffer.allocUnsafeSlow(1024) };
const name: Sink = createSink(256);

function writeValue(sink: Sink, b: Buffer, p: number, end: number): number {
  const c = b[p];
  if (c === 123) return writeObject(sink, b, p, end);
  if (c === 91) return writeArray(sink, b, p, end);
  if (c === 34) return writeString(sink, b, p, end);
  if (c === 45 || (c >= 48 && c <= 57)) {
    const to = scanNumberEnd(b, p, end);
    writeDecimal(sink, b, p, to);
    return to;
  }
  const to = p + (c === 102 ? 5 : 4);
  copyInto(sink, b, p, to);
  return to;
}

function put(sink: Sink, c: number): void {
  reserve(sink, 1);
  sink.bytes[sink.at++] = c;
}

function writeArray(sink: Sink, b: Buffer, p: number, end: number): number {
  put(sink, 91);
  p = skipSpace(b, p + 1, end);
  while (b[p] !== 93) {
    p = skipSpace(b, writeValue(sink, b, p, end), end);
    if (b[p] === 44) {
      put(sink, 44);
      p = skipSpace(b, p + 1, end);
    }
  }
  put(sink, 93);
  return p + 1;
}

function writeObject(sink: Sink, b: Buffer, p: number, end: number): number {
  const base = top;
  put(sink, 123);
  const start = sink.at;
  p = skipSpace(b, p + 1, end);
  while (b[p] !== 125) {
    if (top + 3 > members.length) {
      const larger = new Int32Array(members.length * 2);
      larger.set(members);
      members = larger;
    }
    const at = top;
    top += 3;
    // Relative to the object: an outer object that is sorted moves its inner ones.
    members[at] = sink.at - start;
    p = skipSpace(b, writeString(sink, b, p, end), end);
    members[at + 1] = sink.at - start;
    put(sink, 58);
    p = skipSpace(b, writeValue(sink, b, skipSpace(b, p + 1, end), end), end);
    members[at + 2] = sink.at - start;
    if (b[p] === 44) {
      put(sink, 44);
      p = skipSpace(b, p + 1, end);
    }
  }
  sortMembers(sink, start, base);
  top = base;
  put(sink, 125);
  return p + 1;
}

/** Rewrites the members from `base` in the order of their names; nothing to do where they stand in it. */
function sortMembers(sink: Sink, start: number, base: number): void {
  let sorted = true;
  for (let i = base + 3; i < top && sorted; i += 3) sorted = compareNames(sink.bytes, start, i - 3, i) < 0;
  if (sorted) return;
  const length = sink.at - start;
  if (spare.bytes.length < length) spare.bytes = Buffer.allocUnsafeSlow(length * 2);
  sink.bytes.copy(spare.bytes, 0, start, sink.at);
  const order: number[] = [];
  for (let i = base; i < top; i += 3) order.push(i);
  order.sort((i, j) => compareNames(spare.bytes, 0, i, j) || i - j);
  sink.at = start;
  for (let n = 0; n < order.length; n++) {
    if (n + 1 < order.length && compareNames(spare.bytes, 0, order[n], order[n + 1]) === 0) continue;
    if (sink.at > start) put(sink, 44);
    copyInto(sink, spare.bytes, members[order[n]], members[order[n] + 2]);
  }
}

/** Order of two members by the bytes of their names (between the quotes). */
function compareNames(b: Buffer, start: number, i: number, j: number): number {
  let p = start + members[i] + 1;
  let q = start + members[j] + 1;
  const pEnd = start + members[i + 1] - 1;
  const qEnd = start + members[j + 1] - 1;
  for (; p < pEnd && q < qEnd; p++, q++) if (b[p] !== b[q]) return b[p] - b[q];
  return pEnd - p - (qEnd - q);
}

function writeString(sink: Sink, b: Buffer, p: number, end: number): number {
  const to = scanString(b, p + 1, end);
  if (scan.token === TOKEN.text) {
    copyInto(sink, b, p, to);
    return to;
  }
  name.at = 0;
  unescape(name, b, p + 1, to - 1);
  writeQuoted(sink, name.bytes, name.at);
  return to;
}

const HEX = Buffer.from('0123456789abcdef');

function writeQuoted(sink: Sink, text: Buffer, length: number): void {
  reserve(sink, length * 6 + 2);
  const out = sink.bytes;
  let w = sink.at;
  out[w++] = 34;
  for (let i = 0; i < length; i++) {
    const c = text[i];
    if (c < 32) {
      w += out.write('\\u00', w, 'latin1');
      out[w++] = HEX[c >> 4];
      out[w++] = HEX[c & 15];
      continue;
    }
    if (c === 34 || c === 92) out[w++] = 92;
    out[w++] = c;
  }
  out[w++] = 34;
  sink.at = w;
}
