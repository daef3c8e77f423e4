// The write-behind overlay: what a task has changed and not yet committed, over an engine that is written last. A read sees, in this
// order: the own writes, the writes on their way to the engine (drained, see below), the read cache, the engine.
//
// - `drain` gives the net change: what was made and deleted in between never appears, nor does a value that the engine is known to have.
// - Drained writes stay visible until the next drain: whoever drains writes them to the engine before it drains again, or drops the
//   overlay with its task. So processing may go on while a commit is on its way.
//
// There is no prefetch: no record that comes in time is looked up. What it needs of the state is in typed arrays (slot-store.ts). The stores here are
// read when a window is judged, for keys with something to tell, which are known only then, and for what comes late. Nor is there a savepoint
// for each record: most of what a record changes is not in here, and to undo it in the typed arrays is more than to read it again. A processor that
// throws half-way ends its task; overlay and slots go with it, and the next start is at the last commit (test/traps/24).
//
// For stores that are small or rarely written (open divergences, decisions, chain heads): it makes an entry and a text key per write.
// What changes with every event belongs into slot-store.ts.
import { FamilyOverlay } from './family-overlay.ts';
import { byCodeUnits } from './key-span.ts';
import type { RangeOptions, Row, StoreEngine, WriteOp } from './store.ts';

export interface WriteOverlay {
  /** Undefined where the key is absent. */
  get(family: string, key: Buffer): Buffer | undefined;
  /** Key and value belong to the overlay from here on: the caller does not change them. */
  put(family: string, key: Buffer, value: Buffer): void;
  /** `isStored`: it is surely there since before the last drain, so that is not looked up (a look-up loads the value). */
  delete(family: string, key: Buffer, isStored?: boolean): void;
  /** Own writes and engine merged, in key order. */
  range(family: string, options?: RangeOptions): Row[];
  /** The net change since the last drain: families and keys in byte order, each key once. */
  drain(): WriteOp[];
  /** Bytes of keys and values written and not drained. */
  readonly sizeBytes: number;
  /** Bytes of drained writes and of the read cache. */
  readonly cacheBytes: number;
}

export function openWriteOverlay(engine: StoreEngine): WriteOverlay {
  const families = new Map<string, FamilyOverlay>();
  const overlay = (name: string): FamilyOverlay => {
    let found = families.get(name);
    if (found === undefined) families.set(name, found = new FamilyOverlay(name, engine));
    return found;
  };
  const sum = (of: (family: FamilyOverlay) => number): number => {
    let total = 0;
    for (const family of families.values()) total += of(family);
    return total;
  };
  return {
    get: (name, key) => overlay(name).get(key),
    put: (name, key, value) => { overlay(name).set(key, value); },
    delete: (name, key, isStored = false) => { overlay(name).set(key, null, isStored); },
    range: (name, options = {}) => overlay(name).range(options),
    drain: () => {
      const names = [...families.keys()].sort(byCodeUnits);
      return names.flatMap((name) => overlay(name).drain());
    },
    get sizeBytes() { return sum((family) => family.writtenBytes); },
    get cacheBytes() { return sum((family) => family.cacheBytes); },
  };
}
