// Plain counters, per window and in total. Everything that was consumed is in one of them (semantics.md §8, ruling 21).
import { COUNT_NAMES, type CountName, type Counts } from '../schemas/records.ts';

/** Index of each count in a tally. */
export const COUNT: Readonly<Record<CountName, number>> = Object.freeze(
  Object.fromEntries(COUNT_NAMES.map((name, i) => [name, i])) as Record<CountName, number>,
);

export type Tally = Float64Array;

export interface Tallies {
  /** Of windows not yet given out. */
  readonly open: Map<number, Tally>;
  readonly total: Tally;
  add(window: number, name: number, by: number): void;
  /** The window's tally, which is given out with its verdict and is no longer kept. */
  take(window: number): Tally;
}

export function createTally(): Tally {
  return new Float64Array(COUNT_NAMES.length);
}

export function createTallies(): Tallies {
  const open = new Map<number, Tally>();
  const total = createTally();
  let lastWindow = NaN;
  let last: Tally = total;
  function at(window: number): Tally {
    if (window === lastWindow) return last;
    let tally = open.get(window);
    if (tally === undefined) open.set(window, (tally = createTally()));
    lastWindow = window;
    last = tally;
    return tally;
  }
  return {
    open,
    total,
    add(window, name, by) {
      at(window)[name] += by;
      total[name] += by;
    },
    take(window) {
      const tally = at(window);
      open.delete(window);
      lastWindow = NaN;
      return tally;
    },
  };
}

export function printCounts(tally: Tally): Counts {
  return Object.fromEntries(COUNT_NAMES.map((name, i) => [name, String(tally[i])])) as Counts;
}
