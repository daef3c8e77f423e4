// A small seeded generator: everything random in the tests comes from here, so that a failing seed can be run again anywhere.
// Invariant: equal seeds give equal sequences, on every machine.

export interface Prng {
  readonly seed: number;
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, below). */
  int(below: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** A heavy-tailed amount: mostly near `typical`, now and then up to `most`. */
  heavyTail(typical: number, most: number): number;
}

/** mulberry32: 32 bits of state, good enough for workloads. */
export function prng(seed: number): Prng {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    seed, next, int,
    chance: (probability) => next() < probability,
    pick: (from) => from[int(from.length)],
    heavyTail: (typical, most) => Math.min(most, Math.floor((typical * 0.3) / Math.max(1e-6, next()))),
  };
}

/** The seeds of a run: `PARITAS_SEED` alone if it is set, else `count` from `first` on, times `PARITAS_SEEDS_FACTOR` (0.4: seconds, 10: minutes). */
export function seeds(first: number, count: number): number[] {
  const only = process.env['PARITAS_SEED'];
  if (only !== undefined) return [Number(only)];
  const factor = Number(process.env['PARITAS_SEEDS_FACTOR'] ?? '0.4');
  return Array.from({ length: Math.ceil(count * factor) }, (_, i) => first + i);
}
