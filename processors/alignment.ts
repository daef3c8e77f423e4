// Match mode `alignment`: which target change applied which source change of a key, where no origin says so (semantics.md §6; rulings 12,
// 14, 16). The alarm is reliable; the class is a best explanation. A pure function of the key's events and of what earlier closings made
// of them; it decides nothing about events beyond W + L + ε (source) and W + L (target), even if they are here.
//
// The steps: what is in play · in step, or else the search for the fewest findings · what is left over: out of order, late · verdicts.
import { isDue, isEqual, isNear, isOptional, IS, type AlignInput } from './alignment-input.ts';
import { createSearch, search, type Search } from './alignment-search.ts';
import { resync } from './alignment-resync.ts';
import { pairLeftovers } from './alignment-leftovers.ts';
import { giveVerdicts } from './alignment-verdicts.ts';

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
  readonly search: Search;
}

export function createAlignment(): Alignment {
  return {
    how: 'in-step', ofSource: new Uint8Array(0), ofTarget: new Uint8Array(0), application: new Int32Array(0), cause: new Int32Array(0),
    inOrder: new Uint8Array(0), equal: new Uint8Array(0), reordered: new Uint8Array(0),
    play: {
      sources: new Int32Array(0), targets: new Int32Array(0), sourceCount: 0, targetCount: 0, low: new Int32Array(0), high: new Int32Array(0),
      lastConsumed: -1, lastConsumedTarget: -1, work: 0, search: createSearch(),
    },
  };
}

export function align(input: AlignInput, alignment: Alignment = createAlignment()): Alignment {
  pairInOrder(input, alignment);
  if (alignment.how !== 'in-step') pairLeftovers(input, alignment);
  giveVerdicts(input, alignment);
  return alignment;
}

/** The first half of `align`: pairs that cross neither each other nor what was consumed in order (but for ghosts). */
export function pairInOrder(input: AlignInput, alignment: Alignment): void {
  prepare(input, alignment);
  choose(input, alignment.play);
  bound(input, alignment.play);
  if (walkInStep(input, alignment)) return;
  unpairAll(input, alignment);
  const { sourceCount, targetCount } = alignment.play;
  alignment.how = sourceCount * targetCount <= input.workMax ? 'searched' : 'bulk';
  if (alignment.how === 'searched') search(input, alignment);
  else resync(input, alignment);
}

export function pair(alignment: Alignment, i: number, j: number, equal: boolean, inOrder: boolean): void {
  alignment.application[i] = j;
  alignment.cause[j] = i;
  alignment.equal[i] = equal ? 1 : 0;
  alignment.inOrder[i] = inOrder ? 1 : 0;
}

/** Near, and crossing no pair consumed in order. */
export function fits(input: AlignInput, play: Play, i: number, j: number): boolean {
  return j > play.low[i] && j < play.high[i] && isNear(input, i, j);
}

function prepare(input: AlignInput, alignment: Alignment): void {
  const { sourceCount, targetCount } = input;
  const { play } = alignment;
  if (alignment.ofSource.length < sourceCount) {
    const size = sourceCount * 2;
    alignment.ofSource = new Uint8Array(size);
    alignment.application = new Int32Array(size);
    alignment.inOrder = new Uint8Array(size);
    alignment.equal = new Uint8Array(size);
    alignment.reordered = new Uint8Array(size);
    play.sources = new Int32Array(size);
    play.low = new Int32Array(size);
    play.high = new Int32Array(size);
  }
  if (alignment.ofTarget.length < targetCount) {
    const size = targetCount * 2;
    alignment.ofTarget = new Uint8Array(size);
    alignment.cause = new Int32Array(size);
    play.targets = new Int32Array(size);
  }
  alignment.how = 'in-step';
  alignment.ofSource.fill(OF_SOURCE.none, 0, sourceCount);
  alignment.ofTarget.fill(OF_TARGET.none, 0, targetCount);
  alignment.reordered.fill(0, 0, sourceCount);
  unpairAll(input, alignment);
}

function unpairAll(input: AlignInput, alignment: Alignment): void {
  alignment.application.fill(-1, 0, input.sourceCount);
  alignment.cause.fill(-1, 0, input.targetCount);
  alignment.equal.fill(0, 0, input.sourceCount);
  alignment.inOrder.fill(0, 0, input.sourceCount);
}

/** A: unconsumed source changes below W + L + ε and ghosts. B: unconsumed target changes below W + L. */
function choose(input: AlignInput, play: Play): void {
  const { sourceIs, sourceTimeUs, targetIs, targetTimeUs } = input;
  const targetEndUs = input.endUs + input.lagUs;
  const sourceEndUs = targetEndUs + input.skewUs;
  play.work = input.workMax;
  play.sourceCount = play.targetCount = 0;
  for (let i = 0; i < input.sourceCount; i++) {
    if ((sourceIs[i] & IS.consumed) === 0 && sourceTimeUs[i] < sourceEndUs) play.sources[play.sourceCount++] = i;
  }
  for (let j = 0; j < input.targetCount; j++) {
    if ((targetIs[j] & IS.consumed) === 0 && targetTimeUs[j] < targetEndUs) play.targets[play.targetCount++] = j;
  }
}

/** What the pairs consumed in order leave free. A ghost is exempt: it comes late by definition, and crosses what was applied meanwhile. */
function bound(input: AlignInput, play: Play): void {
  const { sourceIs, sourcePair, sourceCount, targetCount } = input;
  play.lastConsumed = -1;
  let low = -1;
  for (let i = 0; i < sourceCount; i++) {
    play.low[i] = (sourceIs[i] & IS.ghost) !== 0 ? -1 : low;
    if (sourcePair[i] < 0 || (sourceIs[i] & IS.outOfOrder) !== 0) continue;
    play.lastConsumed = i;
    if (sourcePair[i] > low) low = sourcePair[i];
  }
  play.lastConsumedTarget = low;
  let high = targetCount;
  for (let i = sourceCount - 1; i >= 0; i--) {
    play.high[i] = (sourceIs[i] & IS.ghost) !== 0 ? targetCount : high;
    if (sourcePair[i] >= 0 && sourcePair[i] < high && (sourceIs[i] & IS.outOfOrder) === 0) high = sourcePair[i];
  }
}

/**
 * Every clean key, in one pass. Given up also where an optional change took a target change and a non-optional one is left without.
 * Counter-example: read row A without a load, then updates A, A, A, each applied as A. In step the read row takes the first application and
 * every update the next one's; all target changes are paired, the last update, not due, is left over, and will be called missing one
 * window later. The search pairs the updates (weight 1 against the read row's 1/2). Ghosts would take from clean updates alike.
 */
function walkInStep(input: AlignInput, alignment: Alignment): boolean {
  const { play } = alignment;
  let at = 0;
  let tookOptional = false;
  for (let k = 0; k < play.sourceCount; k++) {
    const i = play.sources[k];
    const optional = isOptional(input, i);
    const j = at < play.targetCount ? play.targets[at] : -1;
    if (j >= 0 && fits(input, play, i, j) && isEqual(input, i, j)) {
      pair(alignment, i, j, true, (input.sourceIs[i] & IS.ghost) === 0);
      tookOptional ||= optional;
      at++;
    } else if (!optional && (j >= 0 || tookOptional || isDue(input, i))) return false;
  }
  return at === play.targetCount;
}
