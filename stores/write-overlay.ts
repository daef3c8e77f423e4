// The write-behind overlay: what a task has changed and not yet committed, over an engine that is written last. A read sees, in this
// order: the own writes, the writes on their way to the engine (drained, see below), the read cache, the engine.
//
// - `drain` gives the net change: what was made and deleted in between never appears, nor does a value that the engine is known to have.
// - Drained writes stay visible until the next drain: whoever drains writes them to the engine before it drains again, or drops the
//   overlay with its task. So processing may go on while a commit is on its way.
// - A savepoint covers one record: `rollback` undoes what was written since it, `drain` ends it.
//
// For stores that are small or rarely written (open divergences, decisions, chain heads): it makes an entry and a text key per write.
// What changes with every event belongs into slot-store.ts.
import { assert } from '../schemas/assert.ts';
import { overlayReadCacheBytes } from '../schemas/limits.ts';
import { FamilyOverlay } from './family-overlay.ts';
import { byCodeUnits } from './key-span.ts';
import type { RangeOptions, Row, StoreEngine, WriteOp } from './store.ts';

export interface WriteOverlay {
  /** Undefined where the key is absent. A key neither written nor prefetched is an assertion in mode `assert`. */
  get(family: string, key: Buffer): Buffer | undefined;
  /** Loads what is not known yet with one multi-get. Once per chunk and family: it may drop what earlier chunks loaded. */
  prefetch(family: string, keys: readonly Buffer[]): void;
  /** Key and value belong to the overlay from here on: the caller does not change them. */
  put(family: string, key: Buffer, value: Buffer): void;
  /** `isStored`: it is surely there since before the last drain, so that is not looked up (a look-up loads the value). */
  delete(family: string, key: Buffer, isStored?: boolean): void;
  /** Own writes and engine merged, in key order. */
  range(family: string, options?: RangeOptions): Row[];
  /** Begins to remember how to undo; replaces an earlier savepoint. */
  savepoint(): void;
  /** Undoes everything since the savepoint, which stays set. */
  rollback(): void;
  /** The net change since the last drain: families and keys in byte order, each key once. */
  drain(): WriteOp[];
  /** Bytes of keys and values written and not drained. */
  readonly sizeBytes: number;
  /** Bytes of drained writes and of the read cache. */
  readonly cacheBytes: number;
}

/** What a `get` does for a key that was not prefetched: in the run loop that is a fault of ours, in commands and tests it is not. */
export type MissMode = 'assert' | 'read-through';

export function openWriteOverlay(engine: StoreEngine, misses: MissMode): WriteOverlay {
  const families = new Map<string, FamilyOverlay>();
  let armed = false;
  const overlay = (name: string): FamilyOverlay => {
    let found = families.get(name);
    if (found === undefined) families.set(name, found = new FamilyOverlay(name, engine));
    if (armed) found.savepoint(false);
    return found;
  };
  const sum = (of: (family: FamilyOverlay) => number): number => {
    let total = 0;
    for (const family of families.values()) total += of(family);
    return total;
  };
  return {
    get: (name, key) => overlay(name).get(key, misses === 'assert'),
    prefetch: (name, keys) => { overlay(name).prefetch(keys, overlayReadCacheBytes); },
    put: (name, key, value) => { overlay(name).set(key, value); },
    delete: (name, key, isStored = false) => { overlay(name).set(key, null, isStored); },
    range: (name, options = {}) => overlay(name).range(options),
    savepoint: () => {
      armed = true;
      for (const family of families.values()) family.savepoint(true);
    },
    rollback: () => {
      assert(armed, 'rollback of an overlay without a savepoint');
      for (const family of families.values()) family.rollback();
    },
    drain: () => {
      armed = false;
      const names = [...families.keys()].sort(byCodeUnits);
      return names.flatMap((name) => overlay(name).drain());
    },
    get sizeBytes() { return sum((family) => family.writtenBytes); },
    get cacheBytes() { return sum((family) => family.cacheBytes); },
  };
}
