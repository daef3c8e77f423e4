// What the pairs mean: for every source change in play what became of it, for every target change what caused it, and which changes were
// applied after a later one (semantics.md §6; rulings 10, 12, 14, 16).
import { isAlike, isDue, isEqual, isNear, isSameTarget, IS, type AlignInput } from './alignment-input.ts';
import { findMerged } from './alignment-merged.ts';
import { OF_SOURCE, OF_TARGET, orderedPair, spend, type Alignment } from './alignment-pairs.ts';
import { REPLAY } from './replay.ts';

export function giveVerdicts(input: AlignInput, alignment: Alignment): void {
  const { play, ofSource } = alignment;
  for (let k = 0; k < play.sourceCount; k++) {
    const i = play.sources[k];
    ofSource[i] = verdictOf(input, alignment, i);
    if (!isConsuming(ofSource[i]) || alignment.inOrder[i] === 0) continue;
    if (i > play.lastConsumed) play.lastConsumed = i;
    if (alignment.application[i] > play.lastConsumedTarget) play.lastConsumedTarget = alignment.application[i];
  }
  if (input.policy === 'collapse') findMerged(input, alignment, i => wasHeld(input, alignment, i));
  for (let l = 0; l < play.targetCount; l++) judgeTarget(input, alignment, play.targets[l]);
  findReordered(input, alignment);
}

function isConsuming(verdict: number): boolean {
  return verdict === OF_SOURCE.matched || verdict === OF_SOURCE.mismatch || verdict === OF_SOURCE.lateApplied;
}

function verdictOf(input: AlignInput, alignment: Alignment, i: number): number {
  if (!isDue(input, i)) return OF_SOURCE.later;
  const is = input.sourceIs[i];
  const j = alignment.application[i];
  // A load (ruling 14) and a late application belong to the window of their own commit time.
  if (j >= 0 && (is & (IS.read | IS.ghost)) !== 0 && input.targetTimeUs[j] >= input.endUs) return OF_SOURCE.later;
  if (j >= 0) return (is & IS.ghost) !== 0 ? OF_SOURCE.lateApplied : alignment.equal[i] === 1 ? OF_SOURCE.matched : OF_SOURCE.mismatch;
  if ((is & (IS.read | IS.ghost)) !== 0) return OF_SOURCE.nothing;
  return (input.elides || (is & IS.absent) !== 0) && wasHeld(input, alignment, i) ? OF_SOURCE.elided : OF_SOURCE.missing;
}

/**
 * The target held the version of `i` somewhere between the pairs next to it: applying it then changed, and logged, nothing. The next pair's
 * own target change counts where only no-ops lie between: which of a run of equal changes was the logged one cannot be told.
 * Counter-example: read row A, no-op A, no-op A, one target change A: the search gives it to the nearest in time, the last; none is lost.
 */
function wasHeld(input: AlignInput, alignment: Alignment, i: number): boolean {
  if (!alignment.play.held) findHeld(input, alignment);
  const { heldFrom, heldTo } = alignment.play;
  if (heldFrom[i] < 0 && input.versions.equalsBase(i)) return true;
  const evidenceEndUs = input.endUs + input.lagUs;
  for (let j = Math.max(heldFrom[i], 0); j < heldTo[i]; j++) {
    if (spend(alignment)) return false;
    if (input.targetTimeUs[j] < evidenceEndUs && isEqual(input, i, j)) return true;
  }
  return false;
}

/** Of every source change between which target changes the pairs next to it lie; of no use before the first wanted it. */
function findHeld(input: AlignInput, alignment: Alignment): void {
  const { play } = alignment;
  play.held = true;
  let from = -1;
  for (let i = 0; i < input.sourceCount; i++) {
    play.heldFrom[i] = from;
    const j = orderedPair(input, alignment, i);
    if (j >= 0) from = j;
  }
  let to = input.targetCount;
  let next = to;
  for (let i = input.sourceCount - 1; i >= 0; i--) {
    play.heldTo[i] = next;
    const j = orderedPair(input, alignment, i);
    if (j >= 0) to = j;
    const isNoop = (input.sourceIs[i] & IS.noop) !== 0;
    if (j >= 0) next = isNoop ? j + 1 : j;
    else if (!isNoop) next = to;
  }
}

function judgeTarget(input: AlignInput, alignment: Alignment, j: number): void {
  const { cause, ofTarget, ofSource } = alignment;
  if (cause[j] >= 0) ofTarget[j] = isConsuming(ofSource[cause[j]]) ? OF_TARGET.paired : OF_TARGET.waiting;
  else if (alignment.repeats[j] !== REPLAY.no) ofTarget[j] = alignment.repeats[j] === REPLAY.ends ? OF_TARGET.ends : OF_TARGET.passing;
  else if (input.targetTimeUs[j] >= input.endUs) ofTarget[j] = OF_TARGET.waiting;
  else if (mayPairLater(input, alignment, j)) ofTarget[j] = OF_TARGET.waiting;
  else {
    cause[j] = repeated(input, alignment, j);
    ofTarget[j] = cause[j] >= 0 ? OF_TARGET.duplicate : OF_TARGET.unexpected;
  }
}

/**
 * A source change not yet due, above the last pair consumed in order, may turn out to be its cause (ruling 16): at most ε later. If equal,
 * in or out of order; if not, only where the pair crosses none that is consumed.
 */
function mayPairLater(input: AlignInput, alignment: Alignment, j: number): boolean {
  const { play } = alignment;
  if (spend(alignment, play.sourceCount)) return false;
  for (let k = play.sourceCount - 1; k >= 0 && play.sources[k] > play.lastConsumed; k--) {
    const i = play.sources[k];
    if (isDue(input, i) || !isNear(input, i, j) || !isAlike(input, i, j)) continue;
    if (j > play.lastConsumedTarget) return true;
    if (spend(alignment)) return false;
    if (isEqual(input, i, j)) return true;
  }
  return false;
}

/** The source change of an applied version that `j` repeats, or of which it has the image (ruling 10): the last one before it, else the first after. */
function repeated(input: AlignInput, alignment: Alignment, j: number): number {
  let best = -1;
  let bestAt = -1;
  if (spend(alignment, input.sourceCount)) return best;
  for (let i = input.sourceCount - 1; i >= 0; i--) {
    const at = isConsuming(alignment.ofSource[i]) ? alignment.application[i] : input.sourcePair[i];
    if (at < 0 || !isNearer(j, at, bestAt)) continue;
    if (spend(alignment)) return best;
    if (!isEqual(input, i, j) && !isSameTarget(input, j, at)) continue;
    best = i;
    bestAt = at;
  }
  return best;
}

function isNearer(j: number, at: number, bestAt: number): boolean {
  if (bestAt < 0) return true;
  return at < j ? bestAt > j || at > bestAt : bestAt > j && at < bestAt;
}

/** A pair of a later source change has an earlier target change. Consumed pairs are looked at for L + 2ε; read rows are no changes. */
function findReordered(input: AlignInput, alignment: Alignment): void {
  const { application, ofSource, reordered } = alignment;
  const oldestUs = input.startUs - input.lagUs - 2 * input.skewUs;
  let least = input.targetCount;
  for (let i = input.sourceCount - 1; i >= 0; i--) {
    const is = input.sourceIs[i];
    const j = application[i] >= 0 ? application[i] : input.sourcePair[i];
    const consumed = (is & IS.consumed) !== 0;
    if (j < 0 || (is & IS.read) !== 0 || (consumed && input.sourceTimeUs[i] < oldestUs)) continue;
    const judged = consumed || isConsuming(ofSource[i]);
    if (judged && (is & (IS.ghost | IS.reordered)) === 0 && least < j) reordered[i] = 1;
    if (j < least) least = j;
  }
}
