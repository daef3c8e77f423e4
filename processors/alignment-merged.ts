// Policy `collapse` by alignment: which of the changes without an application were merged into another one (semantics.md §10)? As by origin
// (collapse.ts): into a later change that the target has in some form, with no lost delete between. There is one more way, for to which of
// several equal changes an application belongs is a guess.
//
// Counter-example to looking at later applications only: A, B | A over a window's edge, merged into one A. The target change is given to the
// first A, for the second is not due and may have one of its own. Then that has none: the application of the first was its own as well.
import { isEqual, isNear, IS, type AlignInput } from './alignment-input.ts';
import { OF_SOURCE, orderedPair, type Alignment } from './alignment-pairs.ts';

/**
 * Of the changes called missing, those that were merged. `wasHeld`: the target had the version of a change when it would have been applied. A
 * delete of which that is true left no trace, and what was merged into it none either.
 */
export function findMerged(input: AlignInput, alignment: Alignment, wasHeld: (i: number) => boolean): void {
  findPairsBefore(input, alignment);
  const evidenceEndUs = input.endUs + input.lagUs + input.skewUs;
  let survives = false;
  for (let i = input.sourceCount - 1; i >= 0; i--) {
    const is = input.sourceIs[i];
    const isEvidence = (is & IS.consumed) !== 0 || input.sourceTimeUs[i] < evidenceEndUs;
    if (!isEvidence || (is & IS.read) !== 0) continue;
    if (isThere(alignment, i, is)) survives = true;
    else if ((is & IS.absent) !== 0) survives = alignment.ofSource[i] === OF_SOURCE.later && wasHeld(i);
    else if ((is & IS.ghost) === 0) survives = mergeOne(input, alignment, i, survives);
  }
}

/** The target has the change in some form, or did not have to log it. */
function isThere({ application, ofSource }: Alignment, i: number, is: number): boolean {
  return (is & IS.consumed) !== 0 || application[i] >= 0 || ofSource[i] === OF_SOURCE.elided;
}

/** True where what lies before it may have been merged into it. */
function mergeOne(input: AlignInput, { ofSource, application, inOrder, play }: Alignment, i: number, survives: boolean): boolean {
  const j = survives ? -1 : play.pairBefore[i];
  const isBack = j >= 0 && isNear(input, i, j) && isEqual(input, i, j);
  if (ofSource[i] === OF_SOURCE.missing && survives) ofSource[i] = OF_SOURCE.merged;
  else if (ofSource[i] === OF_SOURCE.missing && isBack) {
    ofSource[i] = OF_SOURCE.mergedBack;
    application[i] = j;
    inOrder[i] = 1;
  }
  return survives || isBack;
}

/** Of every source change the application, in order, of the one next before it that has one; -1 where a delete without one lies between. */
function findPairsBefore(input: AlignInput, alignment: Alignment): void {
  let before = -1;
  for (let i = 0; i < input.sourceCount; i++) {
    alignment.play.pairBefore[i] = before;
    const j = orderedPair(input, alignment, i);
    if (j >= 0) before = j;
    else if ((input.sourceIs[i] & IS.absent) !== 0) before = -1;
  }
}
