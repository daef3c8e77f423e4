// A small store of one shard, as the core sees it: its keys stand behind the shard's number in a family of the overlay.
import type { KeyValueStore } from '../../processors/key-value.ts';
import { statePageRows } from '../../schemas/limits.ts';
import type { Row } from '../../stores/store.ts';
import type { WriteOverlay } from '../../stores/write-overlay.ts';

export function shardStore(overlay: WriteOverlay, family: string, shard: number): KeyValueStore {
  const prefix = Buffer.of(shard >>> 8, shard);
  const at = (key: Buffer): Buffer => Buffer.concat([prefix, key]);
  /** Read as it is asked for: a store of all that was ever lost does not fit into memory at once. */
  function* range(gte: Buffer, lt: Buffer): Generator<readonly [Buffer, Buffer]> {
    let rows: readonly Row[] = [];
    for (let after: Buffer | undefined; after === undefined || rows.length === statePageRows; after = rows.at(-1)?.[0]) {
      rows = overlay.range(family, { ...(after === undefined ? { gte: at(gte) } : { gt: after }), lt: at(lt), limit: statePageRows });
      for (const [key, value] of rows) yield [key.subarray(prefix.length), value];
      if (rows.length === 0) return;
    }
  }
  return {
    get: key => overlay.get(family, at(key)),
    put: (key, value) => overlay.put(family, at(key), value),
    delete: (key, isStored) => overlay.delete(family, at(key), isStored),
    range,
  };
}
