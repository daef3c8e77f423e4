// The decoder of Debezium's JSON: one record's bytes to the pair's change event.
//
// One pass finds everything (debezium-envelope.ts), a second over the parts that count writes them in canonical form: key, origin,
// transaction, trace context, image. Invariants: whatever the bytes, `decode` ends and throws nothing but an assertion; a masked value is
// never in `event.bytes`; a dead letter's detail says where and what was expected, never what stood there.
import { KIND, OP } from '../change-event.ts';
import type { ChangeEvent, Kind, Op, Side } from '../change-event.ts';
import type { Decoder, PairContext } from '../decoder.ts';
import { maxRecordBytes } from '../limits.ts';
import { sideOf } from '../pair.ts';
import type { RawRecord } from '../raw-record.ts';
import { createRuleFactory, renames, rowSchema } from '../canonical/column-rule.ts';
import { copyInto, createSink } from '../canonical/sink.ts';
import type { Sink } from '../canonical/sink.ts';
import { unescape } from '../canonical/text.ts';
import { createEnvelopeScan, FIELD, scanEnvelope } from './debezium-envelope.ts';
import type { EnvelopeScan } from './debezium-envelope.ts';
import { commitTimeOf, createFieldReader, createPositionBuffer, hasTransactionId, isMySql, isSnapshot, wholeNumber, writePosition } from './debezium-source.ts';
import type { PositionBuffer } from './debezium-source.ts';
import { originColumnsOf, originPaths, sourceFields, transactionFields, writeOrigin } from './event-origin.ts';
import type { OriginParts, OriginPath } from './event-origin.ts';
import { fail, Malformed, scanValue, skipSpace, TOKEN } from './json-scan.ts';
import { readObject } from './object-reader.ts';
import { createKeyReader, readKey, writeKey } from './record-key.ts';
import type { KeyReader } from './record-key.ts';
import { createRowReader, writeImage, writing } from './row-reader.ts';
import type { RowReader, RowSettings } from './row-reader.ts';
import { createEnvelopes, openEnvelope } from './schema-envelope.ts';
import type { Envelopes } from './schema-envelope.ts';

/** Readers of the rows of one schema. */
interface Rows { readonly after: RowReader; readonly before: RowReader }

interface State {
  readonly context: PairContext;
  readonly event: ChangeEvent;
  readonly sink: Sink;
  readonly keys: KeyReader;
  /** A second reader for keys in headers, so that the record's own stays as it was read. */
  readonly linkedKeys: KeyReader;
  readonly linkedSink: Sink;
  readonly values: Envelopes<Rows>;
  readonly scanned: EnvelopeScan;
  readonly paths: readonly OriginPath[];
  readonly parts: OriginParts;
  /** An origin path names `before`: it is read for updates too. */
  readonly wantsBefore: boolean;
  readonly fullImages: boolean;
  readonly byTime: boolean;
  readonly epoch: number;
  readonly position: PositionBuffer;
  /** A MongoDB document that came as a string, unescaped. */
  readonly document: Sink;
  /** What is being read, for the detail of a dead letter, and where it begins. */
  reading: 'key' | 'value' | 'header';
  readingFrom: number;
}

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
    copyInto(sink, record.data, values.payload, values.end);
    event.imageLength = sink.at - event.transactionLength;
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
    const imageFrom = sink.at;
    event.layout = writeImage(sink, parts.after, parts.afterBytes, state.fullImages || mySql, mySql, state.context);
    event.imageLength = sink.at - imageFrom;
  }
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

function readRecordKey(state: State, record: RawRecord): void {
  const { keys } = state;
  keys.row = undefined;
  if (record.keyStart >= 0) {
    state.reading = 'key';
    state.readingFrom = record.keyStart;
    if (record.keyEnd - record.keyStart > maxRecordBytes) fail(record.keyEnd, `a key of at most ${maxRecordBytes} bytes`, 'oversize');
    readKey(keys, record.data, record.keyStart, record.keyEnd);
    state.reading = 'value';
    state.readingFrom = record.valueStart;
  }
  state.parts.key = keys.row;
}

function writeTransaction({ event, sink, scanned, parts }: State, b: Buffer): void {
  if (parts.transaction === undefined) return;
  const { transaction } = scanned;
  const id = transaction.shape.plan[0];
  const order = transaction.shape.plan[1];
  const from = sink.at;
  if (id >= 0 && transaction.tokens[id] === TOKEN.text) copyInto(sink, b, transaction.starts[id] + 1, transaction.ends[id] - 1);
  else if (id >= 0 && transaction.tokens[id] === TOKEN.escaped) unescape(sink, b, transaction.starts[id] + 1, transaction.ends[id] - 1);
  event.transactionLength = sink.at - from;
  if (order < 0) return;
  const quoted = transaction.tokens[order] === TOKEN.text ? 1 : 0;
  if (quoted === 0 && transaction.tokens[order] !== TOKEN.integer) return;
  const value = wholeNumber(b, transaction.starts[order] + quoted, transaction.ends[order] - quoted);
  if (Number.isSafeInteger(value)) event.totalOrder = value;
}

/** W3C: version 00, 55 characters of hex digits and hyphens. Anything else is no trace context. */
function writeTrace({ event, sink }: State, record: RawRecord): void {
  const header = record.header('traceparent');
  if (header === undefined || header.length !== 55 || !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(header.toString('latin1'))) return;
  copyInto(sink, header, 0, 55);
  event.traceLength = 55;
}

/** The other key of a key change, from a header in JSON; a header of another spelling tells nothing. */
function linkedKey(state: State, record: RawRecord, name: string): Buffer | undefined {
  const header = record.header(name);
  if (header === undefined) return undefined;
  const { linkedKeys, linkedSink } = state;
  try {
    linkedSink.at = 0;
    readKey(linkedKeys, header, 0, header.length);
    writeKey(linkedSink, linkedKeys, header, undefined, header);
    return Buffer.from(linkedSink.bytes.subarray(0, linkedSink.at));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return undefined;
  }
}

function bury(event: ChangeEvent, reason: ChangeEvent['deadReason'], detail: string): void {
  event.kind = KIND.dead;
  event.deadReason = reason;
  event.deadDetail = detail;
}

/** A dead letter keeps what could be read without a doubt: its commit time where the whole text was JSON, and the record's key. */
function buryMalformed(state: State, record: RawRecord, error: Malformed): void {
  const { event, sink } = state;
  const place = error.at < 0 ? (writing.column === '' ? '' : `column ${writing.column}: `) : `${state.reading} byte ${error.at - state.readingFrom}: `;
  const detail = `${place}expected ${error.expected}`;
  const reason = error.reason;
  const { commitTimeUs, keyLength, snapshot, positioned, op } = event;
  clear(event);
  event.commitTimeUs = commitTimeUs;
  event.snapshot = snapshot;
  event.positioned = positioned;
  event.op = op;
  writing.column = '';
  event.keyLength = keyLength > 0 ? keyLength : ownKey(state, record);
  sink.at = event.keyLength;
  bury(event, reason, detail);
}

/** Length of the record key, written at the front of the sink; 0 where it cannot be read. */
function ownKey(state: State, record: RawRecord): number {
  state.sink.at = 0;
  try {
    readRecordKey(state, record);
    writeKey(state.sink, state.keys, record.data, undefined, record.data);
    return state.sink.at;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    writing.column = '';
    return 0;
  }
}

function reset(state: State): void {
  writing.column = '';
  clear(state.event);
  state.sink.at = 0;
  state.parts.after = undefined;
  state.parts.before = undefined;
  state.parts.key = undefined;
  state.parts.source = undefined;
  state.parts.transaction = undefined;
  state.parts.positioned = false;
}

function clear(event: ChangeEvent): void {
  event.kind = KIND.other as Kind;
  event.op = OP.create;
  event.commitTimeUs = NaN;
  event.positioned = false;
  event.totalOrder = -1;
  event.snapshot = false;
  event.keyLength = 0;
  event.originLength = 0;
  event.transactionLength = 0;
  event.traceLength = 0;
  event.imageLength = 0;
  event.layout = undefined;
  event.deadReason = 'malformed';
  event.deadDetail = '';
  event.linkedKey = undefined;
}

function createState(context: PairContext, side: Side): State {
  const { settings } = context;
  const own = sideOf(settings, side);
  const paths = originPaths(settings.match[side]);
  const rename = renames(settings, 'source');
  const rows: RowSettings = {
    context,
    rules: createRuleFactory(settings, side),
    key: (settings.key ?? []).map((name) => rename.get(name) ?? name),
    origins: originColumnsOf(paths),
  };
  const none = Buffer.alloc(0);
  const position = createPositionBuffer();
  const sink = createSink();
  const values = createEnvelopes((schema): Rows => {
    const row = rowSchema(schema);
    return { after: createRowReader(rows, row, false), before: createRowReader(rows, row, false) };
  });
  return {
    context, sink, values, paths, position,
    event: {
      kind: KIND.other, op: OP.create, commitTimeUs: NaN, positioned: false, position: position.bytes, totalOrder: -1, snapshot: false, bytes: sink.bytes,
      keyLength: 0, originLength: 0, transactionLength: 0, traceLength: 0, imageLength: 0, layout: undefined,
      deadReason: 'malformed', deadDetail: '', linkedKey: undefined,
    },
    keys: createKeyReader(rows),
    linkedKeys: createKeyReader(rows),
    linkedSink: createSink(1024),
    scanned: createEnvelopeScan(createFieldReader(sourceFields(paths)), createFieldReader(transactionFields(paths)), values.plain.after),
    parts: {
      source: undefined, transaction: undefined, after: undefined, afterBytes: none, before: undefined, beforeBytes: none, key: undefined,
      positioned: false, position: position.bytes,
    },
    wantsBefore: paths.some((path) => path.root === 'before'),
    fullImages: own.replicaIdentity === 'full',
    byTime: own.order === 'timestamp',
    epoch: own.epoch,
    document: createSink(1024),
    reading: 'value',
    readingFrom: 0,
  };
}
