import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { packagesHere, ROCKSDB_PACKAGES, thisMachine, whyNot, type Machine, type RocksdbPackage } from '../../stores/rocksdb-platform.ts';
import { firstThatLoads, openRocksdbStore } from '../../stores/rocksdb-store.ts';
import { StoreError, storeError } from '../../stores/store-error.ts';
import { rocksdbContract, type SpoilFormat } from '../contracts/rocksdb-contract.ts';

const BUFFERS = { keyEncoding: 'buffer', valueEncoding: 'buffer' } as const;

const SPOIL: Readonly<Record<RocksdbPackage, SpoilFormat>> = {
  async 'nxtedition-rocksdb'(directory) {
    const { RocksLevel } = await import('@nxtedition/rocksdb');
    const raw = new RocksLevel(directory, { ...BUFFERS, createIfMissing: true, parallelism: 2, walCompression: false, columns: { default: {}, a: {}, offsets: {} } });
    await raw.open();
    const batch = raw._chainedBatch();
    batch._put(Buffer.from('format'), Buffer.from('paritas-state-0'), { column: raw.columns['default'] });
    batch._writeSync({});
    await batch.close();
    await raw.close();
  },
  async 'rocksdb-native'(directory) {
    const { default: RocksDB } = await import('rocksdb-native');
    const raw = new RocksDB(directory, { createIfMissing: false, writeBufferSize: 1 << 20, maxWriteBufferNumber: 2, maxBackgroundJobs: 2, tableBlockSize: 4096 });
    await raw.ready();
    const batch = raw.write({ capacity: 1, autoDestroy: true });
    batch.tryPut(Buffer.from('\0format'), Buffer.from('paritas-state-native-0'));
    await batch.flush();
    await raw.close();
  },
};

const here = packagesHere();
for (const name of here) rocksdbContract(name, SPOIL[name]);
for (const name of ROCKSDB_PACKAGES) if (!here.includes(name)) test(`RocksDB contract: ${name}`, { skip: `it ${whyNot(name, thisMachine())}` });

const DEBIAN: Machine = { platform: 'linux', arch: 'x64', glibc: '2.36', lacks: [] };

describe('which package', () => {
  const MACHINES: [string, Machine, RocksdbPackage[]][] = [
    ['Debian 12, x64', DEBIAN, ['nxtedition-rocksdb', 'rocksdb-native']],
    ['glibc 2.34', { ...DEBIAN, glibc: '2.34' }, ['nxtedition-rocksdb', 'rocksdb-native']],
    ['a later major version', { ...DEBIAN, glibc: '3.0' }, ['nxtedition-rocksdb', 'rocksdb-native']],
    ['a processor without AVX2', { ...DEBIAN, lacks: ['avx2'] }, ['rocksdb-native']],
    ['Debian 11', { ...DEBIAN, glibc: '2.31' }, []],
    ['glibc 2.4, which is older than 2.34', { ...DEBIAN, glibc: '2.4' }, []],
    ['Alpine', { ...DEBIAN, glibc: undefined }, []],
    ['Debian 12, arm64', { ...DEBIAN, arch: 'arm64' }, ['rocksdb-native']],
    ['Debian 12, riscv64', { ...DEBIAN, arch: 'riscv64' }, []],
    ['macOS on Apple silicon', { platform: 'darwin', arch: 'arm64', glibc: undefined, lacks: [] }, ['nxtedition-rocksdb', 'rocksdb-native']],
    ['macOS on Intel', { platform: 'darwin', arch: 'x64', glibc: undefined, lacks: [] }, ['rocksdb-native']],
    ['Windows', { platform: 'win32', arch: 'x64', glibc: undefined, lacks: [] }, ['rocksdb-native']],
    ['FreeBSD', { platform: 'freebsd', arch: 'x64', glibc: undefined, lacks: [] }, []],
  ];
  for (const [what, machine, fit] of MACHINES) {
    test(what, () => { assert.deepEqual(packagesHere(machine), fit); });
  }

  const opener = (): Promise<never> => Promise.reject(new Error('not opened here'));
  const broken = (): Promise<never> => Promise.reject(new Error("Cannot find package 'x'\nRequire stack: /home/me"));

  test('the first that has a binary and loads; one without a binary is not even asked', async () => {
    const asked: string[] = [];
    const load = (name: RocksdbPackage): ReturnType<Parameters<typeof firstThatLoads>[2]> => {
      asked.push(name);
      return name === 'nxtedition-rocksdb' ? broken() : Promise.resolve(opener);
    };
    assert.equal((await firstThatLoads(ROCKSDB_PACKAGES, DEBIAN, load)).name, 'rocksdb-native');
    assert.deepEqual(asked.splice(0), ['nxtedition-rocksdb', 'rocksdb-native']);
    assert.equal((await firstThatLoads(ROCKSDB_PACKAGES, { ...DEBIAN, lacks: ['avx2'] }, load)).name, 'rocksdb-native');
    assert.deepEqual(asked, ['rocksdb-native']);
  });

  test('where none loads: the machine, what was tried and why not, what to do', async () => {
    const message = async (machine: Machine, names: readonly RocksdbPackage[] = ROCKSDB_PACKAGES): Promise<string> => {
      const thrown: unknown = await firstThatLoads(names, machine, broken).catch((caught: unknown) => caught);
      assert.ok(thrown instanceof StoreError);
      assert.equal(thrown.reason, 'no-binary');
      return thrown.message;
    };
    const alpine = await message({ ...DEBIAN, glibc: undefined });
    assert.match(alpine, /^no RocksDB for linux-x64 without glibc, Node \d+\.\d+\.\d+: nxtedition-rocksdb needs glibc, and .*musl.*; rocksdb-native needs glibc/);
    assert.match(alpine, /glibc 2\.34 or newer.*in memory on any$/);
    const old = await message({ ...DEBIAN, arch: 'arm64', glibc: '2.31' });
    assert.match(old, /linux-arm64 with glibc 2\.31.*nxtedition-rocksdb has binaries for linux-x64 and darwin-arm64.*rocksdb-native needs glibc 2\.34 .*this is 2\.31/);
    const forced = await message(DEBIAN, ['rocksdb-native']);
    assert.match(forced, /: rocksdb-native could not be loaded: Cannot find package 'x'\. Both are optional/);
    assert.doesNotMatch(forced, /nxtedition|Require stack/);
  });

  test('a package is loaded at the first open only', () => {
    const script = `await import('./stores/rocksdb-store.ts'); const { createRequire } = await import('node:module');
      console.log(Object.keys(createRequire(import.meta.url).cache).filter((name) => /nxtedition|rocksdb-native/.test(name)).length);`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', cwd: process.cwd() });
    assert.equal(run.stdout.trim(), '0', run.stderr);
  });
});

describe('a directory is of one package', { skip: here.length < 2 ? 'this machine has one of the two packages' : false }, () => {
  const root = mkdtempSync(join(tmpdir(), 'rocksdb-store-'));
  after(() => { rmSync(root, { recursive: true, force: true }); });
  const make = async (directory: string, name: RocksdbPackage): Promise<void> => {
    const store = await openRocksdbStore(directory, ['a'], name);
    store.write([{ family: 'a', key: Buffer.from('k'), value: Buffer.from(name) }]);
    await store.close();
  };
  const reason = async (directory: string, name: RocksdbPackage): Promise<string> => {
    const opened: unknown = await openRocksdbStore(directory, ['a'], name).then(async (store) => { await store.close(); }, (thrown: unknown) => thrown);
    return opened instanceof StoreError ? `${opened.reason}: ${opened.message}` : String(opened);
  };

  for (const [name, other] of [ROCKSDB_PACKAGES, ROCKSDB_PACKAGES.toReversed()]) {
    test(`what ${name} has written, ${other} does not open: it is wiped and restored`, async () => {
      const directory = join(root, name);
      await make(directory, name);
      assert.match(await reason(directory, other), new RegExp(`^wrong-format: .* written through ${name}, and this process uses ${other} .*delete this directory`));
      const again = await openRocksdbStore(directory, ['a'], name);
      assert.equal(again.get('a', Buffer.from('k'))?.toString(), name, 'and nothing was changed');
      await again.close();
    });

    test(`${name}: the same where the note is missing`, async () => {
      const directory = join(root, `${name}-unnoted`);
      await make(directory, name);
      rmSync(join(directory, 'ENGINE'));
      assert.match(await reason(directory, other), /^(wrong-format|families-missing): /);
    });
  }

  test('a database from before there were notes goes on', async () => {
    const directory = join(root, 'old');
    await make(directory, 'nxtedition-rocksdb');
    rmSync(join(directory, 'ENGINE'));
    const store = await openRocksdbStore(directory, ['a'], 'nxtedition-rocksdb');
    assert.equal(store.get('a', Buffer.from('k'))?.toString(), 'nxtedition-rocksdb');
    await store.close();
    assert.match(await reason(directory, 'rocksdb-native'), /^wrong-format/);
  });
});

describe('the thread of rocksdb-native', { skip: here.includes('rocksdb-native') ? false : 'no binary here' }, () => {
  test('what ends it is an error of the call that waits, and of every later one', () => {
    // The real thread, and in it an error outside of any promise when a call comes.
    const thread = new URL('../../stores/rocksdb-native-thread.ts', import.meta.url).href;
    const dying = `import { workerData } from 'node:worker_threads'; await import('${thread}'); workerData.calls.on('message', () => { throw new Error('fatal'); });`;
    const script = `import { startBridge } from './stores/rocksdb-native-bridge.ts';
      const bridge = await startBridge(new URL('data:text/javascript,${encodeURIComponent(dying).replaceAll("'", '%27')}'));
      for (const db of [1, 2]) try { bridge.call({ kind: 'get', db }, []); } catch (error) { console.log(error.message); }
      await bridge.open('nowhere').catch(error => console.log(error.message));`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 120_000 });
    assert.match(run.stdout, /^(the thread of rocksdb-native has ended\n){3}$/, run.stderr);
  });
});

test('a full disk is named', { skip: process.platform === 'linux' ? false : 'uses /dev/full' }, () => {
  // The write-ahead log of an open database cannot be made to fail without root; /dev/full gives the system's own words.
  let thrown: unknown;
  try { writeFileSync('/dev/full', 'x'); } catch (caught) { thrown = caught; }
  assert.equal(storeError(thrown, 'x').reason, 'disk-full');
  const nxtedition = Object.assign(new Error('IO error: No space left on device: While appending to file'), { code: 'LEVEL_IO_ERROR' });
  const native = Object.assign(new Error('While appending to file: db/000004.log: No space left on device'), { code: 'EIO' });
  for (const error of [nxtedition, native]) assert.equal(storeError(error, 'x').reason, 'disk-full');
});
