// What `run` needs of the machine: its log, and its place among those who share the tasks. On Kafka every instance is a member of the group
// that is called as the application; over a log directory, which one process writes, the workers of that process are.
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../runtime/pacer.ts';
import { joinKafkaGroup } from './kafka-group.ts';
import { openLogToWrite } from './open-log.ts';
import { runShare } from './run-share.ts';

export interface RunParts {
  readonly config: Config;
  readonly pairs: readonly PairSettings[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export async function openRun(parts: RunParts): Promise<void> {
  const { config, clock, say } = parts;
  if (config.workers > 1) {
    const { runWorkers } = await import('./run-workers.ts');
    return runWorkers(parts);
  }
  const log = await openLogToWrite(config.log, parts);
  try {
    const join = await joinKafkaGroup(config, { clock, say });
    await runShare({ ...parts, log, ...(join === undefined ? {} : { join }) });
  } finally {
    await log.close();
  }
}
