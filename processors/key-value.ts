// The small stores of a shard, as the core sees them: bytes by bytes, in unsigned byte order. The runtime puts the write-behind overlay
// of a state store behind each (stores/write-overlay.ts).

export interface KeyValueStore {
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  /** `isStored`: written in an earlier commit, so that its presence need not be looked up. */
  delete(key: Buffer, isStored?: boolean): void;
  /** Entries with `gte` <= key < `lt`, in key order. */
  range(gte: Buffer, lt: Buffer): Iterable<readonly [Buffer, Buffer]>;
}

/** What a shard keeps beside its slots. */
export interface ShardStores {
  /** Remembered identities and versions of closed windows: packed blobs, one per window and kind (history.ts). */
  readonly history: KeyValueStore;
  /** Source changes reported missing and read rows not loaded yet, by (key, origin), once their slots are gone (ghosts.ts). */
  readonly ghosts: KeyValueStore;
  /** Open divergences, by row key (divergences.ts). */
  readonly divergences: KeyValueStore;
  /** The last finding of each key that has one, by row key. */
  readonly findings: KeyValueStore;
  /** What each freed window left behind of its keys (last-rows.ts). */
  readonly rows: KeyValueStore;
  /** By side and row key, what is known of the columns that are carried (carried.ts). */
  readonly carried: KeyValueStore;
}
