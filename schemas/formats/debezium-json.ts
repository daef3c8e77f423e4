// The decoder of Debezium's JSON: one record's bytes to the pair's change event.
//
// One pass finds everything (debezium-envelope.ts), a second over the parts that count writes them in canonical form: key, origin,
// transaction, trace context, image. Invariants: whatever the bytes, `decode` ends and throws nothing but an assertion; a masked value is
// never in `event.bytes`; a dead letter's detail says where and what was expected, never what stood there.
import { KIND, OP, PRINT } from '../change-event.ts';
import type { Op, Side } from '../change-event.ts';
import type { Decoder, PairContext } from '../decoder.ts';
import { maxRecordBytes } from '../limits.ts';
import type { RawRecord } from '../raw-record.ts';
import { copyInto } from '../canonical/sink.ts';
import { unescape } from '../canonical/text.ts';
import { writeTrace, writeTransaction } from './debezium-context.ts';
import { bury, buryMalformed } from './debezium-dead.ts';
import { FIELD, scanEnvelope } from './debezium-envelope.ts';
import { linkedKey, readRecordKey } from './debezium-keys.ts';
import { commitTimeOf, hasTransactionId, isMySql, isSnapshot, wholeNumber, writePosition } from './debezium-source.ts';
import { createState, reset } from './debezium-state.ts';
import type { State } from './debezium-state.ts';
import { readTransaction } from './debezium-transaction.ts';
import { writeOrigin } from './event-origin.ts';
import { fail, Malformed, scanValue, skipSpace, TOKEN } from './json-scan.ts';
import { readObject } from './object-reader.ts';
import { writeKey } from './record-key.ts';
import { writeImage } from './row-reader.ts';
import type { RowReader } from './row-reader.ts';
import { printImage } from './row-print.ts';
import { printBefore } from './debezium-before.ts';
import { openEnvelope } from './schema-envelope.ts';

export function createDebeziumJsonDecoder(context: PairContext, side: Side): Decoder {
  const state = createState(context, side);
  return { event: state.event, decode: (record) => { decode(state, record); } };
}

function decode(state: State, record: RawRecord): void {
  const { event, sink } = state;
  reset(state);
  try {
    if (record.bad !== undefined) bury(event, 'bad-line', record.bad.detail);
    else if (record.valueStart < 0) decodeTombstone(state, record);
    else decodeValue(state, record);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    buryMalformed(state, record, error);
  }
  event.bytes = sink.bytes;
}

function decodeTombstone(state: State, record: RawRecord): void {
  const { event } = state;
  readRecordKey(state, record);
  writeKey(state.sink, state.keys, record.data, undefined, record.data);
  event.keyLength = state.sink.at;
  event.kind = KIND.tombstone;
  event.op = OP.delete;
  event.linkedKey = linkedKey(state, record, '__debezium.newkey');
}

function decodeValue(state: State, record: RawRecord): void {
  const { scanned, values, parts, event } = state;
  const b = record.data;
  const start = record.valueStart;
  let end = record.valueEnd;
  state.reading = 'value';
  state.readingFrom = start;
  if (end - start > maxRecordBytes) fail(end, `a value of at most ${maxRecordBytes} bytes`, 'oversize');
  const c = b[start];
  if (start < end && c < 32 && c !== 9 && c !== 10 && c !== 13) fail(start, 'JSON, not a framed value', 'unknown-magic');
  while (end > start && (b[end - 1] === 32 || b[end - 1] === 10 || b[end - 1] === 13 || b[end - 1] === 9)) end--;
  openEnvelope(values, b, skipSpace(b, start, end), end);
  const { payload, readers } = values;
  // A null payload is a null value (ruling 27).
  if (payload < values.end && b[payload] === 110 && scanValue(b, payload, values.end, 0) === values.end) return decodeTombstone(state, record);
  scanned.after = readers.after;
  scanned.seed = readers.seed;
  scanEnvelope(scanned, b, payload, values.end);
  parts.source = (scanned.objects & FIELD.source) !== 0 ? scanned.source : undefined;
  parts.transaction = (scanned.objects & FIELD.transaction) !== 0 ? scanned.transaction : undefined;
  if (scanned.op === 0) return decodeNotice(state, record);
  if (parts.source === undefined) return fail(-1, 'a source block');
  event.commitTimeUs = commitTimeOf(scanned.source, b);
  decodeChange(state, record);
}

/** Records without an op: heartbeats, transaction bounds, schema changes, notifications. */
function decodeNotice(state: State, record: RawRecord): void {
  const { scanned, event, sink, values } = state;
  const { fields } = scanned;
  if ((fields & FIELD.status) !== 0 && (fields & FIELD.id) !== 0) {
    event.kind = KIND.transaction;
    if (record.data[scanned.idStart] === 34) copyInto(sink, record.data, scanned.idStart + 1, scanned.idEnd - 1);
    event.transactionLength = sink.at;
    if ((fields & FIELD.time) !== 0) event.commitTimeUs = wholeNumber(record.data, scanned.timeStart, scanned.timeEnd) * 1000;
    if (!Number.isSafeInteger(event.commitTimeUs)) event.commitTimeUs = NaN;
    event.transactionEnd = readTransaction(state.transactions, record.data, values.payload, values.end);
  } else if (fields === FIELD.time || fields === 0 && values.end - values.payload === 2) event.kind = KIND.heartbeat;
  else if ((fields & FIELD.notice) !== 0) event.kind = KIND.other;
  else fail(-1, 'an op: this is no Debezium envelope (flattened rows are debezium-flat)');
}

const C = 99;
const D = 100;
const M = 109;
const R = 114;
const T = 116;
const U = 117;

function opOf(letter: number): Op {
  switch (letter) {
    case C: return OP.create;
    case U: return OP.update;
    case D: return OP.delete;
    case R: return OP.read;
    case T: return OP.truncate;
    default: return fail(-1, 'an op of c, u, d, r, t or m');
  }
}

function decodeChange(state: State, record: RawRecord): void {
  const { event, scanned, sink, parts } = state;
  const b = record.data;
  event.snapshot = isSnapshot(scanned.source, b);
  if (scanned.op === M) {
    event.kind = KIND.message;
    if (!hasTransactionId(scanned.source) && parts.transaction === undefined) event.commitTimeUs = NaN;
  } else event.op = opOf(scanned.op);
  event.positioned = writePosition(scanned.source, b, state.epoch, state.byTime ? event.commitTimeUs : NaN, state.position);
  parts.positioned = event.positioned;
  const isRow = scanned.op !== M && scanned.op !== T;
  if (isRow) {
    readRows(state, b);
    readRecordKey(state, record);
    const row = parts.after ?? parts.before;
    writeKey(sink, state.keys, b, row, parts.after !== undefined ? parts.afterBytes : parts.beforeBytes);
    event.keyLength = sink.at;
  }
  if (scanned.op !== M) event.originLength = writeOrigin(sink, state.paths, parts, record);
  writeTransaction(state, b);
  writeTrace(state, record);
  if (parts.after !== undefined && isRow) {
    const mySql = isMySql(scanned.source, b);
    event.elidesNoops = mySql;
    const imageFrom = sink.at;
    event.layout = writeImage(sink, parts.after, parts.afterBytes, state.fullImages || mySql, mySql, state.context);
    event.imageLength = sink.at - imageFrom;
    printImage(event.layout, sink, imageFrom, sink.at, event.prints, PRINT.after);
  }
  if (isRow) printBefore(state, b);
  if (scanned.op === C) event.linkedKey = linkedKey(state, record, '__debezium.oldkey');
  else if (scanned.op === D) event.linkedKey = linkedKey(state, record, '__debezium.newkey');
  if (scanned.op !== M) event.kind = KIND.change;
}

/** The rows that count: after, or for a delete before; both where an origin path wants before. */
function readRows(state: State, b: Buffer): void {
  const { scanned, parts, values } = state;
  const needsBefore = scanned.op === D || state.wantsBefore;
  parts.before = needsBefore ? readRow(state, values.readers.before, b, scanned.beforeStart, scanned.beforeToken) : undefined;
  parts.beforeBytes = b;
  if (scanned.op === D) {
    parts.after = undefined;
    return;
  }
  if (scanned.afterToken === TOKEN.object) {
    parts.after = values.readers.after;
    parts.afterBytes = b;
    return;
  }
  if (scanned.afterToken !== TOKEN.text && scanned.afterToken !== TOKEN.escaped) fail(-1, 'an after image');
  parts.after = readDocument(state, b, scanned.afterStart + 1, scanned.afterEnd - 1);
  parts.afterBytes = state.document.bytes;
}

function readRow(state: State, reader: RowReader, b: Buffer, start: number, token: number): RowReader | undefined {
  if (token !== TOKEN.object || start < 0) return undefined;
  readObject(reader, b, start, state.values.end);
  return reader;
}

/** MongoDB: the document is JSON in a string. */
function readDocument(state: State, b: Buffer, from: number, to: number): RowReader {
  const { document, values } = state;
  document.at = 0;
  unescape(document, b, from, to);
  const start = skipSpace(document.bytes, 0, document.at);
  if (start >= document.at || document.bytes[start] !== 123) fail(-1, 'an after image');
  const p = readObject(values.readers.after, document.bytes, start, document.at);
  if (skipSpace(document.bytes, p, document.at) !== document.at) fail(-1, 'an after image');
  return values.readers.after;
}
