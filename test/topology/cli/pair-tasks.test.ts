// How a pair is split, and what stops one that cannot be: partitions that do not fit, a key in another partition than Kafka's partitioner gives it, a
// truncate, a state of another split.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { partitionOfKey } from '../../../schemas/murmur2.ts';
import type { PairSettings } from '../../../schemas/pair.ts';
import { openMemoryStore } from '../../../stores/memory-store.ts';
import { planPair, tasksOf } from '../../../topology/cli/pair-plan.ts';
import { runService } from '../../../topology/cli/service.ts';
import { loadConfig } from '../../../topology/config.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import type { Log } from '../../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../../topology/reconcile.ts';
import { restoreStore } from '../../../topology/runtime/restoration.ts';
import { taskName } from '../../../topology/runtime/task-id.ts';
import { STATE_FAMILIES } from '../../../topology/runtime/task-state.ts';
import { appendTo } from '../../support/append.ts';
import { untilQuiet } from '../../support/quiet-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function pairIn(t: TestContext, more = ''): PairSettings {
  const folder = tempFolder(t, {
    'paritas.yaml': `application: shop
pairs:
  - name: orders
    source: { topic: s, format: debezium-json }
    target: { topic: t, format: debezium-json }
    match: { by: origin, source: source.lsn, target: after.origin }
    columns: { ignore: [origin]${more} }
    window: { size: 1s, lateness: 1s, lag: 2s, skew: 1s }
`,
  });
  return loadConfig(join(folder, 'paritas.yaml')).pairs[0];
}

async function logWith(source: number, target: number): Promise<Log> {
  const log = openEmbeddedLog();
  await log.createTopic('s', { partitions: source, cleanup: 'delete' });
  await log.createTopic('t', { partitions: target, cleanup: 'delete' });
  return log;
}

const namesOf = async (pair: PairSettings, log: Log): Promise<string[]> => tasksOf(await planPair(pair, 'shop', log)).map(taskName);

void test('one reconcile task for each partition; one over all where keys or counts cannot be told by partition', async (t) => {
  const pair = pairIn(t);
  assert.deepEqual(await namesOf(pair, await logWith(2, 2)), ['orders/reconcile/0', 'orders/reconcile/1', 'orders/merge']);
  const whole = ['orders/reconcile/0', 'orders/merge'];
  assert.deepEqual(await namesOf({ ...pair, partitioning: 'repartition' }, await logWith(2, 3)), whole);
  assert.deepEqual(await namesOf({ ...pair, source: { ...pair.source, transactions: { topic: 'x', files: [] } } }, await logWith(2, 2)), whole);
  assert.deepEqual(await namesOf({ ...pair, source: { ...pair.source, files: ['s.jsonl'] } }, await logWith(2, 2)), whole);
});

void test('partitions that do not fit, and what another split or an earlier version has left, are refused', async (t) => {
  const pair = pairIn(t);
  await assert.rejects(planPair(pair, 'shop', await logWith(2, 3)), { code: 'config', message: /^pair "orders": s has 2 partitions and t 3, .*set partitioning: repartition/ });
  const log = await logWith(3, 3);
  await log.createTopic('shop-orders-windows', { partitions: 2, cleanup: 'delete' });
  await assert.rejects(planPair(pair, 'shop', log), { code: 'state', message: /^pair "orders": it ran as 2 reconcile tasks, and there would be 3 now.*begin a new chain/ });
  const former = await logWith(1, 1);
  await former.createTopic('shop-orders-changelog', { partitions: 1, cleanup: 'compact' });
  await assert.rejects(planPair(pair, 'shop', former), { code: 'state', message: /shop-orders-changelog, the state of an earlier version.*new chain/ });
});

const KEY = '{"id":7}';
const PLACE = partitionOfKey(Buffer.from(KEY), 0, KEY.length, 2);

async function run(pair: PairSettings, records: readonly { topic: string; partition: number; key: string | null; op: string }[]): Promise<Log> {
  const log = await logWith(2, 2);
  await appendTo(log, {
    records: records.map(({ topic, partition, key, op }) => ({
      topic, partition, key: key === null ? null : Buffer.from(key), timestampMs: 1_700_000_000_000,
      value: op === 'tombstone' ? null : Buffer.from(JSON.stringify({
        before: null, after: op === 't' ? null : { id: 7, origin: 1 }, op, source: { connector: 'postgresql', ts_ms: 1_700_000_000_000, lsn: 1, sequence: '[null,"1"]', snapshot: 'false' },
      })),
    })),
    positions: [], group: 'producer',
  });
  await runService({
    application: 'shop', owner: 'host:1', pairs: [pair], outputs: DEFAULT_OUTPUTS, commitIntervalMs: 5, say: () => undefined, ...untilQuiet(log, { tasks: 3, commitIntervalMs: 5 }),
    openStore: (_, changelog) => restoreStore({ log, changelog, open: () => Promise.resolve(openMemoryStore(STATE_FAMILIES)), wipe: () => undefined, nowMs: () => 0 }),
  });
  return log;
}

void test('a key in another partition than its hash says stops the pair and is named; a masked one is not shown; no key, no question', async (t) => {
  const stray = { topic: 't', partition: 1 - PLACE, key: KEY, op: 'c' };
  await run(pairIn(t), [{ ...stray, partition: PLACE }, { ...stray, topic: 's', partition: PLACE }, { ...stray, partition: PLACE, op: 'tombstone' }]);
  const message = (key: string): RegExp => new RegExp(`^pair "orders": t-${1 - PLACE}@0: the key ${key} belongs to partition ${PLACE} of 2 by Kafka's partitioner .*set partitioning: repartition`);
  await assert.rejects(run(pairIn(t), [stray]), { code: 'input', message: message('{"id":"7"}') });
  await assert.rejects(run(pairIn(t, ', mask: [id]'), [stray]), { code: 'input', message: message('{"id":"masked:[0-9a-f]{16}"}') });
  await assert.rejects(run(pairIn(t), [{ ...stray, op: 'tombstone' }]), /the key belongs to partition/);
});

void test('a truncate stops a pair of several tasks, and says why', async (t) => {
  await assert.rejects(run(pairIn(t), [{ topic: 's', partition: 0, key: null, op: 't' }]), { code: 'input', message: /^pair "orders": s-0@0: a truncate speaks of the rows of every partition.*set partitioning: repartition/ });
});
