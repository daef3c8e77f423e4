// The checked file, key by key as in paritas.yaml, with defaults filled in. Durations are still text, paths still relative.
import type { Policy } from '../schemas/pair.ts';
import type { RocksdbChoice } from '../stores/rocksdb-platform.ts';

/** One name, or several. */
export type Names = string | string[];
export type Literal = string | number | boolean | null;

export interface ConfigFile {
  application: string;
  log: {
    embedded?: { directory: string; fsync: 'always' | 'interval' | 'never'; fsyncInterval: string; retention: { age?: string | undefined; size?: string | undefined } } | undefined;
    kafka?: { bootstrapServers: Names; properties?: string | Record<string, Literal> | undefined; allowTransactionsV1: boolean } | undefined;
  };
  schemaRegistry?: { url?: string | undefined; directory?: string | undefined } | undefined;
  workers: number;
  state: { directory: string; engine: RocksdbChoice; standbyReplicas: number };
  commit: { interval: string };
  pairs: PairFile[];
  outputs: { verdicts: string; manifests: string; deadLetters: string; audit: string; status: string; format: 'json' | 'protobuf' };
  status: { listen: string };
}

export interface PairFile {
  name: string;
  source: SideFile;
  target: SideFile;
  key?: Names | undefined;
  match: { by: 'origin' | 'version' | 'alignment'; source?: Names | undefined; target?: Names | undefined; columns?: Names | undefined };
  window: { size: string; lateness: string; lag: string; skew: string; retain: string };
  policy: Policy;
  partitioning: 'direct' | 'repartition';
  columns: { ignore: Names; rename: Record<string, Names>; types: Record<string, ColumnTypeFile>; mask: Names; carry: Names };
}

export interface SideFile {
  topic?: string | undefined;
  file?: Names | undefined;
  format: string;
  captureDelay?: string | undefined;
  partitions?: number | undefined;
  valueSchema?: string | Record<string, unknown> | undefined;
  keySchema?: string | Record<string, unknown> | undefined;
  transactionTopic?: string | undefined;
  transactionFile?: Names | undefined;
  heartbeat?: { topic?: string | undefined; file?: Names | undefined } | undefined;
  delivery: 'exactly-once' | 'at-least-once';
  deliveryGrace: string;
  order: 'position' | 'timestamp';
  updates: 'in-place' | 'delete-insert';
  unavailablePlaceholder: string;
  replicaIdentity?: 'default' | 'full' | undefined;
  noopUpdates?: 'logged' | 'elided' | undefined;
  epoch: number;
}

export type ColumnTypeFile = string | {
  source: string;
  target: string;
  zone?: string | undefined;
  sourceZone?: string | undefined;
  targetZone?: string | undefined;
  precision?: number | undefined;
  rounding?: 'truncate' | 'half-up' | 'either' | undefined;
  equate?: { source: Literal; target: Literal }[] | undefined;
  equality?: 'bytes' | 'ci' | 'nfc' | undefined;
};
