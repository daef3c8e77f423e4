// Debezium's source block: when a change was committed and where it stands in its database's log.
//
// Position: [epoch, 4 bytes][the connector's order], big-endian, so that it sorts by bytes. Never by time, except where the side is declared
// to be ordered by it; never by lsn alone (transactions are sent in commit order, so their lsns go back).
import { POSITION_BYTES } from '../change-event.ts';
import { TOKEN } from './json-scan.ts';
import { createObjectReader } from './object-reader.ts';
import type { ObjectReader } from './object-reader.ts';
import { digitMarks, numberOf, wordsOf } from './words.ts';

/** Fields that every source block is searched for; fields of origin paths get the slots behind. */
export const SOURCE_FIELDS = [
  'ts_ns', 'ts_us', 'ts_ms', 'connector', 'snapshot', 'txId', 'sequence', 'lsn', 'file', 'pos', 'row',
  'commit_lsn', 'change_lsn', 'event_serial_no', 'commit_scn', 'scn', 'ssn', 'ord',
] as const;
const SLOT = Object.fromEntries(SOURCE_FIELDS.map((field, slot) => [field, slot])) as Record<(typeof SOURCE_FIELDS)[number], number>;

/** Member names to slots; the plan of a shape says at which place a slot's member stands, -1 where nowhere. */
export type FieldReader = ObjectReader<number, Int32Array>;

export function createFieldReader(fields: readonly string[]): FieldReader {
  return createObjectReader<number, Int32Array>(
    (name) => fields.indexOf(name),
    (slots) => {
      const places = new Int32Array(fields.length).fill(-1);
      slots.forEach((slot, place) => { if (slot >= 0) places[slot] = place; });
      return places;
    },
    (slot) => slot >= 0,
  );
}

/** Commit time in microseconds: the finest of source.ts_ns, ts_us, ts_ms; NaN where there is none. */
export function commitTimeOf(source: FieldReader, b: Buffer): number {
  for (let slot = SLOT.ts_ns; slot <= SLOT.ts_ms; slot++) {
    const place = source.shape.plan[slot];
    if (place < 0 || source.tokens[place] !== TOKEN.integer) continue;
    const from = source.starts[place];
    const to = source.ends[place];
    const timeUs = slot === SLOT.ts_ns ? nanosToMicros(b, from, to) : wholeNumber(b, from, to) * (slot === SLOT.ts_us ? 1 : 1000);
    if (Number.isSafeInteger(timeUs)) return timeUs;
  }
  return NaN;
}

/** Cut towards the past. A count of nanoseconds does not fit a double, its microseconds do. */
function nanosToMicros(b: Buffer, from: number, to: number): number {
  const negative = b[from] === 45;
  const first = negative ? from + 1 : from;
  const cut = Math.max(first, to - 3);
  const whole = cut === first ? 0 : wholeNumber(b, first, cut);
  const rest = wholeNumber(b, cut, to);
  return negative ? -whole - (rest > 0 ? 1 : 0) : whole;
}

/** The digits b[from, to), exact below 2^53; NaN where one is none. */
export function wholeNumber(b: Buffer, from: number, to: number): number {
  if (from < to && b[from] === 45) return -digitsOf(b, from + 1, to);
  return digitsOf(b, from, to);
}

/** Four digits at a time: a long number has nineteen, and there are several in every record. */
function digitsOf(b: Buffer, from: number, to: number): number {
  if (from >= to) return NaN;
  const words = wordsOf(b);
  const firstWord = from + ((to - from) & 3);
  let value = 0;
  for (let p = from; p < firstWord; p++) {
    const digit = b[p] - 48;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  for (let p = firstWord; p < to; p += 4) {
    const word = words.getInt32(p, true);
    if (digitMarks(word) !== 0) return NaN;
    value = value * 10_000 + numberOf(word);
  }
  return value;
}

/** Snapshot rows have `true`, `first`, `last`, `incremental` …; a streamed one false, "false", null or nothing. */
export function isSnapshot(source: FieldReader, b: Buffer): boolean {
  const place = source.shape.plan[SLOT.snapshot];
  if (place < 0) return false;
  const token = source.tokens[place];
  if (token === TOKEN.text) return !(source.ends[place] - source.starts[place] === 7 && b[source.starts[place] + 1] === 102 && b[source.starts[place] + 2] === 97);
  return token === TOKEN.true;
}

/** Whether the connector always sends whole rows, and MySQL's zero dates as 0. */
export function isMySql(source: FieldReader, b: Buffer): boolean {
  const place = source.shape.plan[SLOT.connector];
  if (place < 0) return false;
  const from = source.starts[place];
  const length = source.ends[place] - from;
  // "mysql" or "mariadb", with their quotes
  return (length === 7 && b[from + 1] === 109 && b[from + 2] === 121) || (length === 9 && b[from + 1] === 109 && b[from + 2] === 97);
}

/** A message outside of any transaction carries the last commit's time, not its own (ruling 6). */
export function hasTransactionId(source: FieldReader): boolean {
  const place = source.shape.plan[SLOT.txId];
  return place >= 0 && source.tokens[place] !== TOKEN.null;
}

/** The position of the last record: its bytes, and the same as words to write. */
export interface PositionBuffer { readonly bytes: Buffer; readonly words: DataView }

export function createPositionBuffer(): PositionBuffer {
  const memory = new ArrayBuffer(POSITION_BYTES + SPILL_BYTES);
  return { bytes: Buffer.from(memory, 0, POSITION_BYTES), words: new DataView(memory) };
}
/** Behind the position, for what does not fit it (SQL Server's serial number on a side that is ordered by time). */
const SPILL_BYTES = 32;

/** Writes the position; false where the record has none. `timeUs`: leads the order of a side that is ordered by time, else NaN. */
export function writePosition(source: FieldReader, b: Buffer, epoch: number, timeUs: number, out: PositionBuffer): boolean {
  const { words } = out;
  words.setUint32(0, epoch);
  for (let at = 4; at < POSITION_BYTES; at += 4) words.setInt32(at, 0);
  let at = 4;
  if (!Number.isNaN(timeUs)) {
    putNumber(words, at, timeUs);
    at += 8;
  }
  // Ordered by time, a record needs nothing else (some connectors have no log position at all).
  return writeOrder(source, b, words, at) || !Number.isNaN(timeUs);
}

function writeOrder(source: FieldReader, b: Buffer, out: DataView, at: number): boolean {
  if (has(source, SLOT.lsn)) {
    putSequence(source, b, out, at);
    return put(source, SLOT.lsn, b, out, at + 8);
  }
  if (has(source, SLOT.file)) {
    putFileNumber(source, b, out, at);
    put(source, SLOT.row, b, out, at + 16);
    return put(source, SLOT.pos, b, out, at + 8);
  }
  if (has(source, SLOT.commit_lsn)) {
    putHex(source, SLOT.change_lsn, b, out, at + 10);
    put(source, SLOT.event_serial_no, b, out, at + 20);
    return putHex(source, SLOT.commit_lsn, b, out, at);
  }
  // A snapshot row of Oracle has the scn at which it was read and no commit: it comes behind every commit up to that.
  if (has(source, SLOT.commit_scn) || has(source, SLOT.scn)) {
    put(source, SLOT.scn, b, out, at + 8);
    put(source, SLOT.ssn, b, out, at + 16);
    return put(source, has(source, SLOT.commit_scn) ? SLOT.commit_scn : SLOT.scn, b, out, at);
  }
  if (has(source, SLOT.ord)) {
    put(source, SLOT.ord, b, out, at + 8);
    return put(source, SLOT.ts_ms, b, out, at);
  }
  return false;
}

function has(source: FieldReader, slot: number): boolean {
  const place = source.shape.plan[slot];
  return place >= 0 && source.tokens[place] !== TOKEN.null;
}

/** A number, or one in quotes, as eight bytes. False where the field is not that; what does not fit the record's end is cut. */
function put(source: FieldReader, slot: number, b: Buffer, out: DataView, at: number): boolean {
  const place = source.shape.plan[slot];
  if (place < 0) return false;
  const token = source.tokens[place];
  const quoted = token === TOKEN.text ? 1 : 0;
  if (quoted === 0 && token !== TOKEN.integer) return false;
  return putDigits(b, source.starts[place] + quoted, source.ends[place] - quoted, out, at);
}

function putDigits(b: Buffer, from: number, to: number, out: DataView, at: number): boolean {
  if (to - from <= 15 && b[from] !== 45) {
    const value = digitsOf(b, from, to);
    if (!Number.isNaN(value)) putNumber(out, at, value);
    return !Number.isNaN(value);
  }
  const text = b.toString('latin1', from, to);
  if (!/^-?\d{1,20}$/.test(text)) return false;
  // int64 on its way, unsigned in truth: PostgreSQL's lsn above 2^63 is negative in JSON.
  out.setBigUint64(at, BigInt.asUintN(64, BigInt(text)));
  return true;
}

function putNumber(out: DataView, at: number, value: number): void {
  const high = Math.floor(value / 0x100000000);
  out.setInt32(at, high | 0);
  out.setInt32(at + 4, (value - high * 0x100000000) | 0);
}

/** `"[\"24023088\",\"24023128\"]"`: the lsn of the last commit before, or null after a start. A string in a string, whose only letters are digits. */
function putSequence(source: FieldReader, b: Buffer, out: DataView, at: number): void {
  const place = source.shape.plan[SLOT.sequence];
  if (place < 0) return;
  const end = source.ends[place];
  let p = source.starts[place];
  while (p < end && b[p] !== 44 && (b[p] < 48 || b[p] > 57)) p++;
  const from = p;
  let value = 0;
  for (; p < end && b[p] >= 48 && b[p] <= 57; p++) value = value * 10 + b[p] - 48;
  if (p > from && p - from <= 15) putNumber(out, at, value);
  else putDigits(b, from, p, out, at);
}

/** `mysql-bin.000042`: the number behind the last point, compared as a number (999999 is before 1000000). */
function putFileNumber(source: FieldReader, b: Buffer, out: DataView, at: number): void {
  const place = source.shape.plan[SLOT.file];
  const end = source.ends[place] - 1;
  let from = end;
  while (from > source.starts[place] && b[from - 1] >= 48 && b[from - 1] <= 57) from--;
  putDigits(b, Math.max(from, end - 20), end, out, at);
}

/** `00000025:00000440:0003`: ten bytes in hexadecimal. */
function putHex(source: FieldReader, slot: number, b: Buffer, out: DataView, at: number): boolean {
  const place = source.shape.plan[slot];
  if (place < 0 || source.tokens[place] !== TOKEN.text) return false;
  const text = b.toString('latin1', source.starts[place] + 1, source.ends[place] - 1).replaceAll(':', '');
  if (!/^[0-9a-fA-F]{20}$/.test(text)) return false;
  for (let i = 0; i < 10; i++) out.setUint8(at + i, parseInt(text.slice(2 * i, 2 * i + 2), 16));
  return true;
}
