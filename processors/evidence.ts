// Evidence beside the rows: what a record that went through the database (a row of a heartbeat table, a transactional logical message, the
// END of a transaction) says of partitions that have no record of their own. One connector reads the log in order, so once beat n is here
// everything up to beat n - 1 is: up to n itself is not sure, for what was sent together need not have appeared together.
//
// A timer's heartbeat (Debezium's without an action query) has no commit time and proves nothing: the connector may stand still behind it.
import { KIND, OP, type ChangeEvent } from '../schemas/change-event.ts';
import type { WindowSettings } from '../schemas/pair.ts';
import { horizonUs } from './claims.ts';

/** What one partition of an auxiliary topic has said so far. */
export interface Beats {
  /** SOURCE or TARGET. */
  readonly side: number;
  readonly topic: string;
  readonly partition: number;
  /** Greatest commit time of its beats, microseconds; -Infinity before the first. */
  latestUs: number;
  /** The greatest below it: an END that is sent again certifies no more than itself. */
  previousUs: number;
}

export function createBeats(side: number, topic: string, partition: number): Beats {
  return { side, topic, partition, latestUs: -Infinity, previousUs: -Infinity };
}

/** Whether the record's commit time is the time of its commit: not so for a snapshot's row, nor a message outside of a transaction (ruling 6). */
export function isBeat(event: ChangeEvent): boolean {
  if (Number.isNaN(event.commitTimeUs) || event.snapshot) return false;
  switch (event.kind) {
    case KIND.change: return event.op !== OP.read;
    case KIND.transaction: return event.transactionEnd !== undefined;
    case KIND.message: return true;
    // A heartbeat table needs no key.
    case KIND.dead: return event.deadReason === 'no-key' || event.deadReason === 'bad-key';
    default: return false;
  }
}

export function noteBeat(beats: Beats, commitTimeUs: number): void {
  if (commitTimeUs <= beats.latestUs) return;
  beats.previousUs = beats.latestUs;
  beats.latestUs = commitTimeUs;
}

/** No change below it is still to come. The lateness covers commit times that do not follow the log's order (a row of MariaDB has the time its statement began). */
export function beatWatermarkUs(beats: Beats, window: WindowSettings): number {
  return beats.previousUs - window.latenessUs;
}

/** Whether it reaches the horizon of a window that ends at `endUs`: it is read no further before that window is closed. */
export function beatsReach(beats: Beats, endUs: number, window: WindowSettings): boolean {
  return beatWatermarkUs(beats, window) >= endUs + horizonUs(beats.side, window);
}
