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
  /** Mean time between two changes; 0.5 s. */
  readonly gapUs?: number;
  /** How far the target's clock is behind; at most ε beside its resolution. */
  readonly behindUs?: number;
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
  /** The faults change the images that the target logs; others cannot be seen. */
  readonly visible: boolean;
  /** Findings that are right for a single fault, as sorted class names; several where the two cannot be told from each other (§6). */
  readonly right: readonly string[];
  /** The same of each fault beside the others. */
  readonly faults: readonly { readonly visible: boolean; readonly right: readonly string[] }[];
}

interface Write { readonly atUs: number; readonly rank: number; readonly value: string | null }

const SECOND = 1_000_000;

export function historyOf(random: Prng, plan: Plan): History {
  const skewUs = plan.wholeSeconds ? 1.2 * SECOND : 0.2 * SECOND;
  const lagUs = 5 * SECOND;
  const base = plan.reads === undefined ? null : value(random, plan, 0);
  const start = plan.reads === 'loaded' ? null : base;
  const sources = sourcesOf(random, plan, skewUs, base);
  const clean = applications(random, plan, sources, lagUs - 2 * skewUs);
  const cleanLog = logOf(clean, start, plan);
  let writes: readonly Write[] = clean;
  let right: readonly string[] = [];
  const edits: { readonly fault: Fault; readonly hit: Write; readonly write: Write | undefined }[] = [];
  for (const fault of plan.faults) {
    const hit = random.pick(cleanLog.slice(2, -2)).write;
    const made = disturb(random, plan, sources, writes, hit, fault, lagUs, skewUs);
    writes = made.writes;
    edits.push({ fault, hit, write: made.write });
    const log = logOf(writes, start, plan);
    right = rightOf(fault, made.write, clean, log.some(({ write }) => write === made.write));
  }
  const log = logOf(writes, start, plan);
  const text = (list: readonly Logged[]): string => list.map(({ event }) => String(event.value)).join();
  const faults = edits.map(edit => {
    const others = edits.filter(other => other !== edit);
    const left = [...clean.filter(write => !others.some(other => moves(other.fault) && other.hit === write)), ...others.flatMap(({ write }) => write ?? [])].sort(byTime);
    return { visible: text(logOf(left, start, plan)) !== text(log), right: rightOf(edit.fault, edit.write, clean, log.some(({ write }) => write === edit.write)) };
  });
  return { sources, targets: log.map(({ event }) => event), elides: plan.elides, lagUs, skewUs, base: start, visible: text(log) !== text(cleanLog), right, faults };
}

/** Whether the write that is hit is not there any more. */
function moves(fault: Fault): boolean {
  return fault === 'missing' || fault === 'mismatch' || fault === 'reordered' || fault === 'late';
}

/** What the fault is, as far as the target's log tells: a wrong or late write that the engine does not log is a lost one. */
function rightOf(fault: Fault, write: Write | undefined, clean: readonly Write[], logged: boolean): string[] {
  switch (fault) {
    case 'missing': return ['missing'];
    case 'mismatch': return [logged ? 'mismatch' : 'missing'];
    case 'duplicate': case 'stale': return ['duplicate'];
    // An old value written out of band cannot be told from a stale replay.
    case 'unexpected': return clean.some(({ atUs, value: old }) => old === write?.value && atUs <= (write?.atUs ?? 0)) ? ['unexpected', 'duplicate'] : ['unexpected'];
    case 'reordered': return [logged ? 'reordered' : 'missing'];
    case 'late': return [logged ? 'late_applied,missing' : 'missing'];
  }
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
    clockUs += Math.floor(-Math.log(1 - random.next()) * (plan.gapUs ?? 0.5 * SECOND));
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

/** A fault at one write; the write that it moves, changes or adds. */
function disturb(
  random: Prng, plan: Plan, sources: readonly Event[], writes: readonly Write[], hit: Write, fault: Fault, lagUs: number, skewUs: number,
): { readonly writes: Write[]; readonly write?: Write } {
  const without = writes.filter(write => write !== hit);
  const next = writes.find(write => write.rank > hit.rank && write.atUs >= hit.atUs) ?? hit;
  const strange = plan.values === 'unique' ? 'harm' : value(random, plan, 0);
  const betweenUs = hit.atUs + random.int(2 * lagUs);
  const add = (to: readonly Write[], write: Write): { writes: Write[]; write: Write } => ({ writes: [...to, write].sort(byTime), write });
  switch (fault) {
    case 'missing': return { writes: without };
    case 'mismatch': return add(without, { ...hit, value: hit.value === null ? null : strange });
    case 'duplicate': return add(writes, { ...hit, rank: hit.rank + 0.5 });
    case 'stale': return add(writes, { ...hit, atUs: betweenUs, rank: hit.rank + 0.5 });
    case 'unexpected': return add(writes, { atUs: betweenUs, rank: 1e6, value: random.chance(0.2) ? null : strange });
    case 'reordered': return add(without, { ...hit, atUs: next.atUs, rank: next.rank + 0.5 });
    case 'late': return add(without, { ...hit, atUs: sources[hit.rank].timeUs + lagUs + skewUs + SECOND + random.int(3 * lagUs), rank: 1e6 });
  }
}

function byTime(a: Write, b: Write): number {
  return a.atUs - b.atUs || a.rank - b.rank;
}

interface Logged { readonly event: Event; readonly write: Write }

function logOf(writes: readonly Write[], start: string | null, plan: Plan): Logged[] {
  const log: Logged[] = [];
  let held = start;
  for (const write of writes) {
    const silent = write.value === held && (held === null || plan.elides);
    const atUs = write.atUs - (plan.behindUs ?? 0);
    const timeUs = plan.wholeSeconds ? Math.floor(atUs / SECOND) * SECOND : atUs;
    if (!silent) log.push({ event: { timeUs, value: write.value }, write });
    held = write.value;
  }
  return log;
}
