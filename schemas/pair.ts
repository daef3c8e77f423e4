// What a user says of one pair, after parsing: the settings that every floor reads. config.ts makes them, nobody changes them.
import type { Side } from './change-event.ts';

export type MatchBy = 'origin' | 'version' | 'alignment';
export type Policy = 'exact' | 'collapse' | 'replay';
/** A Kafka Connect schema in JSON, as JsonConverter takes it in `schema.content`. */
export interface ConnectSchema {
  readonly type: string;
  readonly optional?: boolean;
  readonly name?: string;
  readonly field?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly fields?: readonly ConnectSchema[];
  readonly items?: ConnectSchema;
  readonly default?: unknown;
}

/** A topic beside a side's rows. `files`: its captures; empty where it is read from a log, or lies in the captures of the rows. */
export interface AuxiliaryTopic { readonly topic: string; readonly files: readonly string[] }

export interface SideSettings {
  readonly topic: string;
  readonly format: string;
  /** Capture files, absolute; empty where the side is read from a log. */
  readonly files: readonly string[];
  /** Declared number of partitions; undefined: those seen. */
  readonly partitions: number | undefined;
  readonly valueSchema: ConnectSchema | undefined;
  readonly keySchema: ConnectSchema | undefined;
  /** The topic of BEGIN and END records. */
  readonly transactions: AuxiliaryTopic | undefined;
  /** Records that the side's connector writes in any case: rows of a heartbeat table, logical messages, or Debezium's own heartbeats. */
  readonly heartbeat: AuxiliaryTopic | undefined;
  /** Whether a record of the connector may still appear behind a later one of another partition (at-least-once: its sends are tried again). */
  readonly delivery: 'exactly-once' | 'at-least-once';
  /** For how long it may (the producer's delivery.timeout.ms). */
  readonly deliveryGraceUs: number;
  readonly captureDelayUs: number | undefined;
  readonly order: 'position' | 'timestamp';
  readonly updates: 'in-place' | 'delete-insert';
  readonly unavailablePlaceholder: string;
  readonly replicaIdentity: 'default' | 'full' | undefined;
  readonly noopUpdates: 'logged' | 'elided' | undefined;
  /** Leads every position of the side; an operator bumps it after a failover that restarts the log's numbers. */
  readonly epoch: number;
}

export interface MatchSettings {
  readonly by: MatchBy;
  /** Field paths of the origin (or version) on each side: `source.lsn`, `after.origin_lsn`, `@offset`. Empty for alignment. */
  readonly source: readonly string[];
  readonly target: readonly string[];
}

export interface WindowSettings {
  /** Z, lateness, L, ε and retain of semantics.md, in microseconds. */
  readonly sizeUs: number;
  readonly latenessUs: number;
  readonly lagUs: number;
  readonly skewUs: number;
  readonly retainUs: number;
}

/** A column's declared type. `source` and `target` are type names of product.md §2. */
export interface ColumnType {
  readonly source: string;
  readonly target: string;
  readonly sourceZone: string | undefined;
  readonly targetZone: string | undefined;
  readonly precision: number | undefined;
  readonly rounding: 'truncate' | 'half-up' | 'either' | undefined;
  readonly equate: readonly { readonly source: string | null; readonly target: string | null }[];
  readonly equality: 'bytes' | 'ci' | 'nfc';
}

export interface ColumnSettings {
  readonly ignore: readonly string[];
  /** Target column to source column(s); a list names successive source names, the last being the present one. */
  readonly rename: Readonly<Record<string, readonly string[]>>;
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly mask: readonly string[];
  readonly carry: readonly string[];
  /** 32 bytes in hex: what masked values and fingerprints are keyed with when `mask` is not empty. */
  readonly maskKey: string;
}

export interface PairSettings {
  readonly name: string;
  readonly source: SideSettings;
  readonly target: SideSettings;
  /** Key columns by their source names, in this order; undefined: those of the record key, sorted by name. */
  readonly key: readonly string[] | undefined;
  readonly match: MatchSettings;
  readonly window: WindowSettings;
  readonly policy: Policy;
  readonly partitioning: 'direct' | 'repartition';
  readonly columns: ColumnSettings;
  /** Hash over what decides a verdict: configuration of the pair and version of the rules. Hex. */
  readonly configHash: string;
  /** Which of the pair's chains of verdicts this is, from 2 on; left out in the first. It is not configured: the log knows it (`state reset`). */
  readonly chain?: number;
}

export function sideOf(pair: PairSettings, side: Side): SideSettings {
  return side === 'source' ? pair.source : pair.target;
}
