// A transaction of which fewer changes were read than its END counts, or than a change of it is numbered, as a finding: an evidence gap of the
// window of the END's commit time, or the change's. It is no row's, so its key is empty; it names the END, or that change.
import { SIDES, SOURCE } from '../schemas/change-event.ts';
import { formatTime } from '../schemas/time.ts';
import { MARKER } from './digest.ts';
import { attributionOf, sideOfSlot, type Finding, type FindingSide } from './finding.ts';
import { ABSENT } from './images.ts';
import { windowOf, type Shard } from './shard.ts';
import { COUNT } from './tally.ts';
import type { CountedEnd } from './transaction-counts.ts';
import type { Closing } from './window.ts';

/** A hole in a side's stream that is told before its window closes. */
export interface StreamGap { readonly side: number; readonly at: FindingSide; readonly detail: string }

export function reportShort(shard: Shard, side: number, end: CountedEnd, read: number): void {
  note(shard, end.timeUs, {
    side,
    at: {
      record: { op: 'end', commitTime: formatTime(end.timeUs), topic: end.topic, partition: end.partition, offset: String(end.offset), transaction: end.id },
      identity: end.id, sortKey: end.id, traceparent: undefined,
    },
    detail: `the ${SIDES[side]}'s transaction ${end.id} has ${end.counted} changes of ${end.table} by its END, and ${read} were read`,
  });
}

/** The row of a transaction with the greatest order among its changes of the table. */
export interface LastRow { readonly shard: Shard; readonly slot: number; readonly order: number }

/** `shard`: whose finding it is. `read`: changes of the transaction up to that row that were read. */
export function reportHole(shard: Shard, side: number, last: LastRow, transaction: string, read: number): void {
  note(shard, last.shard.slots.time[last.slot], {
    side, at: sideOfSlot(last.shard, last.slot),
    detail: `the ${SIDES[side]}'s transaction ${transaction} has a change of the table that is number ${last.order}, and up to it ${read} were read`,
  });
}

function note(shard: Shard, timeUs: number, gap: StreamGap): void {
  const window = windowOf(shard, timeUs);
  shard.streamGaps.set(window, [...shard.streamGaps.get(window) ?? [], gap]);
}

/** With the other evidence gaps of the window. */
export function findStreamGaps(shard: Shard, closing: Closing): void {
  for (const { side, at, detail } of shard.streamGaps.get(closing.window) ?? []) {
    const name = Buffer.from(at.identity);
    closing.count(COUNT.gap, 1);
    closing.digest(name, 0, name.length, NOWHERE, 0, MARKER.gap, ABSENT, 0);
    closing.add(side);
    closing.find({
      class: 'gap', window: closing.window, key: Buffer.alloc(0), source: side === SOURCE ? at : undefined, target: side === SOURCE ? undefined : at,
      columns: [], hint: 'evidence-gap', detail, attribution: attributionOf(shard, false),
    } satisfies Finding);
  }
  shard.streamGaps.delete(closing.window);
}

/** Eight words, as a position has. */
const NOWHERE = new Uint32Array(8);
