// Debezium's change envelope, scanned once from end to end: where before and after stand, and the small blocks read as they pass.
// Any order of fields and any white space; what the record is (`what`) is told by which fields it has, not by its topic.
import { fail, next, scan, scanColon, scanNext, scanString, scanValue, skipSpace, TOKEN } from './json-scan.ts';
import { matchName, quotedName, readObject, skipObject, textOf, type QuotedName } from './object-reader.ts';
import { wordsOf } from './words.ts';
import type { FieldReader } from './debezium-source.ts';
import { findRow, type RowMemo } from './row-memo.ts';
import type { RowReader } from './row-reader.ts';

export const FIELD = {
  other: 0, before: 1, after: 2, source: 4, transaction: 8, op: 16, status: 32, id: 64, time: 128,
  /** Fields of schema changes and notifications. */
  notice: 256,
} as const;

export interface EnvelopeScan {
  readonly source: FieldReader;
  readonly transaction: FieldReader;
  after: RowReader;
  /** Rows seen, by which a before image is passed; and what they are told from those of other schemas by. */
  readonly memo: RowMemo;
  seed: number;
  /** The fields of the last record, in its order, with their names as they stood there (quotes and colon). */
  readonly expected: { readonly field: number; readonly name: QuotedName }[];
  /** Bits of FIELD that the record has, whatever their value. */
  fields: number;
  /** Bits of FIELD.after, source, transaction whose value is an object and was read. */
  objects: number;
  /** Lower-case letter of `op`, 0 where there is none. */
  op: number;
  beforeStart: number;
  beforeEnd: number;
  beforeToken: number;
  afterStart: number;
  afterEnd: number;
  afterToken: number;
  /** Spans of a transaction record's fields, and of the envelope's own ts_ms. */
  idStart: number;
  idEnd: number;
  timeStart: number;
  timeEnd: number;
}

export function createEnvelopeScan(source: FieldReader, transaction: FieldReader, after: RowReader, memo: RowMemo): EnvelopeScan {
  return {
    source, transaction, after, memo, seed: 0, expected: [], fields: 0, objects: 0, op: 0, beforeStart: -1, beforeEnd: -1, beforeToken: TOKEN.null,
    afterStart: -1, afterEnd: -1, afterToken: TOKEN.null, idStart: -1, idEnd: -1, timeStart: -1, timeEnd: -1,
  };
}

/** Scans the object at `p`, which must reach to `end`. */
export function scanEnvelope(e: EnvelopeScan, b: Buffer, p: number, end: number): void {
  e.fields = 0;
  e.objects = 0;
  e.op = 0;
  e.memo.found = -1;
  e.beforeToken = TOKEN.null;
  e.afterToken = TOKEN.null;
  if (p >= end || b[p] !== 123) fail(p, 'an object');
  p = skipSpace(b, p + 1, end);
  if (p < end && b[p] === 125) p++;
  else {for (let i = 0; ; i++) {
    p = scanNamedField(e, i, b, p, end);
    if (p + 1 < end && b[p] === 44 && b[p + 1] > 32) { p++; continue; }
    const more = scanNext(b, p, end, 125);
    p = next.at;
    if (!more) break;
  }}
  if (skipSpace(b, p, end) !== end) fail(p, 'the end of the value');
}

/** The fields come in the order of the last record, as a rule: then a name is compared by words and not looked up. */
function scanNamedField(e: EnvelopeScan, i: number, b: Buffer, p: number, end: number): number {
  const expected = i < e.expected.length ? e.expected[i] : undefined;
  if (expected !== undefined && expected.field >= 0) {
    const q = matchName(wordsOf(b), p, end, expected.name);
    if (q > 0 && q < end && b[q] > 32) return scanField(e, expected.field, i, b, q, end);
  }
  if (p >= end || b[p] !== 34) fail(p, 'a field name');
  const q = scanString(b, p + 1, end);
  const field = scan.token === TOKEN.text ? fieldAt(b, p + 1, q - 1) : escapedField(b, p + 1, q - 1);
  if (i < EXPECTED_MAX) e.expected[i] = { field, name: quotedName(Buffer.concat([b.subarray(p, q), COLON])) };
  return scanField(e, field, i, b, scanColon(b, q, end), end);
}

const COLON = Buffer.from(':');
/** An envelope has eight fields. */
const EXPECTED_MAX = 16;

function scanField(e: EnvelopeScan, field: number, i: number, b: Buffer, p: number, end: number): number {
  if (field !== FIELD.other && field !== FIELD.notice && field !== FIELD.time && (e.fields & field) !== 0) fail(p, 'no field twice');
  e.fields |= field;
  const isObject = p < end && b[p] === 123;
  let q: number;
  if (isObject && field === FIELD.source) q = readObject(e.source, b, p, end);
  else if (isObject && field === FIELD.after) q = readObject(e.after, b, p, end);
  else if (isObject && field === FIELD.transaction) q = readObject(e.transaction, b, p, end);
  else if (isObject && field === FIELD.before) q = passBefore(e, i, b, p, end);
  else q = scanValue(b, p, end, 1);
  if (isObject) {
    e.objects |= field;
    scan.token = TOKEN.object;
  }
  switch (field) {
    case FIELD.after: e.afterStart = p; e.afterEnd = q; e.afterToken = scan.token; break;
    case FIELD.before: e.beforeStart = p; e.beforeEnd = q; e.beforeToken = scan.token; break;
    case FIELD.id: e.idStart = p; e.idEnd = q; break;
    case FIELD.time: e.timeStart = p; e.timeEnd = q; break;
    case FIELD.op:
      if (scan.token === TOKEN.text && q - p === 3) e.op = b[p + 1] | 32;
      else if (scan.token !== TOKEN.null) fail(p, 'an op of one letter');
      break;
    default: break;
  }
  return q;
}

/** The row before the change, which is to be passed only: as one that was seen, or else by the names of the row after it. */
function passBefore(e: EnvelopeScan, i: number, b: Buffer, p: number, end: number): number {
  const q = i + 1 < e.expected.length ? findRow(e.memo, b, p, end, e.seed, e.expected[i + 1].name) : 0;
  return q > 0 ? q : skipObject(e.after.shape.members, b, p, end);
}

const NAMES: readonly (readonly [string, number])[] = [
  ['before', FIELD.before], ['after', FIELD.after], ['source', FIELD.source], ['transaction', FIELD.transaction], ['op', FIELD.op],
  ['status', FIELD.status], ['id', FIELD.id], ['ts_ms', FIELD.time], ['ddl', FIELD.notice], ['tableChanges', FIELD.notice],
  ['aggregate_type', FIELD.notice],
];
const BY_LENGTH: readonly (readonly { readonly name: Buffer; readonly field: number }[])[] = Array.from({ length: 16 }, (_, length) =>
  NAMES.filter(([name]) => name.length === length).map(([name, field]) => ({ name: Buffer.from(name), field })));

function fieldAt(b: Buffer, from: number, to: number): number {
  if (to - from > 15) return FIELD.other;
  const candidates = BY_LENGTH[to - from];
  search: for (let n = 0; n < candidates.length; n++) {
    const { name, field } = candidates[n];
    for (let i = 0; i < name.length; i++) if (b[from + i] !== name[i]) continue search;
    return field;
  }
  return FIELD.other;
}

function escapedField(b: Buffer, from: number, to: number): number {
  const text = textOf(b, from, to, TOKEN.escaped);
  return NAMES.find(([name]) => name === text)?.[1] ?? FIELD.other;
}
