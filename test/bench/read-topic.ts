// All records of a topic at this moment, partition by partition.
import type { RawRecord } from '../../schemas/raw-record.ts';
import type { LogQuery, LogReader } from '../../topology/log/log.ts';

/** `take` sees the same object every time. */
export async function eachRecord(log: LogQuery & LogReader, topic: string, take: (record: RawRecord) => void): Promise<void> {
  for (let partition = 0; partition < await log.partitions(topic); partition++) {
    const reader = await log.open({ topic, partition }, await log.beginningOffset({ topic, partition }));
    do while (reader.next()) take(reader.record); while (await reader.fill());
    await reader.close();
  }
}
