// Simulated histories of one key: source changes with time inversions within ε, a target that applies them in order with heavy-tailed lag
// within L, and at most a few faults. The target is a real row: what it logs is what really happens to it (an eliding engine logs no
// write of the value that is there; no engine logs a delete of no row).
import { IS } from '../../processors/alignment-input.ts';
import type { Prng } from '../simulation/prng.ts';
import type { Event } from './alignment-model.ts';

export const FAULTS = ['missing', 'mismatch', 'duplicate', 'stale', 'unexpected', 'reordered', 'late'] as const;
export type Fault = (typeof FAULTS)[number];
export type Values = 'unique' | 'fifty' | 'three' | 'two';

export interface Plan {
  readonly values: Values;
  readonly elides: boolean;
  readonly wholeSeconds: boolean;
  readonly changes: number;
  readonly faults: readonly Fault[];
  /** Snapshot rows: with their loads, or of a target whose log starts after it was loaded. */
  readonly reads?: 'loaded' | 'unlogged' | undefined;
}

export interface History {
  readonly sources: Event[];
  readonly targets: Event[];
  readonly elides: boolean;
  readonly lagUs: number;
  readonly skewUs: number;
  readonly base: string | null | undefined;
  /** What the target would have logged without the faults, as text: a fault that changes nothing of it cannot be seen. */
  readonly cleanLog: string;
  readonly log: string;
}

interface Write { readonly atUs: number; readonly rank: number; readonly value: string | null }

const SECOND = 1_000_000;

export function historyOf(random: Prng, plan: Plan): History {
  const skewUs = plan.wholeSeconds ? 1.2 * SECOND : 0.2 * SECOND;
  const lagUs = 5 * SECOND;
  const base = plan.reads === undefined ? null : value(random, plan, 0);
  const sources = sourcesOf(random, plan, skewUs, base);
  const clean = applications(random, plan, sources, lagUs - 2 * skewUs);
  const writes = plan.faults.reduce((done, fault) => disturb(random, plan, sources, done, fault, lagUs, skewUs), clean);
  const start = plan.reads === 'loaded' ? null : base;
  const cleanTargets = logOf(clean, start, plan);
  const targets = logOf(writes, start, plan);
  return {
    sources, targets, elides: plan.elides, lagUs, skewUs, base: start,
    cleanLog: cleanTargets.map(t => String(t.value)).join(), log: targets.map(t => String(t.value)).join(),
  };
}

function value(random: Prng, plan: Plan, n: number): string {
  switch (plan.values) {
    case 'unique': return `u${String(n)}`;
    case 'fifty': return `f${String(random.int(50))}`;
    case 'three': return `t${String(random.int(3))}`;
    case 'two': return `w${String(random.int(2))}`;
  }
}

function sourcesOf(random: Prng, plan: Plan, skewUs: number, base: string | null): Event[] {
  const sources: Event[] = [];
  let clockUs = 100 * SECOND + random.int(SECOND);
  let held = base;
  if (base !== null) sources.push({ timeUs: clockUs, value: base, is: IS.read });
  for (let n = 1; n <= plan.changes; n++) {
    clockUs += Math.floor(-Math.log(1 - random.next()) * 0.5 * SECOND);
    const next = held !== null && random.chance(0.12) ? null : held !== null && random.chance(0.08) ? held : value(random, plan, n);
    const noop = plan.elides && next === held && next !== null;
    // Positions are in the order of the list; a commit time may lie back, by less than the skew allows beside the clock's own resolution.
    const backUs = random.chance(0.2) ? random.int(Math.min(skewUs, 0.2 * SECOND)) : 0;
    sources.push({ timeUs: clockUs - backUs, value: next, is: noop ? IS.noop : 0 });
    held = next;
  }
  return sources;
}

/** One write a source change, in order; `atUs` never goes back. */
function applications(random: Prng, plan: Plan, sources: readonly Event[], mostUs: number): Write[] {
  let floorUs = 0;
  return sources.flatMap((source, rank) => {
    if (plan.reads === 'unlogged' && rank === 0) return [];
    floorUs = Math.max(floorUs, source.timeUs + random.heavyTail(0.1 * SECOND, mostUs));
    return [{ atUs: floorUs, rank, value: source.value }];
  });
}

/** One fault at a change in the middle of the history, so that its windows have neighbours. */
function disturb(random: Prng, plan: Plan, sources: readonly Event[], writes: readonly Write[], fault: Fault, lagUs: number, skewUs: number): Write[] {
  const at = 2 + random.int(writes.length - 4);
  const hit = writes[at];
  const without = writes.filter(write => write !== hit);
  const strange = plan.values === 'unique' ? 'harm' : value(random, plan, 0);
  const betweenUs = hit.atUs + random.int(2 * lagUs);
  switch (fault) {
    case 'missing': return without;
    case 'mismatch': return hit.value === null ? [...writes] : [...without, { ...hit, value: strange }].sort(byTime);
    case 'duplicate': return [...writes, { ...hit, rank: hit.rank + 0.5 }].sort(byTime);
    case 'stale': return [...writes, { ...hit, atUs: betweenUs, rank: hit.rank + 0.5 }].sort(byTime);
    case 'unexpected': return [...writes, { atUs: betweenUs, rank: 1e6, value: random.chance(0.2) ? null : strange }].sort(byTime);
    case 'reordered': return [...without, { ...hit, atUs: writes[at + 1].atUs, rank: writes[at + 1].rank + 0.5 }].sort(byTime);
    case 'late': return [...without, { ...hit, atUs: sources[at].timeUs + lagUs + skewUs + SECOND + random.int(3 * lagUs), rank: 1e6 }].sort(byTime);
  }
}

function byTime(a: Write, b: Write): number {
  return a.atUs - b.atUs || a.rank - b.rank;
}

function logOf(writes: readonly Write[], start: string | null, plan: Plan): Event[] {
  const log: Event[] = [];
  let held = start;
  for (const write of writes) {
    const silent = write.value === held && (held === null || plan.elides);
    if (!silent) log.push({ timeUs: plan.wholeSeconds ? Math.floor(write.atUs / SECOND) * SECOND : write.atUs, value: write.value });
    held = write.value;
  }
  return log;
}
