// Restoring a local store from its changelog: nothing there, a tail, and every store that is not to be believed. What is restored is what the
// changelog says, and the operator is told why a store was wiped.
import assert from 'node:assert/strict';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMemoryStore } from '../../../stores/memory-store.ts';
import { packagesHere } from '../../../stores/rocksdb-platform.ts';
import { openRocksdbStore } from '../../../stores/rocksdb-store.ts';
import { openTemporaryTaskDirectory } from '../../../stores/state-directory.ts';
import { StoreError } from '../../../stores/store-error.ts';
import type { StoreEngine, WriteOp } from '../../../stores/store.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import type { Log } from '../../../topology/log/log.ts';
import { changelogPosition, toChangelog } from '../../../topology/runtime/changelog.ts';
import { Stopping } from '../../../topology/runtime/pacer.ts';
import { restoreStore, type RestoreParts, type RestoreProgress } from '../../../topology/runtime/restoration.ts';
import { appendTo } from '../../support/append.ts';

const CHANGELOG = { topic: 'app-orders-changelog', partition: 0 };
const DAY_MS = 86_400_000;

const op = (key: string, value: string | null, family = 'history'): WriteOp => ({ family, key: Buffer.from(key), value: value === null ? null : Buffer.from(value) });
const rows = (engine: StoreEngine): string[] => ['ghosts', 'history'].flatMap(family => engine.range(family).map(([key, value]) => `${family} ${String(key)}=${String(value)}`));

async function newLog(): Promise<Log> {
  const log = openEmbeddedLog();
  await log.createTopic(CHANGELOG.topic, { partitions: 1, cleanup: 'compact' });
  return log;
}

async function commit(log: Log, ops: readonly WriteOp[], engine?: StoreEngine): Promise<void> {
  await appendTo(log, { records: ops.map(one => toChangelog(CHANGELOG, one)), positions: [], group: 'app' });
  engine?.write([...ops, changelogPosition(await log.endOffset(CHANGELOG))]);
}

/** A store that outlives its engine's `close`, as a directory would. */
function bench(log: Log, first: StoreEngine = openMemoryStore(['history', 'ghosts'])): { parts: RestoreParts; said: string[]; progress: RestoreProgress[]; at: { nowMs: number; engine: StoreEngine } } {
  const at = { nowMs: 1_000, engine: first };
  const said: string[] = [];
  const progress: RestoreProgress[] = [];
  const lasting = (): StoreEngine => ({ ...at.engine, closed: false, get: at.engine.get, close: () => Promise.resolve() });
  const parts: RestoreParts = {
    log, changelog: CHANGELOG, open: () => Promise.resolve(lasting()), wipe: () => void (at.engine = openMemoryStore(['history', 'ghosts'])),
    nowMs: () => (at.nowMs += 10), say: line => void said.push(line), onProgress: step => void progress.push(step),
  };
  return { parts, said, progress, at };
}

void test('no store: everything, with a rate and an end in sight', async () => {
  const log = await newLog();
  const big = 'x'.repeat(400_000);
  await commit(log, [op('a', '1'), op('b', '2', 'ghosts'), op('c', big), op('d', big), op('e', big), op('f', big), op('g', big)]);
  await commit(log, [op('a', '3'), op('b', null, 'ghosts')]);
  const { parts, progress, said } = bench(log);
  const engine = await restoreStore(parts);
  assert.deepEqual(rows(engine).map(row => row.slice(0, 20)), ['history a=3', ...[...'cdefg'].map(key => `history ${key}=xxxxxxxxxx`)]);
  assert.deepEqual(said, []);
  assert.deepEqual(progress.map(({ done, total }) => [done, total]), [[5, 9], [9, 9]]);
  assert.ok(progress[0].recordsPerSecond > 0 && progress[0].remainingMs > 0);
  assert.equal(progress[1].remainingMs, 0);
});

void test('a store that lacks the tail gets the tail, and one that lacks nothing is left alone', async () => {
  const log = await newLog();
  const { parts, said, progress } = bench(log);
  const engine = await restoreStore(parts);
  await commit(log, [op('a', '1')], engine);
  await commit(log, [op('b', '2')]);
  assert.deepEqual(rows(await restoreStore(parts)), ['history a=1', 'history b=2']);
  assert.deepEqual(progress.map(({ done }) => done), [1]);
  await restoreStore(parts);
  assert.deepEqual(progress.map(({ done }) => done), [1]);
  assert.deepEqual(said, []);
});

void test('what the task commits while a standby restores is not claimed, and comes with the next tail', async () => {
  const log = await newLog();
  await commit(log, [op('a', '1')]);
  const { parts } = bench(log);
  const growing = { ...parts, log: { ...log, open: async (...args: Parameters<Log['open']>) => {
    const reader = await log.open(...args);
    await commit(log, [op('b', '2')]);
    return reader;
  } } };
  assert.deepEqual(rows(await restoreStore(growing)), ['history a=1']);
  assert.deepEqual(rows(await restoreStore(parts)), ['history a=1', 'history b=2']);
});

void test('a restore that died goes on where it was', async () => {
  const log = await newLog();
  await commit(log, [op('a', '1'), op('b', '2')]);
  const { parts, said, at } = bench(log);
  let writes = 0;
  const dying = { ...parts, open: async () => {
    const engine = await parts.open();
    return { ...engine, write: (ops: readonly WriteOp[]) => {
      if (writes++ === 1) throw new StoreError('disk-full', 'no space left');
      engine.write(ops);
    } };
  } };
  await assert.rejects(restoreStore(dying), /no space left/);
  assert.deepEqual(rows(await restoreStore(parts)), ['history a=1', 'history b=2']);
  assert.deepEqual(said, []);
  assert.ok(at.engine.get('offsets', Buffer.from('of')) !== undefined);
});

const UNBELIEVABLE: readonly { readonly what: string; readonly harm: (engine: StoreEngine, log: Log, at: { nowMs: number }) => Promise<void> | void; readonly says: RegExp }[] = [
  { what: 'ahead of the changelog', harm: engine => { engine.write([changelogPosition(99)]); }, says: /at offset 99, and the changelog ends at 2/ },
  { what: 'of another changelog', harm: engine => { engine.write([{ family: 'offsets', key: Buffer.from('of'), value: Buffer.from('{"topicId":"other","openedAtMs":0}') }]); }, says: /another changelog/ },
  { what: 'without a name', harm: engine => { engine.write([{ family: 'offsets', key: Buffer.from('of'), value: null }]); }, says: /does not say/ },
  { what: 'older than the deletions that the changelog keeps', harm: async (_, log, at) => { await commit(log, [op('b', '2')]); at.nowMs += 2 * DAY_MS; }, says: /older than the deletions/ },
];

for (const { what, harm, says } of UNBELIEVABLE) {
  void test(`a store ${what} is wiped and restored`, async () => {
    const log = await newLog();
    const { parts, said, at } = bench(log);
    const engine = await restoreStore(parts);
    await commit(log, [op('a', '1'), op('ghost', '0')], engine);
    engine.write([op('left over', 'x')]);
    await harm(at.engine, log, at);
    const restored = rows(await restoreStore(parts));
    assert.ok(!restored.includes('history left over=x') && restored.includes('history a=1'), restored.join());
    assert.match(said.join(), says);
  });
}

void test('what a wipe does not heal stops the start: a lock, a changelog of a later version', async () => {
  const log = await newLog();
  const { parts } = bench(log);
  const locked = { ...parts, open: () => Promise.reject(new StoreError('locked', 'another process has it')) };
  await assert.rejects(restoreStore(locked), /another process/);
  await appendTo(log, { records: [{ ...CHANGELOG, key: Buffer.from('\x07historyk'), value: Buffer.of(9, 1) }], positions: [], group: 'app' });
  await assert.rejects(restoreStore(parts), /changelog@?.*-0@0 is of format 9/);
});

for (const name of packagesHere()) {
  void test(`${name}: a damaged directory is wiped and restored, whatever of it is damaged`, async () => {
    const log = await newLog();
    for (let i = 0; i < 200; i++) await commit(log, [op(`k${i}`, 'v'.repeat(5_000))]);
    const directory = openTemporaryTaskDirectory();
    try {
      const said: string[] = [];
      const parts: RestoreParts = {
        log, changelog: CHANGELOG, open: () => openRocksdbStore(directory.path, ['history', 'ghosts'], name), wipe: () => { directory.wipe(); },
        nowMs: () => 1_000, say: line => void said.push(line),
      };
      const whole = await restoreStore(parts);
      const expected = rows(whole);
      assert.equal(expected.length, 200);
      await whole.close();
      const file = (pattern: RegExp): string[] => readdirSync(directory.path).filter(name => pattern.test(name)).map(name => join(directory.path, name));
      const damages: (readonly [string, () => void])[] = [
        ['CURRENT is gone', () => { rmSync(file(/^CURRENT$/)[0]); }],
        ['the manifest is cut', () => { truncateSync(file(/^MANIFEST/)[0], 100); }],
        ['logs are gone', () => { file(/\.log$/).forEach(path => { rmSync(path); }); }],
        ['tables are cut', () => { file(/\.sst$/).forEach(path => { truncateSync(path, 10); }); }],
        ['everything is gone', () => { directory.wipe(); }],
      ];
      for (const [what, damage] of damages) {
        damage();
        const engine = await restoreStore(parts);
        assert.deepEqual(rows(engine), expected, what);
        await engine.close();
      }
    } finally {
      directory.close();
    }
  });
}

void test('RocksDB: a directory of the other package is wiped and restored, there and back', { skip: packagesHere().length < 2 ? 'this machine has one package' : false }, async () => {
  const log = await newLog();
  for (let i = 0; i < 20; i++) await commit(log, [op(`k${i}`, 'v'.repeat(500))]);
  const directory = openTemporaryTaskDirectory();
  try {
    let expected: unknown;
    for (const name of [...packagesHere(), packagesHere()[0]]) {
      const said: string[] = [];
      const engine = await restoreStore({
        log, changelog: CHANGELOG, open: () => openRocksdbStore(directory.path, ['history', 'ghosts'], name), wipe: () => { directory.wipe(); },
        nowMs: () => 1_000, say: line => void said.push(line),
      });
      if (expected === undefined) assert.deepEqual(said, []);
      else assert.match(said[0], new RegExp(`^the local state is wiped and restored from .*written through .*, and this process uses ${name} `));
      expected ??= rows(engine);
      assert.deepEqual(rows(engine), expected);
      await engine.close();
    }
  } finally {
    directory.close();
  }
});

void test('a task that is to stop does not wait for a log that does not answer; what was restored by then is not read again', async () => {
  const log = await newLog();
  const big = 'x'.repeat(400_000);
  await commit(log, [...'abcdef'].map(key => op(key, big)));
  const { parts, progress } = bench(log);
  const stop = new AbortController();
  // The first three records come, then nothing.
  const halting: RestoreParts['log'] = {
    ...log,
    async open(at, offset, options) {
      const reader = await log.open(at, offset, options);
      let given = 0;
      return {
        ...reader, get record() { return reader.record; }, get position() { return reader.position; },
        next: () => given < 3 && reader.next() && ++given > 0,
        fill: () => {
          if (given < 3) return reader.fill();
          stop.abort();
          return new Promise<boolean>(() => undefined);
        },
        close: () => reader.close(),
      };
    },
  };
  await assert.rejects(restoreStore({ ...parts, log: halting, signal: stop.signal }), Stopping);
  assert.deepEqual(progress.map(({ done }) => done), [3]);
  const engine = await restoreStore(parts);
  assert.deepEqual(rows(engine).map(row => row.slice(0, 9)), [...'abcdef'].map(key => `history ${key}`));
  assert.deepEqual(progress.slice(1).map(({ done, total }) => [done, total]), [[3, 3], [3, 3]]);
});
