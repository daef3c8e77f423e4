// The records of one output topic of a log, as `run` writes them, while it writes or not. First what there is, in one piece, then, followed,
// what each append brings.
import type { RecordedLine } from '../../processors/verify-chain.ts';
import { ParitasError } from '../../schemas/errors.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config, LogSettings } from '../config.ts';
import type { PartitionReader } from '../log/log.ts';
import type { OutputTopics } from '../reconcile.ts';
import { readChains } from '../runtime/chains.ts';
import { windowsTopicOf } from '../runtime/task-id.ts';
import { openLogToRead, type LogToRead } from './open-log.ts';

export async function* readLogOutput(settings: LogSettings, topic: string, signal: AbortSignal, follow: boolean): AsyncGenerator<OutputRecord[]> {
  const view = await openLogToRead(settings);
  const stop = (): void => void view.close();
  signal.addEventListener('abort', stop);
  try {
    yield* recordsOfTopic(view, topic, signal, follow);
  } finally {
    signal.removeEventListener('abort', stop);
    await view.close();
  }
}

/** All that a service has put out so far, as a recording: decisions, manifests, verdicts, dead letters, each in the order of its topic. */
export async function readLogRecording(settings: LogSettings, outputs: OutputTopics): Promise<RecordedLine[]> {
  const view = await openLogToRead(settings);
  const lines: RecordedLine[] = [];
  try {
    for (const reader of await openAtOneMoment(view, outputs)) {
      while (await reader.fill()) while (reader.next()) lines.push({ at: `${reader.topic}-0@${reader.record.offset}`, text: textOf(reader), record: recordOf(reader) });
      await reader.close();
    }
  } finally {
    await view.close();
  }
  return lines;
}

/** Of the pairs that a service ran, each at its chain, as several reconcile tasks, how many. */
export async function splitsIn({ log, application }: Pick<Config, 'log' | 'application'>, pairs: readonly PairSettings[]): Promise<Map<string, number>> {
  const view = await openLogToRead(log);
  try {
    const [known, chains] = [await view.topics(), await readChains(application, view)];
    const splits = new Map<string, number>();
    for (const pair of pairs) {
      const windows = windowsTopicOf(application, pair.name, pair);
      // A reset has removed what the chain before it had.
      const ended = chains.find(({ pair: name, chain }) => name === pair.name && chain === (pair.chain ?? 1) + 1);
      const tasks = ended?.reconcileTasksBefore ?? (known.includes(windows) ? await view.partitions(windows) : 1);
      if (tasks > 1) splits.set(pair.name, tasks);
    }
    return splits;
  } finally {
    await view.close();
  }
}

/** A verdict and its decision are in one append: where no decision came while the readers were opened, they end at the same one. */
async function openAtOneMoment(view: LogToRead, outputs: OutputTopics): Promise<PartitionReader[]> {
  const known = await view.topics();
  const topics = [outputs.audit, outputs.manifests, outputs.verdicts, outputs.deadLetters].filter(name => known.includes(name));
  const open = async (topic: string): Promise<PartitionReader> => view.open({ topic, partition: 0 }, await view.beginningOffset({ topic, partition: 0 }), { settled: true });
  const decisionsNow = async (): Promise<number | undefined> => {
    if (!topics.includes(outputs.audit)) return 0;
    const reader = await open(outputs.audit);
    await reader.close();
    return reader.total;
  };
  for (;;) {
    const before = await decisionsNow();
    const readers = await Promise.all(topics.map(open));
    if (await decisionsNow() === before) return readers;
    for (const reader of readers) await reader.close();
  }
}

/** Output topics have one partition. A topic that is not there yet has nothing yet. */
async function* recordsOfTopic(view: LogToRead, topic: string, signal: AbortSignal, follow: boolean): AsyncGenerator<OutputRecord[]> {
  const at = { topic, partition: 0 };
  while (!(await view.topics()).includes(topic)) {
    if (!follow) return yield [];
    await new Promise((resolve) => { setTimeout(resolve, TOPIC_POLL_MS); });
    if (signal.aborted) return;
  }
  const reader = await view.open(at, await view.beginningOffset(at));
  const records: OutputRecord[] = [];
  while (await reader.fill()) records.push(...buffered(reader));
  await reader.close();
  yield records;
  if (!follow) return;
  const following = await view.open(at, reader.position, { follow: true });
  while (await following.fill()) yield buffered(following);
}

const TOPIC_POLL_MS = 200;

function buffered(reader: PartitionReader): OutputRecord[] {
  const records: OutputRecord[] = [];
  while (reader.next()) records.push(recordOf(reader));
  return records;
}

function textOf({ record }: PartitionReader): string {
  return record.data.toString('utf8', record.valueStart, record.valueEnd);
}

function recordOf(reader: PartitionReader): OutputRecord {
  const { record } = reader;
  try {
    return JSON.parse(textOf(reader)) as OutputRecord;
  } catch (cause) {
    throw new ParitasError('input', `${record.topic}-${record.partition}@${record.offset}: not an output record as JSON; check outputs in the configuration against the log`, { cause });
  }
}
