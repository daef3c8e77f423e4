// What one worker of `run` does: it takes part in the group, where there is one, and runs its share of the tasks over its log.
import { hostname } from 'node:os';

import { ParitasError } from '../../schemas/errors.ts';
import { standbyEveryMs } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log/log.ts';
import type { TaskName } from '../runtime/assignor.ts';
import { groupAssignment } from '../runtime/group-assignment.ts';
import type { Membership } from '../runtime/membership.ts';
import type { Clock } from '../runtime/pacer.ts';
import { createStandbys, type StandbyStore } from '../runtime/standbys.ts';
import { changelogOf, taskName, type TaskId } from '../runtime/task-id.ts';
import { planPair, tasksOf } from './pair-plan.ts';
import { runService } from './service.ts';
import { openStandbyStore, openTaskStore } from './task-store.ts';

export interface ShareParts {
  readonly config: Config;
  readonly pairs: readonly PairSettings[];
  readonly log: Log;
  /** Of several in one process: which one. */
  readonly worker?: number;
  /** Without a group it has all tasks. */
  readonly join?: (tasks: readonly TaskName[], lags: () => Readonly<Record<TaskName, number>>) => Membership;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Until the signal; then its tasks are closed, and the group knows. */
export async function runShare({ config, pairs, log, worker, join, clock, signal, say }: ShareParts): Promise<void> {
  const tasks = await tasksOfAll(pairs, config.application, log);
  const openStandby = async (name: TaskName, stop: AbortSignal): Promise<StandbyStore> => {
    const task = tasks.find(known => taskName(known) === name);
    if (task === undefined) throw new ParitasError('config', 'it is not in the configuration of this instance');
    return openStandbyStore({ config, task, log, changelog: changelogOf(config.application, task), say, signal: stop });
  };
  const standbys = config.state.standbyReplicas > 0 ? createStandbys({ open: openStandby, everyMs: standbyEveryMs, clock, say }) : undefined;
  const membership = join?.(tasks.map(taskName), () => standbys?.lags() ?? {});
  try {
    await runService({
      application: config.application, pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, logNowMs: Date.now, signal, say,
      owner: `${hostname()}:${process.pid}${worker === undefined ? '' : `/${worker}`}`,
      ...(membership === undefined ? {} : { assignment: groupAssignment({ membership, tasks, standbys, say }) }),
      openStore: (task, changelog, onProgress, stop, anew) => openTaskStore({ config, task, log, changelog, say, onProgress, signal: stop }, { anew }),
    });
  } finally {
    await standbys?.end({ active: [], standby: [], warmup: [] });
    // Why the service ends is told, not that the group could not be reached any more.
    await membership?.leave().catch((error: unknown) => { say(`the group was not told of the end, and gives the tasks on when the session is over: ${error instanceof Error ? error.message : String(error)}`); });
  }
}

export async function tasksOfAll(pairs: readonly PairSettings[], application: string, log: Log): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  for (const pair of pairs) tasks.push(...tasksOf(await planPair(pair, application, log)));
  return tasks;
}
