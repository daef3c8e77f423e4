// The alignment with the fewest findings, where the key is not in step: a dynamic programme over source × target changes, from the end.
//
// Findings: an unpaired target change 1; an unequal pair 1; an unpaired, non-optional source change 1 if it is due or lies below a paired
// one, else 0. Ties: most equal pairs (optional 1/2, ghost 1/4), least sum of |lag|, lexicographically least sequence of pairs.
// By policy `collapse` an unpaired change that is no delete and lies below a paired one may have been merged: it is no finding, but of
// alignments with equally many findings the one with the fewest such is the best, before all other ties.
// Whether a change lies below a paired one depends on what follows: so there are two values a cell, without and with a pair in the rest.
// The first is a plain count; of the second two rows are kept, and of each cell one byte of choice. All numbers are integers below 2^53.
import { isAlike, isDue, isEqual, isMergeable, isOptional, IS, type AlignInput } from './alignment-input.ts';
import { pair, type Alignment, type Play, type Search } from './alignment-pairs.ts';

/** Choice of a cell whose rest has a pair: this pair, or past a target change (the next pair has this source change), or past the source change. */
const PAIR = 1;
const PAST_TARGET = 2;
const PAST_SOURCE = 3;
const CHOICE = 3;
/** The rest is better off, or no worse, without any pair. */
const STOP = 4;

export function search(input: AlignInput, alignment: Alignment): void {
  const { play } = alignment;
  const { sourceCount: n, targetCount: m, search: state } = play;
  reserve(state, n, m);
  state.unit = unitOf(input, n, m);
  let unpaired = 0;
  for (let k = n - 1; k >= 0; k--) {
    const i = play.sources[k];
    const behind = unpaired;
    unpaired += costAlone(input, play, i);
    fillRow(input, play, k, behind, unpaired);
    swapRows(state);
  }
  take(input, alignment);
}

/** What it costs unpaired although nothing behind it is paired now: a finding where it is due, or below a pair of an earlier window. */
function costAlone(input: AlignInput, { lastConsumed, search: { unit } }: Play, i: number): number {
  if (i < lastConsumed) return costBelowPair(input, i, unit);
  return !isOptional(input, i) && isDue(input, i) ? unit.finding : 0;
}

function costBelowPair(input: AlignInput, i: number, unit: Search['unit']): number {
  if (isMergeable(input, i)) return unit.merged;
  return isOptional(input, i) ? 0 : unit.finding;
}

/** One source change against every target change. `behind`, `alone`: what the source changes after it, and from it on, cost if none is paired. */
function fillRow(input: AlignInput, play: Play, k: number, behind: number, alone: number): void {
  const { targets, targetCount: m, low, high, search: state } = play;
  const { choices, score, lagUs, nextScore, nextLagUs } = state;
  const unit = state.unit.finding;
  const { targetTimeUs, skewUs } = input;
  const i = play.sources[k];
  const isGhost = (input.sourceIs[i] & IS.ghost) !== 0;
  const timeUs = input.sourceTimeUs[i];
  const lagMaxUs = isGhost ? Infinity : input.lagUs;
  const past = costBelowPair(input, i, state.unit);
  const weight = weightOf(input.sourceIs[i]);
  const row = k * m;
  // Of the cell after this one in the row: there is none behind the last.
  let rightScore = Infinity;
  let rightLagUs = 0;
  let rightChoice = PAST_SOURCE;
  for (let l = m - 1; l >= 0; l--) {
    const j = targets[l];
    let choice = PAST_SOURCE;
    let best = nextScore[l] + past;
    let bestLagUs = nextLagUs[l];
    // Equal to the way past the source change, the way past the target change is taken only if this source change is paired there.
    const other = rightScore + unit;
    if (other < best || (other === best && (rightLagUs < bestLagUs || (rightLagUs === bestLagUs && rightChoice !== PAST_SOURCE)))) {
      choice = PAST_TARGET;
      best = other;
      bestLagUs = rightLagUs;
    }
    // `fits`, spelled out: this is the innermost loop.
    const thisLagUs = targetTimeUs[j] - timeUs;
    if (thisLagUs >= -skewUs && thisLagUs <= lagMaxUs && j > low[i] && j < high[i]) {
      const rest = behind + (m - l - 1) * unit;
      const goesOn = nextScore[l + 1] < rest;
      const restScore = goesOn ? nextScore[l + 1] : rest;
      const pairedLagUs = (goesOn ? nextLagUs[l + 1] : 0) + Math.abs(thisLagUs);
      // Versions are compared only where an equal pair would win.
      const hoped = restScore - weight;
      if (hoped < best || (hoped === best && pairedLagUs <= bestLagUs)) {
        const equal = isEqual(input, i, j);
        const may = equal || (!isGhost && isAlike(input, i, j));
        const paired = equal ? hoped : restScore + unit;
        if (may && (paired < best || (paired === best && pairedLagUs <= bestLagUs))) {
          choice = PAIR;
          best = paired;
          bestLagUs = pairedLagUs;
        }
      }
    }
    score[l] = rightScore = best;
    lagUs[l] = rightLagUs = bestLagUs;
    rightChoice = choice;
    // Equal scores: no pairs have no lag, and the empty sequence is the least.
    choices[row + l] = alone + (m - l) * unit <= best ? choice | STOP : choice;
  }
  score[m] = Infinity;
  lagUs[m] = 0;
}

function weightOf(is: number): number {
  if ((is & IS.ghost) !== 0) return 1;
  return (is & (IS.read | IS.noop)) !== 0 ? 2 : 4;
}

/**
 * Follows the choices from the beginning. Past a change whose cost supposes that a pair follows, the rest may not do without one.
 * Counter-example, policy `collapse`: A due, A not due, against B B. A is merged only if the second is paired, with a B; alone, that may as well be left unpaired.
 */
function take(input: AlignInput, alignment: Alignment): void {
  const { play } = alignment;
  const { sourceCount: n, targetCount: m, search: { choices } } = play;
  let k = 0;
  let l = 0;
  let mustPair = false;
  while (k < n && l < m) {
    const choice = choices[k * m + l];
    if (!mustPair && (choice & STOP) !== 0) return;
    mustPair = (choice & CHOICE) !== PAIR;
    if ((choice & CHOICE) === PAIR) {
      const i = play.sources[k++];
      const j = play.targets[l++];
      pair(alignment, i, j, isEqual(input, i, j), (input.sourceIs[i] & IS.ghost) === 0);
    } else if ((choice & CHOICE) === PAST_TARGET) l++;
    else k++;
  }
}

function reserve(state: Search, n: number, m: number): void {
  if (state.choices.length < n * m) state.choices = new Uint8Array(n * m + ((n * m) >> 1));
  if (state.score.length < m + 1) {
    state.score = new Float64Array(2 * m + 1);
    state.lagUs = new Float64Array(2 * m + 1);
    state.nextScore = new Float64Array(2 * m + 1);
    state.nextLagUs = new Float64Array(2 * m + 1);
  }
  // Behind the last source change there is no pair.
  state.nextScore.fill(Infinity, 0, m + 1);
  state.nextLagUs.fill(0, 0, m + 1);
}

/** One finding outweighs every change that may have been merged, and one such every equal pair there can be. */
function unitOf({ policy }: AlignInput, n: number, m: number): Search['unit'] {
  const merged = 4 * Math.min(n, m) + 1;
  return { merged, finding: policy === 'collapse' ? merged * (n + 1) : merged };
}

function swapRows(state: Search): void {
  const { score, lagUs } = state;
  state.score = state.nextScore;
  state.lagUs = state.nextLagUs;
  state.nextScore = score;
  state.nextLagUs = lagUs;
}
