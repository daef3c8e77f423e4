// Trap 23. Both sides have as many partitions, and keys lie in others than Kafka's partitioner puts them in: a service that believed the counts would look
// for a change in a partition where it never comes, and call it missing. It is refused at the first such record, with the way out, and that way works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionOfKey } from '../../schemas/murmur2.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { live, openLog, outputsOf, placeOf, recordsOf, rows, write } from './place.ts';

const PARTITIONS = 2;
/** The target's connector deals its rows out one after the other. */
const dealtOut = rows(30).map((record): AppendRecord => {
  const key = record.key ?? Buffer.alloc(0);
  const id = (JSON.parse(key.toString()) as { id: number }).id;
  return { ...record, partition: record.topic === 'src' ? partitionOfKey(key, 0, key.length, PARTITIONS) : id % PARTITIONS };
});

void test('trap 23: a target whose connector has a partitioner of its own', async (t) => {
  for (const partitioning of ['direct', 'repartition']) {
    const place = placeOf(t, { partitioning });
    const log = await openLog(place);
    await write(log, dealtOut, { src: PARTITIONS, tgt: PARTITIONS });
    const running = live(place, { log });
    if (partitioning === 'direct') {
      await assert.rejects(running, /tgt-\d@\d+: the key .* belongs to partition \d of 2 by Kafka's partitioner.*set partitioning: repartition/);
      await log.close();
      assert.deepEqual(await outputsOf(place), [], 'nothing was said');
      continue;
    }
    await running;
    await log.close();
    const { verdicts, manifests } = await recordsOf(place);
    assert.ok(verdicts.length > 5);
    assert.deepEqual(manifests.map(({ class: what }) => what), ['missing', 'mismatch'], 'the tenth row is lost, the fifteenth has another value');
  }
});
