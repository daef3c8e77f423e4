// Times of records: RFC 3339 in UTC with microseconds, from microseconds since the epoch. Proleptic Gregorian, no clock, no locale.
import { civilFromDays } from './calendar.ts';

const DAY_US = 86_400_000_000;

/** `2026-11-30T12:00:00.000000Z`; an infinite or unknown time prints as an empty text. */
export function formatTime(timeUs: number): string {
  if (!Number.isFinite(timeUs)) return '';
  const day = Math.floor(timeUs / DAY_US);
  const inDay = timeUs - day * DAY_US;
  const seconds = Math.floor(inDay / 1_000_000);
  const pad = (n: number, width: number): string => String(n).padStart(width, '0');
  const clock = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
  return `${formatDay(day)}T${clock}.${pad(Math.round(inDay - seconds * 1_000_000), 6)}Z`;
}

/** Microseconds since the epoch of what `formatTime` printed; NaN where it is no such text. */
export function parseTime(text: string): number {
  const parts = /^(.*:\d\d)\.(\d{6})Z$/.exec(text);
  return parts === null ? NaN : Date.parse(`${parts[1]}Z`) * 1000 + Number(parts[2]);
}

/** Days since the epoch to a date; years outside 0000 to 9999 have a sign and at least six digits, as ISO 8601 asks. */
export function formatDay(days: number): string {
  const [year, month, day] = civilFromDays(days);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${formatYear(year)}-${two(month)}-${two(day)}`;
}

function formatYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return (year < 0 ? '-' : '+') + String(Math.abs(year)).padStart(6, '0');
}
