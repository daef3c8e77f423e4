// A key's two histories as plain lists, closed window by window through `align`: what a caller of the aligner has to do, and no more.
// Also the naive reading of the search (every alignment is tried), which shares no code with the dynamic programme.
import assert from 'node:assert/strict';
import type { Policy } from '../../schemas/pair.ts';
import { align } from '../../processors/alignment.ts';
import { createAlignment, OF_SOURCE, OF_TARGET, type Alignment } from '../../processors/alignment-pairs.ts';
import { createAlignInput, IS, type AlignInput } from '../../processors/alignment-input.ts';

/** `value` null: after this event there is no row. Equal values are equal images. */
export interface Event {
  readonly timeUs: number;
  readonly value: string | null;
  readonly is?: number;
  /** Of a consumed source change: index of its application. */
  readonly pair?: number;
}

export interface Settings {
  /** 0 unless given. */
  readonly startUs?: number;
  readonly endUs: number;
  readonly lagUs: number;
  readonly skewUs: number;
  readonly elides?: boolean;
  readonly policy?: Policy;
  readonly workMax?: number;
  /** What the target held before the first event; undefined: not known. */
  readonly base?: string | null | undefined;
}

export interface Problem extends Settings { readonly sources: readonly Event[]; readonly targets: readonly Event[] }

export function inputOf(problem: Problem): AlignInput {
  const { sources, targets } = problem;
  const input = createAlignInput({
    equal: (i, j) => areEqualRows(sources[i], targets[j]),
    same: (j, other) => areEqualRows(targets[j], targets[other]),
    gone: () => [], isGone: () => false, isGoneRead: () => false,
    equalsBase: i => problem.base !== undefined && sources[i].value === problem.base,
  });
  input.startUs = problem.startUs ?? 0;
  input.endUs = problem.endUs;
  input.lagUs = problem.lagUs;
  input.skewUs = problem.skewUs;
  input.elides = problem.elides ?? false;
  input.policy = problem.policy ?? 'exact';
  input.workMax = problem.workMax ?? 1 << 20;
  for (const { timeUs, value, is, pair } of sources) input.addSource(timeUs, (is ?? 0) | (value === null ? IS.absent : 0), pair ?? -1);
  for (const { timeUs, value, is } of targets) input.addTarget(timeUs, (is ?? 0) | (value === null ? IS.absent : 0));
  return input;
}

/** The aligner knows by itself which rows are absent. */
function areEqualRows(a: Event, b: Event): boolean {
  assert(a.value !== null && b.value !== null, 'an absent row is compared');
  return a.value === b.value;
}

export type Class = 'missing' | 'unexpected' | 'mismatch' | 'duplicate' | 'reordered' | 'late_applied' | 'elided' | 'collapsed';
export interface Finding { readonly class: Class; readonly endUs: number; readonly source: number; readonly target: number }

export interface Outcome {
  readonly findings: Finding[];
  readonly how: Record<Alignment['how'], number>;
  /** Events that no window consumed. */
  readonly open: number;
}

const classOf = (verdict: number): Class | undefined => {
  switch (verdict) {
    case OF_SOURCE.mismatch: return 'mismatch';
    case OF_SOURCE.missing: return 'missing';
    case OF_SOURCE.elided: return 'elided';
    case OF_SOURCE.lateApplied: return 'late_applied';
    case OF_SOURCE.merged: case OF_SOURCE.mergedBack: return 'collapsed';
    default: return undefined;
  }
};

/** Closes every window of `sizeUs` in which something lies, in order, and some more; old consumed pairs are dropped as a shard drops them. */
export function runWindows(problem: Omit<Problem, 'startUs' | 'endUs'>, sizeUs: number): Outcome {
  const sources = problem.sources.map(event => ({ ...event, is: event.is ?? 0, pair: -1 }));
  const targets = problem.targets.map(event => ({ ...event, is: event.is ?? 0 }));
  const outcome: Outcome = { findings: [], how: { 'in-step': 0, searched: 0, bulk: 0 }, open: 0 };
  const alignment = createAlignment();
  const times = [...sources, ...targets].map(event => event.timeUs);
  const last = Math.max(...times) + 2 * sizeUs + problem.skewUs;
  for (let endUs = Math.floor(Math.min(...times) / sizeUs) * sizeUs + sizeUs; endUs <= last; endUs += sizeUs) {
    align(inputOf({ ...problem, sources, targets, startUs: endUs - sizeUs, endUs }), alignment);
    outcome.how[alignment.how]++;
    const find = (kind: Class, source: number, target: number): number => outcome.findings.push({ class: kind, endUs, source, target });
    sources.forEach((source, i) => {
      const verdict = alignment.ofSource[i];
      if (alignment.reordered[i] === 1) { find('reordered', i, alignment.application[i] >= 0 ? alignment.application[i] : source.pair); source.is |= IS.reordered; }
      const kind = classOf(verdict);
      if (kind !== undefined) find(kind, i, alignment.application[i]);
      if (verdict === OF_SOURCE.missing) source.is |= IS.ghost;
      if (kind === 'elided' || kind === 'collapsed') source.is |= IS.consumed;
      if (verdict === OF_SOURCE.matched || verdict === OF_SOURCE.mismatch || verdict === OF_SOURCE.lateApplied) {
        source.is = (source.is & ~IS.ghost) | IS.consumed | (alignment.inOrder[i] === 1 ? 0 : IS.outOfOrder) | (verdict === OF_SOURCE.lateApplied ? IS.reordered : 0);
        source.pair = alignment.application[i];
      }
    });
    targets.forEach((target, j) => {
      const verdict = alignment.ofTarget[j];
      if (verdict === OF_TARGET.duplicate) find('duplicate', alignment.cause[j], j);
      if (verdict === OF_TARGET.unexpected) find('unexpected', -1, j);
      if (verdict !== OF_TARGET.none && verdict !== OF_TARGET.waiting) target.is |= IS.consumed;
    });
  }
  const left = [...sources, ...targets].filter(event => (event.is & (IS.consumed | IS.ghost | IS.read)) === 0).length;
  return { ...outcome, open: left };
}

export type Pairs = readonly (readonly [number, number])[];

/** Every alignment is tried; the best by the words of §6, compared part by part. */
export function bestAlignment(problem: Problem): Pairs {
  const { sources, targets, endUs, lagUs, skewUs } = problem;
  const inPlay = (event: Event, limitUs: number): boolean => ((event.is ?? 0) & IS.consumed) === 0 && event.timeUs < limitUs;
  const A = sources.map((_, i) => i).filter(i => inPlay(sources[i], endUs + lagUs + skewUs));
  const B = targets.map((_, j) => j).filter(j => inPlay(targets[j], endUs + lagUs));
  const has = (i: number, bit: number): boolean => ((sources[i].is ?? 0) & bit) !== 0;
  const known = sources.flatMap(({ pair, is }, i) => (pair !== undefined && ((is ?? 0) & IS.outOfOrder) === 0 ? [[i, pair] as const] : []));
  const equal = (i: number, j: number): boolean => sources[i].value === targets[j].value;
  const may = (i: number, j: number): boolean => {
    const lag = targets[j].timeUs - sources[i].timeUs;
    if (lag < -skewUs || (lag > lagUs && !has(i, IS.ghost))) return false;
    if (!has(i, IS.ghost) && known.some(([s, t]) => (s < i) !== (t < j))) return false;
    return equal(i, j) || (!has(i, IS.ghost) && (sources[i].value === null) === (targets[j].value === null));
  };
  const cost = (pairs: Pairs): readonly number[] => {
    const top = Math.max(-1, ...pairs.map(([i]) => i), ...known.map(([i]) => i));
    const unpaired = A.filter(i => !pairs.some(([s]) => s === i) && !has(i, IS.read | IS.ghost | IS.noop) && (sources[i].timeUs < endUs || i < top));
    const merged = unpaired.filter(i => problem.policy === 'collapse' && sources[i].value !== null && i < top).length;
    const alone = unpaired.length - merged;
    const unequal = pairs.filter(([i, j]) => !equal(i, j)).length;
    const weight = pairs.filter(([i, j]) => equal(i, j)).reduce((sum, [i]) => sum + (has(i, IS.ghost) ? 1 : has(i, IS.read | IS.noop) ? 2 : 4), 0);
    const lag = pairs.reduce((sum, [i, j]) => sum + Math.abs(targets[j].timeUs - sources[i].timeUs), 0);
    return [alone + unequal + B.length - pairs.length, merged, -weight, lag, ...pairs.flat()];
  };
  let best: { pairs: Pairs; cost: readonly number[] } | undefined;
  const go = (a: number, b: number, pairs: Pairs): void => {
    const now = cost(pairs);
    if (best === undefined || isLess(now, best.cost)) best = { pairs, cost: now };
    for (let k = a; k < A.length; k++) for (let l = b; l < B.length; l++) if (may(A[k], B[l])) go(k + 1, l + 1, [...pairs, [A[k], B[l]]]);
  };
  go(0, 0, []);
  return best?.pairs ?? [];
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k] < b[k];
  return a.length < b.length;
}
