// A clock for a service in this process over a real log: it ends the service when its tasks have nothing left to do for a while.
import type { Clock } from '../../topology/runtime/pacer.ts';

/** `tasks`: how many it runs; `quietMs`: how long all have to wait, four times in a row: longer than the log may take to answer. */
export function endingWhenQuiet(tasks: number, commitIntervalMs: number, quietMs = 150): { readonly clock: Clock; readonly signal: AbortSignal } {
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  const quietRounds = 3;
  let [aheadMs, rounds] = [0, 0];
  /** All wait, and nobody has been woken: time for what is to be committed, or the end. */
  const goOn = (): void => {
    if (rounds++ === quietRounds) stop.abort();
    aheadMs += commitIntervalMs;
    for (const wake of [...waiting]) wake();
  };
  return {
    signal: stop.signal,
    clock: {
      nowMs: () => performance.now() + aheadMs,
      // Whoever waits longer than for a commit is the maintenance of the log, which has nothing to do here.
      sleep: (ms, signal) => new Promise(resolve => {
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', woken);
          resolve();
        };
        const woken = (): void => {
          rounds = 0;
          wake();
        };
        signal.addEventListener('abort', woken);
        if (signal.aborted) return woken();
        if (ms > commitIntervalMs) return;
        waiting.add(wake);
        const all = [...waiting];
        if (all.length === tasks) setTimeout(() => { if (all.length === waiting.size && all.every(one => waiting.has(one))) goOn(); }, quietMs);
      }),
    },
  };
}
