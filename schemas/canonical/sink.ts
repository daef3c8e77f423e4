// Where canonical bytes are written: one buffer that grows, and a place in it. Long-lived, one per decoder.
// Invariant: whoever writes n bytes has called `reserve(sink, n)` before; `bytes` may be another buffer after it.
import { wordsOf } from '../formats/words.ts';

export interface Sink {
  bytes: Buffer;
  /** The same bytes, to be written by words. */
  words: DataView;
  /** Where the next byte goes. */
  at: number;
}

export function createSink(sizeBytes: number = 1 << 14): Sink {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  return { bytes, words: viewOf(bytes), at: 0 };
}

/** Makes room for `sizeBytes` more. */
export function reserve(sink: Sink, sizeBytes: number): void {
  if (sink.at + sizeBytes > sink.bytes.length) grow(sink, sizeBytes);
}

function grow(sink: Sink, sizeBytes: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(sink.bytes.length * 2, sink.at + sizeBytes + 1024));
  sink.bytes.copy(larger, 0, 0, sink.at);
  sink.bytes = larger;
  sink.words = viewOf(larger);
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Copies b[from, to). Short spans by words: a call into native code costs as much as a hundred bytes. */
export function copyInto(sink: Sink, b: Buffer, from: number, to: number): void {
  const length = to - from;
  reserve(sink, length);
  const at = sink.at;
  sink.at = at + length;
  if (length > 128) {
    b.copy(sink.bytes, at, from, to);
    return;
  }
  let i = 0;
  if (length >= 4) {
    const words = wordsOf(b);
    const out = sink.words;
    for (; i + 4 <= length; i += 4) out.setInt32(at + i, words.getInt32(from + i, true), true);
  }
  for (; i < length; i++) sink.bytes[at + i] = b[from + i];
}

/** Writes text as UTF-8. Not for the hot path. */
export function writeText(sink: Sink, text: string): void {
  reserve(sink, text.length * 3);
  sink.at += sink.bytes.write(text, sink.at, 'utf8');
}

/** Writes text whose characters are all ASCII. */
export function writeAscii(sink: Sink, text: string): void {
  const length = text.length;
  reserve(sink, length);
  const out = sink.bytes;
  const at = sink.at;
  for (let i = 0; i < length; i++) out[at + i] = text.charCodeAt(i);
  sink.at = at + length;
}

/** Writes a whole number, exact up to 2^53, in decimal: by two halves that are whole numbers to the engine as well. */
export function writeInteger(sink: Sink, value: number): void {
  reserve(sink, 20);
  if (value < 0) {
    sink.bytes[sink.at++] = 45;
    value = -value;
  }
  const high = Math.floor(value / 1e8) | 0;
  const low = (value - high * 1e8) | 0;
  if (high > 0) writeDigits(sink, high, digitCount(high));
  writeDigits(sink, low, high > 0 ? 8 : digitCount(low));
}

function writeDigits(sink: Sink, value: number, count: number): void {
  const out = sink.bytes;
  const from = sink.at;
  for (let i = from + count - 1; i >= from; i--) {
    const rest = (value / 10) | 0;
    out[i] = 48 + value - rest * 10;
    value = rest;
  }
  sink.at = from + count;
}

function digitCount(value: number): number {
  let count = 1;
  for (let limit = 10; value >= limit && count < 10; limit *= 10) count++;
  return count;
}

/** Writes an unsigned LEB128 number below 2^28. */
export function writeVarint(sink: Sink, value: number): void {
  reserve(sink, 5);
  while (value > 127) {
    sink.bytes[sink.at++] = (value & 127) | 128;
    value >>>= 7;
  }
  sink.bytes[sink.at++] = value;
}

/** Begins a part whose length is not known yet: leaves a byte for it; returns where. */
export function beginPart(sink: Sink): number {
  reserve(sink, 1);
  return sink.at++;
}

/** Ends the part that began at `from`: writes its length (varint) there, moving what was written where one byte does not hold it. */
export function endPart(sink: Sink, from: number): void {
  const length = sink.at - from - 1;
  if (length < 128) {
    sink.bytes[from] = length;
    return;
  }
  const size = length < 16384 ? 2 : length < 2097152 ? 3 : 4;
  reserve(sink, size);
  sink.bytes.copyWithin(from + size, from + 1, sink.at);
  sink.at = from;
  writeVarint(sink, length);
  sink.at += length;
}
