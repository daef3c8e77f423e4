// What `run` needs of the machine: the log directory, and a RocksDB for each task, restored from its changelog.
import type { PairSettings } from '../../schemas/pair.ts';
import { closingWith } from '../../stores/closing-engine.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { openTaskDirectory } from '../../stores/state-directory.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { Config } from '../config.ts';
import { openDurableLog } from '../log/durable/durable-log.ts';
import type { Log, TopicPartition } from '../log/log.ts';
import type { Clock } from '../runtime/pacer.ts';
import { restoreStore } from '../runtime/restoration.ts';
import { STATE_FAMILIES } from '../runtime/task-state.ts';
import { requireBuilt } from './require-built.ts';
import { runService } from './service.ts';

export interface RunParts {
  readonly config: Config;
  readonly pairs: readonly PairSettings[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export async function openRun({ config, pairs, clock, signal, say }: RunParts): Promise<void> {
  pairs.forEach(requireBuilt);
  if (config.log.kind !== 'embedded') throw new TypeError('run was given another log than the embedded one');
  const log = await openDurableLog(config.log, { nowMs: Date.now, notice: say });
  try {
    await runService({
      application: config.application, pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, logNowMs: Date.now, signal, say,
      openStore: (pair, changelog) => openTaskStore(config, pair, log, changelog, say),
    });
  } finally {
    await log.close();
  }
}

async function openTaskStore(config: Config, pair: PairSettings, log: Log, changelog: TopicPartition, say: (line: string) => void): Promise<StoreEngine> {
  const directory = openTaskDirectory({ root: config.state.directory, application: config.application, pair: pair.name, task: '0' });
  try {
    const engine = await restoreStore({
      log, changelog, open: () => openRocksdbStore(directory.path, STATE_FAMILIES), wipe: () => { directory.wipe(); }, nowMs: Date.now,
      say: line => { say(`${pair.name}: ${line}`); },
      onProgress: ({ done, total, recordsPerSecond, remainingMs }) => {
        say(`${pair.name}: restoring: offset ${done} of ${total}, ${Math.round(recordsPerSecond)} records/s, ${Math.ceil(remainingMs / 1000)} s left`);
      },
    });
    return closingWith(engine, () => { directory.close(); });
  } catch (error) {
    directory.close();
    throw error;
  }
}
