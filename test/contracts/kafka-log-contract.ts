// What the log over Kafka is held to, against a real broker: the log contract, fencing, lost answers, restarts, SASL.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import * as deleteTopicsV6 from '../../node_modules/@platformatic/kafka/dist/apis/admin/delete-topics-v6.js';
import { ParitasError } from '../../schemas/errors.ts';
import { clientSettings } from '../../topology/log/kafka/client-properties.ts';
import { Cluster } from '../../topology/log/kafka/cluster.ts';
import { GivenUp } from '../../topology/log/kafka/kafka-error.ts';
import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import { encodeBatches } from '../../topology/log/kafka/record-batch.ts';
import { committedOffset } from '../../topology/log/kafka/topics.ts';
import { openProducer } from '../../topology/log/kafka/transaction.ts';
import type { AppendBatch, Log, TopicPartition } from '../../topology/log/log.ts';
import { AppendRefused } from '../../topology/runtime/append-ended.ts';
import { WriterFenced } from '../../topology/runtime/writer-fenced.ts';
import { logContract, record } from './log-contract.ts';
import { appendTo } from '../support/append.ts';
import type { TestBroker } from '../support/kafka-broker.ts';
import { LossyCluster } from '../support/lossy-cluster.ts';

/** All that the log over Kafka is held to, against a real broker; `allowTransactionsV1` as in its settings. */
export function kafkaLogContract({ bootstrap, saslBootstrap, restart, stop }: TestBroker, allowTransactionsV1 = false): void {
  // Names are new each time: a broker that was given keeps its topics.
  const run = Date.now().toString(36);
  const open = (): Promise<Log> => openKafkaLog({ bootstrapServers: [bootstrap], allowTransactionsV1 });
  const settings = { ...clientSettings(undefined), allowTransactionsV1 };
  let topics = 0;
  let writers = 0;
  const newTopic = async (log: Log, partitions = 1, cleanup: 'delete' | 'compact' = 'delete'): Promise<string> => {
    const topic = `kafka-log-${run}-${topics++}`;
    await log.createTopic(topic, { partitions, cleanup });
    return topic;
  };
  const append = (log: Log, records: ReturnType<typeof record>[], positions: (TopicPartition & { offset: number })[] = [], group = `g-${run}`): Promise<void> =>
    appendTo(log, { records, positions, group }, `w-${run}-${writers++}`);

  after(stop);

  logContract(`kafka ${run}`, open, { dense: false, reopen: open });

  describe('kafka log', () => {
    test('trap 9: who opens a transactional id last has it; the one before is refused, and its group stands where it stood', async () => {
      const logs = [await open(), await open()];
      const at = { topic: await newTopic(logs[0]), partition: 0 };
      const batch = (value: string, offset: number): AppendBatch => ({ records: [record(at, 'k', value)], positions: [{ ...at, offset }], group: `g-${run}` });
      const first = await logs[0].writer(`fenced-${run}`);
      await first.append(batch('first', 1));
      const second = await logs[1].writer(`fenced-${run}`);
      await assert.rejects(first.append(batch('zombie', 2)), WriterFenced);
      await assert.rejects(first.committed(`g-${run}`, at), WriterFenced);
      assert.equal(await second.committed(`g-${run}`, at), 1);
      await second.append(batch('second', 3));
      assert.deepEqual(await values(logs[1], at), ['first', 'second']);
      for (const log of logs) await log.close();
    });

    test('trap 1: aborted transactions of two producers among committed ones are not read, from whichever offset', async () => {
      const logs = [await open(), await open()];
      const at = { topic: await newTopic(logs[0]), partition: 0 };
      // The broker takes the first record and refuses the second, which has no key: the transaction is aborted.
      const compacted = { topic: await newTopic(logs[0], 1, 'compact'), partition: 0 };
      const expected: string[] = [];
      for (const [n, step] of ['a-', 'a+', 'b-', 'a-', 'b+', 'a+', 'b-', 'b-', 'a+', 'a-'].entries()) {
        const log = logs['ab'.indexOf(step[0])];
        const isAborted = step[1] === '-';
        const written = append(log, [record(at, 'k', `${n}`), ...(isAborted ? [record(compacted, null, 'v')] : [])]);
        if (isAborted) await assert.rejects(written, (error: unknown) => error instanceof AppendRefused && /INVALID_RECORD.*no record without a key/.test(error.message));
        else await written.then(() => expected.push(`${n}`));
      }
      assert.deepEqual(await values(logs[0], at), expected);
      const end = await logs[1].endOffset(at);
      assert.ok(end >= 20, 'markers and aborted records take offsets');
      const seen = new Map<number, string>();
      for (let from = 0; from <= end; from++) {
        const got = await values(logs[1], at, from);
        assert.deepEqual(got, expected.slice(expected.length - got.length));
        seen.set(got.length, got.join());
      }
      assert.equal(seen.size, expected.length + 1);
      for (const log of logs) await log.close();
    });

    test('much at once: several batches of a partition, fetched in pieces, come whole and in order', async () => {
      const log = await open();
      const topic = await newTopic(log, 2);
      const text = (n: number): string => `${n} ${'x'.repeat(n % 1500)}`;
      await append(log, Array.from({ length: 6000 }, (_, n) => record({ topic, partition: n % 2 }, `${n}`, text(n))));
      await append(log, [record({ topic, partition: 0 }, 'large', 'y'.repeat(1_000_000))]);
      const [even, odd] = [await values(log, { topic, partition: 0 }), await values(log, { topic, partition: 1 })];
      assert.deepEqual(odd, Array.from({ length: 3000 }, (_, n) => text(2 * n + 1)));
      assert.deepEqual(even, [...Array.from({ length: 3000 }, (_, n) => text(2 * n)), 'y'.repeat(1_000_000)]);
      await assert.rejects(append(log, [record({ topic, partition: 0 }, 'k', 'z'.repeat(1_100_000))]), /MESSAGE_TOO_LARGE.*max\.message\.bytes/);
      await append(log, [record({ topic, partition: 0 }, 'k', 'after')]);
      assert.equal((await values(log, { topic, partition: 0 })).at(-1), 'after');
      await log.close();
    });

    test('several readers of one partition, each where it is: each gets its own records, however the requests are put together', async () => {
      const log = await open();
      const at = { topic: await newTopic(log), partition: 0 };
      for (let n = 0; n < 6; n++) await append(log, [record(at, 'k', `${n}`)]);
      const offsets = [0, 10, 4, 0, 6, 2, 8, 4, 11];
      const readers = await Promise.all(offsets.map(offset => log.open(at, offset, { follow: true })));
      const read = await Promise.all(readers.map(async (reader, i) => {
        const got: string[] = [];
        while (got.length < 6 - Math.ceil(offsets[i] / 2) && await reader.fill()) while (reader.next()) got.push(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd));
        return got;
      }));
      assert.deepEqual(read, offsets.map(offset => ['0', '1', '2', '3', '4', '5'].slice(Math.ceil(offset / 2))));
      await log.close();
    });

    test('trap 22: timestamps 40 days before and after now, in one append, come back to the millisecond', async () => {
      const log = await open();
      const at = { topic: await newTopic(log), partition: 0 };
      const nowMs = Date.now();
      const times = [nowMs, nowMs + 40 * 86_400_000, 0, nowMs - 400 * 86_400_000, nowMs + 1];
      await append(log, times.map(timestampMs => ({ ...record(at, 'k', 'v'), timestampMs })));
      const reader = await log.open(at, 0);
      const read: number[] = [];
      while (await reader.fill()) while (reader.next()) read.push(reader.record.timestampMs);
      assert.deepEqual(read, times);
      await log.close();
    });

    test('a topic that is there with another cleanup policy is refused, with the command', async () => {
      const log = await open();
      const topic = await newTopic(log, 1, 'delete');
      await assert.rejects(log.createTopic(topic, { partitions: 1, cleanup: 'compact' }), /cleanup\.policy=delete.*kafka-configs\.sh/);
      await log.close();
    });

    test('trap 25: a topic that is deleted and made anew is refused: by who follows it, and by who asks for it', async () => {
      const log = await open();
      const at = { topic: await newTopic(log), partition: 0 };
      await append(log, [record(at, 'k', 'old')]);
      const reader = await log.open(at, 0, { follow: true });
      assert.ok(await reader.fill());
      assert.ok(reader.next());
      const cluster = new Cluster([bootstrap], settings);
      await cluster.call(await cluster.any(), deleteTopicsV6, 'DeleteTopics', at.topic, [{ name: at.topic }], 10_000);
      const other = await open();
      while ((await other.topics()).includes(at.topic)) await setTimeout(50);
      await other.createTopic(at.topic, { partitions: 1, cleanup: 'delete' });
      await assert.rejects(reader.fill(), /was deleted while it was in use|deleted and made anew/);
      await assert.rejects(log.endOffset(at), /deleted and made anew/);
      cluster.close();
      await other.close();
      await log.close();
    });

    test('closed, it refuses: to be asked, to open a writer, and to append through one', async () => {
      const log = await open();
      const at = { topic: await newTopic(log), partition: 0 };
      const writer = await log.writer(`closed-${run}`);
      await log.close();
      await assert.rejects(log.endOffset(at), /closed/);
      await assert.rejects(log.writer(`closed-${run}`), /closed/);
      await assert.rejects(writer.append({ records: [record(at, 'k', 'v')], positions: [], group: '' }), /closed/);
    });

    test('nothing listens: unreachable, at once, with the address', async () => {
      const startMs = performance.now();
      await assert.rejects(openKafkaLog({ bootstrapServers: ['127.0.0.1:1'] }), isError('unreachable', /127\.0\.0\.1:1: connection refused/));
      assert.ok(performance.now() - startMs < 5000);
    });

    // EndTxn's answer is lost for longer than it is tried; the request itself got through, or not. What comes after decides by asking.
    for (const [says, isSent] of [['the broker has it', true], ['the broker never saw it', false]] as const) {
      test(`trap 5: an append whose end is not known, ${says}: committed positions tell, and then the next append goes on`, async () => {
        const log = await open();
        const at = { topic: await newTopic(log), partition: 0 };
        const group = `unknown-${isSent}-${run}`;
        const cluster = new LossyCluster([bootstrap], settings);
        const producer = await openProducer(cluster, group);
        const write = (value: string, offset: number): Promise<unknown> => producer.write(encodeBatches([record(at, 'k', value)], Date.now()), group, [{ ...at, offset }]);
        await write('one', 1);
        cluster.lose = isSent ? 'answers' : 'requests';
        await assert.rejects(write('two', 2), GivenUp);
        await assert.rejects(producer.settle(), GivenUp);
        cluster.lose = undefined;
        await producer.settle();
        assert.equal(await committedOffset(cluster, group, at), 2);
        await write('three', 3);
        assert.equal(await committedOffset(cluster, group, at), 3);
        await log.endOffset(at);
        assert.deepEqual(await untilValues(log, at, 3), ['one', 'two', 'three']);
        cluster.close();
        await log.close();
      });
    }

    test('trap 16: where a reader stands: behind a marker at the end; before an open transaction neither there nor with more; a settled end waits for it', async () => {
      const log = await open();
      const at = { topic: await newTopic(log), partition: 0 };
      await append(log, [record(at, 'k', 'one')]);
      const reader = await log.open(at, 0, { follow: true });
      assert.equal(await reader.standing?.(), 'more');
      assert.ok(await reader.fill() && reader.next());
      assert.equal(await reader.standing?.(), 'end');
      const cluster = new LossyCluster([bootstrap], settings);
      const producer = await openProducer(cluster, `standing-${run}`);
      cluster.lose = 'requests';
      await assert.rejects(producer.write(encodeBatches([record(at, 'k', 'two')], Date.now()), `standing-${run}`, []), GivenUp);
      assert.equal(await reader.standing?.(), 'open');
      let isOpen = false;
      const settled = log.open(at, 0, { settled: true }).finally(() => { isOpen = true; });
      await setTimeout(300);
      assert.equal(isOpen, false, 'the end that it was given has an open transaction behind it');
      cluster.lose = undefined;
      await producer.settle();
      assert.equal((await settled).total, await log.endOffset(at));
      assert.equal(await reader.standing?.(), 'more');
      assert.ok(await reader.fill() && reader.next());
      assert.equal(await reader.standing?.(), 'end');
      cluster.close();
      await log.close();
    });

    test('an append whose end is not known, and another process that takes over: aborted, and the first one hears that it is fenced', async () => {
      const log = await open();
      const at = { topic: await newTopic(log), partition: 0 };
      const group = `taken-${run}`;
      const cluster = new LossyCluster([bootstrap], settings);
      const producer = await openProducer(cluster, group);
      cluster.lose = 'requests';
      await assert.rejects(producer.write(encodeBatches([record(at, 'k', 'lost')], Date.now()), group, [{ ...at, offset: 5 }]), GivenUp);
      const successor = await open();
      const writer = await successor.writer(group);
      assert.equal(await writer.committed(group, at), undefined);
      await writer.append({ records: [record(at, 'k', 'kept')], positions: [{ ...at, offset: 6 }], group });
      cluster.lose = undefined;
      await assert.rejects(producer.settle(), WriterFenced);
      assert.deepEqual(await values(successor, at), ['kept']);
      assert.equal(await successor.committed(group, at), 6);
      cluster.close();
      await successor.close();
      await log.close();
    });

    if (saslBootstrap !== undefined) {
      for (const mechanism of ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']) {
        const properties = { 'security.protocol': 'SASL_PLAINTEXT', 'sasl.mechanism': mechanism, 'sasl.username': 'alice' };
        test(`SASL ${mechanism}: the right password opens, a wrong one is refused at once`, async () => {
          const log = await openKafkaLog({ bootstrapServers: [saslBootstrap], allowTransactionsV1, properties: { ...properties, 'sasl.password': 'alice-secret' } });
          const at = { topic: await newTopic(log), partition: 0 };
          await append(log, [record(at, 'k', mechanism)]);
          assert.deepEqual(await values(log, at), [mechanism]);
          await log.close();
          const wrong = openKafkaLog({ bootstrapServers: [saslBootstrap], allowTransactionsV1, properties: { ...properties, 'sasl.password': 'guess' } });
          await assert.rejects(wrong, isError('not-authorised', /SASL_AUTHENTICATION_FAILED.*check user and password/));
        });
      }

      test('SASL OAUTHBEARER: a token opens, one that has expired is refused with the reason', async () => {
        const properties = { 'security.protocol': 'SASL_PLAINTEXT', 'sasl.mechanism': 'OAUTHBEARER' };
        const log = await openKafkaLog({ bootstrapServers: [saslBootstrap], allowTransactionsV1, properties: { ...properties, 'sasl.jaas.config': '…OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="alice";' } });
        assert.ok(Array.isArray(await log.topics()));
        await log.close();
        const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
        const expired = `${part({ alg: 'none' })}.${part({ sub: 'alice', iat: 1, exp: 2 })}.`;
        await assert.rejects(openKafkaLog({ bootstrapServers: [saslBootstrap], allowTransactionsV1, properties: { ...properties, 'sasl.oauthbearer.token': expired } }), isError('not-authorised', /SASL_AUTHENTICATION_FAILED|refuses the token/));
      });
      test('a client without SASL at a listener that wants it: a message, no hang', async () => {
        await assert.rejects(openKafkaLog({ bootstrapServers: [saslBootstrap], allowTransactionsV1 }), /security\.protocol is not what this port wants|check security\.protocol/);
      });
    }

    if (restart !== undefined) {
      test('the broker is killed and started again: every append comes once, in order, and a reader that follows goes on', async () => {
        const log = await open();
        const at = { topic: await newTopic(log), partition: 0 };
        const reader = await log.open(at, 0, { follow: true });
        const total = 60;
        const writing = (async () => {
          for (let n = 0; n < total; n++) await append(log, [record(at, 'k', `${n}`)], [{ ...at, offset: n }]);
        })();
        const read: string[] = [];
        let restarting: Promise<void> | undefined;
        while (read.length < total) {
          assert.ok(await reader.fill());
          while (reader.next()) read.push(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd));
          if (read.length >= 15) restarting ??= restart();
        }
        await writing;
        await restarting;
        assert.deepEqual(read, Array.from({ length: total }, (_, n) => `${n}`));
        assert.equal(await log.committed(`g-${run}`, at), total - 1);
        await log.close();
      });
    }
  });
}

/** What another producer has committed is there a moment later. */
async function untilValues(log: Log, at: TopicPartition, count: number): Promise<string[]> {
  const reader = await log.open(at, 0, { follow: true });
  const read: string[] = [];
  while (read.length < count && await reader.fill()) while (reader.next()) read.push(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd));
  await reader.close();
  return read;
}

async function values(log: Log, at: TopicPartition, from = 0): Promise<string[]> {
  const reader = await log.open(at, from);
  const read: string[] = [];
  while (await reader.fill()) while (reader.next()) read.push(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd));
  await reader.close();
  return read;
}

function isError(code: ParitasError['code'], message: RegExp): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof ParitasError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}
