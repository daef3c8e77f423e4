// The same records in a log directory and in a Kafka cluster, a service over each, and whether they say the same, byte by byte.
import { deepEqual, equal } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { captureFile, capturePair, type CaptureTarget } from '../support/captures.ts';
import { capturedRecords, fill, linesIn, placeIn, positionsIn, runCalmly, runUntil, type TopicPlace } from './topics.ts';

export interface BothPlaces { readonly embedded: TopicPlace; readonly kafka: TopicPlace }

/** Two applications in folders of the name. `application`: distinct for each call on one cluster. */
export async function inBothLogs(folder: string, bootstrap: string, name: string, pairs: object[], records: readonly AppendRecord[], application: string = name): Promise<BothPlaces> {
  const directory = join(folder, `${name}-log`);
  const durable = await openDurableLog({ directory, fsync: 'never' }, { nowMs: Date.now });
  await fill(durable, records);
  await durable.close();
  const cluster = await openKafkaLog({ bootstrapServers: [bootstrap] });
  await fill(cluster, records);
  await cluster.close();
  const outputs = Object.fromEntries(['verdicts', 'manifests', 'audit', 'status'].map(output => [output, `${application}.${output}`]));
  const config = { application, pairs, outputs: { ...outputs, deadLetters: `${application}.dead-letters` } };
  return {
    embedded: placeIn(join(folder, `${name}-embedded`), { embedded: { directory } }, config),
    kafka: placeIn(join(folder, `${name}-kafka`), { kafka: { bootstrapServers: bootstrap } }, config),
  };
}

/** Runs both to the end of the topics. Answers how many records were said, and of them how many verdicts. */
export async function sayTheSame({ embedded, kafka }: BothPlaces): Promise<{ records: number; verdicts: number; manifests: number }> {
  const should = await runCalmly(embedded);
  const is = await runUntil(kafka, should);
  equal(is.code, 0, is.lines.join('\n'));
  deepEqual((await linesIn(kafka)).sort(), should.lines.toSorted());
  equal(await positionsIn(kafka), should.positions);
  const count = (kind: string): number => should.lines.filter(line => line.includes(`"record":"${kind}"`)).length;
  return { records: should.lines.length, verdicts: count('verdict'), manifests: count('manifest') };
}

/** A table of a capture with its heartbeats, as a pair over topics, and the records of those. Undefined: the capture has no such target. */
export function captureOverTopics(capture: string, table: string, target: CaptureTarget, prefix: string): { pair: object; records: AppendRecord[] } | undefined {
  const [from, to] = ['src.public', target === 'tgt' ? 'tgt.public' : 'tgtm.shop'];
  if (![from, to].every(schema => existsSync(captureFile(capture, `${schema}.${table}`)))) return undefined;
  const pair = capturePair(capture, table, target) as { name: string; source: { topic: string }; target: { topic: string } };
  const records: AppendRecord[] = [];
  const topicOf = (name: string): string => {
    const topic = `${prefix}.${capture}.${table}.${name}`;
    records.push(...capturedRecords(captureFile(capture, name), topic));
    return topic;
  };
  const side = (which: 'source' | 'target', schema: string) =>
    ({ ...pair[which], file: undefined, topic: topicOf(`${schema}.${table}`), heartbeat: { topic: topicOf(`${schema}.heartbeat`) }, delivery: 'exactly-once' });
  const source = side('source', from);
  const applied = side('target', to);
  const partitionsOf = (topic: string): number => Math.max(...records.filter(record => record.topic === topic).map(({ partition }) => partition));
  // A truncate speaks of all partitions, and a partition without a record of the capture is not made: then one task reads them all.
  const oneTask = records.some(({ value }) => value?.includes('"op":"t"')) || partitionsOf(source.topic) !== partitionsOf(applied.topic);
  return {
    pair: { ...pair, name: `${capture}-${pair.name}`, source, target: applied, ...(oneTask ? { partitioning: 'repartition' } : {}), window: { size: '1s', lateness: '1s', lag: '3s', skew: '1s' } },
    records,
  };
}
