// The first pass over a capture file: which partitions it holds, in which blocks, from which offset, how many lines. Blocks are cut at line
// ends; a reader later loads only those that hold its partition.
//
// Invariants
// - Memory does not depend on the file: some numbers per block, and per partition the runs of blocks that it occurs in.
// - A line is placed here and when its block is loaded by the same rules; capture-block.ts checks that the two agree.
// - A bad line belongs to the partition of the line before it in its file (after it, if it is the first): ruling 23.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formOfLine } from '../../schemas/capture-form.ts';
import type { CaptureForm } from '../../schemas/capture-form.ts';
import { isBlank, namesTopic, newCaptureLine, placeRecordLine, readEventLine, readRecordLine } from '../../schemas/capture-line.ts';
import type { CaptureLine } from '../../schemas/capture-line.ts';
import { scratchFor } from '../../schemas/capture-unescape.ts';
import { captureBlockLines, maxLineBytes } from '../../schemas/limits.ts';
import { BadCaptureLine } from './capture-errors.ts';
import { readFully } from './capture-file.ts';
import type { CaptureFile } from './capture-file.ts';

/** A partition as a file holds it. */
export interface Slot {
  /** The topic as its lines name it; empty where they name none. */
  readonly topic: string;
  readonly partition: number;
  /** Offset of its first good line; NaN where it has none. */
  firstOffset: number;
  /** Its lines, good and bad. */
  lines: number;
  /** First and last block of each run of blocks in which it occurs. */
  readonly runs: number[];
}

export interface Survey {
  readonly file: CaptureFile;
  /** Index of the file among those of its side. */
  readonly index: number;
  readonly form: CaptureForm;
  readonly skipBadLines: boolean;
  readonly slots: Slot[];
  readonly topics: Topic[];
  /** Of each block: first byte, length, number of its first line (from 0), and the slot of the last good line before it, or -1. */
  readonly blockStart: number[];
  readonly blockSize: number[];
  readonly blockLine: number[];
  readonly blockCarry: number[];
  /** Slot of the file's first good line; -1 until it is known. */
  firstSlot: number;
  /** The line read last when a block is loaded; it knows how the lines of this file begin. */
  readonly line: CaptureLine;
}

/** A topic named by lines, with the slots of its partitions. The first one stands for lines that name none. */
export interface Topic { readonly name: string; readonly bytes: Buffer; readonly slots: Map<number, number> }

/** Reads the whole file once. Throws BadCaptureLine unless bad lines are skipped. Without `skipBadLines` lines are only placed, not read. */
export async function surveyFile(file: CaptureFile, index: number, skipBadLines: boolean, blockBytes: number): Promise<Survey> {
  const buffer = { data: scratchFor(blockBytes + 1) ?? Buffer.allocUnsafeSlow(blockBytes + 1) };
  const survey: Survey = {
    file, index, skipBadLines, form: detectForm(file, buffer.data, blockBytes), slots: [], topics: [{ name: '', bytes: Buffer.alloc(0), slots: new Map() }],
    blockStart: [], blockSize: [], blockLine: [], blockCarry: [], firstSlot: -1, line: newCaptureLine(),
  };
  const pass: Pass = { survey, line: newCaptureLine(), lineNumber: 0, carry: -1, leadingBad: 0, withTopic: undefined };
  let turn = file.startByte;
  for (let at = file.startByte; at < file.sizeBytes; ) {
    at = surveyBlock(pass, buffer, at, blockBytes);
    if (at - turn < BYTES_PER_TURN) continue;
    turn = at;
    await nextTurn();
  }
  if (survey.slots.length === 0) placeLeading(pass, slotOf(survey, newCaptureLine(), buffer.data));
  return survey;
}

/** Bytes surveyed before the event loop may do something else. */
const BYTES_PER_TURN = 8 << 20;

interface Pass {
  readonly survey: Survey;
  readonly line: CaptureLine;
  /** Lines so far, blank ones too. */
  lineNumber: number;
  carry: number;
  /** Bad lines before the first good one. */
  leadingBad: number;
  /** Whether lines name their topic, as the first good line does. */
  withTopic: boolean | undefined;
}

/** The slot of the line last read. Made where it is new. */
export function slotOf(survey: Survey, line: CaptureLine, data: Buffer): number {
  const topic = topicOf(survey, line, data);
  const partition = line.partition < 0 ? survey.index : line.partition;
  const known = topic.slots.get(partition);
  if (known !== undefined) return known;
  topic.slots.set(partition, survey.slots.length);
  survey.slots.push({ topic: topic.name, partition, firstOffset: NaN, lines: 0, runs: [] });
  return survey.slots.length - 1;
}

function topicOf(survey: Survey, line: CaptureLine, data: Buffer): Topic {
  const { topics } = survey;
  const length = line.topicEnd - line.topicStart;
  for (let i = 0; i < topics.length; i++) {
    const { bytes } = topics[i];
    let matched = bytes.length === length ? 0 : -1;
    while (matched >= 0 && matched < length) matched = bytes[matched] === data[line.topicStart + matched] ? matched + 1 : -1;
    if (matched === length) return topics[i];
  }
  const bytes = Buffer.from(data.subarray(line.topicStart, line.topicEnd));
  topics.push({ name: bytes.toString(), bytes, slots: new Map() });
  return topics[topics.length - 1];
}

/** Whether the survey found the slot in that block. */
export function occursIn(slot: Slot, block: number): boolean {
  const { runs } = slot;
  let low = 0;
  let high = runs.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (block < runs[2 * middle]) high = middle - 1;
    else if (block > runs[2 * middle + 1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** Cuts the block that begins at `at` and places its lines; returns where the next one begins. */
function surveyBlock(pass: Pass, buffer: { data: Buffer }, at: number, blockBytes: number): number {
  const { survey, line } = pass;
  const block = survey.blockStart.length;
  const read = readLines(survey.file, buffer, at, blockBytes);
  survey.blockStart.push(at);
  survey.blockLine.push(pass.lineNumber);
  survey.blockCarry.push(pass.carry);
  const { data } = buffer;
  if (read < 0) {
    refuse(pass, block, `it is longer than ${maxLineBytes} bytes`);
    pass.lineNumber++;
    survey.blockSize.push(-read);
    return at - read;
  }
  let p = 0;
  for (let lines = 0; p < read && lines < captureBlockLines; lines++) {
    const end = data.indexOf(0x0a, p);
    if (!isBlank(data, p, end)) {
      if (place(pass, data, p, end)) accept(pass, block, slotOf(survey, line, data));
      else refuse(pass, block, line.error);
    }
    pass.lineNumber++;
    p = end + 1;
  }
  // The last line may lack its newline: the one behind it is ours.
  survey.blockSize.push(Math.min(p, read));
  return at + Math.min(p, read);
}

function place(pass: Pass, data: Buffer, start: number, end: number): boolean {
  const { survey, line, withTopic } = pass;
  if (survey.form === 'events') {
    if (!readEventLine(line, data, start, end)) return false;
    line.offset = pass.lineNumber;
    return true;
  }
  if (withTopic !== undefined && !survey.skipBadLines) return placeRecordLine(line, data, start, end, withTopic);
  if (!readRecordLine(line, data, start)) return false;
  pass.withTopic ??= namesTopic(line);
  return true;
}

function accept(pass: Pass, block: number, slot: number): void {
  const { survey, line } = pass;
  if (survey.firstSlot < 0) placeLeading(pass, slot);
  const to = survey.slots[slot];
  // An event file is read from its beginning, even where that is a blank line.
  if (to.firstOffset !== to.firstOffset) to.firstOffset = survey.form === 'events' ? 0 : line.offset;
  count(to, block);
  pass.carry = slot;
}

function refuse(pass: Pass, block: number, detail: string): void {
  const { survey } = pass;
  if (!survey.skipBadLines) throw new BadCaptureLine(survey.file.name, pass.lineNumber + 1, detail);
  if (pass.carry < 0) pass.leadingBad++;
  else count(survey.slots[pass.carry], block);
}

function count(slot: Slot, block: number): void {
  slot.lines++;
  const { runs } = slot;
  const last = runs.length - 1;
  if (last < 0 || runs[last] < block - 1) runs.push(block, block);
  else runs[last] = block;
}

/** Gives the bad lines before the first good one to its slot. */
function placeLeading(pass: Pass, slot: number): void {
  const { survey } = pass;
  survey.firstSlot = slot;
  const to = survey.slots[slot];
  to.lines += pass.leadingBad;
  if (pass.leadingBad > 0) to.runs.push(0, survey.blockStart.length - 1);
}

/**
 * Fills the buffer with whole lines from `at`: about `blockBytes`, one line if that is longer, up to the end of the file. Puts a newline
 * behind them. Returns their length; negative where the first line alone is longer than `maxLineBytes`, and then it is not in the buffer.
 */
export function readLines(file: CaptureFile, buffer: { data: Buffer }, at: number, blockBytes: number): number {
  const left = file.sizeBytes - at;
  for (let want = Math.min(blockBytes, left); ; want = Math.min(want * 2, left, maxLineBytes + 1)) {
    if (buffer.data.length < want + 1) buffer.data = Buffer.allocUnsafeSlow(want + 1);
    readFully(file, buffer.data, at, want);
    const last = want === left ? want - 1 : buffer.data.lastIndexOf(0x0a, want - 1);
    if (last >= 0 && last <= maxLineBytes) {
      buffer.data[last + 1] = 0x0a;
      return last + 1;
    }
    if (want > maxLineBytes) return -lengthOfLine(file, buffer.data, at);
  }
}

function lengthOfLine(file: CaptureFile, data: Buffer, start: number): number {
  for (let at = start; at < file.sizeBytes; at += maxLineBytes) {
    const length = Math.min(maxLineBytes, file.sizeBytes - at);
    readFully(file, data, at, length);
    data[length] = 0x0a;
    const end = data.indexOf(0x0a);
    if (end < length) return at + end + 1 - start;
  }
  return file.sizeBytes - start;
}

/** The form of the first line that is a JSON object, looked for in the first block; a file without one is taken for events. */
function detectForm(file: CaptureFile, scratch: Buffer, blockBytes: number): CaptureForm {
  if (file.sizeBytes <= file.startByte) return 'events';
  const buffer = { data: scratch };
  const read = readLines(file, buffer, file.startByte, blockBytes);
  const { data } = buffer;
  for (let p = 0; p < read; ) {
    const end = data.indexOf(0x0a, p);
    const form = isBlank(data, p, end) ? undefined : formOfLine(data, p, end);
    if (form !== undefined) return form;
    p = end + 1;
  }
  return 'events';
}
