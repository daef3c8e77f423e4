// The records of records.ts as protobuf, and back: exactly the JSON form, field by field. The only importer of protobufjs and generated/;
// whoever may do with JSON imports this file lazily.
import { DEAD_REASONS, SIDES } from './change-event.ts';
import {
  base64, check, type Field, type Fields, flag, fromMessage, int32, int64, list, nested, optional, text, time, toMessage, word,
} from './codec-fields.ts';
import { ParitasError } from './errors.ts';
import { paritas } from './generated/records.js';
import {
  type Claim, CLASSES, type ColumnDifference, COUNT_NAMES, type Counts, type DeadLetterRecord, type DecisionRecord, type Evidence,
  type Frontier, HINTS, type ManifestRecord, type ManifestSide, type OutputRecord, type ResolvedRecord, type Restoring, type SchemaRecord,
  type StatusRecord, type SummaryRecord, TASK_STATES, type TaskRecord, TIERS, type TornTransaction, type VerdictRecord, type WindowBounds,
} from './records.ts';

export type RecordKind = OutputRecord['record'];

/** Throws TypeError for a record that is not of its type: a fault of ours. */
export function encodeRecord(record: OutputRecord): Buffer {
  const { message, fields } = CODECS[record.record];
  const bytes = message.encode(toMessage(fields, record)).finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Throws ParitasError `input` for bytes that are no record of this kind. */
export function decodeRecord(kind: RecordKind, bytes: Uint8Array): OutputRecord {
  const { message, fields } = CODECS[kind];
  try {
    return fromMessage(fields, message.decode(bytes)) as unknown as OutputRecord;
  } catch (thrown) {
    throw new ParitasError('input', `not a ${kind} record: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
  }
}

/** The full name of a kind's message, for a schema registry. */
export function messageName(kind: RecordKind): string {
  return `paritas.v1.${CODECS[kind].name}`;
}

interface Message { encode(message: object): { finish(): Uint8Array }; decode(bytes: Uint8Array): object }
interface Codec { readonly name: string; readonly message: Message; readonly fields: Fields<object> }

const side = word(SIDES);
const bounds = nested<WindowBounds>({ start: time, end: time });
const counts = nested<Counts>(Object.fromEntries(COUNT_NAMES.map((name) => [name, int64])) as Fields<Counts>);
const maybeText = optional(text, '');
const maybeInt64 = optional(int64, 0);
const maybeChain = optional(int32, 0);
const maybeTime: Field = { ...time, optional: true };
const maybeHint = optional(word(HINTS), '');

/** Columns of a key, in their order. */
const key: Field = {
  toWire: (value) => {
    check(typeof value === 'object' && value !== null, 'a key', value);
    const columns = Object.entries(value).map(([name, column]) => (column === null ? { name } : { name, value: text.toWire(column) ?? '' }));
    return columns.length === 0 ? undefined : columns;
  },
  fromWire: (value) => Object.fromEntries(((value ?? []) as { name: string; value: string | null }[]).map(({ name, value: column }) => [name, column ?? null])),
};
/** No key has no columns, so none is no key. */
const maybeKey: Field = { toWire: key.toWire, fromWire: (value) => ((value ?? []) as unknown[]).length === 0 ? undefined : key.fromWire(value), optional: true };

/** A key as one of several: a message of its own. */
const rowKey: Field = {
  toWire: (value) => ({ columns: key.toWire(value) }),
  fromWire: (value) => key.fromWire((value as { columns?: unknown } | undefined)?.columns),
};
const tornTransactions = list(nested<TornTransaction>({ transaction: text, applied: int64, missing: int64, keys: list(rowKey), keysCut: maybeInt64 }));
/** A verdict never has an empty list of them. */
const maybeTorn: Field = { toWire: tornTransactions.toWire, fromWire: (value) => ((value ?? []) as unknown[]).length === 0 ? undefined : tornTransactions.fromWire(value), optional: true };

const columnValue: Field = {
  toWire: (value) => {
    if (value === null) return { null: true };
    if (typeof value === 'object') return 'unavailable' in value ? { unavailable: true } : { absent: true };
    return { text: text.toWire(value) ?? '' };
  },
  fromWire: (value) => {
    const wire = (value ?? {}) as { text?: string | null; null?: boolean | null; unavailable?: boolean | null; absent?: boolean | null };
    if (typeof wire.text === 'string') return wire.text;
    if (wire.null === true) return null;
    check(wire.unavailable === true || wire.absent === true, 'a column value', value);
    return wire.unavailable === true ? { unavailable: true } : { absent: true };
  },
};

const differences = list(nested<ColumnDifference>({ name: text, source: columnValue, target: columnValue, hint: maybeHint }));
const manifestSide = nested<ManifestSide>({
  op: text, position: maybeText, origin: maybeText, commitTime: time, topic: text, partition: int32, offset: int64, transaction: maybeText,
});

const verdict: Fields<VerdictRecord> = {
  record: word(['verdict']), verdictId: text, pair: text, chain: maybeChain, window: bounds, status: word(['final', 'amended']),
  change: word(['parity', 'diverged', 'undecidable']), state: word(['parity', 'diverged', 'unknown']), confidence: word(['proven', 'assumed']),
  attribution: word(['origin', 'version', 'alignment', 'aligned']), policy: word(['exact', 'collapse', 'replay']), notObservable: list(text),
  counts, detailCut: maybeInt64, torn: maybeTorn, tornCut: maybeInt64, watermarks: nested<VerdictRecord['watermarks']>({ source: time, target: time }),
  evidence: list(nested<Evidence>({ side, topic: text, partition: int32, fromOffset: int64, toOffset: int64, tier: word(TIERS) })),
  digests: nested<VerdictRecord['digests']>({ source: text, target: text }), decisionId: text, configHash: text, previousVerdictHash: text,
  coreHash: text, evidenceHash: text, traceparent: maybeText,
};

const manifest: Fields<ManifestRecord> = {
  record: word(['manifest']), manifestId: text, verdictId: text, pair: text, chain: maybeChain, window: bounds, class: word(CLASSES), key, linkedKey: maybeKey,
  source: { ...manifestSide, optional: true }, target: { ...manifestSide, optional: true },
  columns: {
    toWire: (value) => ({ columns: differences.toWire(value) }),
    fromWire: (value) => differences.fromWire((value as { columns?: unknown }).columns),
    optional: true,
  },
  hint: maybeHint, detail: maybeText, attribution: { ...word(['origin', 'version', 'aligned']), optional: true }, remedy: { ...word(['reapply', 'delete on target', 'investigate']), optional: true },
  severity: { ...word(['error', 'warning', 'info']), optional: true }, firstSeen: maybeTime, traceparent: maybeText,
};

const resolved: Fields<ResolvedRecord> = { record: word(['resolved']), pair: text, chain: maybeChain, key, window: bounds, manifestId: maybeText };
const schema: Fields<SchemaRecord> = { record: word(['schema']), pair: text, chain: maybeChain, side, column: text, window: bounds, detail: text };

const deadLetter: Fields<DeadLetterRecord> = {
  record: word(['dead-letter']), pair: text, chain: maybeChain, side, topic: maybeText, partition: optional(int32, 0), offset: maybeInt64, file: maybeText,
  line: maybeInt64, reason: word(DEAD_REASONS), detail: text, valueBase64: { ...base64, optional: true },
};

const decision: Fields<DecisionRecord> = {
  record: word(['decision']), decisionId: text, pair: text, chain: maybeChain, closeUpTo: time,
  frontiers: list(nested<Frontier>({ side, topic: text, partition: int32, fromOffset: int64, offset: int64 })),
  claims: list(nested<Claim>({ side, topic: text, partition: int32, watermark: time, tier: word(TIERS) })), overrides: list(text), takenAt: time,
};

const status: Fields<StatusRecord> = {
  record: word(['status']), pair: text, side, topic: text, partition: int32,
  // A watermark that is an empty text is left out.
  watermark: maybeTime, lagMs: maybeInt64, stalled: flag, reason: text, since: maybeTime,
};

const restoring = nested<Restoring>({ done: int64, total: int64, recordsPerSecond: int64, remainingMs: int64 });
const task: Fields<TaskRecord> = {
  record: word(['task']), pair: text, chain: maybeChain, task: text, state: word(TASK_STATES), owner: text, since: maybeTime, at: maybeTime,
  restoring: { ...restoring, optional: true }, recordsRead: maybeInt64, openWindows: maybeInt64, eventsBuffered: maybeInt64, openDivergences: maybeInt64,
};

const summary: Fields<SummaryRecord> = {
  record: word(['summary']), pair: text,
  windows: nested<SummaryRecord['windows']>({ parity: int64, diverged: int64, undecidable: int64, open: int64 }), counts, lastVerdictHash: maybeText, exitCode: int32,
};

const { v1 } = paritas;
const CODECS: Readonly<Record<RecordKind, Codec>> = {
  verdict: { name: 'Verdict', message: v1.Verdict, fields: verdict },
  manifest: { name: 'Manifest', message: v1.Manifest, fields: manifest },
  resolved: { name: 'Resolved', message: v1.Resolved, fields: resolved },
  schema: { name: 'Schema', message: v1.Schema, fields: schema },
  'dead-letter': { name: 'DeadLetter', message: v1.DeadLetter, fields: deadLetter },
  decision: { name: 'Decision', message: v1.Decision, fields: decision },
  status: { name: 'Status', message: v1.Status, fields: status },
  task: { name: 'Task', message: v1.Task, fields: task },
  summary: { name: 'Summary', message: v1.Summary, fields: summary },
};
