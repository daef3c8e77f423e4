// Memory of answers: used again once nobody holds a part of it, and never before.
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { test } from 'node:test';

import { AnswerMemory } from '../../../../topology/log/kafka/answer-memory.ts';
import type { Fetcher } from '../../../../topology/log/kafka/fetcher.ts';
import { KafkaPartitionReader } from '../../../../topology/log/kafka/partition-reader.ts';
import { encodeBatches, seal } from '../../../../topology/log/kafka/record-batch.ts';

const MB = 1 << 20;

void test('memory is used again when the last one who holds a part of it has released it', () => {
  const memory = new AnswerMemory();
  const answer = memory.take(MB);
  memory.hold(answer);
  memory.hold(answer);
  for (let holders = 3; holders > 1; holders--) {
    memory.release(answer);
    notEqual(memory.take(MB).buffer, answer.buffer, `${holders - 1} hold it still`);
  }
  memory.release(answer);
  const next = memory.take(MB - 1000);
  deepEqual([next.buffer, next.length], [answer.buffer, MB - 1000]);
  notEqual(memory.take(MB).buffer, answer.buffer, 'it is held again');
});

void test('who releases what is free already does not give it to two', () => {
  const memory = new AnswerMemory();
  const answer = memory.take(MB);
  memory.release(answer);
  memory.release(answer);
  notEqual(memory.take(MB).buffer, memory.take(MB).buffer);
});

void test('the smallest that fits is taken, and none that is more than twice as large', () => {
  const memory = new AnswerMemory();
  const [large, fitting] = [memory.take(4 * MB), memory.take(MB)];
  for (const one of [large, fitting]) memory.release(one);
  equal(memory.take(MB).buffer, fitting.buffer);
  notEqual(memory.take(MB).buffer, large.buffer);
  equal(memory.take(3 * MB).buffer, large.buffer);
});

void test('of what is free no more is kept than the bound says', () => {
  const memory = new AnswerMemory(2 * MB);
  const taken = [0, 1, 2, 3].map(() => memory.take(MB));
  for (const one of taken) memory.release(one);
  const kept = taken.map(() => memory.take(MB).buffer).filter(buffer => taken.some(one => one.buffer === buffer));
  deepEqual(new Set(kept), new Set([taken[2].buffer, taken[3].buffer]));
});

void test('a short answer has memory of its own', () => {
  const memory = new AnswerMemory();
  const answer = memory.take(1000);
  memory.release(answer);
  deepEqual([answer.buffer.byteLength, memory.take(1000).buffer === answer.buffer], [1000, false]);
});

void test('a reader holds its part until it has stepped beyond the last record of it', () => {
  const answers = new AnswerMemory();
  const reader = new KafkaPartitionReader({ topic: 't', partition: 0 }, { topicId: '', beginning: 0, end: 0 }, 0, true, {
    fetcher: { answers, want: () => undefined } as unknown as Fetcher, askEnds: () => Promise.reject(new Error('nobody asks')), forget: () => undefined,
  });
  const values = Array.from({ length: 100 }, (_, i) => String(i).repeat(1000).slice(0, 1000));
  const [batch] = encodeBatches(values.map(value => ({ topic: 't', partition: 0, key: null, value: Buffer.from(value) })), 0);
  seal(batch, { producerId: 1n, epoch: 0 }, 0);
  const answer = answers.take(batch.data.length);
  batch.data.copy(answer);
  reader.take({ topicId: '', partition: 0, errorCode: 0, lastStableOffset: 100, logStartOffset: 0, aborted: [], data: answer, start: 0, end: answer.length });
  // As the fetcher does.
  answers.release(answer);
  const read: string[] = [];
  for (let i = 0; i < values.length; i++) {
    equal(reader.next(), true);
    answers.take(answer.length).fill(0);
    read.push(reader.record.data.toString('latin1', reader.record.valueStart, reader.record.valueEnd));
  }
  deepEqual(read, values);
  notEqual(answers.take(answer.length).buffer, answer.buffer);
  equal(reader.next(), false);
  equal(answers.take(answer.length).buffer, answer.buffer);
});
