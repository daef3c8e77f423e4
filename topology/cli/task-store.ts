// The local store of a task: its directory, locked, and in it a RocksDB brought to the end of its changelog.
import { closingWith } from '../../stores/closing-engine.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { openTaskDirectory, type TaskDirectory } from '../../stores/state-directory.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { Config } from '../config.ts';
import type { TopicPartition } from '../log/log.ts';
import { applyTail, restoreStore, type RestoreParts, type RestoreProgress } from '../runtime/restoration.ts';
import type { StandbyStore } from '../runtime/standbys.ts';
import { taskName, type TaskId } from '../runtime/task-id.ts';
import { RARE_FAMILIES, STATE_FAMILIES } from '../runtime/task-state.ts';

export interface TaskStoreParts {
  readonly config: Config;
  readonly task: TaskId;
  readonly log: RestoreParts['log'];
  readonly changelog: TopicPartition;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: RestoreProgress) => void;
}

/** Throws StoreError `locked`, naming the process, while another one has it. */
export function openDirectoryOf(config: Config, { pair, subTopology, partition }: TaskId): TaskDirectory {
  const task = subTopology === 'merge' ? 'merge' : `reconcile-${partition}`;
  return openTaskDirectory({ root: config.state.directory, application: config.application, pair, task });
}

/** `anew`: whatever is there is wiped first. Closing the store gives up its directory. */
export async function openTaskStore({ config, task, log, changelog, say, signal, onProgress }: TaskStoreParts, { anew = false }: { anew?: boolean } = {}): Promise<StoreEngine> {
  const directory = openDirectoryOf(config, task);
  const name = taskName(task);
  try {
    if (anew) directory.wipe();
    const engine = await restoreStore({
      log, changelog, signal, open: () => openRocksdbStore(directory.path, STATE_FAMILIES, config.state.engine, RARE_FAMILIES), wipe: () => { directory.wipe(); }, nowMs: Date.now,
      say: line => { say(`${name}: ${line}`); },
      onProgress: progress => {
        const { done, total, recordsPerSecond, remainingMs } = progress;
        onProgress?.(progress);
        say(`${name}: restoring: offset ${done} of ${total}, ${Math.round(recordsPerSecond)} records/s, ${Math.ceil(remainingMs / 1000)} s left`);
      },
    });
    return closingWith(engine, () => { directory.close(); });
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** The store of a task that runs elsewhere, to be kept at the end of its changelog. */
export async function openStandbyStore(parts: TaskStoreParts): Promise<StandbyStore> {
  const engine = await openTaskStore(parts);
  return { catchUp: () => applyTail(engine, { ...parts, nowMs: Date.now, onProgress: () => undefined }), close: () => engine.close() };
}
