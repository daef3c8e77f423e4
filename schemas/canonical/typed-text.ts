// A JSON string in its canonical form, by its column's type. Text that is not what its type says stays text and so equals only itself;
// only broken base64 of a binary column is malformed.
import { copyInto, writeAscii, writeInteger, writeText } from './sink.ts';
import type { Sink } from './sink.ts';
import { TAG, UNAVAILABLE } from './tags.ts';
import { TYPE } from './column-type.ts';
import type { TypeSpec } from './column-type.ts';
import type { Zone } from './zone.ts';
import { specialNumber, writeDecimal, writeFloat } from './number.ts';
import { writeBase64 } from './base64.ts';
import { durationUs, readInterval, readTime } from './time-text.ts';
import { writeDay, writeMoment } from './time.ts';
import { writeJsonText } from './json.ts';
import { lowerAscii, trimPadding } from './text.ts';
import { MAX_BITS, unscaled, writeBase64Decimal, writeBits, writeIntegerAs } from './typed-number.ts';
import { fail } from '../formats/json-scan.ts';

/** Writes the string content b[from, to), its escapes resolved; returns its tag, or UNAVAILABLE. */
export function writeTextAs(sink: Sink, spec: TypeSpec, zone: Zone | undefined, b: Buffer, from: number, to: number): number {
  const start = sink.at;
  switch (spec.type) {
    case TYPE.char: copyInto(sink, b, from, to); trimPadding(sink, start); return TAG.text;
    case TYPE.uuid: copyInto(sink, b, from, to); lowerAscii(sink, start); return TAG.text;
    case TYPE.int: case TYPE.uint32: case TYPE.uint64: case TYPE.float32: case TYPE.float64: case TYPE.decimal: case TYPE.variableDecimal:
      return writeNumberText(sink, spec, b, from, to);
    case TYPE.boolean: return writeBooleanText(sink, b, from, to);
    case TYPE.json: return writeJsonText(sink, b, from, to) ? TAG.json : asText(sink, b, from, to);
    case TYPE.set: return writeSet(sink, from === to ? [] : b.toString('utf8', from, to).split(','));
    case TYPE.bits: case TYPE.bitsText: return writeBitsText(sink, spec, b, from, to);
    case TYPE.bytes: return writeBase64(sink, b, from, to) ? TAG.bytes : fail(-1, 'base64');
    case TYPE.date: case TYPE.millis: case TYPE.micros: case TYPE.nanos: case TYPE.datetime: case TYPE.instant:
      return writeTimeText(sink, spec, zone, b, from, to);
    case TYPE.timeMillis: case TYPE.timeMicros: case TYPE.timeNanos: case TYPE.interval: return writeDurationText(sink, spec, b, from, to);
    default: return asText(sink, b, from, to);
  }
}

function asText(sink: Sink, b: Buffer, from: number, to: number): number {
  copyInto(sink, b, from, to);
  return TAG.text;
}

function writeNumberText(sink: Sink, spec: TypeSpec, b: Buffer, from: number, to: number): number {
  const decimal = spec.type === TYPE.decimal || spec.type === TYPE.variableDecimal;
  if (decimal && spec.binary && spec.type === TYPE.decimal && !Number.isNaN(spec.scale)) {
    if (writeBase64Decimal(sink, b, from, to, spec.scale)) return TAG.number;
  }
  const special = to - from < 20 ? specialNumber(b.toString('latin1', from, to)) : undefined;
  if (special !== undefined) {
    writeAscii(sink, special);
    return TAG.number;
  }
  // Where the schema promised a scale in the value and a string came, even digits may be base64 of a scale that nobody told: not known.
  if (spec.type === TYPE.variableDecimal && b[from] !== 45 && isBase64(b, from, to)) return UNAVAILABLE;
  if (spec.type === TYPE.float32 || spec.type === TYPE.float64) {
    return isDecimal(b, from, to) && writeFloat(sink, b, from, to, spec.type === TYPE.float32) ? TAG.number : asText(sink, b, from, to);
  }
  if (writeDecimal(sink, b, from, to)) {
    if (spec.type !== TYPE.uint32 && spec.type !== TYPE.uint64) return TAG.number;
    return wrap(sink, spec, b, from, to);
  }
  if (decimal && Number.isNaN(spec.scale)) return isBase64(b, from, to) ? UNAVAILABLE : asText(sink, b, from, to);
  if (decimal && writeBase64Decimal(sink, b, from, to, spec.scale)) return TAG.number;
  return decimal && spec.binary ? fail(-1, 'base64') : asText(sink, b, from, to);
}

function wrap(sink: Sink, spec: TypeSpec, b: Buffer, from: number, to: number): number {
  const text = b.toString('latin1', from, to);
  if (/^-\d{1,19}$/.test(text)) {
    sink.at -= writtenLength(text);
    writeAscii(sink, String(BigInt.asUintN(spec.type === TYPE.uint32 ? 32 : 64, BigInt(text))));
  }
  return TAG.number;
}

function writtenLength(text: string): number {
  return String(BigInt(text)).length;
}

function isDecimal(b: Buffer, from: number, to: number): boolean {
  const at = unscaled.at;
  const ok = writeDecimal(unscaled, b, from, to);
  unscaled.at = at;
  return ok;
}

function isBase64(b: Buffer, from: number, to: number): boolean {
  unscaled.at = 0;
  return writeBase64(unscaled, b, from, to);
}

function writeBooleanText(sink: Sink, b: Buffer, from: number, to: number): number {
  const text = to - from < 6 ? b.toString('latin1', from, to).toLowerCase() : '';
  if (text === 'true' || text === 't' || text === '1') writeAscii(sink, '1');
  else if (text === 'false' || text === 'f' || text === '0') writeAscii(sink, '0');
  else return asText(sink, b, from, to);
  return TAG.number;
}

/** Little-endian bytes in base64 (`io.debezium.data.Bits`), or zeros and ones as they stand. */
function writeBitsText(sink: Sink, spec: TypeSpec, b: Buffer, from: number, to: number): number {
  if (spec.type === TYPE.bitsText || (!spec.binary && /^[01]*$/.test(b.toString('latin1', from, to)))) {
    copyInto(sink, b, from, to);
    return TAG.bits;
  }
  unscaled.at = 0;
  if (!writeBase64(unscaled, b, from, to)) return spec.binary ? fail(-1, 'base64') : asText(sink, b, from, to);
  const bytes = Buffer.from(unscaled.bytes.subarray(0, unscaled.at)).reverse();
  const width = spec.length > 0 && spec.length <= MAX_BITS ? spec.length : bytes.length * 8;
  return writeBits(sink, bytes.length === 0 ? 0n : BigInt('0x' + bytes.toString('hex')), width);
}

function writeTimeText(sink: Sink, spec: TypeSpec, zone: Zone | undefined, b: Buffer, from: number, to: number): number {
  const tag = spec.type === TYPE.date ? writeDay(sink, b, from, to) : writeMoment(sink, b, from, to, spec.type === TYPE.instant, zone);
  if (tag >= 0) return tag;
  return isWhole(b, from, to) ? writeIntegerAs(sink, spec, zone, b, from, to) : asText(sink, b, from, to);
}

function writeDurationText(sink: Sink, spec: TypeSpec, b: Buffer, from: number, to: number): number {
  if (readTime(b, from, to) || (to - from < 128 && readInterval(b.toString('latin1', from, to)))) {
    writeInteger(sink, durationUs === 0 ? 0 : durationUs);
    return TAG.duration;
  }
  return isWhole(b, from, to) ? writeIntegerAs(sink, spec, undefined, b, from, to) : asText(sink, b, from, to);
}

function isWhole(b: Buffer, from: number, to: number): boolean {
  let p = from;
  if (p < to && b[p] === 45) p++;
  if (p === to || to - p > 30 || (b[p] === 48 && to - p > 1)) return false;
  for (; p < to; p++) if (b[p] < 48 || b[p] > 57) return false;
  return true;
}

/** Members in one order, each once. */
export function writeSet(sink: Sink, members: readonly unknown[]): number {
  const sorted = [...new Set(members.map(String))].sort();
  writeText(sink, sorted.join(','));
  return TAG.set;
}
