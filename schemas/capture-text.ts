// Strings of a capture line, unescaped where they stand (an escape is never shorter than the bytes it stands for): no copy, no object. What
// holds of capture-json.ts holds here.
import { codeUnit, ESCAPED, fail, UNENDED } from './capture-json.ts';
import type { Scan } from './capture-json.ts';
import { scratch, unescapedTo, unescapeSome } from './capture-unescape.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const EXPECTED = 'a string is expected';
/** Value of a Base64 digit of the standard alphabet, 255 for other bytes. */
const SEXTET: Uint8Array = new Uint8Array(256).fill(255);
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) SEXTET[digit.charCodeAt(0)] = value;

/** Reads the string whose opening quote is at `at` and unescapes it in place; its span is `scan.textStart`, `scan.textEnd`. */
export function readString(scan: Scan, data: Buffer, at: number): number {
  return data[at] === QUOTE ? readRest(scan, data, at, false) : fail(scan, at, EXPECTED);
}

/** The same, sixteen bytes at once where the data is the scratch of capture-unescape.ts. For long strings. */
export function readLongString(scan: Scan, data: Buffer, at: number): number {
  return data[at] === QUOTE ? readRest(scan, data, at, data === scratch) : fail(scan, at, EXPECTED);
}

/** One loop with few branches: a value in JSON has an escape every five bytes, and each leaving of an inner loop would be a misprediction. */
function readRest(scan: Scan, data: Buffer, at: number, fast: boolean): number {
  let p = at + 1;
  let to = p;
  if (fast) {
    p = unescapeSome(p, to);
    to = unescapedTo();
  }
  for (;;) {
    const c = data[p];
    if (c === BACKSLASH) {
      const plain = ESCAPED[data[p + 1]];
      if (plain !== 0) {
        data[to++] = plain;
        p += 2;
      } else {
        p = readUnicode(scan, data, p, to);
        if (p < 0) return -1;
        to = scan.textEnd;
      }
      if (fast) {
        p = unescapeSome(p, to);
        to = unescapedTo();
      }
      continue;
    }
    if (c < 0x23) {
      if (c === QUOTE) break;
      if (c < 0x20) return fail(scan, p, UNENDED);
    }
    data[to++] = c;
    p++;
  }
  scan.textStart = at + 1;
  scan.textEnd = to;
  return p + 1;
}

/** The `\uXXXX` at `at`, with the low surrogate behind it if it is a high one, as UTF-8 at `to`; `scan.textEnd` is the end of that. */
function readUnicode(scan: Scan, data: Uint8Array, at: number, to: number): number {
  const unit = codeUnit(data, at);
  if (unit < 0) return fail(scan, at, 'no such escape in a string');
  const low = (unit & 0xfc00) === 0xd800 ? codeUnit(data, at + 6) : -1;
  const paired = low >= 0xdc00 && low <= 0xdfff;
  scan.textEnd = putUtf8(data, to, paired ? 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff) : unit);
  return paired ? at + 12 : at + 6;
}

/** A lone surrogate has no bytes: it becomes U+FFFD, as every encoder to UTF-8 does. */
function putUtf8(data: Uint8Array, at: number, codePoint: number): number {
  const code = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
  let to = at;
  if (code < 0x80) {
    data[to++] = code;
    return to;
  }
  if (code < 0x800) {
    data[to++] = 0xc0 | (code >> 6);
  } else {
    if (code < 0x10000) {
      data[to++] = 0xe0 | (code >> 12);
    } else {
      data[to++] = 0xf0 | (code >> 18);
      data[to++] = 0x80 | ((code >> 12) & 0x3f);
    }
    data[to++] = 0x80 | ((code >> 6) & 0x3f);
  }
  data[to++] = 0x80 | (code & 0x3f);
  return to;
}

/** Decodes the Base64 of the last string read in place and shortens its span. False where it is not Base64; padding may be left out. */
export function decodeBase64(scan: Scan, data: Uint8Array): boolean {
  let end = scan.textEnd;
  const length = end - scan.textStart;
  for (let padding = 0; padding < 2 && length % 4 === 0 && end > scan.textStart && data[end - 1] === 0x3d; padding++) end--;
  if ((end - scan.textStart) % 4 === 1) return false;
  let to = scan.textStart;
  let bits = 0;
  let held = 0;
  for (let p = scan.textStart; p < end; p++) {
    const value = SEXTET[data[p]];
    if (value === 255) return false;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      data[to++] = held >> bits;
    }
  }
  scan.textEnd = to;
  return true;
}
