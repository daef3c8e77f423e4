// Writes a full segment anew without the records that may go. Offsets stay; what is gone leaves holes. The new file is on the disk before it
// takes the place of the old one, in one rename: a crash leaves either. Whoever reads the old one reads it to its end.
import { setImmediate } from 'node:timers/promises';
import { frameDelta, frameEnd, frameTimestampMs, copyFrame } from '../record-frame.ts';
import { BATCH_HEAD_BYTES, newSection, readSection, sealBatch, SECTION_BYTES, SEGMENT_HEADER_BYTES, sectionsAt, writeSection, writeSegmentHeader } from './batch-format.ts';
import type { BatchHead, LogId } from './batch-format.ts';
import { acquire, release, segmentPath, storeIndex } from './journal.ts';
import type { Journal, Segment } from './journal.ts';
import { replaceDurably } from './journal-writer.ts';
import { writeFully } from './log-files.ts';
import { indexBatch } from './segment-index.ts';
import { damaged, walkBatches } from './segment-walk.ts';
import type { TakeBatch } from './segment-walk.ts';

/** Whether the record whose frame lies at `at` stays. */
export type KeepRecord = (partition: number, offset: number, data: Buffer, at: number) => boolean;

/** Bytes handled between two looks at the event loop: some 5 ms. */
const SLICE_BYTES = 2 << 20;

/** Walks a full segment in slices. */
export async function walkSegment(journal: Journal, segment: Segment, take: TakeBatch): Promise<void> {
  const { files, state } = journal;
  const fd = acquire(journal, segment);
  try {
    let [fromBytes, lastSequence, slice] = [SEGMENT_HEADER_BYTES, -1, SLICE_BYTES];
    while (fromBytes < segment.sizeBytes) {
      const toBytes = Math.min(segment.sizeBytes, fromBytes + slice);
      const end = walkBatches({ files, fd, log: state.log, fromBytes, toBytes, lastSequence }, take);
      if (end.why === 'bad' || (end.why === 'short' && toBytes === segment.sizeBytes)) throw damaged(segmentPath(journal.directory, segment.number), end.endBytes, 'a batch is not as it was written');
      // A batch longer than the slice: a longer slice.
      slice = end.endBytes === fromBytes ? slice * 2 : SLICE_BYTES;
      ({ endBytes: fromBytes, lastSequence } = end);
      await setImmediate();
    }
  } finally {
    release(journal, segment);
  }
}

export function forEachRecord(data: Buffer, at: number, head: BatchHead, take: (partition: number, offset: number, frameAt: number) => void): void {
  if (head.kind !== 'append') return;
  let frameAt = at + head.directoryEnd;
  for (let n = 0, place = sectionsAt(data, at); n < head.sections; n++, place += SECTION_BYTES) {
    readSection(section, data, place);
    const { partition, baseOffset } = section;
    for (const end = frameAt + section.sizeBytes; frameAt < end; frameAt = frameEnd(data, frameAt)) take(partition, baseOffset + frameDelta(data, frameAt), frameAt);
  }
}

const section = newSection();

/** Puts a segment with only what `keep` keeps in the place of the old one. */
export async function rewriteSegment(journal: Journal, old: Segment, keep: KeepRecord): Promise<void> {
  const { files, directory, state } = journal;
  const fresh: Segment = { number: old.number, generation: old.generation + 1, sizeBytes: SEGMENT_HEADER_BYTES, lastSequence: -1, index: new Map(), fd: -1, pins: 0 };
  await replaceDurably(files, directory, segmentPath(directory, old.number), async (fd) => {
    writeFully(files, fd, writeSegmentHeader(fresh.number, fresh.generation, state.log), SEGMENT_HEADER_BYTES, 0);
    await walkSegment(journal, old, (data, at, head) => {
      const batch = keptBatch(data, at, head, keep, state.log);
      if (batch === undefined) return;
      writeFully(files, fd, batch, batch.length, fresh.sizeBytes);
      indexBatch(fresh.index, batch, 0, { ...head, sections: batch.readUInt32LE(28) }, fresh.sizeBytes);
      fresh.sizeBytes += batch.length;
      fresh.lastSequence = head.sequence;
    });
  });
  journal.segments = journal.segments.map((segment) => (segment === old ? fresh : segment));
  storeIndex(journal, fresh);
}

/** The batch with what is kept of its records; positions and what is no append are in the snapshots of later segments. */
function keptBatch(data: Buffer, at: number, head: BatchHead, keep: KeepRecord, log: LogId): Buffer | undefined {
  if (head.kind !== 'append') return undefined;
  const kept = new Map<number, number[]>();
  forEachRecord(data, at, head, (partition, offset, frameAt) => {
    if (!keep(partition, offset, data, frameAt)) return;
    const frames = kept.get(partition);
    if (frames === undefined) kept.set(partition, [frameAt]);
    else frames.push(frameAt);
  });
  if (kept.size === 0) return undefined;
  const directoryEnd = BATCH_HEAD_BYTES + 6 + kept.size * SECTION_BYTES;
  const batch = Buffer.alloc(head.lengthBytes + directoryEnd);
  let sectionAt = BATCH_HEAD_BYTES + 6;
  let to = directoryEnd;
  for (let n = 0, place = sectionsAt(data, at); n < head.sections; n++, place += SECTION_BYTES) {
    readSection(section, data, place);
    const frames = kept.get(section.partition);
    if (frames === undefined) continue;
    const from = to;
    let lastDelta = 0;
    section.maxTimestampMs = -Infinity;
    for (const frameAt of frames) {
      lastDelta = frameDelta(data, frameAt);
      section.maxTimestampMs = Math.max(section.maxTimestampMs, frameTimestampMs(data, frameAt));
      to = copyFrame(data, frameAt, batch, to, lastDelta);
    }
    section.endOffset = section.baseOffset + lastDelta + 1;
    section.records = frames.length;
    section.sizeBytes = to - from;
    writeSection(section, batch, sectionAt);
    sectionAt += SECTION_BYTES;
  }
  sealBatch(batch, to, directoryEnd, head.sequence, 'append', kept.size, log);
  return batch.subarray(0, to);
}
