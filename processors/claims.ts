// What each partition lets one claim, and where its evidence for a window ends. A claim comes from the records themselves: the greatest
// commit time below an offset, less the lateness (tier `data`). It never goes back, and an idle partition stays in the minimum.
import { SOURCE } from '../schemas/change-event.ts';
import { commitTimeAheadMsMax } from '../schemas/limits.ts';
import type { WindowSettings } from '../schemas/pair.ts';

export interface PartitionClaim {
  /** SOURCE or TARGET. */
  readonly side: number;
  readonly topic: string;
  readonly partition: number;
  /** Offset of its first record; NaN until one was read. */
  firstOffset: number;
  /** Offset after the last record read; before the first, that from which it is read: above 0, what was below is gone. */
  frontier: number;
  /** Greatest commit time read, microseconds; -Infinity before the first. */
  maxTimeUs: number;
  /** Least commit time read. */
  minTimeUs: number;
  /** Commit time of the last record that had one; NaN before it. */
  lastTimeUs: number;
  /** Greatest timestamp of its records, milliseconds: what `takenAt` is derived from in `check` (ruling 7). */
  maxTimestampMs: number;
  /** Records that could not be decoded before any that had a commit time (ruling 23). */
  headless: number;
  /** Changes whose commit time was not believed (`isFromFuture`), and the offset of the last of them; -1 before it. */
  ahead: number;
  aheadOffset: number;
  /** It was read to its end: only then does what its side knows beside it count (evidence.ts). */
  ended: boolean;
}

/** `fromOffset`: where its log begins. */
export function createClaim(side: number, topic: string, partition: number, fromOffset = 0): PartitionClaim {
  return {
    side, topic, partition, firstOffset: NaN, frontier: fromOffset,
    maxTimeUs: -Infinity, minTimeUs: Infinity, lastTimeUs: NaN, maxTimestampMs: -Infinity, headless: 0, ahead: 0, aheadOffset: -1, ended: false,
  };
}

/**
 * Committed long after the log has it: a clock was wrong. Such a time is not believed, for it would move the watermark for ever, and all that comes
 * after it would be late. A record without a timestamp of its own (a bare change event; 0 and less in Kafka) is held against nothing.
 */
export function isFromFuture(commitTimeUs: number, timestampMs: number, window: WindowSettings): boolean {
  return timestampMs > 0 && commitTimeUs > (timestampMs + commitTimeAheadMsMax) * 1000 + window.skewUs;
}

/** Notes one record: every record with a commit time that can be believed counts, whatever becomes of it (ruling 2). */
export function noteRecord(claim: PartitionClaim, offset: number, timestampMs: number, commitTimeUs: number): void {
  if (Number.isNaN(claim.firstOffset)) claim.firstOffset = offset;
  claim.frontier = offset + 1;
  if (timestampMs > claim.maxTimestampMs) claim.maxTimestampMs = timestampMs;
  if (Number.isNaN(commitTimeUs)) return;
  claim.lastTimeUs = commitTimeUs;
  if (commitTimeUs > claim.maxTimeUs) claim.maxTimeUs = commitTimeUs;
  if (commitTimeUs < claim.minTimeUs) claim.minTimeUs = commitTimeUs;
}

export function watermarkUs(claim: PartitionClaim, window: WindowSettings): number {
  return claim.maxTimeUs - window.latenessUs;
}

/** How far beyond a window's end a side must be known: source events below W + L + ε, target events below W + L (semantics.md §3). */
export function horizonUs(side: number, window: WindowSettings): number {
  return side === SOURCE ? window.lagUs + window.skewUs : window.lagUs;
}

/** Whether the partition's claim reaches the horizon of a window that ends at `endUs`: it is read no further before that window is closed. */
export function reaches(claim: PartitionClaim, endUs: number, window: WindowSettings): boolean {
  return claim.maxTimeUs - window.latenessUs >= endUs + horizonUs(claim.side, window);
}

/** Whether a record with a commit time was read of it. */
export function hasSpoken(claim: PartitionClaim): boolean {
  return claim.maxTimeUs > -Infinity;
}

/** The least offset that it can speak of: that of its first record; before it, where its log begins. */
export function beginOffset({ firstOffset, frontier }: PartitionClaim): number {
  return Number.isNaN(firstOffset) ? frontier : firstOffset;
}

/** What was in its log before was not read, and retention may have taken it. Without a record it says so all the same. */
export function beginsLate(claim: PartitionClaim): boolean {
  return beginOffset(claim) > 0;
}

/**
 * End of the warm-up: L + ε + lateness after every partition has begun. -Infinity where all begin with their logs, at offset 0 (ruling 4).
 * A partition without a record has not begun.
 */
export function warmUpUntilUs(claims: readonly PartitionClaim[], window: WindowSettings): number {
  if (!claims.some(beginsLate)) return -Infinity;
  return Math.max(...claims.map(claim => claim.minTimeUs).filter(Number.isFinite)) + window.lagUs + window.skewUs + window.latenessUs;
}
