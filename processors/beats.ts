// Records that went through the database beside the rows: a row of a heartbeat table, a transactional logical message, the END of a
// transaction. One connector reads the log in order, so once beat n is here everything up to beat n - 1 is: up to n itself is not sure, for
// what was sent together need not have appeared together.
//
// A timer's heartbeat (Debezium's without an action query) has no commit time and proves nothing: the connector may stand still behind it.
import { KIND, OP, SIDES, type ChangeEvent } from '../schemas/change-event.ts';
import { sideOf, type PairSettings, type WindowSettings } from '../schemas/pair.ts';
import { horizonUs } from './claims.ts';

/** What one partition of an auxiliary topic has said so far. */
export interface Beats {
  /** SOURCE or TARGET. */
  readonly side: number;
  readonly topic: string;
  readonly partition: number;
  /**
   * Timestamp up to which its records count, milliseconds. At least once: what was sent before may still be under way, so a beat counts
   * once the log was read `deliveryGrace` after it. Counting the grace from commit times instead would count a backlog that was sent in
   * one burst as long delivered.
   */
  readonly countedUpToMs: number;
  /** Greatest commit time of the beats, microseconds; -Infinity before the first. */
  latestUs: number;
  /** The greatest below it: an END that is sent again certifies no more than itself. */
  previousUs: number;
  /** Records that are a timer's heartbeat, for the reason that a stalled partition is given. */
  timers: number;
}

/** `readUpToUs` as in `sideEvidence`. */
export function createBeats(pair: PairSettings, side: number, topic: string, partition: number, readUpToUs: number): Beats {
  const { delivery, deliveryGraceUs } = sideOf(pair, SIDES[side]);
  const countedUpToMs = delivery === 'exactly-once' ? Infinity : Math.floor((readUpToUs - deliveryGraceUs) / 1000);
  return { side, topic, partition, countedUpToMs, latestUs: -Infinity, previousUs: -Infinity, timers: 0 };
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

/** A record without a timestamp counts only where none is needed. */
export function noteBeat(beats: Beats, commitTimeUs: number, timestampMs: number): void {
  const counts = beats.countedUpToMs === Infinity || (timestampMs >= 0 && timestampMs <= beats.countedUpToMs);
  if (!counts || commitTimeUs <= beats.latestUs) return;
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
