// What `paritas state` does to the machine: a view of the log, which takes no lock, and the task's directory, which does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { openTemporaryTaskDirectory, type TaskDirectory } from '../../stores/state-directory.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { Config } from '../config.ts';
import { readChains } from '../runtime/chains.ts';
import { changelogOf, groupOf, taskName, windowsTopicOf, type TaskId } from '../runtime/task-id.ts';
import { RARE_FAMILIES, STATE_FAMILIES } from '../runtime/task-state.ts';
import { unreadableState, verifyState, type StateReport } from '../runtime/verify-state.ts';
import { hasLogToRead, openLogToRead, type LogToRead } from './open-log.ts';
import { atChain, tasksOf } from './pair-plan.ts';
import { openDirectoryOf, openTaskStore } from './task-store.ts';

export interface TaskStateReport { readonly pair: string; readonly task: string; readonly changelog: string; readonly report: StateReport }

/** Throws where a log directory has no log yet. */
export function requireLog({ log: settings }: Config): void {
  if (settings.kind === 'embedded' && !hasLogToRead(settings)) throw new ParitasError('input', `${settings.directory}: there is no log; paritas run makes it, and with it the state`);
}

export async function withLog<T>(config: Config, use: (log: LogToRead) => Promise<T>): Promise<T> {
  requireLog(config);
  const { log: settings } = config;
  const log = await openLogToRead(settings);
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

export async function verifyPairState(config: Config, pair: PairSettings, log: LogToRead): Promise<TaskStateReport[]> {
  const reports: TaskStateReport[] = [];
  for (const task of await tasksThere(config, pair, log)) reports.push(await verifyTaskState(config, task, log));
  return reports;
}

async function verifyTaskState(config: Config, task: TaskId, log: LogToRead): Promise<TaskStateReport> {
  const [directory, scratch] = [openDirectoryOf(config, task), openTemporaryTaskDirectory()];
  try {
    const report = await reportOf(config, task, log, directory, scratch).catch(unreadableState);
    const { topic, partition } = changelogOf(config.application, task);
    return { pair: task.pair, task: taskName(task), changelog: `${topic}-${partition}`, report };
  } finally {
    scratch.close();
    directory.close();
  }
}

async function reportOf(config: Config, task: TaskId, log: LogToRead, directory: TaskDirectory, scratch: TaskDirectory): Promise<StateReport> {
  const changelog = changelogOf(config.application, task);
  // Opened, the directory would get a new and empty database.
  if (!existsSync(join(directory.path, 'CURRENT'))) {
    const end = await log.endOffset(changelog);
    return { keys: 0, position: 0, end, differences: [], differenceCount: 0, problems: [`${directory.path}: there is no database here`] };
  }
  const engine = await openRocksdbStore(directory.path, STATE_FAMILIES, config.state.engine, RARE_FAMILIES);
  let folded: StoreEngine | undefined;
  try {
    folded = await openRocksdbStore(scratch.path, STATE_FAMILIES, config.state.engine, RARE_FAMILIES);
    return await verifyState({ log, changelog, group: groupOf(config.application, task), engine, scratch: folded, families: STATE_FAMILIES, nowMs: Date.now });
  } finally {
    await folded?.close();
    await engine.close();
  }
}

export async function rebuildPairState(config: Config, pair: PairSettings, log: LogToRead, say: (line: string) => void): Promise<void> {
  for (const task of await tasksThere(config, pair, log)) {
    const changelog = changelogOf(config.application, task);
    const engine = await openTaskStore({ config, task, log, changelog, say }, { anew: true });
    await engine.close();
    say(`${taskName(task)}: rebuilt from ${changelog.topic}-${changelog.partition}, to offset ${await log.endOffset(changelog)}`);
  }
}

/** The tasks that have left a state in the log: as many as there were partitions. */
async function tasksThere({ application }: Config, settings: PairSettings, log: LogToRead): Promise<TaskId[]> {
  const pair = atChain(settings, await readChains(application, log));
  const [known, windows] = [await log.topics(), windowsTopicOf(application, pair.name, pair)];
  const tasks = known.includes(windows) ? tasksOf({ pair, reconcileTasks: await log.partitions(windows) }) : [];
  const there = tasks.filter(task => known.includes(changelogOf(application, task).topic));
  if (there.length > 0) return there;
  throw new ParitasError('input', `pair "${pair.name}": the log has no state of it: paritas run of application ${application} has not run the pair yet`);
}
