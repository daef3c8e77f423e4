// The commit by itself: what is where after a crash at each point, an append whose answer is lost, and one that did not take place.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { finishExpiry } from '../../../stores/expired-ranges.ts';
import { openMemoryStore } from '../../../stores/memory-store.ts';
import type { StoreEngine } from '../../../stores/store.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import type { AppendBatch, Log, LogWriter } from '../../../topology/log/log.ts';
import { AppendEnded } from '../../../topology/runtime/append-ended.ts';
import { CommitLost, CRASH_POINTS, createCommit, type Commit, type CrashPoint } from '../../../topology/runtime/commit.ts';

const OUTPUT = { topic: 'verdicts', partition: 0 };
const CHANGELOG = { topic: 'changelog', partition: 0 };
const INPUT = { topic: 'orders', partition: 0 };
const KEY = Buffer.from('k');
/** Deleted by range. */
const GONE = Buffer.from('a');

interface Bench { readonly log: Log; readonly engine: StoreEngine; readonly commit: Commit; read(offset: number): void }

async function bench(options: { crashAt?: CrashPoint; append?: (log: LogWriter, batch: AppendBatch) => Promise<void> } = {}): Promise<Bench> {
  const log = openEmbeddedLog();
  for (const { topic } of [OUTPUT, CHANGELOG, INPUT]) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
  const engine = openMemoryStore(['state']);
  engine.write([{ family: 'state', key: GONE, value: KEY }]);
  const writer = await log.writer('app');
  let offset = 0;
  let said = 0;
  const commit = createCommit({
    group: 'app', engine, log, changelog: CHANGELOG,
    writer: { ...writer, append: batch => (options.append ?? ((to, all) => to.append(all)))(writer, batch) },
    toChangelog: op => ({ ...CHANGELOG, key: op.key, value: op.value }),
    changelogPosition: at => ({ family: 'offsets', key: KEY, value: Buffer.from(String(at)) }),
    task: {
      inputPositions: () => [{ ...INPUT, offset }],
      sealState: () => [{ family: 'state', key: KEY, value: Buffer.from(String(offset)) }],
      expired: () => [{ family: 'state', gte: GONE, lt: KEY }],
      drainOutputs() {
        const isNews = said !== offset;
        said = offset;
        return isNews ? [{ ...OUTPUT, key: null, value: Buffer.from(`read to ${offset}`) }] : [];
      },
    },
    crashPoint: point => { if (point === options.crashAt) throw new Error(`died ${point}`); },
  }, [{ ...INPUT, offset: 0 }]);
  return { log, engine, commit, read: to => void (offset = to) };
}

/** How much is there: outputs, changelog records, the committed position, the store's value and its place in the changelog. */
async function seen({ log, engine }: Bench): Promise<unknown[]> {
  const stored = ['state', 'offsets'].map(family => engine.get(family, KEY)?.toString());
  return [await log.endOffset(OUTPUT), await log.endOffset(CHANGELOG), await log.committed('app', INPUT), ...stored];
}

const NOTHING = [0, 0, undefined, undefined, undefined];
const APPENDED = [1, 1, 7, undefined, undefined];
const ALL = [1, 1, 7, '7', '1'];

void test('outputs, changelog and positions together, then the store', async () => {
  const at = await bench();
  at.read(7);
  assert.equal(await at.commit(), true);
  assert.deepEqual(await seen(at), ALL);
});

void test('nothing was read: nothing is committed', async () => {
  const at = await bench();
  assert.equal(await at.commit(), false);
  at.read(7);
  await at.commit();
  assert.equal(await at.commit(), false);
  assert.deepEqual(await seen(at), ALL);
});

void test('nothing was read, and the positions are old: they are committed anew, and are there again where the log has forgotten them', async () => {
  const at = await bench();
  at.read(7);
  await at.commit();
  await at.log.forgetGroup('app');
  assert.equal(await at.log.committed('app', INPUT), undefined);
  assert.equal(await at.commit(true), true);
  assert.deepEqual(await seen(at), [1, 2, 7, '7', '2']);
});

void test('stopped behind its append while another has the task: the store does not claim what the other has written', async () => {
  const at = await bench({
    async append(writer, batch) {
      await writer.append(batch);
      const other = await at.log.writer('app');
      await other.append({ records: [{ ...CHANGELOG, key: KEY, value: Buffer.from('9') }], positions: [{ ...INPUT, offset: 9 }], group: 'app' });
    },
  });
  at.read(7);
  await at.commit();
  assert.deepEqual(await seen(at), [1, 2, 9, '7', '1']);
});

const AFTER: Readonly<Record<CrashPoint, readonly unknown[]>> = { 'before-seal': NOTHING, 'before-append': NOTHING, 'before-store': APPENDED, 'before-expiry': ALL, 'after-store': ALL };
for (const point of CRASH_POINTS) {
  void test(`died ${point}: the store is never ahead of the log`, async () => {
    const at = await bench({ crashAt: point });
    at.read(7);
    await assert.rejects(at.commit(), new RegExp(point));
    assert.deepEqual(await seen(at), AFTER[point]);
    assert.equal(at.engine.get('state', GONE) === undefined, point === 'after-store');
    finishExpiry(at.engine);
    assert.equal(at.engine.get('state', GONE) === undefined, point === 'after-store' || point === 'before-expiry');
  });
}

void test('the answer to an append is lost, and it took place: the commit goes on', async () => {
  const at = await bench({ append: async (log, batch) => {
    await log.append(batch);
    throw new Error('connection lost');
  } });
  at.read(7);
  assert.equal(await at.commit(), true);
  assert.deepEqual(await seen(at), ALL);
});

void test('the append did not take place: the commit is lost, and the store untouched', async () => {
  const at = await bench({ append: () => Promise.reject(new Error('disk full')) });
  at.read(7);
  await assert.rejects(at.commit(), (error: unknown) => error instanceof CommitLost && /^app: a commit did not take place: disk full$/.test(error.message));
  assert.deepEqual(await seen(at), NOTHING);
});

void test('outputs of windows that closed without a record read since: an append that did not take place is not taken for one that did', async () => {
  let appends = 0;
  const log = openEmbeddedLog();
  for (const { topic } of [OUTPUT, CHANGELOG, INPUT]) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
  const writer = await log.writer('app');
  const commit = createCommit({
    group: 'app', engine: openMemoryStore(['state']), log, changelog: CHANGELOG,
    writer: { ...writer, append: batch => (appends++ === 0 ? writer.append(batch) : Promise.reject(new Error('disk full'))) },
    toChangelog: op => ({ ...CHANGELOG, key: op.key, value: op.value }),
    changelogPosition: at => ({ family: 'offsets', key: KEY, value: Buffer.from(String(at)) }),
    task: {
      inputPositions: () => [{ ...INPUT, offset: 7 }], sealState: () => [{ family: 'state', key: KEY, value: KEY }],
      drainOutputs: () => [{ ...OUTPUT, key: null, value: Buffer.from(`verdict ${appends}`) }],
    },
  }, [{ ...INPUT, offset: 0 }]);
  assert.equal(await commit(), true);
  await assert.rejects(commit(), CommitLost);
  assert.equal(await log.endOffset(OUTPUT), 1);
});

for (const [says, told] of [['by the append', 'append'], ['by who asks what was committed', 'committed']] as const) {
  void test(`what was aborted lies in the changelog, and nothing was read: told ${says} that nothing is there, the commit is lost, and the store untouched`, async () => {
    let appends = 0;
    const log = openEmbeddedLog();
    for (const { topic } of [OUTPUT, CHANGELOG, INPUT]) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
    const writer = await log.writer('app');
    const engine = openMemoryStore(['state', 'offsets']);
    const commit = createCommit({
      group: 'app', engine, log, changelog: CHANGELOG,
      writer: {
        append: async batch => {
          if (appends++ === 0) return writer.append(batch);
          // As on Kafka: aborted records and their marker take offsets.
          await writer.append({ records: batch.records.filter(({ topic }) => topic === CHANGELOG.topic), positions: [], group: 'app' });
          throw told === 'append' ? new AppendEnded('app') : new Error('connection lost');
        },
        committed: (group, at) => (told === 'committed' && appends > 1 ? Promise.reject(new AppendEnded('app')) : writer.committed(group, at)),
      },
      toChangelog: op => ({ ...CHANGELOG, key: op.key, value: op.value }),
      changelogPosition: at => ({ family: 'offsets', key: KEY, value: Buffer.from(String(at)) }),
      task: {
        inputPositions: () => [{ ...INPUT, offset: 7 }], sealState: () => [{ family: 'state', key: KEY, value: Buffer.from(String(appends)) }],
        drainOutputs: () => [{ ...OUTPUT, key: null, value: Buffer.from(`verdict ${appends}`) }],
      },
    }, [{ ...INPUT, offset: 0 }]);
    assert.equal(await commit(), true);
    await assert.rejects(commit(), (error: unknown) => error instanceof CommitLost && error.cause instanceof AppendEnded);
    assert.equal(await log.endOffset(OUTPUT), 1);
    assert.equal(String(engine.get('state', KEY)), '0');
  });
}
