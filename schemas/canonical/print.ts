// Canonical bytes as people read them (product.md §5): numbers without losing a digit, times as RFC 3339, bytes as base64. Needs no
// configuration: everything that is printed says itself what it is.
import { TAG } from './tags.ts';
import { scaled } from './time.ts';
import { formatDay } from '../time.ts';
import type { KeyJson } from '../records.ts';

/** A value's text; null for NULL. */
export function printValue(tag: number, bytes: Buffer): string | null {
  switch (tag) {
    case TAG.null: return null;
    case TAG.bytes: return bytes.toString('base64');
    case TAG.time: return printTime(bytes.toString('latin1'));
    case TAG.date: return printDate(bytes.toString('latin1'));
    case TAG.duration: return printDuration(bytes.toString('latin1'));
    case TAG.array: return JSON.stringify(printArray(bytes));
    case TAG.masked: return `masked:${bytes.toString('latin1')}`;
    default: return bytes.toString('utf8');
  }
}

/** Canonical key bytes as the key's columns. */
export function printKey(bytes: Buffer): KeyJson {
  const key: KeyJson = {};
  const from = { at: 0 };
  while (from.at < bytes.length) {
    const name = readPart(bytes, from).toString('utf8');
    const tag = bytes[from.at++];
    // A column may be called __proto__.
    Object.defineProperty(key, name, { value: printValue(tag, readPart(bytes, from)), enumerable: true, configurable: true, writable: true });
  }
  return key;
}

/** An origin; the parts of a composite are joined by colons. */
export function printOrigin(bytes: Buffer): string {
  const parts: string[] = [];
  const from = { at: 0 };
  while (from.at < bytes.length) parts.push(readPart(bytes, from).toString('utf8'));
  return parts.join(':');
}

/** Epoch and words of a position in decimal, without the zero words behind: `0:62998408:63618800`. Different positions print differently. */
export function printPosition(position: Buffer): string {
  const words = [String(position.readUInt32BE(0))];
  for (const at of [4, 12, 20]) words.push(printWord(position, at));
  words.push(String(position.readUInt32BE(28)));
  while (words.length > 1 && words[words.length - 1] === '0') words.pop();
  return words.join(':');
}

function printWord(position: Buffer, at: number): string {
  const high = position.readUInt32BE(at);
  const low = position.readUInt32BE(at + 4);
  return high < 0x200000 ? String(high * 0x100000000 + low) : String((BigInt(high) << 32n) | BigInt(low));
}

/** Length (varint) and bytes at `from`, which is moved behind them. */
function readPart(bytes: Buffer, from: { at: number }): Buffer {
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const c = bytes[from.at++];
    length |= (c & 127) << shift;
    if (c < 128) break;
  }
  from.at += length;
  return bytes.subarray(from.at - length, from.at);
}

function printArray(bytes: Buffer): (string | null)[] {
  const elements: (string | null)[] = [];
  const from = { at: 0 };
  while (from.at < bytes.length) {
    const tag = bytes[from.at++];
    elements.push(printValue(tag, readPart(bytes, from)));
  }
  return elements;
}

const DAY_NS = 86_400_000_000_000n;

/** Microseconds or nanoseconds, whichever the value needs. */
function printTime(text: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const nanos = scaled(text, 3);
  const days = (nanos - (((nanos % DAY_NS) + DAY_NS) % DAY_NS)) / DAY_NS;
  const inDay = nanos - days * DAY_NS;
  const seconds = Number(inDay / 1_000_000_000n);
  const fraction = String(inDay % 1_000_000_000n).padStart(9, '0');
  const digits = fraction.endsWith('000') ? fraction.slice(0, 6) : fraction;
  return `${formatDay(Number(days))}T${clock(seconds)}.${digits}Z`;
}

function printDate(text: string): string {
  return /^-?\d{1,15}$/.test(text) ? formatDay(Number(text)) : text;
}

/** `[-]HH:MM:SS`, with a fraction where there is one. */
function printDuration(text: string): string {
  if (!/^-?\d{1,18}(\.\d+)?$/.test(text)) return text;
  const nanos = scaled(text, 3);
  const magnitude = nanos < 0n ? -nanos : nanos;
  const fraction = String(magnitude % 1_000_000_000n).padStart(9, '0').replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${clock(Number(magnitude / 1_000_000_000n))}${fraction === '' ? '' : `.${fraction}`}`;
}

function clock(seconds: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
