// One JSON value in its canonical form, by its column's type and the shape it has. Where the two disagree the shape is followed as far as
// it makes sense (a MariaDB side read with the schema of the PostgreSQL side): a boolean may be 1, an instant a count, a decimal a number.
// Text that is not what its type says stays text and so equals only itself; only broken base64 of a binary column is malformed.
// Longer than most files here: it is one table from (type, shape) to a writer.
import { beginPart, copyInto, createSink, endPart, writeAscii, writeInteger, writeText } from './sink.ts';
import type { Sink } from './sink.ts';
import { TAG, UNAVAILABLE } from './tags.ts';
import { TYPE } from './column-type.ts';
import type { TypeSpec } from './column-type.ts';
import { SHAPE } from './column-type.ts';
import type { Placeholder } from './placeholder.ts';
import type { Zone } from './zone.ts';
import { specialNumber, writeDecimal, writeDecimalText, writeFloat, writeUnscaled, writeWhole } from './number.ts';
import { writeBase64 } from './base64.ts';
import { durationUs, readInterval, readTime } from './time-text.ts';
import { writeCount, writeDay, writeDays, writeMoment } from './time.ts';
import { writeJson, writeJsonText } from './json.ts';
import { lowerAscii, trimPadding, unescape } from './text.ts';
import { fail, scan, scanColon, scanValue, skipSpace, TOKEN } from '../formats/json-scan.ts';

const scratch: Sink = createSink(4096);

/** Writes the scanned value b[from, to) of kind `token`; returns its tag, or UNAVAILABLE (then what was written is to be dropped). */
export function writeTyped(
  sink: Sink, spec: TypeSpec, zone: Zone | undefined, placeholder: Placeholder, token: number, b: Buffer, from: number, to: number,
): number {
  switch (token) {
    case TOKEN.null: return TAG.null;
    case TOKEN.true: return writeBoolean(sink, spec, true);
    case TOKEN.false: return writeBoolean(sink, spec, false);
    case TOKEN.integer: return writeIntegerAs(sink, spec, zone, b, from, to);
    case TOKEN.decimal: return writeDecimalAs(sink, spec, b, from, to);
    case TOKEN.object: return writeObject(sink, spec, placeholder, b, from, to);
    case TOKEN.array: return writeArray(sink, spec, placeholder, b, from, to);
    default:
      if (to - from - 2 >= placeholder.shortest && placeholder.isText(b, from + 1, to - 1)) return writePlaceholder(sink, b, from + 1, to - 1);
      if (token === TOKEN.text) return writeTextAs(sink, spec, zone, b, from + 1, to - 1);
      scratch.at = 0;
      unescape(scratch, b, from + 1, to - 1);
      return writeTextAs(sink, spec, zone, scratch.bytes, 0, scratch.at);
  }
}

function writePlaceholder(sink: Sink, b: Buffer, from: number, to: number): number {
  copyInto(sink, b, from, to);
  return TAG.placeholder;
}

function writeBoolean(sink: Sink, spec: TypeSpec, value: boolean): number {
  if (spec.type === TYPE.text || spec.type === TYPE.char || spec.type === TYPE.json) {
    writeAscii(sink, String(value));
    return spec.type === TYPE.json ? TAG.json : TAG.text;
  }
  writeAscii(sink, value ? '1' : '0');
  return spec.type === TYPE.bits || spec.type === TYPE.bitsText ? TAG.bits : TAG.number;
}

function writeIntegerAs(sink: Sink, spec: TypeSpec, zone: Zone | undefined, b: Buffer, from: number, to: number): number {
  switch (spec.type) {
    case TYPE.uint32: return writeUnsigned(sink, 32n, b, from, to);
    case TYPE.uint64: return writeUnsigned(sink, 64n, b, from, to);
    case TYPE.boolean:
      writeAscii(sink, b[from] === 48 || (b[from] === 45 && b[from + 1] === 48) ? '0' : '1');
      return TAG.number;
    case TYPE.enumeration: return writeLabel(sink, spec, Number(b.toString('latin1', from, to)));
    case TYPE.set: return UNAVAILABLE;
    case TYPE.bits: case TYPE.bitsText: return writeBits(sink, BigInt(b.toString('latin1', from, to)), spec.length);
    case TYPE.date: writeDays(sink, b, from, to); return TAG.date;
    case TYPE.millis: writeCount(sink, b, from, to, 'millis', zone); return TAG.time;
    case TYPE.nanos: writeCount(sink, b, from, to, 'nanos', zone); return TAG.time;
    case TYPE.micros: case TYPE.datetime: case TYPE.instant: writeCount(sink, b, from, to, 'micros', zone); return TAG.time;
    case TYPE.timeMillis: writeDecimalText(sink, b.toString('latin1', from, to) + 'E3'); return TAG.duration;
    case TYPE.timeNanos: writeDecimalText(sink, b.toString('latin1', from, to) + 'E-3'); return TAG.duration;
    case TYPE.timeMicros: case TYPE.interval: writeWhole(sink, b, from, to); return TAG.duration;
    case TYPE.float32: case TYPE.float64: case TYPE.text: case TYPE.char: case TYPE.uuid: case TYPE.json:
      return writeDecimalAs(sink, spec, b, from, to);
    default: writeWhole(sink, b, from, to); return TAG.number;
  }
}

function writeDecimalAs(sink: Sink, spec: TypeSpec, b: Buffer, from: number, to: number): number {
  switch (spec.type) {
    case TYPE.float32: writeFloat(sink, b, from, to, true); return TAG.number;
    case TYPE.float64: writeFloat(sink, b, from, to, false); return TAG.number;
    case TYPE.text: case TYPE.char: case TYPE.uuid: copyInto(sink, b, from, to); return TAG.text;
    case TYPE.json: writeDecimal(sink, b, from, to); return TAG.json;
    default: writeDecimal(sink, b, from, to); return TAG.number;
  }
}

function writeUnsigned(sink: Sink, width: bigint, b: Buffer, from: number, to: number): number {
  if (b[from] === 45 && to - from <= 20) writeAscii(sink, String(BigInt.asUintN(Number(width), BigInt(b.toString('latin1', from, to)))));
  else writeWhole(sink, b, from, to);
  return TAG.number;
}

/** An enumeration by its ordinal, from 1; MySQL's 0 is the empty label of an invalid value. Without a list it cannot be known. */
function writeLabel(sink: Sink, spec: TypeSpec, ordinal: number): number {
  const label = ordinal === 0 ? '' : spec.labels?.[ordinal - 1];
  if (label === undefined || spec.labels === undefined) return UNAVAILABLE;
  writeText(sink, label);
  return TAG.text;
}

/** Widths above this are those of `bit varying` without a limit. */
const MAX_BITS = 4096;

function writeBits(sink: Sink, value: bigint, width: number): number {
  const digits = BigInt.asUintN(MAX_BITS, value).toString(2);
  writeAscii(sink, width <= MAX_BITS ? digits.padStart(width, '0') : digits);
  return TAG.bits;
}

function writeObject(sink: Sink, spec: TypeSpec, placeholder: Placeholder, b: Buffer, from: number, to: number): number {
  if (placeholder.isNested(b, from, to)) return writePlaceholder(sink, b, from, to);
  if (spec.type !== TYPE.json && writeVariableDecimal(sink, b, from, to)) return TAG.number;
  writeJson(sink, b, from, to);
  return TAG.json;
}

const SCALE = Buffer.from('"scale"');
const VALUE = Buffer.from('"value"');

/** `{"scale":2,"value":"AJY="}`, in either order. False (and nothing written) where the object is not that: nothing else has this shape. */
function writeVariableDecimal(sink: Sink, b: Buffer, from: number, to: number): boolean {
  let scale = NaN;
  let valueFrom = -1;
  let valueTo = -1;
  let p = skipSpace(b, from + 1, to);
  for (let n = 0; b[p] === 34; n++) {
    const isScale = isNamed(b, p, SCALE);
    if (n === 2 || (!isScale && !isNamed(b, p, VALUE))) return false;
    const at = scanColon(b, p + SCALE.length, to);
    p = scanValue(b, at, to, 0);
    if (isScale && scan.token === TOKEN.integer && p - at < 7) {
      scale = smallNumber(b, at, p);
    } else if (!isScale && scan.token === TOKEN.text) {
      valueFrom = at + 1;
      valueTo = p - 1;
    } else return false;
    p = skipSpace(b, p, to);
    if (b[p] === 44) p = skipSpace(b, p + 1, to);
  }
  return !Number.isNaN(scale) && valueFrom >= 0 && writeBase64Decimal(sink, b, valueFrom, valueTo, scale);
}

function smallNumber(b: Buffer, from: number, to: number): number {
  let value = 0;
  for (let p = b[from] === 45 ? from + 1 : from; p < to; p++) value = value * 10 + b[p] - 48;
  return b[from] === 45 ? -value : value;
}

function isNamed(b: Buffer, p: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) if (b[p + i] !== name[i]) return false;
  return true;
}

const unscaled: Sink = createSink(256);

function writeBase64Decimal(sink: Sink, b: Buffer, from: number, to: number, scale: number): boolean {
  unscaled.at = 0;
  if (!writeBase64(unscaled, b, from, to)) return false;
  writeUnscaled(sink, unscaled.bytes, 0, unscaled.at, scale);
  return true;
}

function writeArray(sink: Sink, spec: TypeSpec, placeholder: Placeholder, b: Buffer, from: number, to: number): number {
  if (placeholder.isNested(b, from, to)) return writePlaceholder(sink, b, from, to);
  if (spec.type === TYPE.json) {
    writeJson(sink, b, from, to);
    return TAG.json;
  }
  if (spec.type === TYPE.set) return writeSet(sink, JSON.parse(b.toString('utf8', from, to)) as readonly unknown[]);
  const items = spec.items ?? SHAPE;
  let p = skipSpace(b, from + 1, to);
  while (b[p] !== 93) {
    const at = p;
    p = scanValue(b, at, to, 0);
    const start = beginPart(sink);
    const length = beginPart(sink);
    const tag = writeTyped(sink, items, undefined, placeholder, scan.token, b, at, p);
    if (tag === UNAVAILABLE) return UNAVAILABLE;
    sink.bytes[start] = tag;
    endPart(sink, length);
    p = skipSpace(b, p, to);
    if (b[p] === 44) p = skipSpace(b, p + 1, to);
  }
  return TAG.array;
}

function writeSet(sink: Sink, members: readonly unknown[]): number {
  const sorted = [...new Set(members.map(String))].sort();
  writeText(sink, sorted.join(','));
  return TAG.set;
}

function writeTextAs(sink: Sink, spec: TypeSpec, zone: Zone | undefined, b: Buffer, from: number, to: number): number {
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
