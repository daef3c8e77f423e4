// A record batch as Kafka keeps it (magic 2), written here. Big-endian:
//   0 base offset (int64) · 8 length of what follows (int32) · 12 leader epoch (int32) · 16 magic (int8) · 17 CRC-32C of 21 to the end
//   21 attributes (int16) · 23 last offset delta (int32) · 27 first timestamp · 35 largest timestamp (int64) · 43 producer id (int64)
//   51 producer epoch (int16) · 53 first sequence number (int32) · 57 number of records (int32) · 61 records
// Record: length, attributes (int8), timestamp delta, offset delta, key, value, headers; lengths and deltas as zigzag varints.
//
// The records are encoded, and so copied, when `append` is called; producer id, epoch and sequence number come when they are sent (`seal`).
import { crc32c } from '../../../schemas/crc32c.ts';
import { kafkaWriteBatchBytes } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import type { AppendRecord, TopicPartition } from '../log.ts';

export const BATCH_HEADER_BYTES = 61;
export const ATTRIBUTES = { compression: 7, logAppendTime: 8, transactional: 16, control: 32 } as const;

export interface EncodedBatch extends TopicPartition { readonly count: number; readonly data: Buffer }

export interface ProducerIdentity { readonly producerId: bigint; readonly epoch: number }

/** The records by partition, in their order; a partition with much to write gets several batches, one behind the other. */
export function encodeBatches(records: readonly AppendRecord[], nowMs: number): EncodedBatch[] {
  const batches: EncodedBatch[] = [];
  const groups = Map.groupBy(records, ({ topic, partition }) => `${partition} ${topic}`);
  for (const group of groups.values()) {
    for (let start = 0; start < group.length;) {
      let end = start;
      let sizeBytes = 0;
      while (end < group.length && (end === start || sizeBytes + sizeOf(group[end]) <= kafkaWriteBatchBytes)) sizeBytes += sizeOf(group[end++]);
      batches.push(encodeBatch(group.slice(start, end), sizeBytes, nowMs));
      start = end;
    }
  }
  return batches;
}

export function seal({ data }: EncodedBatch, { producerId, epoch }: ProducerIdentity, sequence: number): void {
  data.writeBigInt64BE(producerId, 43);
  data.writeInt16BE(epoch, 51);
  data.writeInt32BE(sequence, 53);
  data.writeUInt32BE(crc32c(data, 21), 17);
}

/** Bytes of a record at most: the varints of its deltas and lengths take what they may take. */
function sizeOf({ key, value, headers = [] }: AppendRecord): number {
  let bytes = 40 + (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, header] of headers) bytes += 10 + Buffer.byteLength(name) + (header?.length ?? 0);
  return bytes;
}

function encodeBatch(records: readonly AppendRecord[], sizeBytes: number, nowMs: number): EncodedBatch {
  const [{ topic, partition }] = records;
  const data = Buffer.allocUnsafe(BATCH_HEADER_BYTES + sizeBytes);
  const firstMs = timestampOf(records[0], nowMs);
  let maxMs = firstMs;
  let at = BATCH_HEADER_BYTES;
  for (const [index, record] of records.entries()) {
    const timestampMs = timestampOf(record, nowMs);
    maxMs = Math.max(maxMs, timestampMs);
    at = writeRecord(data, at, record, index, timestampMs - firstMs);
  }
  data.writeBigInt64BE(0n, 0);
  data.writeInt32BE(at - 12, 8);
  data.writeInt32BE(-1, 12);
  data[16] = 2;
  data.writeInt16BE(ATTRIBUTES.transactional, 21);
  data.writeInt32BE(records.length - 1, 23);
  data.writeBigInt64BE(BigInt(firstMs), 27);
  data.writeBigInt64BE(BigInt(maxMs), 35);
  data.writeInt32BE(records.length, 57);
  return { topic, partition, count: records.length, data: data.subarray(0, at) };
}

/** Whole milliseconds, as Kafka has them. */
function timestampOf(record: AppendRecord, nowMs: number): number {
  const timestampMs = Math.floor(record.timestampMs ?? nowMs);
  if (timestampMs >= 0 && timestampMs < 2 ** 51) return timestampMs;
  throw new LogError('invalid-record', `a record for topic "${record.topic}" has the timestamp ${timestampMs}: Kafka takes none before 1970`);
}

function writeRecord(data: Buffer, at: number, { key, value, headers = [] }: AppendRecord, offsetDelta: number, timestampDelta: number): number {
  let body = 1 + varintBytes(timestampDelta) + varintBytes(offsetDelta) + fieldBytes(key) + fieldBytes(value) + varintBytes(headers.length);
  for (const [name, header] of headers) body += varintBytes(Buffer.byteLength(name)) + Buffer.byteLength(name) + fieldBytes(header);
  let p = writeVarint(data, at, body);
  data[p++] = 0;
  p = writeVarint(data, p, timestampDelta);
  p = writeVarint(data, p, offsetDelta);
  p = writeField(data, p, key);
  p = writeField(data, p, value);
  p = writeVarint(data, p, headers.length);
  for (const [name, header] of headers) {
    p = writeVarint(data, p, Buffer.byteLength(name));
    p += data.write(name, p);
    p = writeField(data, p, header);
  }
  return p;
}

function fieldBytes(bytes: Uint8Array | null): number {
  return bytes === null ? 1 : varintBytes(bytes.length) + bytes.length;
}

function writeField(data: Buffer, at: number, bytes: Uint8Array | null): number {
  if (bytes === null) return writeVarint(data, at, -1);
  const start = writeVarint(data, at, bytes.length);
  data.set(bytes, start);
  return start + bytes.length;
}

/** In doubles: a timestamp delta passes 2^31 (25 days), where shifts wrap around. */
function writeVarint(data: Buffer, at: number, value: number): number {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1;
  for (; rest > 127; rest = Math.floor(rest / 128)) data[at++] = (rest % 128) | 128;
  data[at++] = rest;
  return at;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >= 0 ? value * 2 : -value * 2 - 1; rest > 127; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}
