// Reads dates, times and intervals from text, in the spellings of Debezium, Java, PostgreSQL and MySQL, on the bytes.
// The calendar is proleptic Gregorian throughout; the year before 1 is 0 (`0001-12-31 BC`, `0000-12-31`).
import { daysFromCivil } from '../calendar.ts';

/** What the last successful read found. One long-lived object. */
export const read = {
  /** Days since 1970-01-01. */
  days: 0,
  secondOfDay: 0,
  nanos: 0,
  /** Whether the text says its offset from UTC, and which, in seconds. */
  hasOffset: false,
  offsetSeconds: 0,
};

let at = 0;

/** `2026-01-30[T ]12:34:56.123456[Z|+01:00][ BC]`, or the date alone. False where b[from, to) is not that, or is no day (0000-00-00). */
export function readDateTime(b: Buffer, from: number, to: number): boolean {
  return readUsual(b, from, to) || readAny(b, from, to);
}

/** The spelling of most: `2026-01-30T12:34:56[.123456]Z`. False (then `readAny` decides) for any other, and for what is no moment. */
function readUsual(b: Buffer, from: number, to: number): boolean {
  const length = to - from;
  if (length < 20 || length > 30 || length === 21 || b[to - 1] !== 90 || b[from + 4] !== 45 || b[from + 7] !== 45 || (b[from + 10] | 32) !== 116) return false;
  if (b[from + 13] !== 58 || b[from + 16] !== 58 || (length > 20 && b[from + 19] !== 46)) return false;
  const year = pair(b, from) * 100 + pair(b, from + 2);
  const month = pair(b, from + 5);
  const day = pair(b, from + 8);
  const hour = pair(b, from + 11);
  const minute = pair(b, from + 14);
  const second = pair(b, from + 17);
  if ((year | month | day | hour | minute | second) < 0 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59) return false;
  let nanos = 0;
  for (let p = from + 20; p < to - 1; p++) {
    const digit = b[p] - 48;
    if (digit < 0 || digit > 9) return false;
    nanos = nanos * 10 + digit;
  }
  for (let digits = length - 21; digits < 9 && nanos > 0; digits++) nanos *= 10;
  read.days = monthStart(year, month) + day - 1;
  read.secondOfDay = hour * 3600 + minute * 60 + second;
  read.nanos = nanos;
  read.hasOffset = true;
  read.offsetSeconds = 0;
  return true;
}

/** Two digits as a number; far below zero where they are none. */
function pair(b: Buffer, p: number): number {
  const tens = b[p] - 48;
  const ones = b[p + 1] - 48;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -65536 : tens * 10 + ones;
}

let startMonth = -1;
let startDays = 0;

/** Day of a month's first; the last one asked for is kept, as most moments of a stream are of one month. */
function monthStart(year: number, month: number): number {
  const asked = year * 16 + month;
  if (asked !== startMonth) {
    startMonth = asked;
    startDays = daysFromCivil(year, month, 1);
  }
  return startDays;
}

function readAny(b: Buffer, from: number, to: number): boolean {
  at = from;
  const sign = b[at] === 45 ? -1 : 1;
  if (b[at] === 45 || b[at] === 43) at++;
  const yearFrom = at;
  const year = readDigits(b, to);
  if (at - yearFrom < 4 || at - yearFrom > 9 || !skip(b, to, 45)) return false;
  const month = twoDigits(b, to);
  if (month < 1 || month > 12 || !skip(b, to, 45)) return false;
  const day = twoDigits(b, to);
  read.secondOfDay = 0;
  read.nanos = 0;
  if (at < to && (b[at] === 84 || (b[at] === 32 && b[at + 1] >= 48 && b[at + 1] <= 57 && at + 1 < to))) {
    at++;
    if (!readClock(b, to)) return false;
  }
  if (!readOffset(b, to)) return false;
  let astronomical = sign * year;
  if (to - at === 3 && b[at] === 32 && b[at + 1] === 66 && b[at + 2] === 67) {
    if (sign < 0 || year === 0) return false;
    astronomical = 1 - year;
    at = to;
  }
  if (at !== to || day < 1 || day > daysInMonth(astronomical, month)) return false;
  read.days = daysFromCivil(astronomical, month, day);
  return true;
}

/** `HH:MM[:SS[.fraction]]` at `at`; 24:00:00 is the end of the day. */
function readClock(b: Buffer, to: number): boolean {
  const hour = twoDigits(b, to);
  if (hour < 0 || hour > 24 || !skip(b, to, 58)) return false;
  const minute = twoDigits(b, to);
  if (minute < 0 || minute > 59) return false;
  let second = 0;
  if (skip(b, to, 58)) {
    second = twoDigits(b, to);
    if (second < 0 || second > 60 || !readFraction(b, to)) return false;
  }
  read.secondOfDay = hour * 3600 + minute * 60 + second;
  return hour < 24 || (read.secondOfDay === 86400 && read.nanos === 0);
}

/** `.123456` at `at`, or nothing. Digits below the nanosecond must be zero. */
function readFraction(b: Buffer, to: number): boolean {
  read.nanos = 0;
  if (!skip(b, to, 46)) return true;
  let weight = 1e8;
  const from = at;
  for (; at < to && b[at] >= 48 && b[at] <= 57; at++) {
    if (weight < 1 && b[at] !== 48) return false;
    if (weight >= 1) read.nanos += (b[at] - 48) * weight;
    weight = weight > 1 ? weight / 10 : 0;
  }
  return at > from;
}

/** `Z`, `+01`, `+0100`, `+01:00[:30]`, a `[zone]` behind it, or nothing. */
function readOffset(b: Buffer, to: number): boolean {
  read.hasOffset = false;
  read.offsetSeconds = 0;
  if (at >= to) return true;
  const c = b[at];
  if (c === 90 || c === 122) {
    read.hasOffset = true;
    at++;
  } else if (c === 43 || c === 45) {
    at++;
    const hours = twoDigits(b, to);
    if (hours < 0) return false;
    let seconds = hours * 3600;
    skip(b, to, 58);
    if (at < to && b[at] >= 48 && b[at] <= 57) seconds += twoDigits(b, to) * 60;
    if (skip(b, to, 58)) seconds += twoDigits(b, to);
    read.hasOffset = true;
    read.offsetSeconds = c === 45 ? -seconds : seconds;
  }
  if (at < to && b[at] === 91 && b[to - 1] === 93) at = to;
  return true;
}

/** `[-]H…:MM:SS[.fraction][Z|offset]` with any number of hours: a time of day or a duration. Sets `durationUs`. */
export function readTime(b: Buffer, from: number, to: number): boolean {
  at = from;
  const negative = b[at] === 45;
  if (b[at] === 45 || b[at] === 43) at++;
  const hoursFrom = at;
  const hours = readDigits(b, to);
  if (at === hoursFrom || at - hoursFrom > 6 || !skip(b, to, 58)) return false;
  const minutes = twoDigits(b, to);
  let seconds = 0;
  read.nanos = 0;
  if (skip(b, to, 58)) {
    seconds = twoDigits(b, to);
    if (!readFraction(b, to)) return false;
  }
  if (minutes < 0 || minutes > 59 || seconds < 0 || seconds > 60 || !readOffset(b, to) || at !== to) return false;
  let total = hours * 3600 + minutes * 60 + seconds;
  if (read.offsetSeconds !== 0) total = (((total - read.offsetSeconds) % 86400) + 86400) % 86400;
  durationUs = total * 1e6 + Math.floor(read.nanos / 1000);
  if (negative) durationUs = -durationUs;
  return read.nanos % 1000 === 0;
}
/** What `readTime` and `readInterval` found, in microseconds. */
export let durationUs = 0;

/** Days of a month when an interval becomes a duration, as Debezium's numeric intervals count them: 365.25 / 12. */
const MONTH_SECONDS = 30.4375 * 86400;

/** `P1Y2M3DT4H5M6.78S` and PostgreSQL's `1 year 2 mons 3 days 04:05:06.78`. Sets `durationUs`. */
export function readInterval(text: string): boolean {
  const iso = /^([+-]?)P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+(?:\.\d{1,6}0*)?)S)?)?$/.exec(text);
  if (iso !== null) {
    const n = iso.map((part) => Number(part ?? 0));
    const months = n[2] * 12 + n[3];
    const seconds = months * MONTH_SECONDS + n[4] * 604800 + n[5] * 86400 + n[6] * 3600 + n[7] * 60;
    durationUs = (seconds * 1e6 + Math.round(n[8] * 1e6)) * (iso[1] === '-' ? -1 : 1);
    return true;
  }
  const sql = /^(?:(-?\d+) years?)? ?(?:(-?\d+) mons?)? ?(?:(-?\d+) days?)? ?(?:([+-]?)(\d+):(\d\d):(\d\d(?:\.\d{1,6})?))?$/.exec(text);
  if (sql === null || text.length === 0) return false;
  const clock = Number(sql[5] ?? 0) * 3600 + Number(sql[6] ?? 0) * 60;
  const clockUs = clock * 1e6 + Math.round(Number(sql[7] ?? 0) * 1e6);
  const months = Number(sql[1] ?? 0) * 12 + Number(sql[2] ?? 0);
  durationUs = (months * MONTH_SECONDS + Number(sql[3] ?? 0) * 86400) * 1e6 + (sql[4] === '-' ? -clockUs : clockUs);
  return true;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function readDigits(b: Buffer, to: number): number {
  let value = 0;
  for (; at < to && b[at] >= 48 && b[at] <= 57; at++) value = value * 10 + b[at] - 48;
  return value;
}

function twoDigits(b: Buffer, to: number): number {
  if (at + 2 > to) return -1;
  const tens = b[at] - 48;
  const ones = b[at + 1] - 48;
  if (tens < 0 || tens > 9 || ones < 0 || ones > 9) return -1;
  at += 2;
  return tens * 10 + ones;
}

function skip(b: Buffer, to: number, c: number): boolean {
  if (at >= to || b[at] !== c) return false;
  at++;
  return true;
}
