// The thread in which rocksdb-native runs: its calls return promises only, and an engine is synchronous (rocksdb-native-bridge.ts waits here).
// It keeps the databases of the thread that started it, by number, and answers one call after the other.
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type RocksDB from 'rocksdb-native';
import { engineRowsAtOnce, rocksdbMemtableBytes } from '../schemas/limits.ts';
import { memoryOf, packBytes, unpackBytes, type PackedBytes } from './packed-bytes.ts';

/** Given at the start. `answered`: set to 1 when the answer to a call lies in the port. */
export interface ThreadData { readonly calls: MessagePort; readonly answered: Int32Array }

/** For which the other thread waits. Keys are whole: the family's byte and the key. */
export type NativeCall =
  | { readonly kind: 'get'; readonly db: number; readonly keys: PackedBytes }
  /** `isDelete`: by key; a delete has an empty value. */
  | { readonly kind: 'write'; readonly db: number; readonly keys: PackedBytes; readonly values: PackedBytes; readonly isDelete: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'range'; readonly db: number; readonly gte: Uint8Array; readonly lt: Uint8Array; readonly reverse: boolean; readonly limit: number }
  | { readonly kind: 'delete-range'; readonly db: number; readonly gte: Uint8Array; readonly lt: Uint8Array };

/** Of a `get` the values (empty where `isThere` is 0), of a `range` key, value, key, value. */
export interface Answered { readonly strings: PackedBytes; readonly isThere: Uint8Array<ArrayBuffer> }
export interface Failed { readonly failed: string; readonly code: string }

/** For which nobody waits: `loaded` is the first answer of all, to nothing. */
export type NativeOrder =
  | { readonly kind: 'open'; readonly order: number; readonly db: number; readonly directory: string }
  | { readonly kind: 'close'; readonly order: number; readonly db: number };
export interface OrderAnswer { readonly order: number; readonly failure: Failed | undefined }

const NOTHING = new Uint8Array(0);
const EMPTY = Buffer.alloc(0);
const databases = new Map<number, RocksDB>();

async function answer(call: NativeCall): Promise<Answered> {
  const db = database(call.db);
  switch (call.kind) {
    case 'get': return readMany(db, unpackBytes(call.keys));
    case 'range': return readRange(db, call);
    case 'write': await write(db, unpackBytes(call.keys), unpackBytes(call.values), call.isDelete); break;
    case 'delete-range': await deleteRange(db, asBuffer(call.gte), asBuffer(call.lt)); break;
  }
  return { strings: packBytes([]), isThere: NOTHING };
}

async function readMany(db: RocksDB, keys: readonly Buffer[]): Promise<Answered> {
  const batch = db.read({ capacity: keys.length, autoDestroy: true });
  const reads = keys.map(key => batch.get(key));
  batch.tryFlush();
  const values = await Promise.all(reads);
  return { strings: packBytes(values.map(value => value ?? EMPTY)), isThere: Uint8Array.from(values, value => (value === null ? 0 : 1)) };
}

async function readRange(db: RocksDB, { gte, lt, reverse, limit }: Extract<NativeCall, { kind: 'range' }>): Promise<Answered> {
  const strings: Buffer[] = [];
  const rows = db.iterator({ gte: asBuffer(gte), lt: asBuffer(lt), reverse, limit, capacity: Math.min(limit, engineRowsAtOnce) });
  for await (const { key, value } of rows) strings.push(key, value);
  return { strings: packBytes(strings), isThere: NOTHING };
}

async function write(db: RocksDB, keys: readonly Buffer[], values: readonly Buffer[], isDelete: Uint8Array): Promise<void> {
  const batch = db.write({ capacity: keys.length, autoDestroy: true });
  keys.forEach((key, i) => { if (isDelete[i] === 1) batch.tryDelete(key); else batch.tryPut(key, values[i]); });
  await batch.flush();
}

async function deleteRange(db: RocksDB, gte: Buffer, lt: Buffer): Promise<void> {
  const batch = db.write({ capacity: 1, autoDestroy: true });
  batch.tryDeleteRange(gte, lt);
  await batch.flush();
}

async function carryOut(order: NativeOrder, Database: typeof RocksDB): Promise<void> {
  if (order.kind === 'close') {
    const db = database(order.db);
    databases.delete(order.db);
    await db.close();
    return;
  }
  const db = new Database(order.directory, {
    createIfMissing: true, writeBufferSize: rocksdbMemtableBytes / 2, maxWriteBufferNumber: 2, maxBackgroundJobs: 2, tableBlockSize: 4096,
  });
  await db.ready();
  databases.set(order.db, db);
}

function database(number: number): RocksDB {
  const db = databases.get(number);
  if (db === undefined) throw new Error(`no open database has number ${number}`);
  return db;
}

/** A Buffer that comes over a port is a Uint8Array. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Of a batch that failed the reason is the cause. */
function failure(thrown: unknown): Failed {
  const reason = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  if (!(reason instanceof Error)) return { failed: String(reason), code: '' };
  return { failed: reason.message, code: 'code' in reason && typeof reason.code === 'string' ? reason.code : '' };
}

function serve(Database: typeof RocksDB, { calls, answered }: ThreadData): void {
  const give = (message: Answered | Failed): void => {
    calls.postMessage(message, 'failed' in message ? [] : memoryOf(message.strings));
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
  calls.on('message', (call: NativeCall) => { answer(call).then(give, (thrown: unknown) => { give(failure(thrown)); }); });
  parentPort?.on('message', ({ order, ...rest }: NativeOrder) => {
    const done = (failed?: Failed): void => { parentPort?.postMessage({ order, failure: failed } satisfies OrderAnswer); };
    carryOut({ order, ...rest } as NativeOrder, Database).then(() => { done(); }, (thrown: unknown) => { done(failure(thrown)); });
  });
  // Whatever ends this thread, nobody may wait for it for ever.
  process.once('exit', () => { give({ failed: 'the thread of rocksdb-native has ended', code: 'ENDED' }); });
}

const loaded = (failed?: Failed): void => { parentPort?.postMessage({ order: 0, failure: failed } satisfies OrderAnswer); };
try {
  const { default: Database } = await import('rocksdb-native');
  serve(Database, workerData as ThreadData);
  loaded();
} catch (thrown) {
  loaded(failure(thrown));
}
