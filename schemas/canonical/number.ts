// Numbers as exact decimal text: 1.00 is 1, -0 is 0, 1E3 is 1000. The form is a function of the value alone, so equal numbers are
// equal bytes whoever printed them, and no digit is lost: nothing here goes through a double except what is one.
import { copyInto, reserve, writeAscii } from './sink.ts';
import type { Sink } from './sink.ts';

/** Zeros that are written out at most; a number that needs more is written as D.DDE±N (1E300 is not 301 bytes). */
const ZEROS = 64;
/** Exponents beyond this are not numbers of any database. */
const MAX_EXPONENT = 999_999_999;

let digits = new Uint8Array(256);

/** A whole number in JSON spelling: copied, but -0 is 0. */
export function writeWhole(sink: Sink, b: Buffer, from: number, to: number): void {
  copyInto(sink, b, to - from === 2 && b[from] === 45 && b[from + 1] === 48 ? from + 1 : from, to);
}

/** Decimal text with sign, point and exponent as JSON, Java or SQL spell it. False (and nothing written) where it is not a number. */
export function writeDecimal(sink: Sink, b: Buffer, from: number, to: number): boolean {
  if (isCanonical(b, from, to)) {
    copyInto(sink, b, from, to);
    return true;
  }
  let p = from;
  const negative = b[p] === 45 && p < to;
  if (p < to && (b[p] === 45 || b[p] === 43)) p++;
  if (to - p > digits.length) digits = new Uint8Array(2 * (to - p));
  let count = 0;
  let seen = 0;
  let exponent = 0;
  let fraction = false;
  for (; p < to; p++) {
    const c = b[p];
    if (c >= 48 && c <= 57) {
      seen++;
      if (fraction) exponent--;
      if (count > 0 || c !== 48) digits[count++] = c;
    } else if (c === 46 && !fraction) fraction = true;
    else break;
  }
  if (seen === 0) return false;
  if (p < to) {
    const shift = exponentOf(b, p, to);
    if (Number.isNaN(shift)) return false;
    exponent += shift;
  }
  writeDigits(sink, negative, count, exponent);
  return true;
}

/** Is the text in our form already: no superfluous zero, no exponent, a point inside? */
function isCanonical(b: Buffer, from: number, to: number): boolean {
  const last = b[to - 1];
  let p = b[from] === 45 ? from + 1 : from;
  if (to - p < 3 || to - p > ZEROS || last < 49 || last > 57 || b[p] < 48 || b[p] > 57) return false;
  if (b[p] === 48 && b[p + 1] !== 46) return false;
  let points = 0;
  for (p++; p < to; p++) {
    if (b[p] === 46) points++;
    else if (b[p] < 48 || b[p] > 57) return false;
  }
  return points === 1;
}

/** The exponent part `E±N` that fills b[p, to); NaN where it is none. */
function exponentOf(b: Buffer, p: number, to: number): number {
  if ((b[p++] | 32) !== 101) return NaN;
  const negative = p < to && b[p] === 45;
  if (p < to && (b[p] === 45 || b[p] === 43)) p++;
  if (p >= to) return NaN;
  let value = 0;
  for (; p < to; p++) {
    if (b[p] < 48 || b[p] > 57) return NaN;
    value = Math.min(value * 10 + b[p] - 48, MAX_EXPONENT);
  }
  return negative ? -value : value;
}

/** Writes the number of the first `count` digits times ten to the `exponent`. */
function writeDigits(sink: Sink, negative: boolean, count: number, exponent: number): void {
  while (count > 0 && digits[count - 1] === 48) { count--; exponent++; }
  reserve(sink, count + ZEROS + 24);
  const out = sink.bytes;
  let w = sink.at;
  if (count === 0) out[w++] = 48;
  else {
    if (negative) out[w++] = 45;
    const point = count + exponent;
    if (exponent >= 0 && exponent <= ZEROS) {
      for (let i = 0; i < count; i++) out[w++] = digits[i];
      for (let i = 0; i < exponent; i++) out[w++] = 48;
    } else if (exponent < 0 && point > -ZEROS) {
      if (point <= 0) {
        out[w++] = 48;
        out[w++] = 46;
        for (let i = point; i < 0; i++) out[w++] = 48;
      }
      for (let i = 0; i < count; i++) {
        if (i === point && i > 0) out[w++] = 46;
        out[w++] = digits[i];
      }
    } else {
      sink.at = w;
      writeScientific(sink, count, point - 1);
      return;
    }
  }
  sink.at = w;
}

function writeScientific(sink: Sink, count: number, exponent: number): void {
  const out = sink.bytes;
  for (let i = 0; i < count; i++) {
    if (i === 1) out[sink.at++] = 46;
    out[sink.at++] = digits[i];
  }
  writeAscii(sink, (exponent < 0 ? 'E' : 'E+') + String(exponent));
}

/** A big-endian two's complement number of b[from, to) times ten to the -scale (`org.apache.kafka.connect.data.Decimal`). */
export function writeUnscaled(sink: Sink, b: Buffer, from: number, to: number, scale: number): void {
  while (to - from > 1 && ((b[from] === 0 && b[from + 1] < 128) || (b[from] === 255 && b[from + 1] >= 128))) from++;
  const length = to - from;
  let negative = false;
  let count = 0;
  if (length === 0) count = 0;
  else if (length <= 6) {
    let value = b[from] >= 128 ? b[from] - 256 : b[from];
    for (let i = from + 1; i < to; i++) value = value * 256 + b[i];
    negative = value < 0;
    count = spellDigits(Math.abs(value));
  } else {
    let value = BigInt('0x' + b.toString('hex', from, to));
    if (b[from] >= 128) value -= 1n << BigInt(8 * length);
    negative = value < 0n;
    count = takeDigits(String(negative ? -value : value));
  }
  writeDigits(sink, negative, count, -scale);
}

function spellDigits(value: number): number {
  let count = 0;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 10)) count++;
  for (let i = count - 1; i >= 0; i--) {
    const q = Math.floor(value / 10);
    digits[i] = 48 + (value - q * 10);
    value = q;
  }
  return count;
}

function takeDigits(text: string): number {
  if (text.length > digits.length) digits = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) digits[i] = text.charCodeAt(i);
  return text.length;
}

/** A double (or, where `single`, a float) from its text: the shortest text that reads back as it. Java before 19 prints longer ones. */
export function writeFloat(sink: Sink, b: Buffer, from: number, to: number, single: boolean): boolean {
  // A decimal of up to 15 (6) digits is the shortest text of the number it reads as, so it need not be read.
  if (significantDigits(b, from, to) <= (single ? 6 : 15)) return writeDecimal(sink, b, from, to);
  const value = Number(b.toString('latin1', from, to));
  if (Number.isNaN(value)) return false;
  const text = single ? shortestSingle(Math.fround(value)) : String(value);
  // What JavaScript writes without an exponent is in our form already.
  if (single || !Number.isFinite(value) || text.includes('e')) return writeDecimalText(sink, text);
  writeAscii(sink, text);
  return true;
}

/** Upper bound of the significant digits; 99 with an exponent, as the bound does not hold at the ends of the range. */
function significantDigits(b: Buffer, from: number, to: number): number {
  let count = 0;
  for (let p = from; p < to; p++) {
    const c = b[p];
    if (c >= 48 && c <= 57) {
      if (count > 0 || c !== 48) count++;
    } else if ((c | 32) === 101) return 99;
  }
  return count;
}

function shortestSingle(value: number): string {
  for (let precision = 6; precision < 9; precision++) {
    const text = value.toPrecision(precision);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toPrecision(9);
}

/** Decimal text, or the name of a special number in any of its spellings. False where it is neither. */
export function writeDecimalText(sink: Sink, text: string): boolean {
  const special = specialNumber(text);
  if (special !== undefined) {
    writeAscii(sink, special);
    return true;
  }
  const b = Buffer.from(text, 'latin1');
  return writeDecimal(sink, b, 0, b.length);
}

/** `NaN`, `Infinity`, `-Infinity` of the spellings of Java, PostgreSQL and Debezium's `decimal.handling.mode=string`. */
export function specialNumber(text: string): string | undefined {
  switch (text.toLowerCase()) {
    case 'nan': return 'NaN';
    case 'infinity': case '+infinity': case 'inf': case '+inf': case 'positive_infinity': return 'Infinity';
    case '-infinity': case '-inf': case 'negative_infinity': return '-Infinity';
    default: return undefined;
  }
}
