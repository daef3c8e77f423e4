// The records that paritas writes, in their JSON form (product.md §5): 64-bit numbers are strings, times are RFC 3339 UTC with
// microseconds. The order of the fields here is the order in which they are printed; fields that do not apply are left out.
import type { DeadReason, Side } from './change-event.ts';
import type { MatchBy, Policy } from './pair.ts';

export const CLASSES = [
  'missing', 'unexpected', 'mismatch', 'duplicate', 'reordered', 'gap', 'late_applied', 'collapsed', 'elided',
] as const;
/** The classes of semantics.md §7, in its order, which is also the order of printing. */
export type Class = (typeof CLASSES)[number];

export const HINTS = [
  'timezone', 'dst-fold', 'clamped', 'calendar', 'precision-loss', 'unsigned-wrap', 'ns-overflow', 'special-null', 'null-default',
  'lossy-source', 'mojibake', 'unicode-form', 'placeholder-written', 'evidence-gap', 'coverage-gap', 'bulk-mismatch',
] as const;
export type Hint = (typeof HINTS)[number];

export const TIERS = ['marker', 'heartbeat-action', 'heartbeat-grace', 'end-offset', 'data', 'declared'] as const;
/** Evidence tiers, strongest first (semantics.md §3, rulings 5 and 6). */
export type Tier = (typeof TIERS)[number];

export type Change = 'parity' | 'diverged' | 'undecidable';
export type State = 'parity' | 'diverged' | 'unknown';
export type Confidence = 'proven' | 'assumed';
export type Status = 'final' | 'amended';

export interface WindowBounds { start: string; end: string }

export const COUNT_NAMES = [
  'sourceEvents', 'targetEvents', 'matched', 'missing', 'unexpected', 'mismatch', 'duplicate', 'reordered', 'gap', 'lateApplied',
  'collapsed', 'elided', 'pending', 'late', 'redelivered', 'deadLettered', 'excluded', 'unknownColumns', 'openDivergences',
] as const;
export type CountName = (typeof COUNT_NAMES)[number];
/** Each a decimal string. */
export type Counts = Record<CountName, string>;

export interface Evidence { side: Side; topic: string; partition: number; fromOffset: string; toOffset: string; tier: Tier }

/**
 * Which chain of the pair a record is of: left out in the first, from 2 on in those that a reset has begun beside it. Two chains may speak of the same
 * windows under the same configuration; every id is derived from the chain too.
 */
export interface OfChain { chain?: number }

export function chainOf({ chain = 1 }: OfChain): OfChain {
  return chain === 1 ? {} : { chain };
}

export interface VerdictRecord extends OfChain {
  record: 'verdict';
  verdictId: string;
  pair: string;
  window: WindowBounds;
  status: Status;
  change: Change;
  state: State;
  confidence: Confidence;
  attribution: MatchBy | 'aligned';
  policy: Policy;
  notObservable: string[];
  counts: Counts;
  /** Manifest records whose detail was cut (only key and class kept); left out when 0. */
  detailCut?: string;
  /** Source transactions of which the target has a part, by their text; left out where there is none. */
  torn?: TornTransaction[];
  /** Torn transactions beyond the bound; left out when 0. */
  tornCut?: string;
  watermarks: { source: string; target: string };
  evidence: Evidence[];
  digests: { source: string; target: string };
  decisionId: string;
  configHash: string;
  previousVerdictHash: string;
  coreHash: string;
  evidenceHash: string;
  traceparent?: string;
}

/** A key as its columns; every non-null scalar is a string. */
export type KeyJson = Record<string, string | null>;

/** A source transaction of which some changes were applied and some are missing. `transaction`: its id, of PostgreSQL's `txid:lsn` the first. */
export interface TornTransaction {
  transaction: string;
  applied: string;
  missing: string;
  /** Of the rows whose changes are missing, by the UTF-8 bytes of their JSON. */
  keys: KeyJson[];
  /** Keys left out; left out when 0. */
  keysCut?: string;
}

/** One side of a finding: the change and its log coordinates. */
export interface ManifestSide {
  op: string;
  position?: string;
  origin?: string;
  commitTime: string;
  topic: string;
  partition: number;
  offset: string;
  transaction?: string;
}

/** `unavailable` and `absent` values are marked as such, so that no text can be taken for them. */
export type ColumnValue = string | null | { unavailable: true } | { absent: true };
export interface ColumnDifference { name: string; source: ColumnValue; target: ColumnValue; hint?: Hint }

/** Beyond the bound of a window (`detailCut` of its verdict) all that may be left out is left out. */
export interface ManifestRecord extends OfChain {
  record: 'manifest';
  manifestId: string;
  verdictId: string;
  pair: string;
  window: WindowBounds;
  class: Class;
  key: KeyJson;
  /** Of a key change (a delete and a create at one position): the row's other key, where that one has a finding of this window too. */
  linkedKey?: KeyJson;
  source?: ManifestSide;
  target?: ManifestSide;
  columns?: ColumnDifference[];
  hint?: Hint;
  /** Of a gap that is no row's (its key is empty): what is missing, in words. Of a bulk mismatch: how many changes were too many. */
  detail?: string;
  attribution?: 'origin' | 'version' | 'aligned';
  remedy?: 'reapply' | 'delete on target' | 'investigate';
  severity?: 'error' | 'warning' | 'info';
  firstSeen?: string;
  traceparent?: string;
}

export interface ResolvedRecord extends OfChain { record: 'resolved'; pair: string; key: KeyJson; window: WindowBounds; manifestId?: string }

export interface SchemaRecord extends OfChain { record: 'schema'; pair: string; side: Side; column: string; window: WindowBounds; detail: string }

export interface DeadLetterRecord extends OfChain {
  record: 'dead-letter';
  pair: string;
  side: Side;
  topic?: string;
  partition?: number;
  offset?: string;
  /** For a skipped line of a capture, in place of partition and offset. */
  file?: string;
  line?: string;
  reason: DeadReason;
  detail: string;
  valueBase64?: string;
}

/**
 * Up to where a partition had been read: `offset` is that of the next record. `fromOffset`: the frontier of the decision before that closed
 * a window with anything in it, else where the partition began. A verdict's evidence lies between the two.
 */
export interface Frontier { side: Side; topic: string; partition: number; fromOffset: string; offset: string }
export interface Claim { side: Side; topic: string; partition: number; watermark: string; tier: Tier }

export interface DecisionRecord extends OfChain {
  record: 'decision';
  decisionId: string;
  pair: string;
  closeUpTo: string;
  frontiers: Frontier[];
  claims: Claim[];
  overrides: string[];
  takenAt: string;
}

export interface StatusRecord {
  record: 'status';
  pair: string;
  side: Side;
  topic: string;
  partition: number;
  watermark?: string;
  lagMs?: string;
  stalled: boolean;
  reason: string;
  /** Of a service: since when a stalled partition holds the window that its reason names. */
  since?: string;
}

export const TASK_STATES = ['created', 'standby', 'restoring', 'running', 'suspended', 'corrupt', 'closed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Offsets of the changelog applied and to apply, and how long the rest takes at the rate so far. */
export interface Restoring { done: string; total: string; recordsPerSecond: string; remainingMs: string }

/** A task of a service: who has it, and what it is doing. `openWindows` and what follows only where it runs. */
export interface TaskRecord extends OfChain {
  record: 'task';
  pair: string;
  task: string;
  state: TaskState;
  /** `host:pid` of its process. */
  owner: string;
  /** When it came into this state. */
  since?: string;
  /** When this was written: a running service writes again every `statusEveryMs`, so an old one means that nobody has the task. */
  at?: string;
  restoring?: Restoring;
  recordsRead?: string;
  openWindows?: string;
  eventsBuffered?: string;
  openDivergences?: string;
}

/** The last word of a task as `paritas status` tells it: the topic has it for as long as nothing is said after it, also of a process that is gone. */
export interface HeardTask extends TaskRecord {
  /** Milliseconds since `at`, by the clock of the reader. */
  ageMs?: string;
  /** It is older than `taskSilentMs`, and was not that the task is closed: `state` and what follows are as of then. */
  stale: boolean;
}

export interface SummaryRecord {
  record: 'summary';
  pair: string;
  windows: { parity: string; diverged: string; undecidable: string; open: string };
  counts: Counts;
  /** Head of the chain: what no later verdict holds. Left out where there is no verdict. */
  lastVerdictHash?: string;
  exitCode: number;
}

export type OutputRecord =
  | VerdictRecord | ManifestRecord | ResolvedRecord | SchemaRecord | DeadLetterRecord | DecisionRecord | StatusRecord | TaskRecord | SummaryRecord;
