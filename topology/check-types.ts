// What the command line asks of the engine. check-engine.ts answers; tests answer with a stub.
import type { Side } from '../schemas/change-event.ts';
import type { PairSettings } from '../schemas/pair.ts';
import type { DecisionRecord, OutputRecord } from '../schemas/records.ts';
import type { RocksdbChoice } from '../stores/rocksdb-platform.ts';
import type { LogSettings } from './config.ts';

export interface Progress {
  /** Records read, of both sides. */
  readonly records: number;
  /** Records that will be read, as far as it is known. */
  readonly totalRecords: number | undefined;
  /** Bytes read of the captures; of topics it is not known. */
  readonly bytes: number | undefined;
  /** The lower of the two sides' watermarks, microseconds; NaN before there is one. */
  readonly watermarkUs: number;
}

export interface CheckOptions {
  /** Both captures are complete to their end: every window closes. */
  readonly complete: boolean;
  /** A line that cannot be read becomes a dead letter; otherwise it is an error. */
  readonly skipBadLines: boolean;
  /** Where the topics lie of sides that have no captures. */
  readonly log?: LogSettings;
  readonly onProgress?: (progress: Progress) => void;
  /** Where state is kept; undefined: a temporary folder that is removed in any case. */
  readonly stateDirectory?: string;
  /** Through which package RocksDB is used. Undefined: `auto`. */
  readonly stateEngine?: RocksdbChoice;
  /** The state store; undefined: in memory for a small capture, else RocksDB. */
  readonly store?: 'memory' | 'rocksdb';
  /** Shards that a pair is split into; it changes no record. Undefined: 1. */
  readonly shards?: number;
  /** Pairs that a service ran as so many reconcile tasks: their shards are split as those were, by partition. */
  readonly splits?: ReadonlyMap<string, number>;
  /** Whether verdicts are published once, at the end, or when their windows close and again when they are amended. Undefined: `at-end`. */
  readonly publish?: 'at-end' | 'at-close';
  /** How long closed windows are remembered; undefined: for ever. */
  readonly memory?: 'window.retain';
  /** Told of every match of one row key as it is made. */
  readonly observer?: KeyObserver;
  /** Aborted: the run stops soon, removes what it made and rejects. */
  readonly signal?: AbortSignal;
}

/** Wants to know what was matched to what, of one row key. Changes are named `topic-partition@offset`. */
export interface KeyObserver {
  /** Canonical key bytes. */
  readonly key: Buffer;
  paired(source: string, target: string): void;
  elided(source: string): void;
}

/** A decision read back. `at`: where it stands, as `file:line`. */
export interface RecordedDecision { readonly at: string; readonly record: DecisionRecord }

export interface CheckResult {
  /** Every record in the order of ruling 26, pair after pair. May be read more than once. */
  records(): Iterable<OutputRecord>;
  readonly exitCode: number;
  readonly warnings: readonly string[];
}

/** One event of a key's history on one side. */
export interface ExplainRow {
  readonly side: Side;
  readonly op: string;
  readonly position: string;
  readonly origin: string;
  /** RFC 3339. */
  readonly commitTime: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** What was found about it, e.g. `mismatch: amount`. */
  readonly findings: readonly string[];
  /** `topic-partition@offset` of the event on the other side that it was matched to. */
  readonly match?: string;
  /** Of a matched target change: its commit time less that of the source change, milliseconds; negative where the clocks differ by more. */
  readonly lagMs?: string;
  /** Of a change that is not matched: why. */
  readonly reason?: string;
}

export interface Engine {
  runCheck(pairs: PairSettings[], options: CheckOptions): Promise<CheckResult>;
  /**
   * The records that a check of the logs gives under these decisions, by pair, in place of its own; no status and no summary, for they speak
   * of the ends of the logs. A pair without decisions is left out. Rejects with `input` where a decision does not fit the logs.
   */
  runReplay(pairs: readonly PairSettings[], decisions: ReadonlyMap<string, readonly RecordedDecision[]>, options: CheckOptions): Promise<CheckResult>;
  /** `key`: the row key as JSON with every value a string (`{"id":"42"}`), or the bare text of its only column's value. */
  explainKey(pair: PairSettings, key: string, options: Pick<CheckOptions, 'complete' | 'skipBadLines' | 'log' | 'stateEngine'>): Promise<ExplainRow[]>;
}
