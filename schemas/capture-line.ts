// One line of a capture file, read on its bytes (product.md §4). Forms 1 (ours) and 2 (kcat -J) are one grammar: the fields have two
// names each. Form 3 is the record value itself.
//
// Invariants
// - The byte after the line is a newline (the caller puts one behind the last line), and `data` is the caller's to change: key, value
//   and topic are unescaped in place, so a line is read once. Whoever needs the line as it was reads the file again.
// - Exact bytes: what stands in a string is passed through, valid UTF-8 or not; only escapes are decoded.
import { fail, newScan, skipNull, skipSpace } from './capture-json.ts';
import type { Scan } from './capture-json.ts';
import { fieldOf, OFFSET, PARTITION, TOPIC, VALUE, VALUE_BASE64 } from './capture-fields.ts';
import { learnValue, matchLiteral, missed, newTemplate } from './capture-template.ts';
import type { Template } from './capture-template.ts';
import { readString } from './capture-text.ts';
import { readField } from './capture-values.ts';

/** A line as numbers: spans into its data, -1 where a span is null or not there. Long-lived; overwritten by each read. */
export interface CaptureLine extends Scan {
  topicStart: number;
  topicEnd: number;
  /** -1 where the line names none. */
  partition: number;
  offset: number;
  /** Milliseconds since the epoch, -1 where the line has none (as Kafka's own "no timestamp"). */
  timestampMs: number;
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
  /** The headers as JSON, not unescaped. */
  headersStart: number;
  headersEnd: number;
  /** Bit set of the fields seen. */
  seen: number;
  /** Index of the newline behind a line of form 1 or 2 that has been read whole. */
  end: number;
  /** What the lines before have in common. */
  readonly template: Template;
}

/** Where a line stands: said twice, the two could differ. */
const PLACE = TOPIC | PARTITION | OFFSET;
const NO_OFFSET = 'it has no "offset"';

export function newCaptureLine(): CaptureLine {
  return {
    ...newScan(), topicStart: -1, topicEnd: -1, partition: -1, offset: -1, timestampMs: -1, keyStart: -1, keyEnd: -1, valueStart: -1,
    valueEnd: -1, headersStart: -1, headersEnd: -1, seen: 0, end: -1, template: newTemplate(),
  };
}

/** Whether the line last read names a topic. */
export function namesTopic(line: CaptureLine): boolean {
  return (line.seen & TOPIC) !== 0;
}

/** Reads a line of form 1 or 2, up to its newline. False: `line.error` says what is wrong, `line.at` where. */
export function readRecordLine(line: CaptureLine, data: Buffer, start: number): boolean {
  reset(line);
  const p = readMembers(line, data, start, 0);
  if (p < 0) return false;
  line.end = data[p] === 0x0a ? p : skipSpace(data, p);
  if (data[line.end] !== 0x0a) return refuse(line, p, 'something follows the record');
  if ((line.seen & OFFSET) === 0) return refuse(line, start, NO_OFFSET);
  if ((line.seen & (VALUE | VALUE_BASE64)) === 0) return refuse(line, start, 'it has no "value", "valueBase64" or "payload"');
  return true;
}

/**
 * Reads a line only as far as its partition and offset, and its topic where `withTopic`: enough to place it. That it ends in a closing brace is
 * checked; what stands between is not, `readRecordLine` will do so. False as there.
 */
export function placeRecordLine(line: CaptureLine, data: Buffer, start: number, end: number, withTopic: boolean): boolean {
  let last = end - 1;
  while (last > start && (data[last] === 0x20 || data[last] === 0x09 || data[last] === 0x0d)) last--;
  if (data[last] !== 0x7d) return readRecordLine(line, data, start);
  reset(line);
  const wanted = PARTITION | OFFSET | (withTopic ? TOPIC : 0);
  const p = readMembers(line, data, start, wanted);
  // Without one of them the whole line has been read.
  return p >= 0 && ((line.seen & wanted) === wanted || (line.seen & OFFSET) !== 0 || refuse(line, start, NO_OFFSET));
}

/**
 * Reads a line of form 3: `null`, or an object. Only its two ends are looked at; whether the value is what its format says is for the
 * decoder, as it is for the value of the other forms.
 */
export function readEventLine(line: CaptureLine, data: Buffer, start: number, end: number): boolean {
  reset(line);
  const first = skipSpace(data, start);
  let last = end;
  while (last > first && (data[last - 1] === 0x20 || data[last - 1] === 0x09 || data[last - 1] === 0x0d)) last--;
  if (last - first === 4 && skipNull(data, first) > 0) return true;
  if (data[first] !== 0x7b) return refuse(line, first, 'it is neither an object nor null');
  if (data[last - 1] !== 0x7d || last - first < 2) return refuse(line, last, 'the object does not end');
  line.valueStart = first;
  line.valueEnd = last;
  return true;
}

/** A blank line is skipped in every form. */
export function isBlank(data: Buffer, start: number, end: number): boolean {
  return skipSpace(data, start) >= end;
}

function refuse(line: CaptureLine, at: number, error: string): false {
  fail(line, at, error);
  return false;
}

function reset(line: CaptureLine): void {
  line.topicStart = line.topicEnd = -1;
  line.partition = line.offset = line.timestampMs = -1;
  line.keyStart = line.keyEnd = -1;
  line.valueStart = line.valueEnd = -1;
  line.headersStart = line.headersEnd = -1;
  line.seen = 0;
}

/** Reads `{ name: value, … }` until all of `wanted` (unless 0) has been seen; the index after what was read, or -1. */
function readMembers(line: CaptureLine, data: Buffer, start: number, wanted: number): number {
  let p = readByTemplate(line, data, start, wanted);
  if (p < 0 || hasAll(line, wanted)) return p;
  const unlike = p === start;
  p = unlike ? openRecord(line, data, start) : nextMember(line, data, p);
  // Where the text begins that the template does not have yet; -1 where none is to be learned.
  let literal = unlike && p >= 0 && missed(line.template) ? start : -1;
  while (p >= 0 && data[p] !== 0x7d) {
    p = readString(line, data, p);
    if (p < 0) return -1;
    if (line.textEnd !== p - 1) literal = -1;
    const field = fieldOf(data, line.textStart, line.textEnd);
    if ((field & line.seen & PLACE) !== 0) return fail(line, p, 'it names its topic, partition or offset twice');
    if (data[p] !== 0x3a) p = skipSpace(data, p);
    if (data[p] !== 0x3a) return fail(line, p, 'a colon is expected');
    const value = skipSpace(data, p + 1);
    p = readField(line, data, value, field);
    if (p < 0) return -1;
    if (literal >= 0) literal = learn(line, data, start, literal, value, p, field);
    line.seen |= field;
    if (hasAll(line, wanted)) return p;
    p = nextMember(line, data, p);
  }
  return p < 0 ? -1 : p + 1;
}

/** The index of the first member's name, or of the closing brace. */
function openRecord(line: CaptureLine, data: Buffer, start: number): number {
  const p = skipSpace(data, start);
  return data[p] === 0x7b ? skipSpace(data, p + 1) : fail(line, p, 'it is not a JSON object');
}

/** The index of the name behind the comma at `at`, or of the closing brace. */
function nextMember(line: CaptureLine, data: Buffer, at: number): number {
  const p = skipSpace(data, at);
  if (data[p] === 0x7d) return p;
  if (data[p] !== 0x2c) return fail(line, p, 'a comma or the closing brace is expected');
  const name = skipSpace(data, p + 1);
  return data[name] === 0x22 ? name : fail(line, name, 'a string is expected');
}

function hasAll(line: CaptureLine, wanted: number): boolean {
  return wanted !== 0 && (line.seen & wanted) === wanted;
}

/** Reads the values that the line has where the lines before have theirs; the index after them, `start` where it begins otherwise, or -1. */
function readByTemplate(line: CaptureLine, data: Buffer, start: number, wanted: number): number {
  const { template } = line;
  let p = start;
  for (let i = 0; i < template.values && !hasAll(line, wanted); i++) {
    const value = matchLiteral(template, i, data, p);
    if (value < 0) break;
    p = readField(line, data, value, template.fields[i]);
    if (p < 0) return -1;
    line.seen = template.seen[i];
    if (i > 0 || template.topicStart < 0) continue;
    line.topicStart = start + template.topicStart;
    line.topicEnd = start + template.topicEnd;
  }
  return p;
}

/** Learns a member with its value `data[value, end)`, in front of which `literal` begins. Where the next literal begins, -1 where no more can be learned. */
function learn(line: CaptureLine, data: Buffer, start: number, literal: number, value: number, end: number, field: number): number {
  const { template } = line;
  if (field === 0) return literal;
  if (field !== TOPIC) return learnValue(template, data, literal, value, field, line.seen) ? end : -1;
  if (template.values > 0 || (line.topicStart >= 0 && line.topicEnd !== end - 1)) return -1;
  template.topicStart = line.topicStart < 0 ? -1 : line.topicStart - start;
  template.topicEnd = line.topicEnd - start;
  return literal;
}
