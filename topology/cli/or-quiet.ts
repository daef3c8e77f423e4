// What comes, and the silences between: a reader that follows a topic is told, too, that nothing comes.
import { setTimeout } from 'node:timers/promises';

/** Gives each item as it comes, and undefined whenever none has come for `everyMs`. Who leaves it in a silence also ends what it waits for, by `end`. */
export async function* orQuiet<T>(items: AsyncIterable<T>, everyMs: number, end: () => void): AsyncGenerator<T | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const waiting = new AbortController();
      const quiet = setTimeout(everyMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      const came = await Promise.race([next, quiet]);
      waiting.abort();
      if (came?.done === true) return;
      yield came?.value;
      if (came !== undefined) next = iterator.next();
    }
  } finally {
    end();
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}
