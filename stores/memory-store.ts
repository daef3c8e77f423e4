// An engine in memory: for tests and for runs whose state is small. Keys are kept as latin1 text, whose code units are the bytes, so that
// comparing text is comparing unsigned bytes. Sorted on demand: a range after n new keys costs one merge, a get or a put never sorts.
import { allFamilies, type RangeOptions, type Row, type StoreEngine, type WriteOp } from './store.ts';
import { StoreError } from './store-error.ts';
import { byCodeUnits, isEmptyRange, type KeySpan, keySpan, keyText, spanIn } from './key-span.ts';

export function openMemoryStore(families: readonly string[]): StoreEngine {
  const tables = new Map(allFamilies(families).map((name) => [name, new SortedTable()]));
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new StoreError('closed', 'the memory store is closed');
  };
  const table = (family: string): SortedTable => {
    checkOpen();
    const found = tables.get(family);
    if (found === undefined) throw new StoreError('unknown-family', `no store family "${family}"`);
    return found;
  };
  return {
    get closed() { return closed; },
    get: (family, key) => table(family).values.get(keyText(key)),
    getMany: (family, keys) => {
      const { values } = table(family);
      return keys.map((key) => values.get(keyText(key)));
    },
    range: (family, options = {}) => table(family).range(options),
    write: (ops) => {
      checkOpen();
      const checked = ops.map((op) => ({ table: table(op.family), key: keyText(op.key), value: copyOf(op) }));
      for (const op of checked) op.table.set(op.key, op.value);
    },
    deleteRange: (family, gte, lt) => table(family).deleteSpan(keySpan({ gte, lt })),
    close: () => {
      closed = true;
      tables.clear();
      return Promise.resolve();
    },
  };
}

/** Values by key, and the keys in order as of the last merge: `sorted` may hold deleted keys, `fresh` is what came since. */
class SortedTable {
  readonly values: Map<string, Buffer> = new Map();
  #sorted: string[] = [];
  #fresh: string[] = [];

  set(key: string, value: Buffer | null): void {
    if (value === null) this.values.delete(key);
    else {
      if (!this.values.has(key)) this.#fresh.push(key);
      this.values.set(key, value);
    }
  }

  range(options: RangeOptions): Row[] {
    const limit = options.limit ?? Infinity;
    const rows: Row[] = [];
    const push = (key: string): void => {
      const value = this.values.get(key);
      if (value !== undefined) rows.push([Buffer.from(key, 'latin1'), value]);
    };
    const keys = this.#keys();
    const { from, to } = spanIn(keys, keySpan(options));
    if (options.reverse === true) for (let at = to - 1; at >= from && rows.length < limit; at--) push(keys[at]);
    else for (let at = from; at < to && rows.length < limit; at++) push(keys[at]);
    return rows;
  }

  deleteSpan(span: KeySpan): void {
    if (isEmptyRange(span)) return;
    const keys = this.#keys();
    const { from, to } = spanIn(keys, span);
    for (let at = from; at < to; at++) this.values.delete(keys[at]);
    keys.splice(from, to - from);
  }

  #keys(): string[] {
    if (this.#fresh.length > 0 || this.#sorted.length > 2 * this.values.size + 64) {
      // A key deleted and put again is in both lists, hence the set.
      this.#sorted = [...new Set([...this.#sorted, ...this.#fresh])].filter((key) => this.values.has(key)).sort(byCodeUnits);
      this.#fresh = [];
    }
    return this.#sorted;
  }
}

function copyOf(op: WriteOp): Buffer | null {
  if (op.value === null) return null;
  if (!(op.value instanceof Uint8Array)) throw new TypeError('a store value must be a Buffer or null');
  return Buffer.from(op.value);
}
