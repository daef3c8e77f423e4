// Debezium's change envelope, scanned once from end to end: where before and after stand, and the small blocks read as they pass.
// Any order of fields and any white space; what the record is (`what`) is told by which fields it has, not by its topic.
import { fail, next, scan, scanColon, scanNext, scanString, scanValue, skipSpace, TOKEN } from './json-scan.ts';
import { createEnvelopeTemplate, learnEnvelope, noteField, type EnvelopeTemplate } from './envelope-template.ts';
import { matchLast, matchLiteral } from './literals.ts';
import { readObject, skipObject, textOf } from './object-reader.ts';
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
  readonly template: EnvelopeTemplate;
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
    source, transaction, after, memo, seed: 0, template: createEnvelopeTemplate(), fields: 0, objects: 0, op: 0, beforeStart: -1, beforeEnd: -1, beforeToken: TOKEN.null,
    afterStart: -1, afterEnd: -1, afterToken: TOKEN.null, idStart: -1, idEnd: -1, timeStart: -1, timeEnd: -1,
  };
}

/** Scans the object at `p`, which must reach to `end`. */
export function scanEnvelope(e: EnvelopeScan, b: Buffer, p: number, end: number): void {
  clear(e);
  if (scanByTemplate(e, b, p, end)) return;
  clear(e);
  if (p >= end || b[p] !== 123) fail(p, 'an object');
  const from = p;
  let count = 0;
  p = skipSpace(b, p + 1, end);
  if (p < end && b[p] === 125) p++;
  else {for (;;) {
    p = scanNamedField(e, count++, b, p, end);
    const more = scanNext(b, p, end, 125);
    p = next.at;
    if (!more) break;
  }}
  if (skipSpace(b, p, end) !== end) fail(p, 'the end of the value');
  learnEnvelope(e.template, b, from, end, count);
}

function clear(e: EnvelopeScan): void {
  e.fields = 0;
  e.objects = 0;
  e.op = 0;
  e.memo.found = -1;
  e.beforeToken = TOKEN.null;
  e.afterToken = TOKEN.null;
}

/** The fields come in the order of the last records, as a rule: then what stands between their values is compared and not looked up. */
function scanByTemplate(e: EnvelopeScan, b: Buffer, p: number, end: number): boolean {
  const { template } = e;
  const { fields, literals } = template;
  const view = wordsOf(b);
  for (let k = 0; k < fields.length; k++) {
    p = matchLiteral(literals, k, view, p, end);
    if (p === 0 || p >= end || b[p] <= 32) return false;
    const field = fields[k];
    if (field === FIELD.other) {
      p = scanValue(b, p, end, 1);
      continue;
    }
    const isRow = field === FIELD.before && b[p] === 123;
    const q = isRow ? findRow(e.memo, b, p, end, e.seed, literals, k + 1) : 0;
    p = q > 0 ? setField(e, field, TOKEN.object, p, q, b) : scanField(e, field, b, p, end);
  }
  return fields.length > 0 && matchLast(literals, b, p, end) === end;
}

function scanNamedField(e: EnvelopeScan, i: number, b: Buffer, p: number, end: number): number {
  if (p >= end || b[p] !== 34) fail(p, 'a field name');
  const q = scanString(b, p + 1, end);
  const field = scan.token === TOKEN.text ? fieldAt(b, p + 1, q - 1) : escapedField(b, p + 1, q - 1);
  const from = scanColon(b, q, end);
  if (field !== FIELD.other && field !== FIELD.notice && field !== FIELD.time && (e.fields & field) !== 0) fail(from, 'no field twice');
  const to = scanField(e, field, b, from, end);
  noteField(e.template, i, field, from, to);
  return to;
}

function scanField(e: EnvelopeScan, field: number, b: Buffer, p: number, end: number): number {
  if (p >= end || b[p] !== 123) return setField(e, field, -1, p, scanValue(b, p, end, 1), b);
  let q: number;
  switch (field) {
    case FIELD.source: q = readObject(e.source, b, p, end); break;
    case FIELD.after: q = readObject(e.after, b, p, end); break;
    case FIELD.transaction: q = readObject(e.transaction, b, p, end); break;
    case FIELD.before: q = skipObject(e.after.shape.members, b, p, end); break;
    default: q = scanValue(b, p, end, 1);
  }
  return setField(e, field, TOKEN.object, p, q, b);
}

/** Notes the field whose value is b[p, q); -1 is the kind that was scanned last. Returns `q`. */
function setField(e: EnvelopeScan, field: number, kind: number, p: number, q: number, b: Buffer): number {
  const token = kind < 0 ? scan.token : kind;
  e.fields |= field;
  if (token === TOKEN.object) e.objects |= field;
  switch (field) {
    case FIELD.after: e.afterStart = p; e.afterEnd = q; e.afterToken = token; break;
    case FIELD.before: e.beforeStart = p; e.beforeEnd = q; e.beforeToken = token; break;
    case FIELD.id: e.idStart = p; e.idEnd = q; break;
    case FIELD.time: e.timeStart = p; e.timeEnd = q; break;
    case FIELD.op:
      if (token === TOKEN.text && q - p === 3) e.op = b[p + 1] | 32;
      else if (token !== TOKEN.null) fail(p, 'an op of one letter');
      break;
    default: break;
  }
  return q;
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
