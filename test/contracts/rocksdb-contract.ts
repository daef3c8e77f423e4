// What is asked of RocksDB through each package beside the contract of every engine: locks, damage, formats, a kill, memory.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { RocksdbPackage } from '../../stores/rocksdb-platform.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { StoreError } from '../../stores/store-error.ts';
import type { StoreEngine } from '../../stores/store.ts';
import { storeContract } from './store-contract.ts';

/** Writes another format into the closed database of a store with the family `a`. */
export type SpoilFormat = (directory: string) => Promise<void>;

export function rocksdbContract(name: RocksdbPackage, spoilFormat: SpoilFormat): void {
  storeContract(name, (dir) => openRocksdbStore(dir, ['a', 'b'], name), { durable: true });

  describe(`RocksDB contract: ${name}`, () => {
    const root = mkdtempSync(join(tmpdir(), 'rocksdb-contract-'));
    after(() => { rmSync(root, { recursive: true, force: true }); });
    const open = (dir: string, families: string[]): Promise<StoreEngine> => openRocksdbStore(dir, families, name);

    const failure = async (dir: string, families: string[]): Promise<StoreError> => {
      try {
        await (await open(dir, families)).close();
      } catch (thrown) {
        assert.ok(thrown instanceof StoreError, String(thrown));
        return thrown;
      }
      return assert.fail('it opened');
    };

    test('a second open is refused as locked, and a close frees the lock', async () => {
      const dir = join(root, 'locked');
      const first = await open(dir, ['a']);
      const error = await failure(dir, ['a']);
      assert.equal(error.reason, 'locked');
      assert.match(error.message, /locked.*another process/);
      await first.close();
      await (await open(dir, ['a'])).close();
    });

    test('a process that has it is a lock too, and a killed one is not', async () => {
      const dir = join(root, 'locked-elsewhere');
      const first = await open(dir, ['a']);
      const script = `import { openRocksdbStore } from './stores/rocksdb-store.ts';
        await openRocksdbStore(process.argv[1], ['a'], '${name}').then(() => console.log('opened'), error => console.log(error.reason));
        process.kill(process.pid, 'SIGKILL');`;
      const elsewhere = (): string => spawnSync(process.execPath, ['--input-type=module', '-e', script, dir], { encoding: 'utf8' }).stdout.trim();
      assert.equal(elsewhere(), 'locked');
      await first.close();
      assert.equal(elsewhere(), 'opened');
      await (await open(dir, ['a'])).close();
    });

    test('a new store is added to an old database; one that is no longer named is refused', async () => {
      const dir = join(root, 'families');
      const first = await open(dir, ['b']);
      first.write([{ family: 'b', key: Buffer.from('k'), value: Buffer.from('of b') }]);
      await first.close();
      // In any order: what lies under a name is found under it.
      const second = await open(dir, ['a', 'b']);
      assert.deepEqual([second.get('b', Buffer.from('k'))?.toString(), second.range('a')], ['of b', []]);
      await second.close();
      const error = await failure(dir, ['b']);
      assert.equal(error.reason, 'families-missing');
      assert.ok(error.corruptsState);
    });

    test('a damaged list of files is found and says what to do', async () => {
      const dir = join(root, 'damaged');
      const store = await open(dir, ['a']);
      store.write([{ family: 'a', key: Buffer.from('k'), value: Buffer.alloc(100) }]);
      await store.close();
      for (const file of readdirSync(dir)) if (file.startsWith('MANIFEST')) truncateSync(join(dir, file), 0);
      const error = await failure(dir, ['a']);
      assert.equal(error.reason, 'corrupt');
      assert.match(error.message, /delete this directory/);
    });

    test('a database without its first file is damage, not an empty one', async () => {
      const dir = join(root, 'no-current');
      const store = await open(dir, ['a']);
      store.write([{ family: 'a', key: Buffer.from('k'), value: Buffer.alloc(100) }]);
      await store.close();
      rmSync(join(dir, 'CURRENT'));
      assert.equal((await failure(dir, ['a'])).reason, 'corrupt');
    });

    test('a damaged or missing table is found, at the latest when it is read', async () => {
      const dir = join(root, 'table');
      const store = await open(dir, ['a']);
      for (let n = 0; n < 400; n++) store.write([{ family: 'a', key: Buffer.from(`${n}`), value: Buffer.alloc(10_000, n) }]);
      await store.close();
      // What was in the write-ahead log becomes a table when it is opened again.
      await (await open(dir, ['a'])).close();
      const tables = readdirSync(dir).filter(file => file.endsWith('.sst'));
      assert.ok(tables.length > 0);
      const [flipped, gone] = [join(root, 'flipped'), join(root, 'gone')];
      for (const copy of [flipped, gone]) cpSync(dir, copy, { recursive: true });
      for (const table of tables) {
        const bytes = readFileSync(join(flipped, table));
        for (let at = 100; at < bytes.length; at += 2000) bytes[at] ^= 0xff;
        writeFileSync(join(flipped, table), bytes);
        rmSync(join(gone, table));
      }
      assert.equal((await failure(gone, ['a'])).reason, 'corrupt');
      let damaged: StoreEngine;
      try {
        damaged = await open(flipped, ['a']);
      } catch (thrown) {
        assert.equal((thrown as StoreError).reason, 'corrupt');
        return;
      }
      assert.throws(() => damaged.get('a', Buffer.from('0')), { reason: 'corrupt' });
      assert.throws(() => damaged.range('a'), { reason: 'corrupt' });
      await damaged.close().catch(() => { /* it may say it again */ });
    });

    test('a list of files that was cut is damage, wherever it was cut: what it named is missing without a word', async () => {
      const dir = join(root, 'cut');
      const families = ['a', 'b'];
      // Twice: the tables of the first life are named at the beginning of the list, those of the second behind them.
      for (const life of [1, 2]) {
        const store = await open(dir, families);
        for (let n = 0; n < 400; n++) store.write(families.map(family => ({ family, key: Buffer.from(`${life}/${n}`), value: Buffer.alloc(10_000, n) })));
        await store.close();
      }
      const [list] = readdirSync(dir).filter(file => file.startsWith('MANIFEST-'));
      const { size } = statSync(join(dir, list));
      for (const cut of [size - 1, size - 100, Math.floor(size * 0.75), Math.floor(size / 2), 100]) {
        const copy = join(root, `cut-${cut}`);
        cpSync(dir, copy, { recursive: true });
        truncateSync(join(copy, list), cut);
        assert.equal((await failure(copy, families)).reason, 'corrupt', `cut to ${cut} of ${size} bytes`);
      }
      const whole = await open(dir, families);
      assert.equal(whole.range('a', {}).length, 800);
      await whole.close();
    });

    test('a place that cannot be written is named', async () => {
      const file = join(root, 'file');
      writeFileSync(file, '');
      const error = await failure(join(file, 'db'), ['a']);
      assert.equal(error.reason, 'not-writable');
      assert.match(error.message, /state directory cannot be written/);
    });

    test('a read-only directory is named', { skip: process.getuid?.() === 0 ? 'root may write everywhere' : false }, async () => {
      const dir = join(root, 'readonly');
      mkdirSync(dir);
      chmodSync(dir, 0o500);
      assert.equal((await failure(join(dir, 'db'), ['a'])).reason, 'not-writable');
    });

    test('a file that the database names and that is gone is damage: the state is made anew', async () => {
      const dir = join(root, 'manifest-gone');
      await (await open(dir, ['a'])).close();
      for (const file of readdirSync(dir)) if (file.startsWith('MANIFEST-')) rmSync(join(dir, file));
      assert.equal((await failure(dir, ['a'])).reason, 'corrupt');
    });

    test('a kill in the middle of writing leaves positions and state of the same moment', async () => {
      const dir = join(root, 'killed');
      const script = `import { openRocksdbStore } from './stores/rocksdb-store.ts';
        const store = await openRocksdbStore(process.argv[1], ['a'], '${name}');
        for (let n = 1; ; n++) {
          const value = Buffer.from(String(n));
          store.write([...Array(50).keys()].map((k) => ({ family: 'a', key: Buffer.from([k]), value })).concat({ family: 'offsets', key: Buffer.from('p'), value }));
          if (n === 40) process.kill(process.pid, 'SIGKILL');
        }`;
      const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, dir], { encoding: 'utf8' });
      assert.equal(run.signal, 'SIGKILL', run.stderr);
      const store = await open(dir, ['a']);
      assert.equal(store.get('offsets', Buffer.from('p'))?.toString(), '40');
      assert.deepEqual(new Set(store.range('a').map(([, value]) => value.toString())), new Set(['40']));
      await store.close();
    });

    test('an open store does not keep the process, and its end leaves what was written', async () => {
      const dir = join(root, 'left-open');
      const script = `import { openRocksdbStore } from './stores/rocksdb-store.ts';
        const store = await openRocksdbStore(process.argv[1], ['a'], '${name}');
        store.write([{ family: 'a', key: Buffer.from('k'), value: Buffer.from('v') }]);
        if (process.argv[2] === 'exit') process.exit(0);`;
      for (const how of ['exit', 'return']) {
        const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, dir, how], { encoding: 'utf8', timeout: 120_000 });
        assert.deepEqual([run.status, run.signal, run.stderr], [0, null, ''], how);
        const store = await open(dir, ['a']);
        assert.equal(store.get('a', Buffer.from('k'))?.toString(), 'v');
        await store.close();
      }
    });

    test('memory does not grow with the number of commits', async () => {
      const store = await open(join(root, 'leak'), ['a']);
      const commit = (): void => {
        store.write([...Array(20).keys()].map((k) => ({ family: 'a', key: Buffer.from([k]), value: Buffer.alloc(10_000) })));
        store.getMany('a', [Buffer.from([1])]);
        store.range('a', { limit: 3 });
      };
      // Enough to fill the write buffers (32 MiB) first.
      for (let n = 0; n < 300; n++) commit();
      const before = process.memoryUsage.rss();
      for (let n = 0; n < 600; n++) commit();
      const grownMiB = (process.memoryUsage.rss() - before) / (1 << 20);
      // Batches that are kept would be 120 MB here.
      assert.ok(grownMiB < 60, `grew by ${grownMiB} MiB`);
      await store.close();
    });

    test('a family that is written rarely keeps little of the write-ahead log from going', async () => {
      const dir = join(root, 'log');
      const store = await openRocksdbStore(dir, ['busy', 'rare'], name, ['rare']);
      const logBytes = (): number => readdirSync(dir).filter(file => file.endsWith('.log')).reduce((sum, file) => sum + (statSync(join(dir, file), { throwIfNoEntry: false })?.size ?? 0), 0);
      for (let n = 0; n < 4000; n++) {
        store.write([
          { family: 'busy', key: Buffer.from(`${n}`), value: randomBytes(10_000) }, { family: 'rare', key: Buffer.from(`${n}`), value: randomBytes(2000) },
          { family: 'offsets', key: Buffer.from('position'), value: Buffer.from(`${n}`) },
        ]);
      }
      // It goes in the background. With larger buffers, of whichever family, all 48 MB stayed.
      const deadlineMs = Date.now() + 60_000;
      while (logBytes() > 30 << 20 && Date.now() < deadlineMs) await setTimeout(20);
      assert.ok(logBytes() <= 30 << 20, `${logBytes()} bytes of log`);
      await store.close();
    });

    test('a database of another format is refused', async () => {
      const dir = join(root, 'format');
      await (await open(dir, ['a'])).close();
      await spoilFormat(dir);
      const error = await failure(dir, ['a']);
      assert.equal(error.reason, 'wrong-format');
      assert.ok(error.corruptsState);
      assert.equal((await failure(dir, ['a'])).reason, 'wrong-format', 'the lock was freed');
    });
  });
}
