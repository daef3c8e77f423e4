// What becomes of a partition that cannot be fetched: what another try can mend is tried again, and what is gone is told at once.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { LogError } from '../../../../topology/log/embedded-error.ts';
import { AnswerMemory } from '../../../../topology/log/kafka/answer-memory.ts';
import type { Cluster } from '../../../../topology/log/kafka/cluster.ts';
import type { FetchedPartition } from '../../../../topology/log/kafka/fetch-codec.ts';
import { Fetcher } from '../../../../topology/log/kafka/fetcher.ts';
import { Patience } from '../../../../topology/log/kafka/patience.ts';

const TOPIC_ID = '00000000000040008000000000000001';
const OFFSET_OUT_OF_RANGE = 1;
const NOT_LEADER_OR_FOLLOWER = 6;

/** Fetches one partition of a broker that answers with those errors, one after the other; 0: with nothing in it. */
async function fetched(...errors: readonly number[]): Promise<{ failure: unknown; answers: number; metadata: number }> {
  const of = { answers: 0, metadata: 0 };
  const answer = (): FetchedPartition => ({ topicId: TOPIC_ID, partition: 0, errorCode: errors[of.answers++], lastStableOffset: 9, logStartOffset: 9, aborted: [], data: Buffer.alloc(0), start: 0, end: 0 });
  const cluster = {
    isClosed: false,
    answers: new AnswerMemory(),
    retryMs: 60_000,
    patience: new Patience(undefined),
    outage: { waits: () => undefined, ends: () => undefined },
    forget: () => void of.metadata++,
    leaderOf: () => Promise.resolve({ host: 'broker', port: 9092 }),
    connection: () => Promise.resolve({ broker: 'broker:9092' }),
    request: () => Promise.resolve({ errorCode: 0, partitions: [answer()] }),
  } as unknown as Cluster;
  const failure = await new Promise(resolve => {
    let done = false;
    const end = (error: unknown): void => { done = true; resolve(error); };
    new Fetcher(cluster).want({ topic: 'rows', partition: 0, topicId: TOPIC_ID, fetchOffset: 7, wants: () => !done, take: () => end(undefined), fail: end });
  });
  return { failure, ...of };
}

void test('what retention has deleted is told at once, with its place, and never skipped', async () => {
  const { failure, answers } = await fetched(OFFSET_OUT_OF_RANGE, 0);
  ok(failure instanceof LogError);
  deepEqual([failure.reason, failure.code, answers], ['out-of-range', 'state', 1]);
  match(failure.message, /^rows-0@7: what was to be read next is gone: retention has deleted it, or the partition was cut$/);
});

void test('a leader that has moved is asked for anew', async () => {
  const { failure, answers, metadata } = await fetched(NOT_LEADER_OR_FOLLOWER, NOT_LEADER_OR_FOLLOWER, 0);
  deepEqual([failure, answers, metadata], [undefined, 3, 2]);
});

void test('after it was lost the partition is not fetched again by itself', async () => {
  const { failure, answers } = await fetched(NOT_LEADER_OR_FOLLOWER, OFFSET_OUT_OF_RANGE, 0);
  equal((failure as LogError).reason, 'out-of-range');
  equal(answers, 2);
});
