// What a reader of a Kafka partition holds: it asks for more up to its bound, and again once what it holds was read. So a side that is not read on
// is not fetched on either: the log is the buffer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kafkaReaderBytes } from '../../../../schemas/limits.ts';
import { AnswerMemory } from '../../../../topology/log/kafka/answer-memory.ts';
import type { Fetcher } from '../../../../topology/log/kafka/fetcher.ts';
import { KafkaPartitionReader } from '../../../../topology/log/kafka/partition-reader.ts';
import { encodeBatches, seal } from '../../../../topology/log/kafka/record-batch.ts';

const SET_BYTES = 256 << 10;

test('it holds its bound and one fetched set at most, however long nobody reads', () => {
  const fetcher = { want: () => undefined, answers: new AnswerMemory() } as unknown as Fetcher;
  const reader = new KafkaPartitionReader(
    { topic: 't', partition: 0 }, { topicId: 'id', beginning: 0, end: 0 }, 0, true, { fetcher, askEnds: () => Promise.resolve({ stable: 0, high: 0 }), forget: () => undefined },
  );
  const [batch] = encodeBatches([{ topic: 't', partition: 0, key: null, value: Buffer.alloc(SET_BYTES) }], 0);
  seal(batch, { producerId: 1n, epoch: 0 }, 0);
  const { data } = batch;
  let held = 0;
  const fetchWhileWanted = (): void => {
    while (reader.wants()) {
      const set = Buffer.from(data);
      set.writeBigInt64BE(BigInt(reader.fetchOffset), 0);
      reader.take({ topicId: 'id', partition: 0, errorCode: 0, lastStableOffset: reader.fetchOffset + 1, logStartOffset: 0, aborted: [], data: set, start: 0, end: set.length });
      held += set.length;
      assert.ok(held < kafkaReaderBytes + 2 * SET_BYTES, `${held} bytes`);
    }
  };
  fetchWhileWanted();
  assert.ok(held >= kafkaReaderBytes);
  const first = held;
  for (let n = 0; n < 20; n++) {
    assert.ok(reader.next());
    // The set that is being read counts until the next one is begun.
    held -= data.length;
    fetchWhileWanted();
  }
  assert.ok(reader.fetchOffset > 20 && held <= first + data.length);
});
