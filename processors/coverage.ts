// A coverage gap: a run of consecutive source changes of the shard, by position, of which the target has none (ruling 24). It is said once,
// in the window whose close makes the run long enough, and names the first change of the run; the missing changes are reported as well.
//
// Counter-example to looking at one window alone: a sink that stopped loses ten changes in each of a hundred windows.
import { SOURCE } from '../schemas/change-event.ts';
import { coverageGapChanges } from '../schemas/limits.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { attributionOf, keyOf, sideOfSlot, type FindingSide } from './finding.ts';
import type { Shard } from './shard.ts';
import { COUNT } from './tally.ts';
import type { Closing } from './window.ts';

/** The run of missing changes that reaches up to the closed frontier. */
export interface MissingRun { length: number; key: Buffer; first: FindingSide | undefined }

export function createMissingRun(): MissingRun {
  return { length: 0, key: Buffer.alloc(0), first: undefined };
}

/** After the window's keys were judged. `missing`: how many of its changes are. */
export function findCoverageGaps(shard: Shard, closing: Closing, missing: number): void {
  const { missingRun: run } = shard;
  if (closing.startUs < shard.warmUpUntilUs || (missing === 0 && run.length === 0)) return;
  for (const slot of changesInOrder(shard, closing.window)) {
    if ((shard.slots.flags[slot] & FLAG.missing) === 0) {
      // One that was elided, or merged into a later one, tells neither that the target goes on nor that it does not.
      if (shard.slots.link[slot] !== -1) run.length = 0;
      continue;
    }
    if (run.length++ === 0) begin(shard, run, slot);
    if (run.length === coverageGapChanges) report(shard, run, closing);
  }
}

function changesInOrder(shard: Shard, window: number): number[] {
  const { slots } = shard;
  const changes: number[] = [];
  for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) {
    if (slots.side[slot] === SOURCE && slots.kind[slot] === SLOT.change) changes.push(slot);
  }
  // Rows of one statement may share a position (a COPY): then by key, so that no partition and no reading order can be seen. Only of one key a
  // delete comes first: of two, the one that was applied would end a run before the other had begun it.
  return changes.sort((a, b) => slots.comparePlaces(a, b) || keyOf(slots, a).compare(keyOf(slots, b)) || slots.comparePositions(a, b));
}

function begin(shard: Shard, run: MissingRun, slot: number): void {
  run.key = keyOf(shard.slots, slot);
  run.first = sideOfSlot(shard, slot);
}

function report(shard: Shard, run: MissingRun, closing: Closing): void {
  closing.count(COUNT.gap, 1);
  closing.find({
    class: 'gap', window: closing.window, key: run.key, source: run.first, target: undefined,
    columns: [], hint: 'coverage-gap', attribution: attributionOf(shard, false),
  });
}
