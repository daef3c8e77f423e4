// What `run` needs of the machine: the log directory, and a RocksDB for each task, restored from its changelog.
import { logMaintenanceMs } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import { openDurableLog } from '../log/durable/durable-log.ts';
import { startMaintaining } from '../runtime/maintaining.ts';
import type { Clock } from '../runtime/pacer.ts';
import { requireBuilt } from './require-built.ts';
import { runService } from './service.ts';
import { openTaskStore } from './task-store.ts';

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
  const stopMaintaining = startMaintaining({ maintain: () => log.maintain(Date.now()), everyMs: logMaintenanceMs, clock, say });
  try {
    await runService({
      application: config.application, pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, logNowMs: Date.now, signal, say,
      openStore: (pair, changelog) => openTaskStore({ config, pair, log, changelog, say }),
    });
  } finally {
    await stopMaintaining();
    await log.close();
  }
}
