// The durable engine through @nxtedition/rocksdb, of which this is the only importer. One database per directory, one column family per store
// and `offsets`.
//
// What the wrapper is for (each was measured on 12.2.12, and each has a test):
// 1. Options go to the constructor: it opens by itself, and what is passed to `open` comes too late.
// 2. Only synchronous reads: closing with an asynchronous one in flight keeps the LOCK until garbage collection.
// 3. One batch for the life of the database: `db.batch([...])` leaks native memory, a batch per commit keeps it until collection.
// 4. Nothing native after `close`: it would be a SIGSEGV. Family handles die with the database and are looked up by name.
// 5. `walCompression` is off: it costs half again as much per record.
// 6. An empty key is passed as an empty view of real memory: with a null address beside other keys, a multi-get aborts the process.
// 7. A range gives `gte` and `lt` only: with `gt` beside `gte` the package drops one of them.
import type { Batch, ColumnOption, ColumnSettings, QuerySettings, RocksLevel } from '@nxtedition/rocksdb';
import { rocksdbCacheBytes, rocksdbMemtableBytes, rocksdbRareMemtableBytes, rocksdbSmallBytes } from '../schemas/limits.ts';
import { isEmptyRange, keySpan } from './key-span.ts';
import { manifestIn, manifestNow, packManifest, requireWhole, type Manifest } from './rocksdb-manifest.ts';
import { allFamilies, OFFSETS_FAMILY, requireBytes, type OpenEngine, type RangeOptions, type Row, type StoreEngine, type WriteOp } from './store.ts';
import { stateError, StoreError, storeError } from './store-error.ts';

/** Layout of keys in the database as a whole; a store of another format is wiped and restored. */
const FORMAT = Buffer.from('paritas-state-1');
const FORMAT_KEY = Buffer.from('format');
/** Beside it, with every write: how long the list of files was. */
const MANIFEST_KEY = Buffer.from('manifest');
/** Empty, but with an address. */
const EMPTY_KEY = Buffer.alloc(1).subarray(0, 0);
const BUFFERS = { keyEncoding: 'buffer', valueEncoding: 'buffer' } as const;

/** Rejects where the package cannot be loaded. */
export async function loadNxtedition(): Promise<OpenEngine> {
  const { RocksLevel: Database } = await import('@nxtedition/rocksdb');
  return (directory, families, rare) => openNxtedition(Database, directory, families, rare);
}

async function openNxtedition(Database: typeof RocksLevel, directory: string, families: readonly string[], rare: readonly string[]): Promise<StoreEngine> {
  const names = allFamilies(families);
  const settings = { ...BUFFERS, createIfMissing: true, parallelism: 2, walCompression: false, columns: columnSettings(names, rare) };
  const before = manifestIn(directory);
  const db = new Database(directory, settings);
  try {
    await db.open();
  } catch (thrown) {
    throw storeError(thrown, directory);
  }
  const engine = new NxteditionStore(db, directory, names);
  try {
    engine.checkManifest(before);
    engine.checkFormat();
    return engine;
  } catch (thrown) {
    await engine.close();
    throw storeError(thrown, directory);
  }
}

class NxteditionStore implements StoreEngine {
  readonly #db: RocksLevel;
  readonly #directory: string;
  readonly #batch: Batch;
  /** Option objects made once: none per operation. */
  readonly #columns: Map<string, ColumnOption & { readonly valueEncoding: 'buffer' }> = new Map();
  readonly #default: ColumnOption & { readonly valueEncoding: 'buffer' };
  #manifest: string | undefined;
  #closing: Promise<void> | undefined;
  #failure: StoreError | undefined;

  constructor(db: RocksLevel, directory: string, names: readonly string[]) {
    this.#db = db;
    this.#directory = directory;
    this.#default = { column: db.columns['default'], valueEncoding: 'buffer' };
    for (const name of names) this.#columns.set(name, { column: db.columns[name], valueEncoding: 'buffer' });
    this.#batch = db._chainedBatch();
  }

  get rowsAreOwn(): boolean {
    return true;
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  get(family: string, key: Buffer): Buffer | undefined {
    return this.getMany(family, [key])[0];
  }

  getMany(family: string, keys: readonly Buffer[]): (Buffer | undefined)[] {
    const column = this.#column(family);
    for (const key of keys) requireBytes(key, 'key');
    const native = keys.some((key) => key.length === 0) ? keys.map(addressed) : keys;
    return keys.length === 0 ? [] : this.#run(() => this.#db._getManySync(native, column));
  }

  range(family: string, options: RangeOptions = {}): Row[] {
    const { column } = this.#column(family);
    const span = keySpan(options);
    if (isEmptyRange(span) || options.limit === 0) return [];
    const query: QuerySettings = { ...BUFFERS, column, reverse: options.reverse === true, limit: options.limit ?? -1 };
    query.gte = addressed(Buffer.from(span.from, 'latin1'));
    if (options.lt !== undefined) query.lt = options.lt;
    const flat = this.#run(() => this.#db.querySync(query).rows);
    const rows: Row[] = [];
    for (let at = 0; at < flat.length; at += 2) rows.push([flat[at], flat[at + 1]]);
    return rows;
  }

  write(ops: readonly WriteOp[]): void {
    this.#checkOpen();
    try {
      for (const { family, key, value } of ops) {
        requireBytes(key, 'key');
        if (value !== null) requireBytes(value, 'value');
        if (value === null) this.#batch._del(addressed(key), this.#column(family));
        else this.#batch._put(addressed(key), value, this.#column(family));
      }
      this.#noteManifest();
      this.#run(() => { this.#batch._writeSync({}); });
    } finally {
      this.#batch._clear();
    }
  }

  deleteRange(family: string, gte: Buffer, lt: Buffer): void {
    const { column } = this.#column(family);
    if (isEmptyRange(keySpan({ gte, lt }))) return;
    // The package deletes at once but reports a failure on the next tick: kept, and thrown by the next call.
    this.#db._clear({ column, gte: addressed(gte), lt }, (error) => {
      if (error !== null) this.#failure = storeError(error, this.#directory);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeNative();
    return this.#closing;
  }

  /** Marks a new database with our format; refuses one of another. */
  checkFormat(): void {
    const found = this.#db._getManySync([FORMAT_KEY], this.#default)[0];
    if (found === undefined && this.#db.querySync({ ...BUFFERS, ...this.#default, limit: 1 }).rows.length === 0) {
      this.#batch._put(FORMAT_KEY, FORMAT, this.#default);
      this.#batch._writeSync({});
      this.#batch._clear();
    } else if (found?.equals(FORMAT) !== true) throw stateError('wrong-format', this.#directory);
  }

  checkManifest(before: Manifest | undefined): void {
    requireWhole(this.#directory, before, this.#db._getManySync([MANIFEST_KEY], this.#default)[0]);
  }

  #noteManifest(): void {
    const manifest = manifestNow(this.#directory, this.#manifest);
    this.#manifest = manifest?.name;
    if (manifest !== undefined) this.#batch._put(MANIFEST_KEY, packManifest(manifest), this.#default);
  }

  async #closeNative(): Promise<void> {
    this.#columns.clear();
    try {
      await this.#batch.close();
      await this.#db.close();
    } catch (thrown) {
      // What the engine could not write in the background it tells here: a full disk.
      throw storeError(thrown, this.#directory);
    }
  }

  #checkOpen(): void {
    if (this.closed) throw new StoreError('closed', `${this.#directory}: the store is closed`);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #column(family: string): ColumnOption & { readonly valueEncoding: 'buffer' } {
    this.#checkOpen();
    const column = this.#columns.get(family);
    // Passed on, `undefined` would silently mean the default family.
    if (column === undefined) throw new StoreError('unknown-family', `${this.#directory}: no store family "${family}"`);
    return column;
  }

  #run<T>(call: () => T): T {
    try {
      return call();
    } catch (thrown) {
      throw storeError(thrown, this.#directory);
    }
  }
}

function columnSettings(names: readonly string[], rare: readonly string[]): Record<string, ColumnSettings> {
  // Small, short-lived values: small write buffers keep the write-ahead log and so the time to open short. Level 0 and 1 stay raw.
  const busy: ColumnSettings = {
    compaction: 'level', memtableMemoryBudget: rocksdbMemtableBytes, cacheSize: rocksdbCacheBytes,
    compression: false, blockSize: 4096, cacheIndexAndFilterBlocks: true,
  };
  const small: ColumnSettings = { ...busy, memtableMemoryBudget: rocksdbSmallBytes, cacheSize: rocksdbSmallBytes };
  const columns: Record<string, ColumnSettings> = { default: small };
  for (const name of names) columns[name] = name === OFFSETS_FAMILY ? small : rare.includes(name) ? { ...busy, memtableMemoryBudget: rocksdbRareMemtableBytes } : busy;
  return columns;
}

function addressed(key: Buffer): Buffer {
  return key.length === 0 ? EMPTY_KEY : key;
}
