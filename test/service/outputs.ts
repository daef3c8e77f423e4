// What a service has left in its log: the output topics, and how far its inputs were read.
import { openRun } from '../../topology/cli/run-service.ts';
import { groupOf, windowsTopicOf } from '../../topology/runtime/task-id.ts';
import { parseSet } from '../../topology/config-overrides.ts';
import { loadConfig, type Config } from '../../topology/config.ts';
import { hasLog, openLogView } from '../../topology/log/durable/log-view.ts';
import { outputLines } from '../support/output-lines.ts';
import { endingWhenQuiet } from '../support/quiet-process.ts';
import { settingsIn, logDirectory, type Place } from './process.ts';

export function configIn(place: Place): Config {
  return loadConfig(place.configFile, { flags: settingsIn(place).map(parseSet) });
}

/** Runs the service in this process until its tasks have nothing left to do. */
export async function runUndisturbed(place: Place): Promise<void> {
  const config = configIn(place);
  await openRun({ config, pairs: config.pairs, say: () => undefined, ...endingWhenQuiet(2 * config.pairs.length, place.commitIntervalMs) });
}

/** The committed positions of every partition of the inputs, and of what the merge tasks have read, as one line; empty where there is no log yet. */
export async function positionsIn(place: Place): Promise<{ readonly text: string; readonly read: number }> {
  if (!hasLog(logDirectory(place.folder))) return { text: '', read: 0 };
  const { application, pairs } = configIn(place);
  const view = await openLogView(logDirectory(place.folder));
  try {
    const known = await view.topics();
    const found: string[] = [];
    let read = 0;
    for (const pair of pairs) {
      for (const topic of [pair.source.topic, pair.target.topic].filter(name => known.includes(name))) {
        for (let partition = 0; partition < await view.partitions(topic); partition++) {
          const offset = await view.committed(groupOf(application, { pair: pair.name, subTopology: 'reconcile', partition: 0 }), { topic, partition }) ?? 0;
          read += offset;
          found.push(`${pair.name} ${topic}-${partition}@${offset}`);
        }
      }
      const windows = { topic: windowsTopicOf(application, pair.name), partition: 0 };
      if (known.includes(windows.topic)) found.push(`${pair.name} merge@${await view.committed(groupOf(application, { pair: pair.name, subTopology: 'merge', partition: 0 }), windows) ?? 0}`);
    }
    return { text: found.join(' '), read };
  } finally {
    await view.close();
  }
}

/** Key and value of every record of the output topics that `run` promises to be the same whatever happens. */
export async function outputsIn(place: Place): Promise<string[]> {
  const view = await openLogView(logDirectory(place.folder));
  try {
    return await outputLines(view, configIn(place).outputs);
  } finally {
    await view.close();
  }
}
