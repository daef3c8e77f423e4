// A block of a capture in memory: its bytes, unescaped in place, and a table of its lines as typed arrays, one chain of lines per partition.
// Blocks are reused; loading one makes no object per line.
import { isBlank, readEventLine, readRecordLine } from '../../schemas/capture-line.ts';
import { scratchFor } from '../../schemas/capture-unescape.ts';
import { maxLineBytes } from '../../schemas/limits.ts';
import { BadCaptureLine } from './capture-errors.ts';
import { readFully } from './capture-file.ts';
import { occursIn, slotOf } from './capture-survey.ts';
import type { Survey } from './capture-survey.ts';

export interface Block {
  /** Where it is from: `survey.index` and number of the block. */
  key: number;
  /** Readers that stand in it. While there is one the block is not reused. */
  pins: number;
  data: Buffer;
  rows: number;
  table: Table;
  /** First row of each slot of the file, -1 where it has none. */
  head: Int32Array;
  /** Why a row is bad; its offset is NaN. */
  readonly details: Map<number, string>;
}

/** One row a line; spans as in CaptureLine. */
interface Table {
  readonly capacity: number;
  /** The next row of the same slot, -1 at its last. */
  readonly next: Int32Array;
  /** Line number from the first of the block. */
  readonly line: Int32Array;
  readonly offset: Float64Array;
  readonly timestampMs: Float64Array;
  readonly keyStart: Int32Array;
  readonly keyEnd: Int32Array;
  readonly valueStart: Int32Array;
  readonly valueEnd: Int32Array;
  readonly headersStart: Int32Array;
  readonly headersEnd: Int32Array;
}

export function newBlock(): Block {
  return { key: -1, pins: 0, data: Buffer.alloc(0), rows: 0, table: newTable(256), head: new Int32Array(0), details: new Map() };
}

/** Reads a block and its lines into `block`. Throws BadCaptureLine unless bad lines are skipped: then they are rows with a detail. */
export function loadBlock(block: Block, survey: Survey, number: number): void {
  const size = survey.blockSize[number];
  block.rows = 0;
  block.details.clear();
  if (block.head.length < survey.slots.length) block.head = new Int32Array(survey.slots.length);
  block.head.fill(-1);
  const tail = new Int32Array(survey.slots.length).fill(-1);
  let slot = survey.blockCarry[number] < 0 ? survey.firstSlot : survey.blockCarry[number];
  if (size > maxLineBytes + 1) {
    append(block, tail, slot, 0);
    setBad(block, 0, `it is longer than ${maxLineBytes} bytes`);
    return;
  }
  if (block.data.length < size + 1) block.data = Buffer.allocUnsafeSlow(wholePages(size + 1));
  const data = (survey.form === 'records' ? scratchFor(size + 1) : undefined) ?? block.data;
  readFully(survey.file, data, survey.blockStart[number], size);
  data[size] = 0x0a;
  let lineNumber = 0;
  for (let p = 0; p < size; lineNumber++) {
    const good = readLine(survey, data, p);
    const { end } = survey.line;
    if (good || !isBlank(data, p, end)) slot = addLine(block, data, survey, number, tail, slot, lineNumber, p, good);
    p = end + 1;
  }
  if (data !== block.data) data.copy(block.data, 0, 0, size);
}

/** Blocks of one file differ by less than a line: rounded up, one that is reused fits the next. Cut to the byte, every second one was made anew. */
function wholePages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
}

const PAGE_BYTES = 4096;

/** Reads the line at `start` into `survey.line`; `end` there is its newline, whether it is good or not. */
function readLine(survey: Survey, data: Buffer, start: number): boolean {
  const { line, form } = survey;
  if (form === 'records' && readRecordLine(line, data, start)) return true;
  line.end = data.indexOf(0x0a, start);
  return form === 'events' && readEventLine(line, data, start, line.end);
}

/** Adds the line as a row; returns its slot, which a bad line after it belongs to. */
function addLine(block: Block, data: Buffer, survey: Survey, number: number, tail: Int32Array, before: number, lineNumber: number, start: number, good: boolean): number {
  const { line } = survey;
  const slot = good ? slotOf(survey, line, data) : before;
  if (good && block.head[slot] === undefined) throw misplaced(survey, number, lineNumber);
  const row = append(block, tail, slot, lineNumber);
  if (block.head[slot] === row && !occursIn(survey.slots[slot], number)) throw misplaced(survey, number, lineNumber);
  const { table } = block;
  if (!good) {
    if (!survey.skipBadLines) throw new BadCaptureLine(survey.file.name, survey.blockLine[number] + lineNumber + 1, line.error);
    setBad(block, row, line.error);
    table.valueStart[row] = start;
    table.valueEnd[row] = line.end;
    return slot;
  }
  table.offset[row] = survey.form === 'events' ? survey.blockLine[number] + lineNumber : line.offset;
  table.timestampMs[row] = line.timestampMs;
  table.keyStart[row] = line.keyStart;
  table.keyEnd[row] = line.keyEnd;
  table.valueStart[row] = line.valueStart;
  table.valueEnd[row] = line.valueEnd;
  table.headersStart[row] = line.headersStart;
  table.headersEnd[row] = line.headersEnd;
  return slot;
}

/** The survey looks no further than it must: a topic that stands only on some lines, and there behind the offset, escapes it. */
function misplaced(survey: Survey, number: number, lineNumber: number): BadCaptureLine {
  return new BadCaptureLine(survey.file.name, survey.blockLine[number] + lineNumber + 1, 'it names its topic where the first line does not. Name it on all lines or on none');
}

function setBad(block: Block, row: number, detail: string): void {
  const { table } = block;
  block.details.set(row, detail);
  table.offset[row] = NaN;
  table.timestampMs[row] = -1;
  table.keyStart[row] = table.valueStart[row] = table.headersStart[row] = -1;
  table.keyEnd[row] = table.valueEnd[row] = table.headersEnd[row] = -1;
}

/** A new row at the end of its slot's chain. */
function append(block: Block, tail: Int32Array, slot: number, lineNumber: number): number {
  if (block.rows === block.table.capacity) block.table = grown(block.table);
  const row = block.rows++;
  block.table.next[row] = -1;
  block.table.line[row] = lineNumber;
  if (tail[slot] < 0) block.head[slot] = row;
  else block.table.next[tail[slot]] = row;
  tail[slot] = row;
  return row;
}

function newTable(capacity: number): Table {
  const whole = (): Int32Array => new Int32Array(capacity);
  return {
    capacity, next: whole(), line: whole(), offset: new Float64Array(capacity), timestampMs: new Float64Array(capacity), keyStart: whole(),
    keyEnd: whole(), valueStart: whole(), valueEnd: whole(), headersStart: whole(), headersEnd: whole(),
  };
}

function grown(old: Table): Table {
  const table = newTable(old.capacity * 2);
  for (const column of ['next', 'line', 'keyStart', 'keyEnd', 'valueStart', 'valueEnd', 'headersStart', 'headersEnd'] as const) table[column].set(old[column]);
  table.offset.set(old.offset);
  table.timestampMs.set(old.timestampMs);
  return table;
}
