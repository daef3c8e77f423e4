// Times, dates and durations as counts in decimal text: microseconds since the epoch, days, microseconds. A zone-less wall clock is
// counted as if it were UTC unless a rule says its zone; so `2026-01-01T00:00:00.000000Z` and a MicroTimestamp of that moment are equal.
import { writeAscii, writeInteger } from './sink.ts';
import type { Sink } from './sink.ts';
import { TAG } from './tags.ts';
import { writeDecimalText, writeWhole } from './number.ts';
import { read, readDateTime } from './time-text.ts';
import { wallToUtc } from './zone.ts';
import type { Zone } from './zone.ts';

/** PostgreSQL's infinities as Debezium writes them, in microseconds (MicroTimestamp itself, Timestamp times 1000, isostring as text). */
const INFINITY_US = '9223372036825200000';
const MINUS_INFINITY_US = '-9223372036832400000';
/** The same for dates, in days. Both are far before Christ. */
const INFINITY_DAYS = '-2147472692';
const MINUS_INFINITY_DAYS = '-2147472691';

export type Unit = 'millis' | 'micros' | 'nanos';

/** A count since the epoch in `unit`, digits b[from, to). `zone`: the count is a wall clock's reading in it. */
export function writeCount(sink: Sink, b: Buffer, from: number, to: number, unit: Unit, zone: Zone | undefined): void {
  const start = sink.at;
  if (unit === 'nanos') writeDecimalText(sink, b.toString('latin1', from, to) + 'E-3');
  else {
    writeWhole(sink, b, from, to);
    if (unit === 'millis' && !(sink.at - start === 1 && sink.bytes[start] === 48)) writeAscii(sink, '000');
  }
  settle(sink, start, zone);
}

/** Text of a moment. `instant`: it is one, and without an offset in UTC; else a wall clock, whose `Z` is Debezium's habit and says nothing.
 *  What is no moment (0000-00-00) stays text. */
export function writeMoment(sink: Sink, b: Buffer, from: number, to: number, instant: boolean, zone: Zone | undefined): number {
  const infinite = infinity(b, from, to);
  if (infinite !== '') {
    writeAscii(sink, infinite);
    return TAG.time;
  }
  if (!readDateTime(b, from, to)) return -1;
  const start = sink.at;
  const says = read.hasOffset && (instant || read.offsetSeconds !== 0);
  const seconds = read.days * 86400 + read.secondOfDay - read.offsetSeconds;
  if (Math.abs(seconds) < 8e9 && read.nanos % 1000 === 0) writeInteger(sink, seconds * 1e6 + read.nanos / 1000);
  else writeDecimalText(sink, `${BigInt(seconds) * 1_000_000_000n + BigInt(read.nanos)}E-3`);
  settle(sink, start, says ? undefined : zone);
  return TAG.time;
}

/** Days since the epoch, digits b[from, to). */
export function writeDays(sink: Sink, b: Buffer, from: number, to: number): void {
  const start = sink.at;
  writeWhole(sink, b, from, to);
  settleDays(sink, start);
}

/** Text of a day; the midnight of one is the day, another time of it is a moment. -1 where it is neither. */
export function writeDay(sink: Sink, b: Buffer, from: number, to: number): number {
  const infinite = infinity(b, from, to);
  if (infinite !== '') writeAscii(sink, infinite);
  else {
    if (!readDateTime(b, from, to)) return -1;
    if (read.secondOfDay !== 0 || read.nanos !== 0) return writeMoment(sink, b, from, to, true, undefined);
    const start = sink.at;
    writeInteger(sink, read.days);
    settleDays(sink, start);
  }
  return TAG.date;
}

/** Replaces the infinities' counts, then the wall clock by the instant. */
function settle(sink: Sink, start: number, zone: Zone | undefined): void {
  const length = sink.at - start;
  if (length >= 19) {
    const text = sink.bytes.toString('latin1', start, sink.at);
    if (text === INFINITY_US || text === MINUS_INFINITY_US) {
      sink.at = start;
      writeAscii(sink, text === INFINITY_US ? 'infinity' : '-infinity');
      return;
    }
  }
  if (zone !== undefined) moveToUtc(sink, start, zone);
}

function moveToUtc(sink: Sink, start: number, zone: Zone): void {
  const text = sink.bytes.toString('latin1', start, sink.at);
  const point = text.indexOf('.');
  const wallUs = BigInt(point < 0 ? text : text.slice(0, point));
  const wallSeconds = Number(wallUs / 1_000_000n) - (wallUs % 1_000_000n < 0n || (point >= 0 && text.charCodeAt(0) === 45) ? 1 : 0);
  const shiftUs = BigInt(wallSeconds - wallToUtc(zone, wallSeconds)) * 1_000_000n;
  sink.at = start;
  if (point < 0) writeAscii(sink, String(wallUs - shiftUs));
  else writeDecimalText(sink, `${scaled(text, 9) - shiftUs * 1_000_000_000n}E-9`);
}

/** Decimal text (no exponent) times ten to the `places`, the digits behind cut. */
export function scaled(text: string, places: number): bigint {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0').slice(0, places));
}

function settleDays(sink: Sink, start: number): void {
  if (sink.at - start !== 11) return;
  const text = sink.bytes.toString('latin1', start, sink.at);
  if (text !== INFINITY_DAYS && text !== MINUS_INFINITY_DAYS) return;
  sink.at = start;
  writeAscii(sink, text === INFINITY_DAYS ? 'infinity' : '-infinity');
}

function infinity(b: Buffer, from: number, to: number): string {
  const length = to - from;
  if (length < 8 || length > 9) return '';
  const c = b[length === 9 ? from + 1 : from] | 32;
  if (c !== 105) return '';
  const text = b.toString('latin1', from, to).toLowerCase();
  if (text === 'infinity' || text === '+infinity') return 'infinity';
  return text === '-infinity' ? text : '';
}
