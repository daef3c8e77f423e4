// A log directory as it was read: its segments, oldest first, and the state that the newest tells. Shared by the writer and by readers in
// other processes.
import { join } from 'node:path';
import { assert } from '../../../schemas/assert.ts';
import { LogError } from '../embedded-error.ts';
import { FORMAT_VERSION, readSegmentHeader, SEGMENT_HEADER_BYTES } from './batch-format.ts';
import type { LogId, SegmentHeader } from './batch-format.ts';
import { JournalBlocks } from './journal-blocks.ts';
import { fileErrorCode, readUpTo, writeFully } from './log-files.ts';
import type { LogFiles } from './log-files.ts';
import { foldBatch, inRanges, newLogState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import { indexBatch, readIndex, writeIndex } from './segment-index.ts';
import type { SegmentIndex } from './segment-index.ts';
import { damaged, walkBatches } from './segment-walk.ts';
import type { Walk, WalkEnd } from './segment-walk.ts';

export interface Segment {
  readonly number: number;
  readonly generation: number;
  /** What readers may read. */
  sizeBytes: number;
  lastSequence: number;
  readonly index: SegmentIndex;
  /** Open while a reader stands in it. */
  fd: number;
  pins: number;
}

export interface Journal {
  readonly directory: string;
  readonly files: LogFiles;
  readonly state: LogState;
  /** Oldest first; the last is written to. Replaced by whoever rewrites or removes one; readers keep what they hold. */
  segments: readonly Segment[];
  readonly blocks: JournalBlocks;
}

/** What the last segment holds behind its last whole batch. */
export interface Tail { readonly walk: Walk; readonly end: WalkEnd }

export function segmentPath(directory: string, number: number): string {
  return join(directory, `${String(number).padStart(12, '0')}.log`);
}

export function indexPath(directory: string, number: number): string {
  return join(directory, `${String(number).padStart(12, '0')}.index`);
}

/** Numbers of the segment files, ascending. None where there is no such directory. */
export function segmentNumbers(files: LogFiles, directory: string): number[] {
  try {
    return files.list(directory).flatMap((name) => /^(\d{12})\.log$/.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b);
  } catch (thrown) {
    if (fileErrorCode(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

/** Reads a directory that has segments. Changes nothing. Throws LogError `damaged`. */
export function readJournal(files: LogFiles, directory: string, numbers: readonly number[]): { journal: Journal; tail: Tail } {
  const last = numbers[numbers.length - 1];
  const header = headerOf(files, directory, last);
  const state = newLogState(header.log);
  const { segment, tail } = readLast(files, directory, last, header, state);
  const there = new Set(numbers);
  for (const [from, to] of state.live) {
    for (let number = from; number <= to; number++) if (!there.has(number)) throw missing(directory, number);
  }
  const sealed = numbers.filter((number) => number < last && inRanges(state.live, number));
  const segments = sealed.map((number) => readSealed(files, directory, number, header.log));
  return { journal: { directory, files, state, segments: [...segments, segment], blocks: new JournalBlocks(files, header.log) }, tail };
}

function readLast(files: LogFiles, directory: string, number: number, header: SegmentHeader, state: LogState): { segment: Segment; tail: Tail } {
  const path = segmentPath(directory, number);
  const segment: Segment = { number, generation: header.generation, sizeBytes: 0, lastSequence: -1, index: new Map(), fd: -1, pins: 0 };
  const tail = withFile(files, path, (fd) => {
    const walk: Walk = { files, fd, log: header.log, fromBytes: SEGMENT_HEADER_BYTES, toBytes: files.sizeBytes(fd), lastSequence: -1 };
    const end = walkBatches(walk, (data, at, head, place) => {
      if (place === SEGMENT_HEADER_BYTES && head.kind !== 'snapshot') throw damaged(path, place, 'the segment does not begin with what was known before it');
      foldBatch(state, data, at, head);
      indexBatch(segment.index, data, at, head, place);
    });
    return { walk, end };
  });
  // A segment appears with its first batch in it: what cuts that off is no crash.
  if (tail.end.endBytes === SEGMENT_HEADER_BYTES) throw damaged(path, SEGMENT_HEADER_BYTES, 'the first batch of the segment is not as it was written');
  segment.sizeBytes = tail.end.endBytes;
  segment.lastSequence = tail.end.lastSequence;
  if (storedIndex(files, directory, segment.number, segment.generation, tail.walk.toBytes, header.log) !== undefined) throw missing(directory, number + 1);
  return { segment, tail };
}

/** A segment that is written to no more: by its index, or where that is not of it, by itself. */
export function readSealed(files: LogFiles, directory: string, number: number, log: LogId): Segment {
  const path = segmentPath(directory, number);
  const { generation, log: own } = headerOf(files, directory, number);
  if (own.hex !== log.hex) throw damaged(path, 24, 'the segment is of another log');
  return withFile(files, path, (fd) => {
    const sizeBytes = files.sizeBytes(fd);
    const stored = storedIndex(files, directory, number, generation, sizeBytes, log);
    if (stored !== undefined) return { number, generation, sizeBytes, lastSequence: stored.lastSequence, index: stored.index, fd: -1, pins: 0 };
    const index: SegmentIndex = new Map();
    const walk: Walk = { files, fd, log, fromBytes: SEGMENT_HEADER_BYTES, toBytes: sizeBytes, lastSequence: -1 };
    const end = walkBatches(walk, (data, at, head, place) => { indexBatch(index, data, at, head, place); });
    if (end.why !== 'end') throw damaged(path, end.endBytes, 'a batch is not as it was written, and later segments lie behind it');
    return { number, generation, sizeBytes, lastSequence: end.lastSequence, index, fd: -1, pins: 0 };
  });
}

function storedIndex(files: LogFiles, directory: string, number: number, generation: number, sizeBytes: number, log: LogId): ReturnType<typeof readIndex> {
  try {
    return withFile(files, indexPath(directory, number), (fd) => {
      const data = Buffer.alloc(files.sizeBytes(fd));
      return readIndex(data.subarray(0, readUpTo(files, fd, data, 0, data.length, 0)), generation, sizeBytes, log);
    });
  } catch (thrown) {
    if (fileErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Writes the index of a segment. It is no loss where it is not there, so it is not synced. */
export function storeIndex({ files, directory, state }: Journal, segment: Segment): void {
  replaceFile(files, indexPath(directory, segment.number), writeIndex(segment.index, segment, state.log));
}

/** Writes a file beside its place and moves it there, so that it is there as a whole or not at all. Not synced. */
export function replaceFile(files: LogFiles, path: string, data: Buffer): void {
  const fresh = `${path}.new`;
  const fd = files.open(fresh, 'write');
  try {
    writeFully(files, fd, data, data.length, 0);
  } finally {
    files.close(fd);
  }
  files.rename(fresh, path);
}

function headerOf(files: LogFiles, directory: string, number: number): SegmentHeader {
  const path = segmentPath(directory, number);
  const header = withFile(files, path, (fd) => {
    const data = Buffer.alloc(SEGMENT_HEADER_BYTES);
    return readSegmentHeader(data.subarray(0, readUpTo(files, fd, data, 0, data.length, 0)));
  });
  if (typeof header === 'string') throw damaged(path, 0, header);
  if (header.version !== FORMAT_VERSION) {
    throw new LogError('damaged', `${path}: written in format ${header.version} of the log; this program knows format ${FORMAT_VERSION}. Use the program that wrote it, or begin a new log in another directory`);
  }
  if (header.number !== number) throw damaged(path, 12, `the file is segment ${header.number} under another name`);
  return header;
}

/** Whether the file of a segment is there and of this log. */
export function isSegment({ files, directory, state }: Journal, number: number): boolean {
  try {
    return headerOf(files, directory, number).log.hex === state.log.hex;
  } catch (thrown) {
    if (fileErrorCode(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

function missing(directory: string, number: number): LogError {
  return new LogError('damaged', `${segmentPath(directory, number)}: the file is gone, and the log has records in it. Restore it from a copy; of a log's directory, only index files may be deleted`);
}

function withFile<T>(files: LogFiles, path: string, use: (fd: number) => T): T {
  const fd = files.open(path, 'read');
  try {
    return use(fd);
  } finally {
    files.close(fd);
  }
}

/** The descriptor of a segment for reading, open until the last `release`. */
export function acquire({ files, directory, state }: Journal, segment: Segment): number {
  if (segment.pins > 0) {
    segment.pins++;
    return segment.fd;
  }
  const fd = openIfThere(files, segmentPath(directory, segment.number));
  const data = Buffer.alloc(SEGMENT_HEADER_BYTES);
  const header = readSegmentHeader(data.subarray(0, readUpTo(files, fd, data, 0, data.length, 0)));
  if (typeof header === 'string' || header.generation !== segment.generation || header.log.hex !== state.log.hex) {
    files.close(fd);
    throw new SegmentReplaced();
  }
  segment.fd = fd;
  segment.pins = 1;
  return fd;
}

function openIfThere(files: LogFiles, path: string): number {
  try {
    return files.open(path, 'read');
  } catch (thrown) {
    if (fileErrorCode(thrown) === 'ENOENT') throw new SegmentReplaced();
    throw thrown;
  }
}

export function release({ files }: Journal, segment: Segment): void {
  assert(segment.pins > 0, 'a segment of the log is released more often than acquired');
  if (--segment.pins > 0) return;
  files.close(segment.fd);
  segment.fd = -1;
}

/** The file was rewritten or removed since the journal was read: read the directory again. */
export class SegmentReplaced extends Error {
  constructor() {
    super('a segment of the log was replaced');
  }
}

/** Index of the first segment whose number is not below `number`. */
export function segmentFrom(segments: readonly Segment[], number: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segments[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
