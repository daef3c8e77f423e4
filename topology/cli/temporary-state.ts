// The state of a one-shot run that is too large for memory: a RocksDB of its own in a temporary folder, removed when it is closed and
// at the end of the process.
import { closingWith } from '../../stores/closing-engine.ts';
import type { RocksdbChoice } from '../../stores/rocksdb-platform.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { openTaskDirectory, openTemporaryTaskDirectory } from '../../stores/state-directory.ts';
import type { StoreEngine } from '../../stores/store.ts';

export async function openTemporaryState(families: readonly string[], root: string | undefined, engine: RocksdbChoice | undefined): Promise<StoreEngine> {
  const directory = root === undefined ? openTemporaryTaskDirectory() : openTaskDirectory({ root, application: 'check', pair: 'one-shot', task: '0' });
  directory.wipe();
  try {
    return closingWith(await openRocksdbStore(directory.path, families, engine), () => {
      directory.wipe();
      directory.close();
    });
  } catch (error) {
    directory.close();
    throw error;
  }
}
