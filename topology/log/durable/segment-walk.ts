// Walks the batches of a segment file, every checksum checked. What stops a walk is either the write that a crash cut short, at the very
// end, or damage; the two are told apart by what lies behind.
import { logBatchBytesMax } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import { BATCH_HEAD_BYTES, newBatchHead, readBatch, recordsMatch } from './batch-format.ts';
import type { BatchHead, LogId } from './batch-format.ts';
import { readUpTo } from './log-files.ts';
import type { LogFiles } from './log-files.ts';

/** Handed each batch: it lies at `at` of `data`, and at `place` of the file. Both hold until it returns. */
export type TakeBatch = (data: Buffer, at: number, head: BatchHead, place: number) => void;

export interface Walk {
  readonly files: LogFiles;
  readonly fd: number;
  readonly log: LogId;
  readonly fromBytes: number;
  readonly toBytes: number;
  /** Sequence number of the batch before; each is above the one before it. */
  readonly lastSequence: number;
}

export interface WalkEnd {
  /** Behind the last whole batch; below `toBytes` where something else lies there. */
  readonly endBytes: number;
  readonly lastSequence: number;
  readonly why: 'end' | 'short' | 'bad';
}

const CHUNK_BYTES = 1 << 20;

export function walkBatches(walk: Walk, take: TakeBatch): WalkEnd {
  const { files, fd, log, toBytes } = walk;
  const head = newBatchHead();
  let { lastSequence } = walk;
  let data = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, toBytes - walk.fromBytes)));
  let place = walk.fromBytes;
  let [at, have] = [0, 0];
  while (place < toBytes) {
    let read = readBatch(head, data, at, have - at, log);
    // Twice at most: the head says how long the batch is.
    while (read === 'short' && place + have - at < toBytes) {
      const wanted = Math.min(toBytes - place, Math.max(CHUNK_BYTES, have - at < BATCH_HEAD_BYTES ? 0 : head.lengthBytes));
      if (data.length < wanted) data = Buffer.allocUnsafe(wanted);
      const before = have - at;
      [at, have] = [0, readUpTo(files, fd, data, 0, wanted, place)];
      if (have <= before) break;
      read = readBatch(head, data, 0, have, log);
    }
    if (read !== 'whole') return { endBytes: place, lastSequence, why: read };
    if (head.sequence <= lastSequence || !recordsMatch(head, data, at, log)) return { endBytes: place, lastSequence, why: 'bad' };
    take(data, at, head, place);
    lastSequence = head.sequence;
    place += head.lengthBytes;
    at += head.lengthBytes;
  }
  return { endBytes: place, lastSequence, why: 'end' };
}

/** Place of the first whole batch behind `end`, later than all that were walked; -1 where there is none. */
export function batchBehind(walk: Walk, end: WalkEnd): number {
  const { files, fd, log, toBytes } = walk;
  const data = Buffer.allocUnsafe(Math.min(toBytes - end.endBytes, 2 * logBatchBytesMax));
  const length = readUpTo(files, fd, data, 0, data.length, end.endBytes);
  const head = newBatchHead();
  for (let at = 1; at + BATCH_HEAD_BYTES <= length; at++) {
    // The sequence number first: it rules out nearly every place without a checksum.
    const sequence = data.readDoubleLE(at + 16);
    if (!Number.isSafeInteger(sequence) || sequence <= end.lastSequence || sequence > end.lastSequence + length) continue;
    if (readBatch(head, data, at, length - at, log) === 'whole' && recordsMatch(head, data, at, log)) return end.endBytes + at;
  }
  return -1;
}

/** What to say of bytes that are not what was written. */
export function damaged(path: string, place: number, what: string): LogError {
  return new LogError('damaged', `${path}:${place}: damaged: ${what}. Nothing was changed. Check the disk, then restore the log's directory from a copy. `
    + `Without one, set the directory aside and begin a new log: what lies behind this byte cannot be trusted`);
}
