// JSON strings as UTF-8, and the text rules of a column: padding, case, Unicode form.
import { reserve } from './sink.ts';
import type { Sink } from './sink.ts';
import { hexDigit } from '../formats/json-scan.ts';

/** Writes the scanned string content b[from, to) (without its quotes) with its escapes resolved. A lone surrogate, which UTF-8 does not
 *  have, is written as its three bytes, so that two of them stay different. */
export function unescape(sink: Sink, b: Buffer, from: number, to: number): void {
  reserve(sink, to - from);
  const out = sink.bytes;
  let w = sink.at;
  for (let p = from; p < to; p++) {
    const c = b[p];
    if (c !== 92) { out[w++] = c; continue; }
    const e = b[++p];
    if (e !== 117) { out[w++] = ESCAPES[e]; continue; }
    let unit = codeUnit(b, p + 1);
    p += 4;
    if (unit >= 0xd800 && unit < 0xdc00 && p + 6 < to && b[p + 1] === 92 && b[p + 2] === 117) {
      const low = codeUnit(b, p + 3);
      if (low >= 0xdc00 && low < 0xe000) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        p += 6;
      }
    }
    w = writeCodePoint(out, w, unit);
  }
  sink.at = w;
}

const ESCAPES = new Uint8Array(256);
for (const [escape, c] of [['"', 34], ['\\', 92], ['/', 47], ['b', 8], ['f', 12], ['n', 10], ['r', 13], ['t', 9]] as const) {
  ESCAPES[escape.charCodeAt(0)] = c;
}

function codeUnit(b: Buffer, p: number): number {
  return (hexDigit(b[p]) << 12) | (hexDigit(b[p + 1]) << 8) | (hexDigit(b[p + 2]) << 4) | hexDigit(b[p + 3]);
}

/** At most four bytes, never more than the escape took. */
function writeCodePoint(out: Buffer, w: number, c: number): number {
  if (c < 0x80) { out[w] = c; return w + 1; }
  if (c < 0x800) {
    out[w] = 0xc0 | (c >> 6);
    out[w + 1] = 0x80 | (c & 63);
    return w + 2;
  }
  if (c < 0x10000) {
    out[w] = 0xe0 | (c >> 12);
    out[w + 1] = 0x80 | ((c >> 6) & 63);
    out[w + 2] = 0x80 | (c & 63);
    return w + 3;
  }
  out[w] = 0xf0 | (c >> 18);
  out[w + 1] = 0x80 | ((c >> 12) & 63);
  out[w + 2] = 0x80 | ((c >> 6) & 63);
  out[w + 3] = 0x80 | (c & 63);
  return w + 4;
}

/** Cuts trailing spaces of what was written from `start`: CHAR pads, and its padding is no part of the value. */
export function trimPadding(sink: Sink, start: number): void {
  while (sink.at > start && sink.bytes[sink.at - 1] === 32) sink.at--;
}

/** Lower-cases the ASCII letters of what was written from `start` (UUIDs). */
export function lowerAscii(sink: Sink, start: number): void {
  const { bytes, words } = sink;
  let i = start;
  // Marks of A to Z, four bytes at a time: adding 63 brings A to 128, adding 37 brings what is behind Z there.
  for (; i + 4 <= sink.at; i += 4) {
    const word = words.getInt32(i, true) & 0x7f7f7f7f;
    if (((word + 0x3f3f3f3f) & ~(word + 0x25252525) & 0x80808080) !== 0) break;
  }
  for (; i < sink.at; i++) {
    const c = bytes[i];
    if (c >= 65 && c <= 90) bytes[i] = c | 32;
  }
}

/** Text as the rule says it counts: without case, or in one Unicode form. Independent of any locale. */
export function foldText(text: string, equality: 'ci' | 'nfc'): string {
  return equality === 'ci' ? text.toUpperCase().toLowerCase() : text.normalize('NFC');
}
