// The durable engine: a RocksDB in a directory, through the package that has a binary for this machine (rocksdb-platform.ts). The package is loaded when a
// store is opened, so that commands without a store do not pay for it.
//
// A directory is of the package that made it, and says so in a file of its own: the two keep families in different ways, and have different
// versions of RocksDB. What another has made is of another format: it is wiped and restored from the changelog.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine, ROCKSDB_PACKAGES, thisMachine, whyNot, type Machine, type RocksdbChoice, type RocksdbPackage } from './rocksdb-platform.ts';
import type { OpenEngine, StoreEngine } from './store.ts';
import { stateError, StoreError, storeError } from './store-error.ts';

/** Opens the database in `directory`, made if it is not there. `rare`: families that are written rarely. Throws StoreError, `no-binary` where no package can be loaded. */
export async function openRocksdbStore(directory: string, families: readonly string[], choice: RocksdbChoice = 'auto', rare: readonly string[] = []): Promise<StoreEngine> {
  const { name, open } = await load(choice);
  claim(directory, name);
  return open(directory, families, rare);
}

interface Loaded { readonly name: RocksdbPackage; readonly open: OpenEngine }

/** Loaded once: a process has one package, and asks the machine once. */
const loads = new Map<RocksdbChoice, Promise<Loaded>>();

function load(choice: RocksdbChoice): Promise<Loaded> {
  let loading = loads.get(choice);
  if (loading === undefined) loads.set(choice, loading = firstThatLoads(choice === 'auto' ? ROCKSDB_PACKAGES : [choice], thisMachine(), loadPackage));
  return loading;
}

/** Throws StoreError `no-binary` that names the machine, what was tried and what to do. */
export async function firstThatLoads(
  names: readonly RocksdbPackage[], machine: Machine, loadOne: (name: RocksdbPackage) => Promise<OpenEngine>,
): Promise<Loaded> {
  const tried: string[] = [];
  for (const name of names) {
    const why = whyNot(name, machine);
    if (why !== undefined) {
      tried.push(`${name} ${why}`);
      continue;
    }
    try {
      return { name, open: await loadOne(name) };
    } catch (thrown) {
      tried.push(`${name} could not be loaded: ${firstLine(thrown)}`);
    }
  }
  throw new StoreError('no-binary', `no RocksDB for ${describeMachine(machine)}, Node ${process.versions.node}: ${tried.join('; ')}. Both are optional `
    + 'packages: npm ci installs them unless it is told to omit optional ones. There are binaries for Linux with glibc 2.34 or newer (x64, arm64; Debian 12, '
    + 'Ubuntu 22.04 and later; not Alpine), macOS and Windows; a capture of up to 50,000 records is checked in memory on any');
}

/** What the system said, where the package says no more than that it could not. */
function firstLine(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return (thrown.cause instanceof Error ? thrown.cause : thrown).message.split('\n')[0];
}

async function loadPackage(name: RocksdbPackage): Promise<OpenEngine> {
  if (name === 'nxtedition-rocksdb') return (await import('./rocksdb-nxtedition.ts')).loadNxtedition();
  return (await import('./rocksdb-native.ts')).loadNative();
}

const TAG = 'ENGINE';
const CURRENT = 'CURRENT';

/** Throws StoreError: `wrong-format` where another package has made the database, `corrupt` where its first file is gone. */
function claim(directory: string, name: RocksdbPackage): void {
  try {
    mkdirSync(directory, { recursive: true });
    requireCurrent(directory);
    const made = madeBy(directory);
    if (made === undefined) writeTag(directory, name);
    else if (made !== name) {
      throw new StoreError('wrong-format', `${directory}: the state was written through ${made}, and this process uses ${name} (state.engine); `
        + 'delete this directory, it is restored from the changelog');
    }
  } catch (thrown) {
    throw storeError(thrown, directory);
  }
}

/** A database without it would be an empty one, or none at all: the versions of RocksDB differ in that. */
function requireCurrent(directory: string): void {
  const files = readdirSync(directory);
  if (files.includes(CURRENT) || !files.some(name => /^MANIFEST-|\.(log|sst)$/.test(name))) return;
  throw stateError('corrupt', directory, new Error(`${CURRENT} is missing`));
}

/** Undefined: there is no database yet. Before there were two packages nothing was noted. */
function madeBy(directory: string): string | undefined {
  const tag = join(directory, TAG);
  const noted = existsSync(tag) ? readFileSync(tag, 'latin1').trim() : '';
  if (noted !== '') return noted;
  return existsSync(join(directory, CURRENT)) ? 'nxtedition-rocksdb' : undefined;
}

/** On the disk before the database is: a database without it would be taken for one of the first package. */
function writeTag(directory: string, name: RocksdbPackage): void {
  const file = openSync(join(directory, TAG), 'w');
  try {
    writeSync(file, `${name}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
