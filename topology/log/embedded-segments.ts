// The bytes of one partition of the embedded log. Records lie one behind the other in segments, oldest first (record-frame.ts); a record
// makes no object.
//
// Invariant: bytes that were published never change and never move, so readers hand out views into them.
import { embeddedSegmentBytes } from '../../schemas/limits.ts';
import type { AppendRecord } from './log.ts';
import { frameBytes, writeFrame } from './record-frame.ts';

/** A run of consecutive records. */
export interface Segment {
  /** Offset of the first record. */
  readonly baseOffset: number;
  /** Records in it. */
  readonly count: number;
  readonly data: Buffer;
}

export interface Segments {
  readonly firstOffset: number;
  /** Offset after the last record. */
  readonly endOffset: number;
  readonly segmentCount: number;
  segment(index: number): Segment;
  /** Index of the segment that holds `offset`; the last one for the end offset. -1 where there is none. */
  indexOf(offset: number): number;
  append(record: AppendRecord, timestampMs: number): void;
}

interface GrowingSegment { readonly baseOffset: number; count: number; readonly data: Buffer; usedBytes: number }

export function memorySegments(segmentBytes: number = embeddedSegmentBytes): Segments {
  const segments: GrowingSegment[] = [];
  let endOffset = 0;
  const roomFor = (bytes: number): GrowingSegment => {
    const last = segments.at(-1);
    if (last !== undefined && last.data.length - last.usedBytes >= bytes) return last;
    // Doubling from small: a topic of ten records does not cost a whole segment. A record above the size gets one of its own.
    const wanted = Math.min(segmentBytes, last === undefined ? 4096 : last.data.length * 2);
    const fresh = { baseOffset: endOffset, count: 0, data: Buffer.allocUnsafeSlow(Math.max(wanted, bytes)), usedBytes: 0 };
    segments.push(fresh);
    return fresh;
  };
  return {
    firstOffset: 0,
    get endOffset() { return endOffset; },
    get segmentCount() { return segments.length; },
    segment: (index) => segments[index],
    indexOf: (offset) => lastNotAbove(segments, offset),
    append: (record, timestampMs) => {
      const segment = roomFor(frameBytes(record));
      segment.usedBytes = writeFrame(segment.data, segment.usedBytes, segment.count, record, timestampMs);
      segment.count++;
      endOffset++;
    },
  };
}

function lastNotAbove(segments: readonly Segment[], offset: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segments[middle].baseOffset <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
