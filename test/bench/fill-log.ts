// The two captures of a bench as topics of a durable log, as producers would have left them there: in the order of their times, a tenth of a second
// of both sides to an append.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import type { GeneratedCapture } from '../support/generate-capture.ts';

/** Records of an append: at 1,000 changes a second of each side a tenth of a second. */
const APPEND_RECORDS = 200;

interface CaptureLine { readonly topic: string; readonly partition: number; readonly timestamp: number; readonly key: string; readonly value: string }

export async function fillLog(directory: string, { sourceFiles, targetFiles }: GeneratedCapture, partitions: number): Promise<void> {
  const log = await openDurableLog({ directory, fsync: 'never' });
  for (const topic of ['source.shop.orders', 'target.shop.orders']) await log.createTopic(topic, { partitions, cleanup: 'delete' });
  const writer = await log.writer('producer');
  let records: AppendRecord[] = [];
  for await (const record of inTurns(sourceFiles[0], targetFiles[0])) {
    records.push(record);
    if (records.length < APPEND_RECORDS) continue;
    await writer.append({ records, positions: [], group: 'producer' });
    records = [];
  }
  await writer.append({ records, positions: [], group: 'producer' });
  await log.close();
}

async function* inTurns(...files: readonly string[]): AsyncGenerator<AppendRecord> {
  const lines = files.map(file => createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]());
  for (;;) {
    const next = await Promise.all(lines.map(of => of.next()));
    for (const { done, value } of next) if (done !== true) yield recordOf(JSON.parse(value) as CaptureLine);
    if (next.every(({ done }) => done === true)) return;
  }
}

function recordOf({ topic, partition, timestamp, key, value }: CaptureLine): AppendRecord {
  return { topic, partition, key: Buffer.from(key), value: Buffer.from(value), timestampMs: timestamp };
}
