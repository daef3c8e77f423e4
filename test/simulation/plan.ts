// A plan is a simulated run written down before it runs: what the source does, how the target is hurt, how the logs are disturbed.
// Every choice is drawn here and stored with its item, so an item can be dropped (shrinking) without changing any other.
// Plans are plain JSON: test/simulation/regressions holds those that once found an error.

export interface PlanWindow { readonly sizeUs: number; readonly latenessUs: number; readonly lagUs: number; readonly skewUs: number }
export interface Value { readonly v: string | null; readonly n: number }

/**
 * A wish of the source. What the row looks like then decides the operation: `put` creates or updates, `delete` of no row is nothing,
 * `move` (a key change) of no row is nothing. `incremental` reads the row once more, without a position.
 */
export interface PlannedChange {
  readonly id: number;
  readonly kind: 'read' | 'incremental' | 'put' | 'delete' | 'move' | 'truncate';
  readonly key: number;
  /** Of a `move`. */
  readonly toKey: number;
  readonly value: Value;
  readonly timeUs: number;
  readonly seq: number;
  readonly lsn: number;
  readonly tx: number;
  /** Commit on the source to commit on the target; at least -skew, at most lag - 2·skew: inversions and whole seconds add to it. */
  readonly lagUs: number;
}

export const FAULTS = [
  'missing', 'mismatch', 'duplicate', 'stale', 'reordered', 'late', 'early', 'oob-update', 'oob-insert', 'oob-insert-foreign', 'oob-delete',
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** Harm on the target. `changeId` says which application is hurt (out-of-band faults: whose key), `atUs` when the harm is done. */
export interface PlannedFault { readonly kind: FaultKind; readonly changeId: number; readonly atUs: number; readonly value: Value }

/** What happens to a log, not to a database. `at` is a place in [0, 1) of the partition. */
export type Disturbance =
  | { readonly kind: 'resend'; readonly side: 'source' | 'target'; readonly partition: number; readonly at: number; readonly count: number }
  | { readonly kind: 'delay'; readonly side: 'source' | 'target'; readonly partition: number; readonly at: number; readonly count: number }
  | { readonly kind: 'stall'; readonly side: 'source' | 'target'; readonly partition: number; readonly at: number }
  /** A stretch that the connector never wrote. */
  | { readonly kind: 'drop'; readonly side: 'source' | 'target'; readonly partition: number; readonly at: number; readonly count: number }
  | { readonly kind: 'garbage'; readonly side: 'source' | 'target'; readonly partition: number; readonly at: number };

/** The sink, having applied a change, is thrown back and applies the last `count` changes of its key again, that one the last. */
export interface PlannedReplay { readonly changeId: number; readonly count: number }

/** A record of a side's heartbeat topic, in its order: a change of the heartbeat table, a snapshot's row of it, a timer's record, or one that nobody can read. */
export interface PlannedBeat { readonly side: 'source' | 'target'; readonly kind: 'row' | 'read' | 'timer' | 'garbage'; readonly timeUs: number }

export interface Plan {
  readonly seed: number;
  /** Of the pair; undefined: `exact`. */
  readonly policy?: 'collapse' | 'replay';
  /** Ids of the changes that a batching sink merges into the next of their key, where that is a legal collapse. */
  readonly merged?: readonly number[];
  readonly replays?: readonly PlannedReplay[];
  /** Ids of the changes whose column `v`, where an update leaves it as it was, is too large for that side's log: a placeholder stands for it. */
  readonly unavailable?: { readonly source: readonly number[]; readonly target: readonly number[] };
  /** Columns that are carried (ruling 31). */
  readonly carry?: readonly string[];
  /** By `alignment` the rows carry neither origin nor version. */
  readonly matchBy: 'origin' | 'version' | 'alignment';
  /** What before images hold: everything, or (REPLICA IDENTITY DEFAULT) the key and nulls or invented values. */
  readonly identity: { readonly source: 'full' | 'default'; readonly target: 'full' | 'default' | 'invented' };
  readonly window: PlanWindow;
  readonly partitions: { readonly source: number; readonly target: number };
  /** Commit times are cut to this: 1, or 1,000,000 (MariaDB). */
  readonly resolutionUs: { readonly source: number; readonly target: number };
  readonly transactionBlocks: boolean;
  /** Both sides have a transaction topic, and deliver exactly once: their ENDs close windows that the rows leave open. */
  readonly ends?: true;
  /** Both sides have a heartbeat topic. */
  readonly beats?: readonly PlannedBeat[];
  /** They deliver at least once, and a record's copies come within this; left out: exactly once. */
  readonly graceUs?: number;
  readonly tombstones: boolean;
  readonly holes: boolean;
  /** Records of a partition are shuffled by at most this much commit time; 0 keeps position order. */
  readonly jitterUs: number;
  readonly jitterSeed: number;
  readonly changes: readonly PlannedChange[];
  readonly faults: readonly PlannedFault[];
  readonly disturbances: readonly Disturbance[];
}
