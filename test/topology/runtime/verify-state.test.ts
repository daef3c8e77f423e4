// A store held against its changelog: what is the same, what is not and where the changelog says so, and what a store that is behind cannot know.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStore } from '../../../stores/memory-store.ts';
import { StoreError } from '../../../stores/store-error.ts';
import type { StoreEngine, WriteOp } from '../../../stores/store.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import type { Log } from '../../../topology/log/log.ts';
import { changelogPosition, toChangelog } from '../../../topology/runtime/changelog.ts';
import { restoreStore } from '../../../topology/runtime/restoration.ts';
import { unreadableState, verifyState, type StateReport } from '../../../topology/runtime/verify-state.ts';
import { appendTo } from '../../support/append.ts';

const CHANGELOG = { topic: 'app-orders-changelog', partition: 0 };
const FAMILIES = ['ghosts', 'history', 'task'];
const op = (key: string, value: string | null, family = 'history'): WriteOp => ({ family, key: Buffer.from(key), value: value === null ? null : Buffer.from(value) });

async function verify(log: Log, engine: StoreEngine): Promise<StateReport> {
  return verifyState({ log, changelog: CHANGELOG, group: 'app/orders', engine, scratch: openMemoryStore(FAMILIES), families: FAMILIES, nowMs: () => 1_000 });
}

async function written(): Promise<{ log: Log; engine: StoreEngine; commit(ops: readonly WriteOp[], store?: StoreEngine): Promise<void> }> {
  const log = openEmbeddedLog();
  await log.createTopic(CHANGELOG.topic, { partitions: 1, cleanup: 'compact' });
  const memory = openMemoryStore(FAMILIES);
  const engine = await restoreStore({ log, changelog: CHANGELOG, open: () => Promise.resolve(memory), wipe: () => undefined, nowMs: () => 1_000 });
  return {
    log, engine,
    async commit(ops, store) {
      await appendTo(log, { records: ops.map(one => toChangelog(CHANGELOG, one)), positions: [], group: 'app/orders' });
      store?.write([...ops, changelogPosition(await log.endOffset(CHANGELOG))]);
    },
  };
}

void test('equal: every key of every family, however many pages they fill', async () => {
  const { log, engine, commit } = await written();
  await commit(Array.from({ length: 200 }, (_, i) => op(`k${i}`, `v${i}`)), engine);
  await commit([op('k7', null), op('k8', 'other'), op('a', '', 'ghosts')], engine);
  assert.deepEqual(await verify(log, engine), { keys: 200, position: 203, end: 203, differences: [], differenceCount: 0, problems: [] });
});

void test('each difference has its family, its key in hex and the offset of what the changelog says', async () => {
  const { log, engine, commit } = await written();
  await commit([op('a', '1'), op('b', '2'), op('c', '3'), op('g', 'x', 'ghosts')], engine);
  await commit([op('d', '4'), op('b', null)], engine);
  engine.write([op('a', '9'), op('c', null), op('b', '2'), op('z', 'nobody'), op('g', 'y', 'ghosts')]);
  const { differences, differenceCount, problems } = await verify(log, engine);
  assert.deepEqual(problems, []);
  assert.equal(differenceCount, 5);
  assert.deepEqual(differences, [
    { family: 'ghosts', key: '67', what: 'differs', offset: 3 },
    { family: 'history', key: '61', what: 'differs', offset: 0 },
    { family: 'history', key: '62', what: 'extra', offset: 5 },
    { family: 'history', key: '63', what: 'missing', offset: 2 },
    { family: 'history', key: '7a', what: 'extra', offset: undefined },
  ]);
});

void test('what the changelog said after the position of the store is no difference; what it said before is', async () => {
  const { log, engine, commit } = await written();
  await commit([op('a', '1'), op('b', '2'), op('c', '3')], engine);
  await commit([op('a', '5'), op('b', null), op('n', 'new')]);
  const behind = await verify(log, engine);
  assert.deepEqual([behind.position, behind.end, behind.differenceCount, behind.problems], [3, 6, 0, []]);
  engine.write([op('c', '4')]);
  assert.deepEqual((await verify(log, engine)).differences, [{ family: 'history', key: '63', what: 'differs', offset: 2 }]);
});

void test('beside single keys: a position beyond the changelog, another changelog, a store that cannot be read', async () => {
  const { log, engine, commit } = await written();
  await commit([op('a', '1')], engine);
  engine.write([changelogPosition(9)]);
  assert.match((await verify(log, engine)).problems.join(), /it is at offset 9, and the changelog ends at 1/);
  engine.write([changelogPosition(1), { family: 'offsets', key: Buffer.from('of'), value: Buffer.from('{"topicId":"another","openedAtMs":0}') }]);
  assert.match((await verify(log, engine)).problems.join(), /another changelog of that name/);
  assert.deepEqual(unreadableState(new StoreError('corrupt', 'block checksum')).problems, ['block checksum']);
  assert.throws(() => unreadableState(new StoreError('locked', 'held')), /held/);
});
