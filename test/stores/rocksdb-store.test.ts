import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { noBinaryMessage, openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { StoreError } from '../../stores/store-error.ts';
import { storeContract } from '../contracts/store-contract.ts';

storeContract('RocksDB', (dir) => openRocksdbStore(dir, ['a', 'b']), { durable: true });

describe('RocksDB store', () => {
  const root = mkdtempSync(join(tmpdir(), 'rocksdb-store-'));
  after(() => { rmSync(root, { recursive: true, force: true }); });

  const failure = async (dir: string, families: string[]): Promise<StoreError> => {
    try {
      await (await openRocksdbStore(dir, families)).close();
    } catch (thrown) {
      assert.ok(thrown instanceof StoreError, String(thrown));
      return thrown;
    }
    return assert.fail('it opened');
  };

  test('a second open is refused as locked, and a close frees the lock', async () => {
    const dir = join(root, 'locked');
    const first = await openRocksdbStore(dir, ['a']);
    const error = await failure(dir, ['a']);
    assert.equal(error.reason, 'locked');
    assert.match(error.message, /locked.*another process/);
    await first.close();
    await (await openRocksdbStore(dir, ['a'])).close();
  });

  test('a new store is added to an old database; one that is no longer named is refused', async () => {
    const dir = join(root, 'families');
    await (await openRocksdbStore(dir, ['a'])).close();
    await (await openRocksdbStore(dir, ['a', 'b'])).close();
    const error = await failure(dir, ['b']);
    assert.equal(error.reason, 'families-missing');
    assert.ok(error.corruptsState);
  });

  test('damage is found and says what to do', async () => {
    const dir = join(root, 'damaged');
    const store = await openRocksdbStore(dir, ['a']);
    store.write([{ family: 'a', key: Buffer.from('k'), value: Buffer.alloc(100) }]);
    await store.close();
    for (const name of readdirSync(dir)) if (name.startsWith('MANIFEST')) truncateSync(join(dir, name), 0);
    const error = await failure(dir, ['a']);
    assert.equal(error.reason, 'corrupt');
    assert.match(error.message, /delete this directory/);
  });

  test('a list of files that was cut is damage, wherever it was cut: what it named is missing without a word', async () => {
    const dir = join(root, 'cut');
    const families = ['a', 'b'];
    // Twice: the tables of the first life are named at the beginning of the list, those of the second behind them.
    for (const life of [1, 2]) {
      const store = await openRocksdbStore(dir, families);
      for (let n = 0; n < 400; n++) store.write(families.map(family => ({ family, key: Buffer.from(`${life}/${n}`), value: Buffer.alloc(10_000, n) })));
      await store.close();
    }
    const [name] = readdirSync(dir).filter(file => file.startsWith('MANIFEST-'));
    const { size } = statSync(join(dir, name));
    for (const cut of [size - 1, size - 100, Math.floor(size * 0.75), Math.floor(size / 2), 100]) {
      const copy = join(root, `cut-${cut}`);
      cpSync(dir, copy, { recursive: true });
      truncateSync(join(copy, name), cut);
      assert.equal((await failure(copy, families)).reason, 'corrupt', `cut to ${cut} of ${size} bytes`);
    }
    const whole = await openRocksdbStore(dir, families);
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

  test('a full disk is named', { skip: process.platform === 'linux' ? false : 'uses /dev/full' }, async () => {
    // The write-ahead log of an open database cannot be made to fail without root; /dev/full gives the system's own words.
    let thrown: unknown;
    try { writeFileSync('/dev/full', 'x'); } catch (caught) { thrown = caught; }
    const { storeError } = await import('../../stores/store-error.ts');
    assert.equal(storeError(thrown, root).reason, 'disk-full');
    const native = Object.assign(new Error('IO error: No space left on device: While appending to file'), { code: 'LEVEL_IO_ERROR' });
    assert.equal(storeError(native, root).reason, 'disk-full');
  });

  test('a file that the database names and that is gone is damage: the state is made anew', async () => {
    const dir = join(root, 'manifest-gone');
    await (await openRocksdbStore(dir, ['a'])).close();
    for (const name of readdirSync(dir)) if (name.startsWith('MANIFEST-')) rmSync(join(dir, name));
    assert.equal((await failure(dir, ['a'])).reason, 'corrupt');
  });

  test('the binding is loaded at the first open only', () => {
    const script = `await import('./stores/rocksdb-store.ts'); const { createRequire } = await import('node:module');
      console.log(Object.keys(createRequire(import.meta.url).cache).filter((name) => name.includes('nxtedition')).length);`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', cwd: process.cwd() });
    assert.equal(run.stdout.trim(), '0', run.stderr);
  });

  test('where no binary loads, the message names platform and remedy', () => {
    const message = noBinaryMessage();
    assert.match(message, new RegExp(`${process.platform}-${process.arch}`));
    assert.match(message, /glibc 2\.34.*in memory on any/);
  });

  test('a kill in the middle of writing leaves positions and state of the same moment', () => {
    const dir = join(root, 'killed');
    const script = `import { openRocksdbStore } from './stores/rocksdb-store.ts';
      const store = await openRocksdbStore(process.argv[1], ['a']);
      for (let n = 1; ; n++) {
        const value = Buffer.from(String(n));
        store.write([...Array(50).keys()].map((k) => ({ family: 'a', key: Buffer.from([k]), value })).concat({ family: 'offsets', key: Buffer.from('p'), value }));
        if (n === 40) process.kill(process.pid, 'SIGKILL');
      }`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, dir], { encoding: 'utf8' });
    assert.equal(run.signal, 'SIGKILL', run.stderr);
    return openRocksdbStore(dir, ['a']).then(async (store) => {
      const position = store.get('offsets', Buffer.from('p'))?.toString();
      assert.equal(position, '40');
      assert.deepEqual(new Set(store.range('a').map(([, value]) => value.toString())), new Set(['40']));
      await store.close();
    });
  });

  test('memory does not grow with the number of commits', async () => {
    const store = await openRocksdbStore(join(root, 'leak'), ['a']);
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
    // The public batch call would keep 120 MB here.
    assert.ok(grownMiB < 60, `grew by ${grownMiB} MiB`);
    await store.close();
  });

  test('a family that is written rarely keeps little of the write-ahead log from going', async () => {
    const dir = join(root, 'log');
    const store = await openRocksdbStore(dir, ['busy', 'rare'], { rare: ['rare'] });
    const logBytes = (): number => readdirSync(dir).filter(name => name.endsWith('.log')).reduce((sum, name) => sum + (statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0), 0);
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
    await (await openRocksdbStore(dir, ['a'])).close();
    // The format lies in the write-ahead log: change it there, under a checksum that then fails, or in the engine's own words.
    const { RocksLevel } = await import('@nxtedition/rocksdb');
    const raw = new RocksLevel(dir, {
      keyEncoding: 'buffer', valueEncoding: 'buffer', createIfMissing: true, parallelism: 2, walCompression: false,
      columns: { default: {}, a: {}, offsets: {} },
    });
    await raw.open();
    const batch = raw._chainedBatch();
    batch._put(Buffer.from('format'), Buffer.from('paritas-state-0'), { column: raw.columns['default'] });
    batch._writeSync({});
    await batch.close();
    await raw.close();
    const error = await failure(dir, ['a']);
    assert.equal(error.reason, 'wrong-format');
    assert.ok(error.corruptsState);
    assert.equal((await failure(dir, ['a'])).reason, 'wrong-format', 'the lock was freed');
  });
});
