// What one decoder of Debezium's JSON keeps from record to record: its event, its readers and its sinks. All of it is made once.
import { KIND, OP, PRINT } from '../change-event.ts';
import type { ChangeEvent, Kind, Side } from '../change-event.ts';
import type { PairContext } from '../decoder.ts';
import { sideOf } from '../pair.ts';
import { createRuleFactory, renames, rowSchema } from '../canonical/column-rule.ts';
import { createSink } from '../canonical/sink.ts';
import type { Sink } from '../canonical/sink.ts';
import { createEnvelopeScan } from './debezium-envelope.ts';
import type { EnvelopeScan } from './debezium-envelope.ts';
import { createFieldReader, createPositionBuffer } from './debezium-source.ts';
import type { PositionBuffer } from './debezium-source.ts';
import { createTransactionReader } from './debezium-transaction.ts';
import type { TransactionReader } from './debezium-transaction.ts';
import { originColumnsOf, originPaths, sourceFields, transactionFields } from './event-origin.ts';
import type { OriginParts, OriginPath } from './event-origin.ts';
import { createKeyReader } from './record-key.ts';
import type { KeyReader } from './record-key.ts';
import { createRowMemo } from './row-memo.ts';
import { createRowReader, writing } from './row-reader.ts';
import type { RowReader, RowSettings } from './row-reader.ts';
import { createEnvelopes } from './schema-envelope.ts';
import type { Envelopes } from './schema-envelope.ts';

/** Readers of the rows of one schema. */
export interface Rows { readonly after: RowReader; readonly before: RowReader; /** Of the schema: what equal bytes mean depends on it. */ readonly seed: number }

export interface State {
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
  /** Declared not to have whole before images. */
  readonly keyImages: boolean;
  /** A row before a change in canonical form. */
  readonly scratch: Sink;
  readonly byTime: boolean;
  readonly epoch: number;
  readonly position: PositionBuffer;
  readonly transactions: TransactionReader;
  /** A MongoDB document that came as a string, unescaped. */
  readonly document: Sink;
  /** What is being read, for the detail of a dead letter, and where it begins. */
  reading: 'key' | 'value' | 'header';
  readingFrom: number;
}

/** Makes the state of a side's decoder. Throws for an origin path or a column type that there is not. */
export function createState(context: PairContext, side: Side): State {
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
  let schemas = 0;
  const values = createEnvelopes((schema): Rows => {
    const row = rowSchema(schema);
    return { after: createRowReader(rows, row, false), before: createRowReader(rows, row, false), seed: schemas++ };
  });
  return {
    context, sink, values, paths, position,
    event: {
      kind: KIND.other, op: OP.create, commitTimeUs: NaN, positioned: false, elidesNoops: false, position: position.bytes, totalOrder: -1, tableOrder: -1, snapshot: false, bytes: sink.bytes,
      keyLength: 0, originLength: 0, transactionLength: 0, traceLength: 0, imageLength: 0, layout: undefined, prints: new Int32Array(PRINT.words),
      deadReason: 'malformed', deadDetail: '', transactionEnd: undefined, linkedKey: undefined,
    },
    keys: createKeyReader(rows),
    linkedKeys: createKeyReader(rows),
    linkedSink: createSink(1024),
    scanned: createEnvelopeScan(createFieldReader(sourceFields(paths)), createFieldReader(transactionFields(paths)), values.plain.after, createRowMemo()),
    parts: {
      source: undefined, transaction: undefined, after: undefined, afterBytes: none, before: undefined, beforeBytes: none, key: undefined,
      positioned: false, position: position.bytes,
    },
    wantsBefore: paths.some((path) => path.root === 'before'),
    fullImages: own.replicaIdentity === 'full',
    keyImages: own.replicaIdentity === 'default',
    scratch: createSink(),
    byTime: own.order === 'timestamp',
    epoch: own.epoch,
    transactions: createTransactionReader(),
    document: createSink(1024),
    reading: 'value',
    readingFrom: 0,
  };
}

/** Before each record. */
export function reset(state: State): void {
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

export function clear(event: ChangeEvent): void {
  event.kind = KIND.other as Kind;
  event.op = OP.create;
  event.commitTimeUs = NaN;
  event.positioned = false;
  event.elidesNoops = false;
  event.totalOrder = -1;
  event.tableOrder = -1;
  event.snapshot = false;
  event.keyLength = 0;
  event.originLength = 0;
  event.transactionLength = 0;
  event.traceLength = 0;
  event.imageLength = 0;
  event.layout = undefined;
  for (let i = 0; i < PRINT.words; i++) event.prints[i] = 0;
  event.deadReason = 'malformed';
  event.deadDetail = '';
  event.transactionEnd = undefined;
  event.linkedKey = undefined;
}
