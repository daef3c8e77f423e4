// The contract page of state stores: what an engine gives, and what its callers must hold to. test/contracts/store-contract.ts is the
// suite that every engine passes. An engine knows nothing of logs; it is synchronous, because `await` in the core is hidden reordering.
//
// Invariants of an engine
// - Keys are byte strings, ordered as unsigned bytes; a prefix comes before its extensions. Empty keys and empty values are legal.
// - `write` is atomic over all its families: all of it is there, or nothing, also after a crash. Later operations on a key win.
// - A read sees every write that has returned. `range` sees one moment.
// - Buffers passed in are copied before the call returns.
//
// Caller invariants, not checked again
// - Buffers that come out may be shared: read, do not change.
// - One process per directory, one engine per directory (state-directory.ts holds the lock).
// - The state and the positions it reflects go into one `write` (family `offsets`): only then is every crash state consistent.
// - `deleteRange` is a write of its own, outside of any batch: run it after the commit that makes its range obsolete. It is idempotent;
//   expired-ranges.ts notes what is to be run, so that a crash in between leaves nothing behind.

/** Family that every engine has: changelog and input positions. */
export const OFFSETS_FAMILY = 'offsets';

/** Sets (`value`) or deletes (null) a key. */
export interface WriteOp { readonly family: string; readonly key: Buffer; readonly value: Buffer | null }

/** Keys of one family with `gte` <= key < `lt`. */
export interface KeyRange { readonly family: string; readonly gte: Buffer; readonly lt: Buffer }

/** A stretch of keys. At most one of `gte` and `gt`; a missing bound is open. `reverse` gives the greatest keys first. */
export interface RangeOptions {
  readonly gte?: Buffer | undefined;
  readonly gt?: Buffer | undefined;
  readonly lt?: Buffer | undefined;
  /** Most rows wanted; undefined: all. */
  readonly limit?: number | undefined;
  readonly reverse?: boolean | undefined;
}

export type Row = [key: Buffer, value: Buffer];

/** Every call throws StoreError: `closed` after `close`, `unknown-family` for a family not named at open, else what the disk says. */
export interface StoreEngine {
  get(family: string, key: Buffer): Buffer | undefined;
  /** One value per key, in the order of `keys`; undefined where the key is absent. */
  getMany(family: string, keys: readonly Buffer[]): (Buffer | undefined)[];
  range(family: string, options?: RangeOptions): Row[];
  write(ops: readonly WriteOp[]): void;
  /** Deletes every key in [gte, lt); nothing where gte >= lt. */
  deleteRange(family: string, gte: Buffer, lt: Buffer): void;
  /** True: what `range` gives is the caller's alone, who may free it. */
  readonly rowsAreOwn?: boolean;
  readonly closed: boolean;
  /** Idempotent. Returns when another process may open the directory. */
  close(): Promise<void>;
}

/**
 * Opens the database in `directory`, made if it is not there. `rare`: families that get a little with each commit, or nothing for hours; where each
 * family has write buffers of its own, theirs are small (`rocksdbRareMemtableBytes`). Rejects with a StoreError.
 */
export type OpenEngine = (directory: string, families: readonly string[], rare: readonly string[]) => Promise<StoreEngine>;

/** A package would take a string as text, and a number as who knows what. */
export function requireBytes(bytes: Buffer, what: 'key' | 'value'): void {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`a store ${what} must be a Buffer`);
}

/** The families of an engine: those of its stores and `offsets`, each once. Throws for a name that is reserved or given twice. */
export function allFamilies(families: readonly string[]): readonly string[] {
  const all = [...families.filter((name) => name !== OFFSETS_FAMILY), OFFSETS_FAMILY];
  if (new Set(all).size !== all.length) throw new TypeError(`store family named twice: ${families.join(', ')}`);
  if (all.some((name) => name === '' || name === 'default')) throw new TypeError('a store family may not be named "default" or be empty');
  return all;
}
