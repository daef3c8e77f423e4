// The topics of `npm run bench:kafka`, as producers would have left them, and beside them a topic with what is to be found in them. Made once for
// each size on a cluster that is given: the next bench finds them there.
import { partitionOfKey } from '../../schemas/murmur2.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { historyInSteps, type Fault, type HistoryRecord } from '../support/history.ts';
import { eachRecord } from './read-topic.ts';

export interface ShopTopics {
  readonly source: string;
  readonly target: string;
  readonly partitions: number;
  /** Of both. */
  readonly records: number;
  readonly faults: readonly Fault[];
  /** Changes of the source by the start of their window, milliseconds since the epoch. */
  readonly windows: ReadonlyMap<number, number>;
}

type Told = { readonly records: number } | { readonly fault: Fault } | { readonly window: number; readonly changes: number };

/** Records of one append, some 8 MB: with four partitions a megabyte to a batch, as a producer in a hurry writes them. */
const APPEND_RECORDS = 8000;

/** One fault per 20,000 changes of the source, a thousand of them to a second of event time. */
export async function shopTopics(log: Log, changes: number, partitions: number): Promise<ShopTopics> {
  const [source, target, truth] = ['source', 'target', 'truth'].map(name => `bench-${changes}x${partitions}.${name}.shop.orders`);
  if (!(await log.topics()).includes(truth)) {
    const told = await fill(log, source, target, changes, partitions);
    await log.createTopic(truth, { partitions: 1, cleanup: 'delete' });
    await (await log.writer('bench')).append({ records: told.map(one => ({ topic: truth, partition: 0, key: null, value: Buffer.from(JSON.stringify(one)) })), positions: [], group: 'bench' });
  }
  const told: Told[] = [];
  await eachRecord(log, truth, ({ data, valueStart, valueEnd }) => { told.push(JSON.parse(data.toString('utf8', valueStart, valueEnd)) as Told); });
  return {
    source, target, partitions,
    records: told.reduce((sum, one) => sum + ('records' in one ? one.records : 0), 0),
    faults: told.flatMap(one => ('fault' in one ? [one.fault] : [])),
    windows: new Map(told.flatMap(one => ('window' in one ? [[one.window, one.changes] as const] : []))),
  };
}

async function fill(log: Log, source: string, target: string, changes: number, partitions: number): Promise<Told[]> {
  for (const topic of [source, target]) await log.createTopic(topic, { partitions, cleanup: 'delete' });
  const writer = await log.writer('bench');
  const windows = new Map<number, number>();
  let records: AppendRecord[] = [];
  let all = 0;
  const write = async (): Promise<void> => {
    all += records.length;
    await writer.append({ records, positions: [], group: 'bench' });
    records = [];
  };
  const steps = historyInSteps(
    { events: changes, keys: Math.min(100_000, changes >> 1), seed: 42, faultsEvery: 20_000, lagMs: [5, 500], logOrigins: true },
    record => {
      const windowMs = Math.floor(record.commitTimeUs / 1e6) * 1000;
      windows.set(windowMs, (windows.get(windowMs) ?? 0) + 1);
      records.push(recordOf(source, record, partitions));
    },
    record => { records.push(recordOf(target, record, partitions)); },
  );
  for (let step = steps.next(); ; step = steps.next()) {
    if (records.length >= APPEND_RECORDS || step.done === true) await write();
    if (step.done === true) return [{ records: all }, ...step.value.map(fault => ({ fault })), ...[...windows].map(([window, count]) => ({ window, changes: count }))];
  }
}

function recordOf(topic: string, { key, commitTimeUs, value }: HistoryRecord, partitions: number): AppendRecord {
  const keyBytes = Buffer.from(`{"id":${key}}`);
  return { topic, partition: partitionOfKey(keyBytes, 0, keyBytes.length, partitions), key: keyBytes, value: Buffer.from(value, 'latin1'), timestampMs: Math.floor(commitTimeUs / 1000) + 8 };
}
