// A JSON number in its canonical form, by its column's type: counts of time, ordinals of labels, wrapped unsigned numbers, bit strings.
import { copyInto, createSink, writeAscii, writeText } from './sink.ts';
import type { Sink } from './sink.ts';
import { TAG, UNAVAILABLE } from './tags.ts';
import { TYPE } from './column-type.ts';
import type { TypeSpec } from './column-type.ts';
import type { Zone } from './zone.ts';
import { writeDecimal, writeDecimalText, writeFloat, writeUnscaled, writeWhole } from './number.ts';
import { writeBase64 } from './base64.ts';
import { writeCount, writeDays } from './time.ts';

/** Writes the whole number b[from, to); returns its tag, or UNAVAILABLE. */
export function writeIntegerAs(sink: Sink, spec: TypeSpec, zone: Zone | undefined, b: Buffer, from: number, to: number): number {
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

/** The same for a number with a point or an exponent. */
export function writeDecimalAs(sink: Sink, spec: TypeSpec, b: Buffer, from: number, to: number): number {
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
export const MAX_BITS: number = 4096;

/** The `width` lowest bits, as many as there are where the width is that of no limit. */
export function writeBits(sink: Sink, value: bigint, width: number): number {
  const digits = BigInt.asUintN(MAX_BITS, value).toString(2);
  writeAscii(sink, width <= MAX_BITS ? digits.padStart(width, '0') : digits);
  return TAG.bits;
}

/** Decoded base64, for what is not stored as bytes. */
export const unscaled: Sink = createSink(256);

/** A decimal as base64 of its unscaled bytes. False (and nothing written) where it is not base64. */
export function writeBase64Decimal(sink: Sink, b: Buffer, from: number, to: number, scale: number): boolean {
  unscaled.at = 0;
  if (!writeBase64(unscaled, b, from, to)) return false;
  writeUnscaled(sink, unscaled.bytes, 0, unscaled.at, scale);
  return true;
}
