// The durable engine through rocksdb-native, for the platforms on which @nxtedition/rocksdb has no binary. Only its thread imports the package.
//
// What is different (each was measured on 3.18.1; the contract suite is the same):
// 1. A batch of the package is bound to one column family, and a commit is of several: there is one for all, and the first byte of a key is
//    its family's number. Number 0 has what is ours: the format, the names of the families, how long the list of files was.
// 2. Promises only: its calls are waited for, in a thread of their own (rocksdb-native-bridge.ts).
// 3. No write waits for the disk. A power cut goes back to an earlier moment, a whole one, for the positions lie in the same write; what is
//    missing then comes from the changelog, which is what is forced to the disk.
// 4. A batch holds on to the buffers that it is given: what it gets is the memory that was handed over, which nobody else has.
import { isEmptyRange, keySpan } from './key-span.ts';
import { memoryOf, packBytes, unpackBytes } from './packed-bytes.ts';
import { manifestIn, manifestNow, packManifest, requireWhole, type Manifest } from './rocksdb-manifest.ts';
import { nativeBridge, type NativeBridge } from './rocksdb-native-bridge.ts';
import type { Answered, NativeCall } from './rocksdb-native-thread.ts';
import { allFamilies, requireBytes, type OpenEngine, type RangeOptions, type Row, type StoreEngine, type WriteOp } from './store.ts';
import { stateError, StoreError, storeError } from './store-error.ts';

const FORMAT = Buffer.from('paritas-state-native-1');
/** Number of what is ours; the families have 1 and up, and 255 ends the last one. */
const OWN = 0;
const FAMILIES_MAX = 254;
const FORMAT_KEY = Buffer.from('format');
const FAMILIES_KEY = Buffer.from('families');
const MANIFEST_KEY = Buffer.from('manifest');
const NOTHING = Buffer.alloc(0);

/** Starts the thread, if it does not run yet. Rejects where the package cannot be loaded. */
export async function loadNative(): Promise<OpenEngine> {
  const bridge = await nativeBridge();
  return (directory, families) => openNative(bridge, directory, families);
}

async function openNative(bridge: NativeBridge, directory: string, families: readonly string[]): Promise<StoreEngine> {
  const names = allFamilies(families);
  const before = manifestIn(directory);
  let db: number;
  try {
    db = await bridge.open(directory);
  } catch (thrown) {
    throw nativeError(thrown, directory);
  }
  const engine = new NativeStore(bridge, db, directory);
  try {
    engine.begin(names, before);
    return engine;
  } catch (thrown) {
    await engine.close();
    throw nativeError(thrown, directory);
  }
}

class NativeStore implements StoreEngine {
  readonly #bridge: NativeBridge;
  readonly #db: number;
  readonly #directory: string;
  readonly #numbers = new Map<string, number>();
  #manifest: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(bridge: NativeBridge, db: number, directory: string) {
    this.#bridge = bridge;
    this.#db = db;
    this.#directory = directory;
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
    const number = this.#number(family);
    for (const key of keys) requireBytes(key, 'key');
    return this.#read(number, keys);
  }

  range(family: string, options: RangeOptions = {}): Row[] {
    const number = this.#number(family);
    const span = keySpan(options);
    if (isEmptyRange(span) || options.limit === 0) return [];
    const gte = keyIn(number, span.from);
    const lt = span.to === undefined ? Buffer.from([number + 1]) : keyIn(number, span.to);
    const flat = this.#rows(gte, lt, options.reverse === true, options.limit ?? Infinity);
    const rows: Row[] = [];
    for (let at = 0; at < flat.length; at += 2) rows.push([Buffer.from(flat[at].subarray(1)), Buffer.from(flat[at + 1])]);
    return rows;
  }

  write(ops: readonly WriteOp[]): void {
    this.#checkOpen();
    const numbers = ops.map(({ family, key, value }) => {
      requireBytes(key, 'key');
      if (value !== null) requireBytes(value, 'value');
      return this.#number(family);
    });
    this.#write(ops, numbers);
  }

  deleteRange(family: string, gte: Buffer, lt: Buffer): void {
    const number = this.#number(family);
    const span = keySpan({ gte, lt });
    if (isEmptyRange(span)) return;
    this.#call({ kind: 'delete-range', db: this.#db, gte: keyIn(number, span.from), lt: keyIn(number, span.to ?? '') }, []);
  }

  close(): Promise<void> {
    // What the engine could not write in the background it tells here: a full disk.
    this.#closing ??= this.#bridge.close(this.#db).catch((thrown: unknown) => { throw nativeError(thrown, this.#directory); });
    return this.#closing;
  }

  /** Marks a new database; refuses one of another format, one with families that are no longer named, one whose list of files was cut. */
  begin(names: readonly string[], before: Manifest | undefined): void {
    const [format, families, manifest] = this.#read(OWN, [FORMAT_KEY, FAMILIES_KEY, MANIFEST_KEY]);
    requireWhole(this.#directory, before, manifest);
    if (format === undefined ? this.#hasRows() : !format.equals(FORMAT)) throw stateError('wrong-format', this.#directory);
    const stored = families === undefined ? [] : JSON.parse(families.toString()) as string[];
    if (stored.some(name => !names.includes(name))) throw stateError('families-missing', this.#directory);
    const all = [...stored, ...names.filter(name => !stored.includes(name))];
    if (all.length > FAMILIES_MAX) throw new TypeError(`${all.length} store families: there is room for ${FAMILIES_MAX}`);
    all.forEach((name, i) => this.#numbers.set(name, i + 1));
    if (all.length > stored.length) this.#writeOwn([[FORMAT_KEY, FORMAT], [FAMILIES_KEY, Buffer.from(JSON.stringify(all))]]);
  }

  #writeOwn(rows: readonly Row[]): void {
    this.#write(rows.map(([key, value]) => ({ key, value })), rows.map(() => OWN));
  }

  #write(ops: readonly Pick<WriteOp, 'key' | 'value'>[], numbers: number[]): void {
    const keys = ops.map(({ key }) => key);
    const values = ops.map(({ value }) => value ?? NOTHING);
    const isDelete = Uint8Array.from(ops, ({ value }) => (value === null ? 1 : 0));
    const manifest = manifestNow(this.#directory, this.#manifest);
    this.#manifest = manifest?.name;
    if (manifest !== undefined) {
      keys.push(MANIFEST_KEY);
      values.push(packManifest(manifest));
      numbers.push(OWN);
    }
    const packed = [packBytes(keys, numbers), packBytes(values)];
    this.#call({ kind: 'write', db: this.#db, keys: packed[0], values: packed[1], isDelete }, memoryOf(...packed));
  }

  #read(number: number, keys: readonly Buffer[]): (Buffer | undefined)[] {
    if (keys.length === 0) return [];
    const packed = packBytes(keys, keys.map(() => number));
    const { strings, isThere } = this.#call({ kind: 'get', db: this.#db, keys: packed }, memoryOf(packed));
    // Copies: a view would keep all that came with it.
    return unpackBytes(strings).map((value, i) => (isThere[i] === 1 ? Buffer.from(value) : undefined));
  }

  /** Key, value, key, value. */
  #rows(gte: Buffer, lt: Buffer, reverse: boolean, limit: number): Buffer[] {
    return unpackBytes(this.#call({ kind: 'range', db: this.#db, gte, lt, reverse, limit }, []).strings);
  }

  #hasRows(): boolean {
    return this.#rows(Buffer.from([OWN]), Buffer.from([FAMILIES_MAX + 1]), false, 1).length > 0;
  }

  #call(call: NativeCall, memory: readonly ArrayBuffer[]): Answered {
    try {
      return this.#bridge.call(call, memory);
    } catch (thrown) {
      throw nativeError(thrown, this.#directory);
    }
  }

  #checkOpen(): void {
    if (this.closed) throw new StoreError('closed', `${this.#directory}: the store is closed`);
  }

  #number(family: string): number {
    this.#checkOpen();
    const number = this.#numbers.get(family);
    if (number === undefined) throw new StoreError('unknown-family', `${this.#directory}: no store family "${family}"`);
    return number;
  }
}

function keyIn(number: number, text: string): Buffer {
  return Buffer.from(String.fromCharCode(number) + text, 'latin1');
}

/** The package drops what kind of status it was: what RocksDB says of a file begins with what it was doing, what it says of damage does not. */
function nativeError(thrown: unknown, directory: string): StoreError {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EIO' && !/^(io error|while |lock hold by)/i.test(thrown.message)) {
    return stateError('corrupt', directory, thrown);
  }
  return storeError(thrown, directory);
}
