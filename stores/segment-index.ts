// The window segments of a task in its store: one family, `[shard][window][commit]`, all big-endian, so that a shard's windows lie one behind
// the other and the segments of a window in the order of their commits. They bypass the write overlay: they are written once, deleted as a
// whole, and read at a start only.
//
// Windows go from the oldest on, so those that are gone lie side by side below the oldest that is live: one range of the store. The changelog has
// a deletion for each key all the same, for that is how a log says so. What is gone above a live window is in no range.
import { freeBytes } from '../schemas/own-bytes.ts';
import type { KeyRange, StoreEngine, WriteOp } from './store.ts';

export const SLOTS_FAMILY = 'slots';

export interface SegmentIndex {
  /** Where a new segment goes; noted, so that it can be deleted with its window. */
  add(shard: number, window: number, commit: number): Buffer;
  /** Deletes of every segment of the windows that a shard no longer has, and the range that those below the oldest live one are all of. */
  dropGone(shard: number, live: ReadonlySet<number>): { readonly deletes: WriteOp[]; readonly range: KeyRange | undefined };
}

export function createSegmentIndex(): SegmentIndex & { note(key: Buffer): void } {
  const shards: Map<number, Buffer[]>[] = [];
  const windowsOf = (shard: number): Map<number, Buffer[]> => (shards[shard] ??= new Map());

  function note(key: Buffer): void {
    const windows = windowsOf(shardOf(key));
    const window = windowOf(key);
    const keys = windows.get(window);
    if (keys === undefined) windows.set(window, [key]);
    else keys.push(key);
  }

  return {
    note,
    add(shard, window, commit) {
      const key = segmentKey(shard, window, commit);
      note(key);
      return key;
    },
    dropGone(shard, live) {
      const deletes: WriteOp[] = [];
      const oldest = live.size === 0 ? Infinity : Math.min(...live);
      let [first, last] = [Infinity, -Infinity];
      for (const [window, keys] of windowsOf(shard)) {
        if (live.has(window)) continue;
        for (const key of keys) deletes.push({ family: SLOTS_FAMILY, key, value: null });
        windowsOf(shard).delete(window);
        if (window < oldest) [first, last] = [Math.min(first, window), Math.max(last, window)];
      }
      return { deletes, range: first > last ? undefined : { family: SLOTS_FAMILY, gte: segmentKey(shard, first, 0), lt: segmentKey(shard, last + 1, 0) } };
    },
  };
}

const KEY_BYTES = 18;

function segmentKey(shard: number, window: number, commit: number): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  key.writeUInt16BE(shard, 0);
  // The sign bit is flipped: windows before 1970 come first.
  key.writeBigUInt64BE(BigInt.asUintN(64, BigInt(window)) ^ SIGN, 2);
  key.writeBigUInt64BE(BigInt(commit), 10);
  return key;
}

const SIGN = 1n << 63n;
const shardOf = (key: Buffer): number => key.readUInt16BE(0);
const windowOf = (key: Buffer): number => Number(BigInt.asIntN(64, key.readBigUInt64BE(2) ^ SIGN));
const commitOf = (key: Buffer): number => Number(key.readBigUInt64BE(10));

export interface StoredSegment { readonly key: Buffer; readonly shard: number; readonly window: number; readonly commit: number; readonly bytes: Buffer }

/** All segments of a store, few in memory at a time: each is to be read before the next is asked for. */
export function* readSegments(engine: StoreEngine, rowsAtOnce: number): Generator<StoredSegment> {
  for (let after: Buffer | undefined; ;) {
    const rows = engine.range(SLOTS_FAMILY, { gt: after, limit: rowsAtOnce });
    for (const [key, bytes] of rows) {
      yield { key, shard: shardOf(key), window: windowOf(key), commit: commitOf(key), bytes };
      if (engine.rowsAreOwn === true) freeBytes(bytes);
    }
    if (rows.length < rowsAtOnce) return;
    after = rows[rows.length - 1][0];
  }
}
