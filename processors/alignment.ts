// Match mode `alignment`: which target change applied which source change of a key, where no origin says so (semantics.md §6; rulings 12,
// 14, 16). The alarm is reliable; the class is a best explanation. A pure function of the key's events and of what earlier closings made
// of them; it decides nothing about events beyond W + L + ε (source) and W + L (target), even if they are here.
//
// The steps: what is in play · in step, or else the search for the fewest findings · what is left over: out of order, late · verdicts.
import { isDue, isEqual, isMergeable, isOptional, IS, type AlignInput } from './alignment-input.ts';
import { createAlignment, fits, OF_SOURCE, OF_TARGET, pair, type Alignment, type Play } from './alignment-pairs.ts';
import { search } from './alignment-search.ts';
import { walkThrownBack } from './alignment-thrown-back.ts';
import { resync } from './alignment-resync.ts';
import { pairLeftovers } from './alignment-leftovers.ts';
import { giveVerdicts } from './alignment-verdicts.ts';

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
  if (input.policy === 'replay' && walkThrownBack(input, alignment)) return;
  const { sourceCount, targetCount } = alignment.play;
  alignment.play.work = input.workMax;
  alignment.how = sourceCount * targetCount <= input.workMax ? 'searched' : 'bulk';
  if (alignment.how === 'searched') search(input, alignment);
  else resync(input, alignment);
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
    play.heldFrom = new Int32Array(size);
    play.heldTo = new Int32Array(size);
    play.pairBefore = new Int32Array(size);
  }
  if (alignment.ofTarget.length < targetCount) {
    const size = targetCount * 2;
    alignment.ofTarget = new Uint8Array(size);
    alignment.cause = new Int32Array(size);
    alignment.repeats = new Uint8Array(size);
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
  alignment.repeats.fill(0, 0, input.targetCount);
  alignment.equal.fill(0, 0, input.sourceCount);
  alignment.inOrder.fill(0, 0, input.sourceCount);
}

/** A: unconsumed source changes below W + L + ε and ghosts. B: unconsumed target changes below W + L. */
function choose(input: AlignInput, play: Play): void {
  const { sourceIs, sourceTimeUs, targetIs, targetTimeUs } = input;
  const targetEndUs = input.endUs + input.lagUs;
  const sourceEndUs = targetEndUs + input.skewUs;
  play.work = input.workMax;
  play.held = false;
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
 *
 * What a batching sink may have merged is passed over where a later change takes the target change: so each is given to the earliest that
 * it can be given to, and the most are left for what comes.
 */
function walkInStep(input: AlignInput, alignment: Alignment): boolean {
  const { play } = alignment;
  let at = 0;
  let tookOptional = false;
  let merged = false;
  for (let k = 0; k < play.sourceCount; k++) {
    const i = play.sources[k];
    const optional = isOptional(input, i);
    const j = at < play.targetCount ? play.targets[at] : -1;
    if (j >= 0 && fits(input, play, i, j) && isEqual(input, i, j)) {
      pair(alignment, i, j, true, (input.sourceIs[i] & IS.ghost) === 0);
      tookOptional ||= optional;
      at++;
    } else if (j >= 0 && isMergeable(input, i)) merged = true;
    else if (!optional && (j >= 0 || tookOptional || isDue(input, i))) return false;
  }
  return at === play.targetCount && !(merged && tookOptional);
}
