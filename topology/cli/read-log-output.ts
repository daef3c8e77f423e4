// The records of one output topic of a log directory, as `run` writes them, while it writes or not. First what there is, in one piece, then,
// followed, what each append brings.
import { ParitasError } from '../../schemas/errors.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import { openLogView } from '../log/durable/log-view.ts';
import type { LogView } from '../log/durable/log-view.ts';
import type { PartitionReader } from '../log/log.ts';

export async function* readLogOutput(directory: string, topic: string, signal: AbortSignal, follow: boolean): AsyncGenerator<OutputRecord[]> {
  const view = await openLogView(directory);
  const stop = (): void => void view.close();
  signal.addEventListener('abort', stop);
  try {
    yield* recordsOfTopic(view, topic, signal, follow);
  } finally {
    signal.removeEventListener('abort', stop);
    await view.close();
  }
}

/** Output topics have one partition. A topic that is not there yet has nothing yet. */
async function* recordsOfTopic(view: LogView, topic: string, signal: AbortSignal, follow: boolean): AsyncGenerator<OutputRecord[]> {
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

function recordOf({ record }: PartitionReader): OutputRecord {
  const text = record.data.toString('utf8', record.valueStart, record.valueEnd);
  try {
    return JSON.parse(text) as OutputRecord;
  } catch (cause) {
    throw new ParitasError('input', `${record.topic}-${record.partition}@${record.offset}: not an output record as JSON; check outputs in the configuration against the log`, { cause });
  }
}
