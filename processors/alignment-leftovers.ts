// Target changes that the alignment leaves over, by position: the application of a source change out of its order, or a late one of a
// change reported missing (a ghost). A source change that the alignment paired with an unequal target change gives that one up for an
// equal one; the one given up is then left over itself.
import { isDue, isEqual, isNear, isOptional, IS, type AlignInput } from './alignment-input.ts';
import { pair, spend, type Alignment } from './alignment-pairs.ts';

export function pairLeftovers(input: AlignInput, alignment: Alignment): void {
  const { play } = alignment;
  const last = lastEqual(input, alignment);
  for (let l = 0; l < play.targetCount; l++) {
    // One given up above has its turn later anyway.
    for (let j = play.targets[l]; j >= 0 && j <= play.targets[l]; ) j = alignment.cause[j] >= 0 ? -1 : pairOne(input, alignment, j, last);
  }
}

/** The target change that was given up for `j`, or -1. */
function pairOne(input: AlignInput, alignment: Alignment, j: number, last: number): number {
  const i = outOfOrder(input, alignment, j, last);
  if (i >= 0) {
    const givenUp = alignment.application[i];
    if (givenUp >= 0) alignment.cause[givenUp] = -1;
    pair(alignment, i, j, true, false);
    return givenUp;
  }
  if (input.targetTimeUs[j] >= input.endUs) return -1;
  const owed = unpairedOf(input, alignment, j, IS.ghost);
  const cause = owed >= 0 ? owed : unpairedOf(input, alignment, j, IS.read);
  if (cause >= 0) pair(alignment, cause, j, true, false);
  return -1;
}

/**
 * Last of all a read row, whose load this may be. Counter-example: read row X, then updates X and X over the edges of windows: an earlier
 * closing, which has not seen the last application yet, took the load for the first update's.
 */
function unpairedOf(input: AlignInput, alignment: Alignment, j: number, bit: number): number {
  return nearest(input, alignment, j, k => (input.sourceIs[k] & bit) !== 0 && alignment.application[k] < 0);
}

/**
 * An equal, near source change, unpaired (rather) or unequally paired, that is due or lies below the last equal pair. Not an optional one:
 * that it has no application is no finding, so a no-op explains nothing.
 * Counter-example: A, A (a no-op, elided), B, and the target writes A B A: the last is a repeat of A, not a no-op applied after B.
 */
function outOfOrder(input: AlignInput, alignment: Alignment, j: number, last: number): number {
  const may = (i: number): boolean => !isOptional(input, i) && (isDue(input, i) || i < last);
  const unpaired = nearest(input, alignment, j, i => may(i) && alignment.application[i] < 0);
  if (unpaired >= 0) return unpaired;
  return nearest(input, alignment, j, i => may(i) && alignment.application[i] >= 0 && alignment.equal[i] === 0);
}

/** Of the equal and near source changes that `may`: the one with the least |lag|, the first of such. */
function nearest(input: AlignInput, alignment: Alignment, j: number, may: (i: number) => boolean): number {
  const { play } = alignment;
  let best = -1;
  let bestLagUs = Infinity;
  if (spend(alignment, play.sourceCount)) return best;
  for (let k = 0; k < play.sourceCount; k++) {
    const i = play.sources[k];
    if (!may(i) || !isNear(input, i, j)) continue;
    const lagUs = Math.abs(input.targetTimeUs[j] - input.sourceTimeUs[i]);
    if (lagUs >= bestLagUs) continue;
    if (spend(alignment)) return best;
    if (!isEqual(input, i, j)) continue;
    best = i;
    bestLagUs = lagUs;
  }
  return best;
}

function lastEqual(input: AlignInput, alignment: Alignment): number {
  let last = alignment.play.lastConsumed;
  for (let i = last + 1; i < input.sourceCount; i++) if (alignment.inOrder[i] === 1 && alignment.equal[i] === 1) last = i;
  return last;
}
