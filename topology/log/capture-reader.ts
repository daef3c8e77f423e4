// Reads one partition of a capture: a cursor in each file that holds it, merged by offset. Stepping copies nothing; the record's spans point
// into the block that the cursor stands in.
//
// Invariant: offsets only grow. A record at or below one already given is the consumer's redelivery and is dropped, counted.
import type { BadLine, RawRecord } from '../../schemas/raw-record.ts';
import type { PartitionReader } from './log.ts';
import type { Block } from './capture-block.ts';
import { acquire, release } from './capture-cache.ts';
import type { BlockCache } from './capture-cache.ts';
import { readFully } from './capture-file.ts';
import { lastHeader } from './capture-headers.ts';
import type { Slot, Survey } from './capture-survey.ts';

/** A partition as one file holds it. */
export interface Part { readonly survey: Survey; readonly slot: number }

export interface CapturePartition extends PartitionReader {
  /** Records dropped because their offset had been passed: the same topic, partition and offset again. */
  readonly droppedRedeliveries: number;
  /** Timestamp of its last record, milliseconds, wherever the reader stands; -1 where it has none. */
  lastTimestampMs(): number;
}

/** `parts` in the order of the files. */
export function openPartition(topic: string, partition: number, parts: readonly Part[], cache: BlockCache): CapturePartition {
  return new Reader(topic, partition, parts, cache);
}

/** A place in one file: the row to give next, or -1 where the next block must be loaded. */
interface Cursor {
  readonly survey: Survey;
  readonly slotIndex: number;
  readonly slot: Slot;
  block: Block | undefined;
  number: number;
  row: number;
  /** Index in `slot.runs` of the run that the next block is in, and that block; the end, and Infinity, where the runs are used up. */
  run: number;
  nextNumber: number;
}

/** The record that is overwritten by each step. A class, so that stepping writes to one shape and `header` needs no closure. */
class Reader implements CapturePartition, RawRecord {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: number;
  readonly total: number;
  readonly record: RawRecord = this;
  position = 0;
  droppedRedeliveries = 0;
  offset = -1;
  timestampMs = -1;
  data: Buffer = Buffer.alloc(0);
  keyStart = -1;
  keyEnd = -1;
  valueStart = -1;
  valueEnd = -1;
  bad: BadLine | undefined = undefined;
  #headersStart = -1;
  readonly #names = new Map<string, Buffer>();
  readonly #cursors: readonly Cursor[];
  readonly #cache: BlockCache;

  constructor(topic: string, partition: number, parts: readonly Part[], cache: BlockCache) {
    this.topic = topic;
    this.partition = partition;
    this.#cache = cache;
    this.#cursors = parts.map(cursorAt);
    cache.standings.push(...this.#cursors);
    const firsts = this.#cursors.map((cursor) => cursor.slot.firstOffset).filter((offset) => !Number.isNaN(offset));
    this.firstOffset = firsts.length === 0 ? NaN : firsts.reduce((least, offset) => Math.min(least, offset));
    this.position = firsts.length === 0 ? 0 : this.firstOffset;
    this.total = this.#cursors.reduce((sum, cursor) => sum + cursor.slot.lines, 0);
  }

  next(): boolean {
    const cursor = this.#leading();
    if (cursor === undefined) return false;
    this.#give(cursor);
    cursor.row = cursor.block!.table.next[cursor.row];
    return true;
  }

  lastTimestampMs(): number {
    return this.#cursors.reduce((most, { survey, slotIndex }) => Math.max(most, lastTimestamp(this.#cache, survey, slotIndex)), -1);
  }

  fill(): Promise<boolean> {
    try {
      return Promise.resolve(this.#load());
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  close(): Promise<void> {
    for (const cursor of this.#cursors) {
      leave(this.#cache, cursor);
      cursor.row = -1;
      cursor.run = cursor.slot.runs.length;
      cursor.nextNumber = Infinity;
    }
    return Promise.resolve();
  }

  header(name: string): Buffer | undefined {
    if (this.#headersStart < 0) return undefined;
    let bytes = this.#names.get(name);
    if (bytes === undefined) this.#names.set(name, bytes = Buffer.from(name));
    return lastHeader(this.data, this.#headersStart, bytes);
  }

  /** Loads what cursors need until there is a record to give. False at the end of all of them. */
  #load(): boolean {
    for (;;) {
      let ended = true;
      for (const cursor of this.#cursors) {
        if (cursor.row < 0 && cursor.run < cursor.slot.runs.length) enter(this.#cache, cursor);
        if (cursor.row >= 0 || cursor.run < cursor.slot.runs.length) ended = false;
      }
      if (ended) return false;
      if (this.#leading() !== undefined) return true;
    }
  }

  /** The cursor whose record is next: a bad line first, then the lowest offset. Undefined where some cursor must be filled before that is known. */
  #leading(): Cursor | undefined {
    let leading: Cursor | undefined;
    let least = Infinity;
    for (let i = 0; i < this.#cursors.length; i++) {
      const cursor = this.#cursors[i];
      const offset = cursor.row < 0 ? -1 : this.#passRedeliveries(cursor);
      if (cursor.row < 0) {
        if (cursor.run < cursor.slot.runs.length) return undefined;
        continue;
      }
      if (offset < least) {
        least = offset;
        leading = cursor;
      }
    }
    return leading;
  }

  /** Moves on to the first row that is not below the position; its offset, or -1 for a bad line. */
  #passRedeliveries(cursor: Cursor): number {
    const { offset, next } = cursor.block!.table;
    while (cursor.row >= 0) {
      const at = offset[cursor.row];
      if (at !== at) return -1;
      if (at >= this.position) return at;
      this.droppedRedeliveries++;
      cursor.row = next[cursor.row];
    }
    return -1;
  }

  #give(cursor: Cursor): void {
    const block = cursor.block!;
    const { row } = cursor;
    const { table } = block;
    const offset = table.offset[row];
    if (offset !== offset) return this.#giveBad(cursor, block, row);
    this.bad = undefined;
    this.data = block.data;
    this.offset = offset;
    this.position = offset + 1;
    this.timestampMs = table.timestampMs[row];
    this.keyStart = table.keyStart[row];
    this.keyEnd = table.keyEnd[row];
    this.valueStart = table.valueStart[row];
    this.valueEnd = table.valueEnd[row];
    this.#headersStart = table.headersStart[row];
  }

  /** A bad line's value is the line as it stands in the file. Its offset is that of the record before it, so that no position moves. */
  #giveBad(cursor: Cursor, block: Block, row: number): void {
    const { survey } = cursor;
    const start = block.table.valueStart[row];
    const length = start < 0 ? 0 : block.table.valueEnd[row] - start;
    const line = survey.blockLine[cursor.number] + block.table.line[row] + 1;
    this.bad = { file: survey.file.name, line, detail: block.details.get(row) ?? '' };
    this.data = Buffer.alloc(length);
    if (length > 0) readFully(survey.file, this.data, survey.blockStart[cursor.number] + start, length);
    this.offset = this.position - 1;
    this.timestampMs = this.keyStart = this.keyEnd = this.#headersStart = -1;
    this.valueStart = start < 0 ? -1 : 0;
    this.valueEnd = start < 0 ? -1 : length;
  }
}

function cursorAt(part: Part): Cursor {
  const slot = part.survey.slots[part.slot];
  return { survey: part.survey, slotIndex: part.slot, slot, block: undefined, number: -1, row: -1, run: 0, nextNumber: slot.runs[0] ?? Infinity };
}

/** Loads the next block that holds the slot. */
function enter(cache: BlockCache, cursor: Cursor): void {
  leave(cache, cursor);
  cursor.number = cursor.nextNumber;
  cursor.block = acquire(cache, cursor.survey, cursor.number);
  cursor.row = cursor.block.head[cursor.slotIndex];
  const { runs } = cursor.slot;
  if (cursor.number < runs[cursor.run + 1]) {
    cursor.nextNumber++;
  } else {
    cursor.run += 2;
    cursor.nextNumber = runs[cursor.run] ?? Infinity;
  }
}

/** Of the last good row in the last block that holds the slot. */
function lastTimestamp(cache: BlockCache, survey: Survey, slotIndex: number): number {
  const number = survey.slots[slotIndex].runs.at(-1);
  if (number === undefined) return -1;
  const block = acquire(cache, survey, number);
  const { next, timestampMs } = block.table;
  let last = -1;
  for (let row = block.head[slotIndex]; row >= 0; row = next[row]) if (timestampMs[row] >= 0) last = timestampMs[row];
  release(cache, block);
  return last;
}

function leave(cache: BlockCache, cursor: Cursor): void {
  if (cursor.block !== undefined) release(cache, cursor.block);
  cursor.block = undefined;
}
