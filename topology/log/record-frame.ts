// One record as bytes, the same in memory and in the files of the durable log. Little-endian:
//   0 offset above its base (uint32) · 4 key length (int32, -1: null) · 8 value length (int32, -1: null) · 12 length of headers (uint32)
//   16 timestamp (float64, milliseconds) · 24 key, value, headers
// Headers: name length (uint16), name (UTF-8), value length (int32, -1: null), value; one behind the other.
import type { RawRecord } from '../../schemas/raw-record.ts';
import type { AppendRecord, RecordHeader } from './log.ts';

export const FRAME_BYTES = 24;

/** Bytes of the record's frame. */
export function frameBytes(record: AppendRecord): number {
  return FRAME_BYTES + (record.key?.length ?? 0) + (record.value?.length ?? 0) + headersBytes(record.headers);
}

/** Writes a frame; returns the place behind it. */
export function writeFrame(data: Buffer, at: number, delta: number, record: AppendRecord, timestampMs: number): number {
  const { key, value, headers } = record;
  data.writeUInt32LE(delta, at);
  data.writeInt32LE(key === null ? -1 : key.length, at + 4);
  data.writeInt32LE(value === null ? -1 : value.length, at + 8);
  data.writeDoubleLE(timestampMs, at + 16);
  let end = at + FRAME_BYTES;
  if (key !== null) end += copy(key, data, end);
  if (value !== null) end += copy(value, data, end);
  const headersAt = end;
  if (headers !== undefined) for (const header of headers) end = writeHeader(data, end, header);
  data.writeUInt32LE(end - headersAt, at + 12);
  return end;
}

/** Copies the frame of `from` at `at` as it is, with another delta. Returns the place behind it. */
export function copyFrame(from: Buffer, at: number, data: Buffer, to: number, delta: number): number {
  const end = to + from.copy(data, to, at, frameEnd(from, at));
  data.writeUInt32LE(delta, to);
  return end;
}

export function frameEnd(data: Buffer, at: number): number {
  return at + FRAME_BYTES + Math.max(data.readInt32LE(at + 4), 0) + Math.max(data.readInt32LE(at + 8), 0) + data.readUInt32LE(at + 12);
}

export function frameDelta(data: Buffer, at: number): number {
  return data.readUInt32LE(at);
}

/** Key of a frame as text whose code units are its bytes; undefined: null. */
export function frameKey(data: Buffer, at: number): string | undefined {
  const length = data.readInt32LE(at + 4);
  return length < 0 ? undefined : data.toString('latin1', at + FRAME_BYTES, at + FRAME_BYTES + length);
}

export function isTombstone(data: Buffer, at: number): boolean {
  return data.readInt32LE(at + 8) < 0;
}

export function frameTimestampMs(data: Buffer, at: number): number {
  return data.readDoubleLE(at + 16);
}

/** A record that stands at a frame. */
export type FramedRecord = RawRecord & { headersStart: number; headersEnd: number };

/** A record with nothing in it yet; `header` reads those of the frame that `readFrame` was at last. */
export function newRecord(topic: string, partition: number): FramedRecord {
  return {
    topic, partition, offset: -1, timestampMs: 0, data: Buffer.alloc(0), keyStart: -1, keyEnd: -1, valueStart: -1, valueEnd: -1, bad: undefined,
    headersStart: 0, headersEnd: 0,
    header(name) { return lastHeader(this.data, this.headersStart, this.headersEnd, name); },
  };
}

/** Points the record at a frame; returns the place behind it. */
export function readFrame(record: FramedRecord, data: Buffer, at: number, offset: number): number {
  const keyLength = data.readInt32LE(at + 4);
  const valueLength = data.readInt32LE(at + 8);
  const keyFrom = at + FRAME_BYTES;
  const valueFrom = keyLength < 0 ? keyFrom : keyFrom + keyLength;
  const headersFrom = valueLength < 0 ? valueFrom : valueFrom + valueLength;
  record.offset = offset;
  record.timestampMs = data.readDoubleLE(at + 16);
  record.data = data;
  record.keyStart = keyLength < 0 ? -1 : keyFrom;
  record.keyEnd = keyLength < 0 ? -1 : valueFrom;
  record.valueStart = valueLength < 0 ? -1 : valueFrom;
  record.valueEnd = valueLength < 0 ? -1 : headersFrom;
  record.headersStart = headersFrom;
  record.headersEnd = headersFrom + data.readUInt32LE(at + 12);
  return record.headersEnd;
}

/** Where the frame begins that the record was pointed at. */
export function frameStart({ keyStart, valueStart, headersStart }: FramedRecord): number {
  return (keyStart >= 0 ? keyStart : valueStart >= 0 ? valueStart : headersStart) - FRAME_BYTES;
}

/** All headers, as views. */
export function frameHeaders({ data, headersStart, headersEnd }: FramedRecord): RecordHeader[] {
  const headers: RecordHeader[] = [];
  for (let at = headersStart; at < headersEnd;) {
    const nameEnd = at + 2 + data.readUInt16LE(at);
    const length = data.readInt32LE(nameEnd);
    const end = nameEnd + 4 + Math.max(length, 0);
    headers.push([data.toString('utf8', at + 2, nameEnd), length < 0 ? null : data.subarray(nameEnd + 4, end)]);
    at = end;
  }
  return headers;
}

function lastHeader(data: Buffer, start: number, end: number, name: string): Buffer | undefined {
  let found: Buffer | undefined;
  for (let at = start; at < end;) {
    const nameEnd = at + 2 + data.readUInt16LE(at);
    const length = data.readInt32LE(nameEnd);
    const valueFrom = nameEnd + 4;
    if (data.toString('utf8', at + 2, nameEnd) === name) found = length < 0 ? undefined : data.subarray(valueFrom, valueFrom + length);
    at = valueFrom + Math.max(length, 0);
  }
  return found;
}

function headersBytes(headers: readonly RecordHeader[] | undefined): number {
  if (headers === undefined) return 0;
  let sum = 0;
  for (const [name, value] of headers) sum += 6 + Buffer.byteLength(name) + (value?.length ?? 0);
  return sum;
}

function writeHeader(data: Buffer, at: number, [name, value]: RecordHeader): number {
  const nameEnd = at + 2 + data.write(name, at + 2);
  data.writeUInt16LE(nameEnd - at - 2, at);
  data.writeInt32LE(value === null ? -1 : value.length, nameEnd);
  return nameEnd + 4 + (value === null ? 0 : copy(value, data, nameEnd + 4));
}

/** Fields may be plain byte arrays, which have no `copy`. */
function copy(bytes: Uint8Array, data: Buffer, at: number): number {
  data.set(bytes, at);
  return bytes.length;
}
