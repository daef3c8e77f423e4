// What one worker of `run` does: it takes part in the group, where there is one, and runs its share of the tasks over its log.
import { hostname } from 'node:os';

import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log/log.ts';
import type { TaskName } from '../runtime/assignor.ts';
import { groupAssignment } from '../runtime/group-assignment.ts';
import type { Membership } from '../runtime/membership.ts';
import type { Clock } from '../runtime/pacer.ts';
import { taskName, type TaskId } from '../runtime/task-id.ts';
import { planPair, tasksOf } from './pair-plan.ts';
import { runService } from './service.ts';
import { openTaskStore } from './task-store.ts';

export interface ShareParts {
  readonly config: Config;
  readonly pairs: readonly PairSettings[];
  readonly log: Log;
  /** Of several in one process: which one. */
  readonly worker?: number;
  /** Without a group it has all tasks. */
  readonly join?: (tasks: readonly TaskName[]) => Membership;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Until the signal; then its tasks are closed, and the group knows. */
export async function runShare({ config, pairs, log, worker, join, clock, signal, say }: ShareParts): Promise<void> {
  const tasks = await tasksOfAll(pairs, config.application, log);
  const membership = join?.(tasks.map(taskName));
  try {
    await runService({
      application: config.application, pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, logNowMs: Date.now, signal, say,
      owner: `${hostname()}:${process.pid}${worker === undefined ? '' : `/${worker}`}`,
      ...(membership === undefined ? {} : { assignment: groupAssignment(membership, tasks, say) }),
      openStore: (task, changelog, onProgress) => openTaskStore({ config, task, log, changelog, say, onProgress }),
    });
  } finally {
    await membership?.leave();
  }
}

export async function tasksOfAll(pairs: readonly PairSettings[], application: string, log: Log): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  for (const pair of pairs) tasks.push(...tasksOf(await planPair(pair, application, log)));
  return tasks;
}
