// Policy `replay` by alignment: is what the target logged of a key that of a sink that applied each change in order, was thrown back, and applied
// again what it had applied since (replay.ts)? By origin a repeat says what it repeats. Here a target change may be the application of the next
// source change, or that of any earlier one once more: so all that it may be is followed, from the first target change to the last, as a set of states.
//
// A state is where the sink stands and how far it ever was. It goes on to the next change, or is thrown back to any before; further than ever it
// goes only from where it was furthest. Of two ways to one state the one is kept that has the later application: what comes has more to repeat.
//
// Counter-example to pairing first and explaining what is left over: A B B' (B' a no-op), and the target logs A B A B B. The first A B B pair as
// well with the last but one B, and then the second A leads to the application of B', and leaves B out.
import { isDue, isEqual, isNear, isSameTarget, IS, type AlignInput } from './alignment-input.ts';
import { pair, spend, type Alignment } from './alignment-pairs.ts';
import { REPLAY } from './replay.ts';

interface State {
  /** Place of what was applied last, and the furthest ever; -1: nothing. */
  readonly at: number;
  readonly furthest: number;
  /** A repeat that this closing judges has not led back yet. */
  readonly open: boolean;
  /** The target change that led here, from the state before. */
  readonly j: number;
  readonly from: State | undefined;
}

/** The key's source changes and the versions whose slots are gone, by position; and who was consumed with whom. */
interface Walk {
  /** By place: index of a source change, or -1 - that of a version that is gone. */
  readonly order: Int32Array;
  /** By target change: the place of the pair that it was consumed with, NOBODY, or OUT_OF_ORDER. */
  readonly own: Int32Array;
}
const NOBODY = -1;
const OUT_OF_ORDER = -2;

/** True where it is, with pairs and `repeats` set; else nothing is changed. */
export function walkThrownBack(input: AlignInput, alignment: Alignment): boolean {
  return walk(input, alignment, []) || (input.versions.gone().length > 0 && walk(input, alignment, input.versions.gone()));
}

function walk(input: AlignInput, alignment: Alignment, gone: readonly number[]): boolean {
  const { order, own } = walkOf(input, gone);
  let states: State[] = [{ ...where(input, order), open: false, j: -1, from: undefined }];
  const evidenceEndUs = input.endUs + input.lagUs;
  let held = -1;
  for (let j = 0; j < input.targetCount && states.length > 0; j++) {
    if (input.targetTimeUs[j] >= evidenceEndUs || (input.targetIs[j] & IS.read) !== 0) continue;
    if (spend(alignment, states.length)) return false;
    const next = new Map<string, State>();
    for (const state of states) follow(input, alignment, { order, own }, state, j, held, next);
    states = [...next.values()];
    held = j;
  }
  const led = states.filter(({ open }) => !open).sort((a, b) => b.furthest - a.furthest);
  const end = led.find(({ furthest }) => isComplete(input, order, furthest, held));
  for (let state = end; state?.from !== undefined; state = state.from) take(input, alignment, state, state.from, order);
  return end !== undefined;
}

/** `gone`: of each version that is gone, how many of the source changes lie below it. */
function walkOf(input: AlignInput, gone: readonly number[]): Walk {
  const order = new Int32Array(gone.length + input.sourceCount);
  const own = new Int32Array(input.targetCount).fill(NOBODY);
  let place = 0;
  let g = 0;
  for (let i = 0; i <= input.sourceCount; i++) {
    for (; g < gone.length && gone[g] <= i; g++) order[place++] = -1 - g;
    if (i === input.sourceCount) break;
    const j = input.sourcePair[i];
    if (j >= 0) own[j] = (input.sourceIs[i] & IS.outOfOrder) === 0 ? place : OUT_OF_ORDER;
    order[place++] = i;
  }
  return { order, own };
}

/** Before the first target change the sink stood where the last one left it whose slot is gone. */
function where(input: AlignInput, order: Int32Array): Pick<State, 'at' | 'furthest'> {
  const last = order.findLastIndex(i => i < 0 || ((input.sourceIs[i] & IS.applied) !== 0 && input.sourcePair[i] < 0));
  return { at: last, furthest: last };
}

function follow(input: AlignInput, alignment: Alignment, { order, own }: Walk, state: State, j: number, held: number, next: Map<string, State>): void {
  const add = (at: number, furthest: number, open: boolean): void => {
    const name = `${at}/${furthest}/${open ? 1 : 0}`;
    if (!next.has(name)) next.set(name, { at, furthest, open, j, from: state });
  };
  const consumed = (input.targetIs[j] & IS.consumed) !== 0;
  // One consumed out of its order, or by a finding, says nothing of where the sink stands, and one below a version that is gone nothing new; a
  // repeat may be among them.
  if (consumed && own[j] <= state.furthest) next.set(`${state.at}/${state.furthest}/${state.open ? 1 : 0}`, state);
  if (own[j] === OUT_OF_ORDER) return;
  const isJudged = !consumed && input.targetTimeUs[j] < input.endUs;
  const again = (place: number): void => {
    if (mayRepeat(input, alignment, order[place], j)) add(place, state.furthest, place < state.furthest && (state.open || isJudged));
  };
  for (let place = state.at + 1; place < order.length; place++) {
    if (place <= state.furthest) again(place);
    else if (state.at === state.furthest && isFirst(input, alignment, own[j], place, order[place], j)) add(place, place, false);
    if (!isSkippable(input, order[place], held)) break;
  }
  if (own[j] < 0) for (let place = state.at; place >= 0; place--) again(place);
}

/** The place may be applied by `j` for the first time. */
function isFirst(input: AlignInput, alignment: Alignment, own: number, place: number, i: number, j: number): boolean {
  if (own >= 0) return own === place;
  return i >= 0 && (input.sourceIs[i] & (IS.consumed | IS.ghost)) === 0 && (input.targetIs[j] & IS.consumed) === 0
    && isNear(input, i, j) && !spend(alignment) && isEqual(input, i, j);
}

/** The target has applied the change before, and `j` leaves the row as that did. */
function mayRepeat(input: AlignInput, alignment: Alignment, i: number, j: number): boolean {
  if (spend(alignment)) return false;
  if (i < 0) return input.versions.isGone(-1 - i, j);
  const is = input.sourceIs[i];
  if ((is & IS.ghost) !== 0 || (is & (IS.consumed | IS.applied)) === IS.consumed) return false;
  return isEqual(input, i, j) || (input.sourcePair[i] >= 0 && isSameTarget(input, j, input.sourcePair[i]));
}

/** It may be left without an application: none is owed, or the target has no row to delete. */
function isSkippable(input: AlignInput, i: number, held: number): boolean {
  if (i < 0) return input.versions.isGoneRead(-1 - i);
  const is = input.sourceIs[i];
  if ((is & (IS.read | IS.ghost | IS.noop)) !== 0 || (is & (IS.consumed | IS.applied)) === IS.consumed) return true;
  return (is & IS.absent) !== 0 && (held < 0 || (input.targetIs[held] & IS.absent) !== 0);
}

function isComplete(input: AlignInput, order: Int32Array, furthest: number, held: number): boolean {
  for (let place = furthest + 1; place < order.length; place++) {
    const i = order[place];
    if (i >= 0 && isDue(input, i) && !isSkippable(input, i, held)) return false;
  }
  return true;
}

/**
 * What leads a repeat back that this closing consumes is consumed with it, also above the window: else an equal change that is due later takes it
 * for its own application, and the repeat is never asked again. Counter-example: A, then an out-of-band delete, then the no-op A, whose
 * application puts the row back: at first it leads the delete back, and is in step a window later.
 */
function take(input: AlignInput, alignment: Alignment, state: State, from: State, order: Int32Array): void {
  const { at, furthest, j } = state;
  const i = order[at];
  const due = i < 0 || isDue(input, i);
  if ((input.targetIs[j] & IS.consumed) !== 0) return;
  if (at > from.furthest) pair(alignment, i, j, true, true);
  // A repeat of a change that is not due is no version of the row yet: it waits for that change, unless it leads back.
  else if (from.open) alignment.repeats[j] = at === furthest && due ? REPLAY.ends : REPLAY.passing;
  else if (!due) alignment.cause[j] = i;
  else if (input.targetTimeUs[j] < input.endUs) alignment.repeats[j] = at === furthest ? REPLAY.ends : REPLAY.passing;
}
