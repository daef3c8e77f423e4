// Where in a segment the records of each partition lie: an entry for the first batch in every stretch of the file that has some, so that a
// reader of a rare topic does not pass over the others, and an index stays small where batches are small. For the segment being
// written it grows in memory; for those behind it lies in a file beside the segment, checked, and made anew where it is not as it should be.
//
// File: "PARITASX", version (uint32), generation (uint32), size of the segment (float64), last sequence number (float64), partitions
// (uint32); each: id (uint32), records, bytes, first offset, end offset, largest timestamp (float64), entries (uint32), entries (place
// uint32, offset float64); CRC-32C of all of it, from the log's id.
import { crc32c } from '../../../schemas/crc32c.ts';
import { logIndexIntervalBytes } from '../../../schemas/limits.ts';
import { newSection, readSection, SECTION_BYTES, sectionsAt } from './batch-format.ts';
import type { BatchHead, LogId, Section } from './batch-format.ts';

export interface PartitionIndex {
  records: number;
  sizeBytes: number;
  readonly firstOffset: number;
  endOffset: number;
  maxTimestampMs: number;
  /** Ascending: places of batches in the file, and the first offset in each. */
  readonly places: number[];
  readonly offsets: number[];
}

/** By number of the partition. */
export type SegmentIndex = Map<number, PartitionIndex>;

/** Takes the sections of an append at `place` of the file, which lies at `at` of `data`. */
export function indexBatch(index: SegmentIndex, data: Buffer, at: number, head: BatchHead, place: number): void {
  if (head.kind !== 'append') return;
  let sectionAt = sectionsAt(data, at);
  for (let n = 0; n < head.sections; n++, sectionAt += SECTION_BYTES) {
    readSection(section, data, sectionAt);
    indexSection(index, section, place);
  }
}

const section = newSection();

export function indexSection(index: SegmentIndex, { partition, baseOffset, endOffset, records, sizeBytes, maxTimestampMs }: Section, place: number): void {
  let known = index.get(partition);
  if (known === undefined) {
    known = { records: 0, sizeBytes: 0, firstOffset: baseOffset, endOffset, maxTimestampMs, places: [], offsets: [] };
    index.set(partition, known);
  }
  known.records += records;
  known.sizeBytes += sizeBytes;
  known.endOffset = endOffset;
  known.maxTimestampMs = Math.max(known.maxTimestampMs, maxTimestampMs);
  const last = known.places.at(-1);
  if (last !== undefined && stretchOf(last) === stretchOf(place)) return;
  known.places.push(place);
  known.offsets.push(baseOffset);
}

/** Place of the last entry that is not behind `offset`, or of the first. */
export function placeOf({ places, offsets }: PartitionIndex, offset: number): number {
  return places[Math.max(0, firstAbove(offsets, offset) - 1)];
}

/** Where the next batch of the partition at or behind `place` is: Infinity: nowhere in the segment. -1: here or later, the index cannot tell. */
export function nextPlace({ places }: PartitionIndex, place: number): number {
  const next = firstAbove(places, place - 1);
  // In the stretch of an entry there may be more batches than the one it is of.
  if (next > 0 && stretchOf(places[next - 1]) === stretchOf(place)) return -1;
  return places[next] ?? Infinity;
}

function stretchOf(place: number): number {
  return Math.floor(place / logIndexIntervalBytes);
}

function firstAbove(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What an index file is of: it counts only beside exactly that segment. */
export interface IndexedSegment { readonly generation: number; readonly sizeBytes: number; readonly lastSequence: number }

const HEAD_BYTES = 36;
const PARTITION_BYTES = 48;
const ENTRY_BYTES = 12;

export function writeIndex(index: SegmentIndex, of: IndexedSegment, log: LogId): Buffer {
  const entries = [...index.values()].reduce((sum, { places }) => sum + places.length, 0);
  const data = Buffer.alloc(HEAD_BYTES + index.size * PARTITION_BYTES + entries * ENTRY_BYTES + 4);
  data.write('PARITASX', 0, 'latin1');
  data.writeUInt32LE(1, 8);
  data.writeUInt32LE(of.generation, 12);
  data.writeDoubleLE(of.sizeBytes, 16);
  data.writeDoubleLE(of.lastSequence, 24);
  let at = data.writeUInt32LE(index.size, 32);
  for (const [id, { records, sizeBytes, firstOffset, endOffset, maxTimestampMs, places, offsets }] of index) {
    at = data.writeUInt32LE(id, at);
    for (const number of [records, sizeBytes, firstOffset, endOffset, maxTimestampMs]) at = data.writeDoubleLE(number, at);
    at = data.writeUInt32LE(places.length, at);
    for (const [n, place] of places.entries()) at = data.writeDoubleLE(offsets[n], data.writeUInt32LE(place, at));
  }
  data.writeUInt32LE(crc32c(data, 0, at, log.seed), at);
  return data;
}

/** The index, or undefined where the bytes are none of this segment. */
export function readIndex(data: Buffer, generation: number, sizeBytes: number, log: LogId): { index: SegmentIndex; lastSequence: number } | undefined {
  const end = data.length - 4;
  if (end < HEAD_BYTES || data.toString('latin1', 0, 8) !== 'PARITASX' || data.readUInt32LE(8) !== 1) return undefined;
  if (crc32c(data, 0, end, log.seed) !== data.readUInt32LE(end)) return undefined;
  if (data.readUInt32LE(12) !== generation || data.readDoubleLE(16) !== sizeBytes) return undefined;
  const index: SegmentIndex = new Map();
  let at = HEAD_BYTES;
  for (let n = data.readUInt32LE(32); n > 0; n--) {
    const [id, entries] = [data.readUInt32LE(at), data.readUInt32LE(at + 44)];
    const known: PartitionIndex = {
      records: data.readDoubleLE(at + 4), sizeBytes: data.readDoubleLE(at + 12), firstOffset: data.readDoubleLE(at + 20),
      endOffset: data.readDoubleLE(at + 28), maxTimestampMs: data.readDoubleLE(at + 36), places: [], offsets: [],
    };
    at += PARTITION_BYTES;
    for (let e = 0; e < entries; e++, at += ENTRY_BYTES) {
      known.places.push(data.readUInt32LE(at));
      known.offsets.push(data.readDoubleLE(at + 4));
    }
    index.set(id, known);
  }
  return { index, lastSequence: data.readDoubleLE(24) };
}
