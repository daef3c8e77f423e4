// The bytes of one partition of the embedded log. Records lie one behind the other in segments, oldest first; a record makes no object.
// Frame of a record: key length (int32, -1: null), value length (int32, -1: null), timestamp (float64, ms), key, value. Little-endian.
//
// `Segments` is all that the log and its readers know of storage: a durable form gives the same from files.
// Invariant: bytes that were published never change and never move, so readers hand out views into them.
import { embeddedSegmentBytes } from '../../schemas/limits.ts';

export const FRAME_BYTES = 16;

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
  append(key: Buffer | null, value: Buffer | null, timestampMs: number): void;
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
    append: (key, value, timestampMs) => {
      const segment = roomFor(FRAME_BYTES + (key?.length ?? 0) + (value?.length ?? 0));
      segment.usedBytes = writeFrame(segment.data, segment.usedBytes, key, value, timestampMs);
      segment.count++;
      endOffset++;
    },
  };
}

/** Returns the place behind the frame. */
function writeFrame(data: Buffer, at: number, key: Buffer | null, value: Buffer | null, timestampMs: number): number {
  data.writeInt32LE(key?.length ?? -1, at);
  data.writeInt32LE(value?.length ?? -1, at + 4);
  data.writeDoubleLE(timestampMs, at + 8);
  let end = at + FRAME_BYTES;
  if (key !== null) end += key.copy(data, end);
  if (value !== null) end += value.copy(data, end);
  return end;
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
