// Why two values of a column differ, where it can be told from the values alone. A hint explains a mismatch; it never excuses one: a whole
// number of hours off is still off. The first cause that fits is named, the more special ones first.
import type { PairContext } from '../schemas/decoder.ts';
import type { Hint } from '../schemas/records.ts';
import type { ConnectSchema } from '../schemas/pair.ts';
import { fieldsOf, rowSchema } from '../schemas/canonical/column-rule.ts';
import { createSink } from '../schemas/canonical/sink.ts';
import { TAG } from '../schemas/canonical/tags.ts';
import { daysFromCivil, civilFromDays } from '../schemas/calendar.ts';
import { scaled, writeMoment } from '../schemas/canonical/time.ts';
import { zoneOf } from '../schemas/canonical/zone.ts';

/** A canonical value. */
export interface HintValue { readonly tag: number; readonly bytes: Buffer }

/** The hint of a column (by its source name) whose two values differ; undefined where nothing is known, or a value is missing. */
export function hintFor(context: PairContext, column: string, source: HintValue | undefined, target: HintValue | undefined): Hint | undefined {
  // Whatever the other side has: mostly it is the change whose value was left out of the log (ruling 30).
  if (source?.tag === TAG.placeholder || target?.tag === TAG.placeholder) return 'placeholder-written';
  if (source === undefined || target === undefined) return undefined;
  if (source.tag === TAG.null || target.tag === TAG.null) return nullHint(context, column, source, target);
  if (source.tag === TAG.number && target.tag === TAG.number) return numberHint(textOf(source), textOf(target));
  if (source.tag === TAG.date && target.tag === TAG.date) return momentHint(dayUs(textOf(source)), dayUs(textOf(target)), []);
  const moments = [momentOf(source), momentOf(target)];
  if (moments[0] !== undefined && moments[1] !== undefined) return momentHint(moments[0], moments[1], zonesOf(context, column));
  if (source.tag === TAG.text && target.tag === TAG.text) return textHint(source.bytes, target.bytes);
  return undefined;
}

function textOf(value: HintValue): string {
  return value.bytes.toString('latin1');
}

const SPECIAL: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', 'infinity', '-infinity']);

function nullHint(context: PairContext, column: string, source: HintValue, target: HintValue): Hint | undefined {
  if (target.tag === TAG.null) return (source.tag !== TAG.text && SPECIAL.has(textOf(source))) ? 'special-null' : undefined;
  const text = target.bytes.toString('utf8');
  // What converters and strict sinks put in the place of NULL: the column's default, or the type's zero.
  if (text === '' || text === '0' || (target.tag === TAG.text && text.startsWith('1970-01-01'))) return 'null-default';
  const defaults = [context.settings.source.valueSchema, context.settings.target.valueSchema].map((schema) => defaultOf(schema, column));
  return defaults.includes(text) ? 'null-default' : undefined;
}

function defaultOf(schema: ConnectSchema | undefined, column: string): string | undefined {
  const value = fieldsOf(rowSchema(schema)).get(column)?.default;
  return value === undefined || value === null ? undefined : String(value);
}

function numberHint(source: string, target: string): Hint | undefined {
  const exact = /^-?\d+(\.\d+)?$/;
  if (!exact.test(source) || !exact.test(target)) return undefined;
  const places = Math.max(fractionOf(source), fractionOf(target));
  const a = scaled(source, places);
  const b = scaled(target, places);
  const wrap = (a - b) / 10n ** BigInt(places);
  if (places === 0 && (wrap === 1n << 32n || wrap === -(1n << 32n) || wrap === 1n << 64n || wrap === -(1n << 64n))) return 'unsigned-wrap';
  if (places === 0 && LIMITS.has(target) && (b < 0n ? a < b : a > b)) return 'clamped';
  const [x, y] = [Number(source), Number(target)];
  // The same double, the same float, or the value with its last digits cut or rounded.
  if (x === y || Math.fround(x) === y || Math.fround(x) === Math.fround(y) && Math.fround(y) === y) return 'precision-loss';
  return fractionOf(target) < fractionOf(source) && isCut(a, b, places - fractionOf(target)) ? 'precision-loss' : undefined;
}

function fractionOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** b is a, its last `digits` digits cut or rounded. */
function isCut(a: bigint, b: bigint, digits: number): boolean {
  const unit = 10n ** BigInt(digits);
  const difference = a - b;
  return b % unit === 0n && difference < unit && difference > -unit;
}

/** Ends of the whole-number types. */
const LIMITS: ReadonlySet<string> = new Set([8n, 16n, 24n, 32n, 64n].flatMap((bits) => {
  const half = 1n << (bits - 1n);
  return [-half, half - 1n, 2n * half - 1n].map(String);
}));

/** Microseconds, or ±Infinity for an infinite time; undefined where the value is no time. */
type Moment = bigint | 'infinity' | '-infinity';

function momentOf(value: HintValue): Moment | undefined {
  if (value.tag === TAG.time) return asMoment(textOf(value));
  if (value.tag !== TAG.text || value.bytes.length < 10 || value.bytes.length > 40) return undefined;
  const sink = createSink(64);
  return writeMoment(sink, value.bytes, 0, value.bytes.length, true, undefined) === TAG.time ? asMoment(sink.bytes.toString('latin1', 0, sink.at)) : undefined;
}

function asMoment(text: string): Moment | undefined {
  if (text === 'infinity' || text === '-infinity') return text;
  return /^-?\d+(\.\d+)?$/.test(text) ? scaled(text, 0) : undefined;
}

function dayUs(text: string): Moment {
  const days = asMoment(text);
  return typeof days === 'bigint' ? days * DAY_US : (days ?? 0n);
}

const DAY_US = 86_400_000_000n;
const QUARTER_US = 900_000_000n;

function momentHint(source: Moment, target: Moment, zones: readonly string[]): Hint | undefined {
  if (isClamped(source, target)) return 'clamped';
  if (typeof source !== 'bigint' || typeof target !== 'bigint' || source === target) return undefined;
  const difference = target - source;
  const magnitude = difference < 0n ? -difference : difference;
  if (isWrap(magnitude)) return 'ns-overflow';
  if (isCalendarShift(source, difference) || isCalendarShift(target, -difference)) return 'calendar';
  if (magnitude % QUARTER_US === 0n && magnitude <= 14n * 4n * QUARTER_US) {
    return magnitude === 4n * QUARTER_US && zones.some((zone) => isNearChange(zone, source)) ? 'dst-fold' : 'timezone';
  }
  for (let digits = 1; digits <= 6; digits++) if (isCut(source, target, digits)) return 'precision-loss';
  return undefined;
}

/** Nanoseconds in 64 bits ran over, once or several times. */
function isWrap(magnitudeUs: bigint): boolean {
  const around = (magnitudeUs * 1000n + 500n) % (1n << 64n);
  return magnitudeUs > 1_000_000_000_000_000n && around <= 2000n;
}

/** Ends of time of some engine or type: a value beyond was replaced by it. */
const LAST_DAYS = [daysFromCivil(9999, 12, 31)];
const FIRST_DAYS = [daysFromCivil(1, 1, 1), daysFromCivil(1000, 1, 1), daysFromCivil(1753, 1, 1)];
const LAST_TIMESTAMP_US = 2_147_483_647_000_000n;

function isClamped(source: Moment, target: Moment): boolean {
  if (typeof target !== 'bigint') return false;
  const day = Number(floorDiv(target, DAY_US));
  const above = source === 'infinity' || (typeof source === 'bigint' && source > target);
  const below = source === '-infinity' || (typeof source === 'bigint' && source < target);
  // Within the last day the time may have been kept: 15000-12-31 23:40:28 becomes 9999-12-31 23:40:28.
  if (above) return (LAST_DAYS.includes(day) && beyondDay(source, day)) || target / 1_000_000n === LAST_TIMESTAMP_US / 1_000_000n;
  return below && ((FIRST_DAYS.includes(day) && target % DAY_US === 0n) || target === 0n || target === 1_000_000n);
}

function beyondDay(source: Moment, day: number): boolean {
  return typeof source !== 'bigint' || source >= BigInt(day + 1) * DAY_US;
}

function floorDiv(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -((-a + b - 1n) / b);
}

/** Days by which the Julian and the Gregorian calendar name a moment before 1582-10-15 differently. */
function isCalendarShift(moment: bigint, differenceUs: bigint): boolean {
  if (differenceUs % DAY_US !== 0n) return false;
  const days = Number(floorDiv(moment, DAY_US));
  if (days >= daysFromCivil(1582, 10, 15)) return false;
  const [year, month] = civilFromDays(days);
  const y = month <= 2 ? year - 1 : year;
  const shift = Math.floor(y / 100) - Math.floor(y / 400) - 2;
  return shift !== 0 && differenceUs === BigInt(shift) * DAY_US;
}

function zonesOf(context: PairContext, column: string): string[] {
  const types = context.settings.columns.types;
  const rule = Object.hasOwn(types, column) ? types[column] : undefined;
  return [rule?.sourceZone, rule?.targetZone].filter((zone) => zone !== undefined);
}

/** Whether the zone's clock is set within three hours: an hour's difference is then the hour that occurs twice, or never. */
function isNearChange(zone: string, momentUs: bigint): boolean {
  const seconds = Number(momentUs / 1_000_000n);
  const clock = zoneOf(zone);
  return clock.offsetAt(seconds - 10_800) !== clock.offsetAt(seconds + 10_800);
}

const REPLACEMENT = Buffer.from('\ufffd');

function textHint(source: Buffer, target: Buffer): Hint | undefined {
  if (source.includes(REPLACEMENT) && !target.includes(REPLACEMENT)) return 'lossy-source';
  const a = source.toString('utf8');
  const b = target.toString('utf8');
  if (a.normalize('NFC') === b.normalize('NFC')) return 'unicode-form';
  return misread(a) === b || misread(b) === a ? 'mojibake' : undefined;
}

/** Windows-1252's letters at 0x80 to 0x9f; unassigned places are left as they are. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The text that this one is, if it is UTF-8 that was read as Latin-1 or Windows-1252; undefined where it cannot be. */
function misread(text: string): string | undefined {
  const bytes: number[] = [];
  for (const letter of text) {
    const high = HIGH.indexOf(letter);
    const c = high >= 0 ? 0x80 + high : letter.charCodeAt(0);
    if (c > 255 || letter.length > 1) return undefined;
    bytes.push(c);
  }
  const decoded = Buffer.from(bytes).toString('utf8');
  return decoded.includes('\ufffd') || decoded === text ? undefined : decoded;
}
