// What `paritas state` does to the machine: a view of the log, which takes no lock, and the task's directory, which does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { openTemporaryTaskDirectory, type TaskDirectory } from '../../stores/state-directory.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { Config } from '../config.ts';
import type { TopicPartition } from '../log/log.ts';
import { STATE_FAMILIES } from '../runtime/task-state.ts';
import { unreadableState, verifyState, type StateReport } from '../runtime/verify-state.ts';
import { hasLogToRead, openLogToRead, type LogToRead } from './open-log.ts';
import { changelogOf, groupOf } from './service.ts';
import { openDirectoryOf, openTaskStore } from './task-store.ts';

export interface PairState { readonly pair: string; readonly changelog: string; readonly report: StateReport }

export async function withLog<T>({ log: settings }: Config, use: (log: LogToRead) => Promise<T>): Promise<T> {
  if (settings.kind === 'embedded' && !hasLogToRead(settings)) throw new ParitasError('input', `${settings.directory}: there is no log; paritas run makes it, and with it the state`);
  const log = await openLogToRead(settings);
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

export async function verifyPairState(config: Config, pair: PairSettings, log: LogToRead): Promise<PairState> {
  const changelog = await changelogThere(config, pair, log);
  const [directory, scratch] = [openDirectoryOf(config, pair), openTemporaryTaskDirectory()];
  try {
    const report = await reportOf(config, pair, log, changelog, directory, scratch).catch(unreadableState);
    return { pair: pair.name, changelog: changelog.topic, report };
  } finally {
    scratch.close();
    directory.close();
  }
}

async function reportOf(config: Config, pair: PairSettings, log: LogToRead, changelog: TopicPartition, directory: TaskDirectory, scratch: TaskDirectory): Promise<StateReport> {
  // Opened, the directory would get a new and empty database.
  if (!existsSync(join(directory.path, 'CURRENT'))) {
    const end = await log.endOffset(changelog);
    return { keys: 0, position: 0, end, differences: [], differenceCount: 0, problems: [`${directory.path}: there is no database here`] };
  }
  const engine = await openRocksdbStore(directory.path, STATE_FAMILIES);
  let folded: StoreEngine | undefined;
  try {
    folded = await openRocksdbStore(scratch.path, STATE_FAMILIES);
    return await verifyState({ log, changelog, group: groupOf(config.application, pair), engine, scratch: folded, families: STATE_FAMILIES, nowMs: Date.now });
  } finally {
    await folded?.close();
    await engine.close();
  }
}

export async function rebuildPairState(config: Config, pair: PairSettings, log: LogToRead, say: (line: string) => void): Promise<void> {
  const changelog = await changelogThere(config, pair, log);
  const engine = await openTaskStore({ config, pair, log, changelog, say }, { anew: true });
  await engine.close();
  say(`${pair.name}: rebuilt from ${changelog.topic}, to offset ${await log.endOffset(changelog)}`);
}

async function changelogThere(config: Config, pair: PairSettings, log: LogToRead): Promise<TopicPartition> {
  const changelog = changelogOf(config.application, pair);
  if ((await log.topics()).includes(changelog.topic)) return changelog;
  throw new ParitasError('input', `pair "${pair.name}": the log has no changelog ${changelog.topic}: paritas run of this application has not run the pair yet`);
}
