// What a log holds, as plain values, for tests that compare.
import type { Log, LogQuery, LogReader } from '../../topology/log/log.ts';
import { appendTo } from './append.ts';

export interface PartitionContent { begin: number; end: number; records: [offset: number, key: string | null, value: string | null][] }

/** By `topic-partition`. */
export async function contentOf(log: LogQuery & LogReader): Promise<Record<string, PartitionContent>> {
  const content: Record<string, PartitionContent> = {};
  for (const topic of await log.topics()) {
    for (let partition = 0; partition < await log.partitions(topic); partition++) {
      const at = { topic, partition };
      const begin = await log.beginningOffset(at);
      const reader = await log.open(at, begin);
      const records: PartitionContent['records'] = [];
      while (await reader.fill()) {
        while (reader.next()) {
          const { data, offset, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
          records.push([offset, keyStart < 0 ? null : data.toString('utf8', keyStart, keyEnd), valueStart < 0 ? null : data.toString('utf8', valueStart, valueEnd)]);
        }
      }
      await reader.close();
      content[`${topic}-${partition}`] = { begin, end: await log.endOffset(at), records };
    }
  }
  return content;
}

export async function appendText(log: Log, topic: string, partition: number, entries: readonly (readonly [key: string | null, value: string | null])[], timestampMs = 0): Promise<void> {
  await appendTo(log, {
    records: entries.map(([key, value]) => ({ topic, partition, key: key === null ? null : Buffer.from(key), value: value === null ? null : Buffer.from(value), timestampMs })),
    positions: [], group: '',
  });
}
