// The traps in which Kafka itself is the one that lays them, on a real broker; index.test.ts says where each of the twenty-five is. Without a broker
// they are skipped, and counted so.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import * as createPartitionsV3 from '../../node_modules/@platformatic/kafka/dist/apis/admin/create-partitions-v3.js';
import { openMemoryStore } from '../../stores/memory-store.ts';
import type { StoreEngine, WriteOp } from '../../stores/store.ts';
import { clientSettings } from '../../topology/log/kafka/client-properties.ts';
import { Cluster } from '../../topology/log/kafka/cluster.ts';
import { GivenUp } from '../../topology/log/kafka/kafka-error.ts';
import { logOver, openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import { encodeBatches } from '../../topology/log/kafka/record-batch.ts';
import { highWatermark, settledOffset, stableOffset } from '../../topology/log/kafka/topics.ts';
import { openProducer } from '../../topology/log/kafka/transaction.ts';
import type { Log, TopicPartition } from '../../topology/log/log.ts';
import { AppendEnded, AppendRefused } from '../../topology/runtime/append-ended.ts';
import { fixed } from '../../topology/runtime/assignment.ts';
import { toChangelog } from '../../topology/runtime/changelog.ts';
import { restoreStore } from '../../topology/runtime/restoration.ts';
import type { TaskId } from '../../topology/runtime/task-id.ts';
import { WriterFenced } from '../../topology/runtime/writer-fenced.ts';
import { startKafkaBroker, type TestBroker } from '../support/kafka-broker.ts';
import { LossyCluster } from '../support/lossy-cluster.ts';
import { linesIn, positionsIn } from '../service/topics.ts';
import { elsewhere, kafkaTrap, liveOnKafka, type KafkaTrap } from './kafka-place.ts';
import { wiped } from './place.ts';

const BOUND_MS = 120_000;
const run = Date.now().toString(36);

const broker = await startKafkaBroker();
if (typeof broker === 'string') {
  process.stderr.write(`SKIPPED: traps on Kafka: ${broker}\n`);
  test('traps on Kafka: aborted records, transactions under way, takeovers, partitions that are added', { skip: broker });
} else await testsWith(broker);

async function testsWith({ bootstrap, tool, stop }: TestBroker): Promise<void> {
  const log = await openKafkaLog({ bootstrapServers: [bootstrap] });
  const settings = clientSettings(undefined);
  after(async () => {
    await log.close();
    await stop();
  });
  const op = (key: string, value: string): WriteOp => ({ family: 'history', key: Buffer.from(key), value: Buffer.from(value) });
  const newChangelog = async (name: string, partitions = 1): Promise<TopicPartition> => {
    await log.createTopic(`${name}-${run}`, { partitions, cleanup: 'compact' });
    return { topic: `${name}-${run}`, partition: 0 };
  };
  const restored = async (from: Log, changelog: TopicPartition): Promise<string[]> => {
    const engine = await restoreStore({ log: from, changelog, open: () => Promise.resolve(openMemoryStore(['history'])), wipe: () => undefined, nowMs: () => performance.now() });
    return rowsOf(engine);
  };
  const same = async (trap: KafkaTrap): Promise<void> => {
    ok(trap.should.lines.length > 20, `only ${trap.should.lines.length} records: they say little`);
    deepEqual((await linesIn(trap)).sort(), trap.should.lines.toSorted());
    equal(await positionsIn(trap), trap.should.positions);
  };

  describe('restoration', () => {
    test('trap 1: aborted transactions of one producer, one of them longer than a fetch, among committed ones: what is restored is what was committed', async () => {
      const changelog = await newChangelog('aborted', 2);
      const beside = { ...changelog, partition: 1 };
      const writer = await log.writer(`aborted-${run}`);
      const append = (ops: readonly WriteOp[], isAborted: boolean): Promise<void> => writer.append({
        // A compacted topic takes no record without a key: the transaction is aborted, and what it has written before, to both partitions, stays there.
        records: ops.flatMap(one => [toChangelog(changelog, one), toChangelog(beside, one)]).concat(isAborted ? [{ ...beside, key: null, value: null }] : []), positions: [], group: 'g',
      });
      const long = Array.from({ length: 40 }, (_, i) => op(`long ${i}`, 'x'.repeat(100_000)));
      for (const [ops, isAborted] of [[[op('a', 'never')], true], [[op('a', '1'), op('b', '1')], false], [[op('b', 'never')], true], [long, true], [[op('c', '1')], false], [[op('a', 'never again')], true]] as const) {
        const appended = append(ops, isAborted);
        if (isAborted) await rejects(appended, AppendRefused);
        else await appended;
      }
      ok(await log.endOffset(changelog) > 45, 'what was aborted lies there');
      deepEqual(await restored(log, changelog), ['a=1', 'b=1', 'c=1']);
    });

    test('trap 2: a changelog that ends in the marker of a commit, or of an abort, or of which only markers are left', async () => {
      const changelog = await newChangelog('markers', 2);
      const writer = await log.writer(`markers-${run}`);
      await writer.append({ records: [toChangelog(changelog, op('a', '1'))], positions: [], group: 'g' });
      deepEqual(await restored(log, changelog), ['a=1']);
      await rejects(writer.append({ records: [toChangelog(changelog, op('a', '2')), { topic: changelog.topic, partition: 1, key: null, value: null }], positions: [], group: 'g' }), AppendRefused);
      deepEqual(await restored(log, changelog), ['a=1']);
      const aborted = await newChangelog('only-markers', 2);
      await rejects(writer.append({ records: [toChangelog(aborted, op('a', '2')), { topic: aborted.topic, partition: 1, key: null, value: null }], positions: [], group: 'g' }), AppendRefused);
      deepEqual(await restored(log, aborted), []);
    });

    for (const lost of ['answers', 'requests'] as const) {
      test(`trap 3: the predecessor's transaction ${lost === 'answers' ? 'is being committed' : 'is open'} when the next owner comes: it is there whole, state and position, or not at all`, async () => {
        const [changelog, id] = [await newChangelog(`predecessor-${lost}`), `predecessor-${lost}-${run}`];
        const cluster = new LossyCluster([bootstrap], settings);
        const predecessor = await openProducer(cluster, id);
        const commit = (value: string, offset: number): Promise<unknown> => predecessor.write(encodeBatches([toChangelog(changelog, op('a', value))], Date.now()), id, [{ ...changelog, offset }]);
        await commit('1', 1);
        cluster.lose = lost;
        await rejects(commit('2', 2), GivenUp);
        const next = await openKafkaLog({ bootstrapServers: [bootstrap] });
        const writer = await next.writer(id);
        deepEqual([await restored(next, changelog), await writer.committed(id, changelog)], lost === 'answers' ? [['a=2'], 2] : [['a=1'], 1]);
        cluster.close();
        await next.close();
      });
    }

    test('trap 13: a task is taken away and given back while it is restored, again and again', async t => {
      const trap = await kafkaTrap(t, bootstrap, `bounced-${run}`, { there: 15 });
      await liveOnKafka(trap);
      await trap.feed(15);
      let restorations = 0;
      const said = await liveOnKafka(elsewhere(trap), {
        assignment: async function* (signal: AbortSignal) {
          for (const wanted of [1, 2, 3]) {
            yield TASKS;
            for (const untilMs = performance.now() + BOUND_MS; restorations < wanted && !signal.aborted; await setTimeout(2)) ok(performance.now() < untilMs);
            yield [];
          }
          yield TASKS;
        },
        say: (line: string) => { if (line === 'orders/reconcile/0: restoring') restorations++; },
      });
      deepEqual(wiped(said), []);
      ok(restorations >= 4);
      await same(trap);
    });
  });

  describe('who writes', () => {
    test('trap 4: dying behind the end of a transaction: the next start applies exactly that commit', async t => {
      const trap = await kafkaTrap(t, bootstrap, `behind-${run}`);
      let commits = 0;
      const dying = liveOnKafka(trap, { sliceRecords: 5, commitIntervalMs: 0, crashPoint: point => { if (point === 'before-store' && ++commits === 3) throw new Error('killed'); } });
      await rejects(dying, /killed/);
      const said = await liveOnKafka(trap);
      deepEqual(wiped(said), []);
      match(said.join('\n'), /restoring: offset \d+ of \d+/);
      await same(trap);
    });

    test('trap 8: one that stands still between the records and the end of a commit, while its tasks run elsewhere: when it goes on nothing of that commit is there', async t => {
      const trap = await kafkaTrap(t, bootstrap, `zombie-${run}`);
      const cluster = new LossyCluster([bootstrap], settings);
      let ends = 0;
      let meanwhile: string[] = [];
      cluster.hold = async request => {
        if (!request.includes('/orders/reconcile/0') || ++ends !== 2) return;
        cluster.hold = undefined;
        meanwhile = await liveOnKafka(elsewhere(trap), { owner: 'host:2' });
      };
      // It has this task alone: the other one, which may have nothing to append, would not hear that it was taken over.
      const assignment = fixed(TASKS.slice(0, 1));
      await rejects(liveOnKafka(trap, { sliceRecords: 5, commitIntervalMs: 0, assignment }, { over: logOver(cluster), tasks: 1 }), WriterFenced);
      match(meanwhile.join('\n'), /running/);
      await same(trap);
    });

    test('trap 9: the same transactional id is opened anew: what its predecessor has open is aborted at once, and nothing more of it is taken', async () => {
      const [changelog, id] = [await newChangelog('same-id'), `same-id-${run}`];
      const cluster = new LossyCluster([bootstrap], settings);
      const predecessor = await openProducer(cluster, id);
      cluster.lose = 'requests';
      const write = (value: string): Promise<unknown> => predecessor.write(encodeBatches([toChangelog(changelog, op('b', value))], Date.now()), id, [{ ...changelog, offset: 7 }]);
      await rejects(write('never'), GivenUp);
      const writer = await log.writer(id);
      equal(await stableOffset(cluster, changelog), await highWatermark(cluster, changelog), 'nothing is open there any more');
      await writer.append({ records: [toChangelog(changelog, op('a', 'kept'))], positions: [{ ...changelog, offset: 1 }], group: id });
      deepEqual(await restored(log, changelog), ['a=kept']);
      cluster.lose = undefined;
      await rejects(write('zombie'), WriterFenced);
      equal(await log.committed(id, changelog), 1);
      cluster.close();
    });

    test('trap 10: a stall in a transaction until the broker has ended it: nothing of it is there, and the same writer goes on', async () => {
      const [changelog, id] = [await newChangelog('stalled'), `stalled-${run}`];
      const cluster = new LossyCluster([bootstrap], settings);
      const producer = await openProducer(cluster, id);
      const commit = (value: string, offset: number): Promise<unknown> => producer.write(encodeBatches([toChangelog(changelog, op('a', value))], Date.now()), id, [{ ...changelog, offset }]);
      cluster.hold = async () => {
        cluster.hold = undefined;
        for (const untilMs = performance.now() + BOUND_MS; await stableOffset(cluster, changelog) < await highWatermark(cluster, changelog); await setTimeout(100)) ok(performance.now() < untilMs);
      };
      await rejects(commit('never', 1), AppendEnded);
      equal(await log.committed(id, changelog), undefined);
      await commit('2', 2);
      // Nobody takes over here, and waits with that for the markers of what is committed: the reader has to.
      await settledOffset(cluster, changelog);
      deepEqual([await restored(log, changelog), await log.committed(id, changelog)], [['a=2'], 2]);
      cluster.close();
    });

    test('trap 11: many appends at once through one writer, each over many partitions: every partition is written, every position committed', async () => {
      const topic = `many-${run}`;
      await log.createTopic(topic, { partitions: 16, cleanup: 'compact' });
      const writer = await log.writer(topic);
      const partitions = Array.from({ length: 16 }, (_, partition) => ({ topic, partition }));
      await Promise.all([1, 2, 3, 4].map(n => writer.append({
        records: partitions.map(at => ({ ...at, key: Buffer.from(`${n}`), value: Buffer.from(`${n}`) })), positions: partitions.map(at => ({ ...at, offset: n })), group: topic,
      })));
      for (const at of partitions) deepEqual([await log.committed(topic, at), await valuesOf(log, at)], [4, ['1', '2', '3', '4']]);
    });
  });

  describe('the ground moves', () => {
    test('trap 23: partitions are added to an input while it is read: refused in mid-run, and at the next start with the way out', async t => {
      const trap = await kafkaTrap(t, bootstrap, `grown-${run}`, { properties: { 'metadata.max.age.ms': 200 } });
      const cluster = new Cluster([bootstrap], settings);
      const grown = trap.config.pairs[0].source.topic;
      const stopped = liveOnKafka(trap, { signal: AbortSignal.timeout(BOUND_MS) });
      for (const untilMs = performance.now() + BOUND_MS; await positionsIn(trap) !== trap.should.positions; await setTimeout(100)) ok(performance.now() < untilMs);
      await cluster.call(await cluster.any(), createPartitionsV3, 'CreatePartitions', grown, [{ name: grown, count: 2, assignments: null as never }], 10_000, false);
      await rejects(stopped, { code: 'config', message: new RegExp(`"${grown}" has 2 partitions now, and had 1: keys lie elsewhere`) });
      await cluster.call(await cluster.any(), createPartitionsV3, 'CreatePartitions', grown, [{ name: trap.config.pairs[0].target.topic, count: 2, assignments: null as never }], 10_000, false);
      await rejects(liveOnKafka(trap), { code: 'state', message: /it ran as 1 reconcile tasks, and there would be 2 now: partitions were added.*state reset/ });
      cluster.close();
    });

    test("trap 25: the broker has forgotten a group's positions: the start is refused with the command that puts them back, and with that it goes on", { skip: tool === undefined ? 'the broker is not ours' : false }, async t => {
      const trap = await kafkaTrap(t, bootstrap, `forgotten-${run}`, { there: 15 });
      await liveOnKafka(trap);
      const said = await linesIn(trap);
      const group = `forgotten-${run}/orders/reconcile/0`;
      await log.forgetGroup(group);
      await trap.feed(15);
      for (let side = 0; side < 2; side++) {
        const refused = await liveOnKafka(trap).then(() => '', (error: unknown) => String(error));
        const [, line = ''] = /put it back: kafka-consumer-groups\.sh (--group .* --execute)/.exec(refused) ?? [];
        ok(line !== '', refused);
        deepEqual(await linesIn(trap), said, 'the refused start has said nothing');
        await tool?.('org.apache.kafka.tools.consumer.group.ConsumerGroupCommand', ['--bootstrap-server', bootstrap, ...line.split(' ')]);
      }
      await liveOnKafka(trap);
      await same(trap);
    });

    test('trap 25: positions and local state are both gone: the changelog still says what was read, and nothing is read anew', async t => {
      const trap = await kafkaTrap(t, bootstrap, `both-${run}`);
      await liveOnKafka(trap);
      await log.forgetGroup(`both-${run}/orders/reconcile/0`);
      rmSync(trap.config.state.directory, { recursive: true });
      await rejects(liveOnKafka(trap), { code: 'state', message: /the state has read both-\w+\.src-0 to 30, and the committed position .* is none/ });
    });
  });
}

const TASKS: readonly TaskId[] = [{ pair: 'orders', subTopology: 'reconcile', partition: 0 }, { pair: 'orders', subTopology: 'merge', partition: 0 }];

function rowsOf(engine: StoreEngine): string[] {
  return engine.range('history').map(([key, value]) => `${String(key)}=${String(value)}`);
}

async function valuesOf(log: Log, at: TopicPartition): Promise<string[]> {
  const reader = await log.open(at, 0);
  const values: string[] = [];
  do while (reader.next()) values.push(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd));
  while (await reader.fill());
  await reader.close();
  return values;
}
