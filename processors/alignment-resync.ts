// Above the work bound: a rough alignment in linear time, so that a hot key's windows still consume what they can and the next window
// starts in step. Walks both sides; where they differ it looks a few changes ahead for the nearest equal pair. Not the fewest findings.
import { isAlike, isEqual, IS, type AlignInput } from './alignment-input.ts';
import { fits, pair, type Alignment } from './alignment-pairs.ts';
import { resyncReach } from '../schemas/limits.ts';

export function resync(input: AlignInput, alignment: Alignment): void {
  const { play } = alignment;
  let k = 0;
  let l = 0;
  while (k < play.sourceCount && l < play.targetCount) {
    const ahead = nextEqual(input, alignment, k, l);
    const sources = ahead < 0 ? 1 : Math.floor(ahead / STEP);
    const targets = ahead < 0 ? 1 : ahead % STEP;
    for (let d = 0; d < sources && d < targets; d++) pairUnequal(input, alignment, k + d, l + d);
    k += sources;
    l += targets;
    if (ahead < 0) continue;
    const i = play.sources[k++];
    pair(alignment, i, play.targets[l++], true, (input.sourceIs[i] & IS.ghost) === 0);
  }
}

const STEP = 1024;

/** How many source and target changes lie before the nearest equal pair (as one number, or -1): fewest together, then fewest of the source. */
function nextEqual(input: AlignInput, alignment: Alignment, k: number, l: number): number {
  const { play } = alignment;
  for (let both = 0; both <= resyncReach; both++) {
    for (let sources = 0; sources <= both; sources++) {
      const targets = both - sources;
      if (k + sources >= play.sourceCount || l + targets >= play.targetCount) continue;
      const i = play.sources[k + sources];
      const j = play.targets[l + targets];
      if (fits(input, play, i, j) && isEqual(input, i, j)) return sources * STEP + targets;
    }
  }
  return -1;
}

function pairUnequal(input: AlignInput, alignment: Alignment, k: number, l: number): void {
  const { play } = alignment;
  const i = play.sources[k];
  const j = play.targets[l];
  const may = (input.sourceIs[i] & (IS.ghost | IS.read | IS.noop)) === 0;
  if (may && fits(input, play, i, j) && isAlike(input, i, j)) pair(alignment, i, j, isEqual(input, i, j), true);
}
