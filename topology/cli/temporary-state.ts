// The state of a one-shot run that is too large for memory: a RocksDB of its own in a temporary folder, removed when it is closed and
// at the end of the process.
import type { StoreEngine } from '../../stores/store.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { openTaskDirectory, openTemporaryTaskDirectory } from '../../stores/state-directory.ts';

export async function openTemporaryState(families: readonly string[], root: string | undefined): Promise<StoreEngine> {
  const directory = root === undefined ? openTemporaryTaskDirectory() : openTaskDirectory({ root, application: 'check', pair: 'one-shot', task: '0' });
  directory.wipe();
  let engine: StoreEngine;
  try {
    engine = await openRocksdbStore(directory.path, families);
  } catch (error) {
    directory.close();
    throw error;
  }
  return {
    get: (family, key) => engine.get(family, key),
    getMany: (family, keys) => engine.getMany(family, keys),
    range: (family, options) => engine.range(family, options),
    write: ops => engine.write(ops),
    deleteRange: (family, gte, lt) => engine.deleteRange(family, gte, lt),
    get closed() {
      return engine.closed;
    },
    async close() {
      await engine.close();
      directory.wipe();
      directory.close();
    },
  };
}
