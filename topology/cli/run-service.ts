// What `run` needs of the machine: its log, and a RocksDB for each task, restored from its changelog.
import { hostname } from 'node:os';

import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../runtime/pacer.ts';
import { openLogToWrite } from './open-log.ts';
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
  const log = await openLogToWrite(config.log, { clock, say });
  try {
    await runService({
      application: config.application, pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, logNowMs: Date.now, signal, say,
      owner: `${hostname()}:${process.pid}`,
      openStore: (task, changelog, onProgress) => openTaskStore({ config, task, log, changelog, say, onProgress }),
    });
  } finally {
    await log.close();
  }
}
