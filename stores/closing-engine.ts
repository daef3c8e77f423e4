// An engine whose end is also the end of something else: its directory's lock, a temporary folder.
import type { StoreEngine } from './store.ts';

/** The same engine; `then` runs after it has closed, or could not. */
export function closingWith(engine: StoreEngine, then: () => void): StoreEngine {
  return {
    get: (family, key) => engine.get(family, key),
    getMany: (family, keys) => engine.getMany(family, keys),
    range: (family, options) => engine.range(family, options),
    write: ops => { engine.write(ops); },
    deleteRange: (family, gte, lt) => { engine.deleteRange(family, gte, lt); },
    rowsAreOwn: engine.rowsAreOwn === true,
    get closed() {
      return engine.closed;
    },
    async close() {
      try {
        await engine.close();
      } finally {
        then();
      }
    },
  };
}
