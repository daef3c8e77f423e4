// What an alignment says, and the pairs it is made of: shared by its steps.
import { isNear, IS, type AlignInput } from './alignment-input.ts';

/** What this closing makes of a source change. */
export const OF_SOURCE = {
  /** Consumed before, or beyond the evidence. */
  none: 0,
  /** Not due, or its application is not (a load, a late application): nothing is consumed. */
  later: 1,
  /** Applied with an equal image; a read row: loaded. */
  matched: 2,
  /** Applied with another image. */
  mismatch: 3,
  /** Becomes a ghost. */
  missing: 4,
  elided: 5,
  /** A read row without a load, a ghost still owed: no finding. */
  nothing: 6,
  /** A ghost, applied at last. */
  lateApplied: 7,
  /** Merged into a later change that was applied (policy `collapse`). */
  merged: 8,
  /** Merged into one that was given to an earlier, equal change: its `application`, which is that one's too. */
  mergedBack: 9,
} as const;

/** What this closing makes of a target change. */
export const OF_TARGET = {
  /** Consumed before, or beyond the evidence. */
  none: 0,
  /** Decided at a later closing, at most ε after its own window's. */
  waiting: 1,
  /** `cause` applied it: consumed with that source change. */
  paired: 2,
  /** Applies `cause` once more. */
  duplicate: 3,
  /** No cause among the source changes given. An equal version older than those makes it a duplicate (ruling 11): the caller looks. */
  unexpected: 4,
  /** Policy `replay`: applied again after the sink was thrown back; on the way to, and at, what was applied last before. */
  passing: 5,
  ends: 6,
} as const;

/** Reused from key to key. By index of the input; valid up to its counts. */
export interface Alignment {
  /** `bulk`: the work bound was passed, pairs are a rough guess made in linear time; report a bulk mismatch. */
  how: 'in-step' | 'searched' | 'bulk';
  /** OF_SOURCE and OF_TARGET. */
  ofSource: Uint8Array;
  ofTarget: Uint8Array;
  /** Of a source change: the target change it is paired with now (also one that is not consumed yet), or -1. */
  application: Int32Array;
  /** Of a target change: its pair's or its duplicate's source change, or -1. */
  cause: Int32Array;
  /** Its pair, if consumed, is one that later pairs may not cross; otherwise remember `IS.outOfOrder`. */
  inOrder: Uint8Array;
  equal: Uint8Array;
  /** Applied after a later change of the key, and not said before; also of a source change consumed by an earlier window. */
  reordered: Uint8Array;
  /** Policy `replay`, where the key is not in step: of a target change, one of REPLAY (replay.ts). */
  repeats: Uint8Array;
  readonly play: Play;
}

/** The events to be aligned, and between which target changes each source change may be paired. */
export interface Play {
  sources: Int32Array;
  targets: Int32Array;
  sourceCount: number;
  targetCount: number;
  /** By index of the source change: its pair lies above `low` and below `high`, else it crosses a pair consumed in order. */
  low: Int32Array;
  high: Int32Array;
  /** The last source change whose pair was consumed in order, or -1; of such pairs the last target change. */
  lastConsumed: number;
  lastConsumedTarget: number;
  /** What is left of the work bound after the search. */
  work: number;
  /** Once `held`: by index of the source change, from which to below which target change those next to it are paired; from -1 where it is the first. */
  held: boolean;
  heldFrom: Int32Array;
  heldTo: Int32Array;
  /** Policy `collapse`: by index of the source change, see alignment-merged.ts. */
  pairBefore: Int32Array;
  readonly search: Search;
}

export function createAlignment(): Alignment {
  return {
    how: 'in-step', ofSource: new Uint8Array(0), ofTarget: new Uint8Array(0), application: new Int32Array(0), cause: new Int32Array(0),
    inOrder: new Uint8Array(0), equal: new Uint8Array(0), reordered: new Uint8Array(0), repeats: new Uint8Array(0),
    play: {
      sources: new Int32Array(0), targets: new Int32Array(0), sourceCount: 0, targetCount: 0, low: new Int32Array(0), high: new Int32Array(0),
      lastConsumed: -1, lastConsumedTarget: -1, work: 0, held: false, heldFrom: new Int32Array(0), heldTo: new Int32Array(0), pairBefore: new Int32Array(0), search: createSearch(),
    },
  };
}

export function pair(alignment: Alignment, i: number, j: number, equal: boolean, inOrder: boolean): void {
  alignment.application[i] = j;
  alignment.cause[j] = i;
  alignment.equal[i] = equal ? 1 : 0;
  alignment.inOrder[i] = inOrder ? 1 : 0;
}

/** The application of a source change in order, now or at an earlier closing, or -1. */
export function orderedPair(input: AlignInput, alignment: Alignment, i: number): number {
  if (alignment.application[i] >= 0) return alignment.inOrder[i] === 1 ? alignment.application[i] : -1;
  return (input.sourceIs[i] & IS.outOfOrder) === 0 ? input.sourcePair[i] : -1;
}

/** A change that is only looked at costs a sixteenth of one whose image is compared. */
const LOOKS_PER_COMPARISON = 16;

/** Takes a comparison of images, or looks at `count` changes, off the work bound. True where it is passed: what follows is a guess. */
export function spend(alignment: Alignment, count: number = LOOKS_PER_COMPARISON): boolean {
  alignment.play.work -= count / LOOKS_PER_COMPARISON;
  if (alignment.play.work >= 0) return false;
  alignment.how = 'bulk';
  return true;
}

/** Near, and crossing no pair consumed in order. */
export function fits(input: AlignInput, play: Play, i: number, j: number): boolean {
  return j > play.low[i] && j < play.high[i] && isNear(input, i, j);
}

/** Buffers of the search, reused. A score is in quarters of an equal pair, which counts against what a finding and a merged change cost. */
export interface Search {
  choices: Uint8Array;
  score: Float64Array;
  lagUs: Float64Array;
  /** Of the row behind. */
  nextScore: Float64Array;
  nextLagUs: Float64Array;
  unit: { readonly finding: number; readonly merged: number };
}

function createSearch(): Search {
  const none = new Float64Array(0);
  return { choices: new Uint8Array(0), score: none, lagUs: none, nextScore: none, nextLagUs: none, unit: { finding: 1, merged: 1 } };
}
