// A history's records in topics of a log, as a producer with Kafka's partitioner lays them down: for pairs that run as several tasks.
import { SIDES } from '../../schemas/change-event.ts';
import { partitionOfKey } from '../../schemas/murmur2.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { appendTo } from '../support/append.ts';
import { realize } from './logs.ts';
import type { History } from './history.ts';
import { toCapture, topicOf } from './render.ts';

interface Line { readonly timestamp: number; readonly key: string | null; readonly value: string | null }

/** The records of one partition, spread over so many: their order within each stays, and with it what a claim says. Answers the pair that reads them. */
export async function layDown(log: Log, history: History, pair: PairSettings, partitions: number): Promise<PairSettings> {
  const whole = realize({ ...history.plan, partitions: { source: 1, target: 1 } });
  for (const side of SIDES) {
    const records = toCapture(whole, side).map(text => {
      const { timestamp, key, value } = JSON.parse(text) as Line;
      const bytes = Buffer.from(key ?? '');
      const partition = key === null ? 0 : partitionOfKey(bytes, 0, bytes.length, partitions);
      return { topic: topicOf(side), partition, key: key === null ? null : bytes, value: value === null ? null : Buffer.from(value), timestampMs: timestamp } satisfies AppendRecord;
    });
    await log.createTopic(topicOf(side), { partitions, cleanup: 'delete' });
    await appendTo(log, { records, positions: [], group: 'producer' });
  }
  return { ...pair, source: { ...pair.source, files: [] }, target: { ...pair.target, files: [] } };
}
