// JSON in one form: members sorted by the bytes of their names, the last of equal names (as jsonb and MySQL keep it), numbers as exact
// decimals, strings with the fewest escapes, no white space. Order and spelling of a document are its engine's, not its value's.
import { copyInto, createSink, reserve } from './sink.ts';
import type { Sink } from './sink.ts';
import { writeDecimal, writeWhole } from './number.ts';
import { unescape } from './text.ts';
import { maxNestingDepth } from '../limits.ts';
import { fail, Malformed, next, scan, scanColon, scanNext, scanString, scanValue, skipSpace, TOKEN } from '../formats/json-scan.ts';

/** Writes the JSON text b[from, to). False (and nothing written) where it is not JSON. */
export function writeJsonText(sink: Sink, b: Buffer, from: number, to: number): boolean {
  const start = sink.at;
  try {
    writeJson(sink, b, from, to);
    return true;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    sink.at = start;
    return false;
  }
}

/** The same; throws `malformed` where it is not JSON. */
export function writeJson(sink: Sink, b: Buffer, from: number, to: number): void {
  top = 0;
  const p = writeValue(sink, b, skipSpace(b, from, to), to, 0);
  if (skipSpace(b, p, to) !== to) fail(p, 'the end of the JSON');
}

/** Places of the members of the objects being written, three a member: start, end of the name, end. A stack over the levels. */
let members = new Int32Array(192);
let top = 0;
let spare = Buffer.allocUnsafeSlow(1024);
const name: Sink = createSink(256);

function writeValue(sink: Sink, b: Buffer, p: number, end: number, depth: number): number {
  const c = p < end ? b[p] : 0;
  if (c === 34) return writeString(sink, b, p, end);
  if (c === 123) return writeObject(sink, b, p, end, depth + 1);
  if (c === 91) return writeArray(sink, b, p, end, depth + 1);
  const to = scanValue(b, p, end, depth);
  if (scan.token === TOKEN.integer) writeWhole(sink, b, p, to);
  else if (scan.token === TOKEN.decimal) writeDecimal(sink, b, p, to);
  else copyInto(sink, b, p, to);
  return to;
}

function put(sink: Sink, c: number): void {
  reserve(sink, 1);
  sink.bytes[sink.at++] = c;
}

function writeArray(sink: Sink, b: Buffer, p: number, end: number, depth: number): number {
  if (depth > maxNestingDepth) fail(p, `at most ${maxNestingDepth} levels`, 'oversize');
  put(sink, 91);
  p = skipSpace(b, p + 1, end);
  if (p < end && b[p] === 93) p++;
  else {
    for (let more = true; more; p = next.at) {
      p = writeValue(sink, b, p, end, depth);
      more = scanNext(b, p, end, 93);
      if (more) put(sink, 44);
    }
  }
  put(sink, 93);
  return p;
}

function writeObject(sink: Sink, b: Buffer, p: number, end: number, depth: number): number {
  if (depth > maxNestingDepth) fail(p, `at most ${maxNestingDepth} levels`, 'oversize');
  const base = top;
  put(sink, 123);
  const start = sink.at;
  p = skipSpace(b, p + 1, end);
  if (p < end && b[p] === 125) p++;
  else {
    for (let more = true; more; p = next.at) {
      p = writeMember(sink, b, p, end, depth, start);
      more = scanNext(b, p, end, 125);
      if (more) put(sink, 44);
    }
  }
  sortMembers(sink, start, base);
  top = base;
  put(sink, 125);
  return p;
}

/** Writes a member and notes its places, relative to the object's `start`: an outer object that is sorted moves its inner ones. */
function writeMember(sink: Sink, b: Buffer, p: number, end: number, depth: number, start: number): number {
  if (p >= end || b[p] !== 34) fail(p, 'a member name');
  if (top + 3 > members.length) members = grown(members);
  const at = top;
  top += 3;
  members[at] = sink.at - start;
  p = scanColon(b, writeString(sink, b, p, end), end);
  members[at + 1] = sink.at - start;
  put(sink, 58);
  p = writeValue(sink, b, p, end, depth);
  members[at + 2] = sink.at - start;
  return p;
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Members that are put in order one by one; more are sorted by the engine. */
const FEW = 32;
let order = new Int32Array(FEW);

/** Rewrites the members from `base` in the order of their names; nothing to do where they stand in it. */
function sortMembers(sink: Sink, start: number, base: number): void {
  let sorted = true;
  for (let i = base + 3; i < top && sorted; i += 3) sorted = compareNames(sink.bytes, start, i - 3, i) < 0;
  if (sorted) return;
  const length = sink.at - start;
  if (spare.length < length) spare = Buffer.allocUnsafeSlow(length * 2);
  sink.bytes.copy(spare, 0, start, sink.at);
  const count = (top - base) / 3;
  putInOrder(base, count);
  sink.at = start;
  for (let n = 0; n < count; n++) {
    if (n + 1 < count && compareNames(spare, 0, order[n], order[n + 1]) === 0) continue;
    if (sink.at > start) put(sink, 44);
    copyInto(sink, spare, members[order[n]], members[order[n] + 2]);
  }
}

/** Fills `order` with the members from `base`, by name, equal names as they came. */
function putInOrder(base: number, count: number): void {
  if (count > order.length) order = new Int32Array(2 * count);
  if (count > FEW) {
    order.set(Array.from({ length: count }, (_, n) => base + 3 * n).sort((i, j) => compareNames(spare, 0, i, j) || i - j));
    return;
  }
  for (let n = 0; n < count; n++) {
    let m = n;
    for (; m > 0 && compareNames(spare, 0, order[m - 1], base + 3 * n) > 0; m--) order[m] = order[m - 1];
    order[m] = base + 3 * n;
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
