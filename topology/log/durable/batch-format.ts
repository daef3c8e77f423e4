// The bytes of the durable log: a segment file is a header and batches, one behind the other; a batch is one append, whole or not there.
// Little-endian. Whole numbers that may pass 2^32 are float64, exact to 2^53.
//
// Header of a segment, 64 bytes
//   0 "PARITASL" · 8 format version (uint32) · 12 number of the segment (float64) · 20 generation (uint32): how often it was rewritten
//   24 id of the log (16 bytes) · 40 zeros · 60 CRC-32C of bytes 0 to 59
// Batch
//   0 CRC-32C of bytes 4 up to the end of the directory · 4 length of the batch (uint32) · 8 end of the directory (uint32)
//   12 CRC-32C of the records behind the directory · 16 sequence number (float64) · 24 kind (uint8), three zeros · 28 sections (uint32)
//   32 directory, records
// Directory of an append: length of the group's name (uint16), the name, number of positions (uint32), positions (partition uint32,
//   offset float64), sections (partition uint32, base offset float64, end offset float64, records uint32, bytes
//   uint32, largest timestamp float64).
//   The records of a section are the frames of record-frame.ts, section behind section. Other kinds: JSON (log-state.ts).
//
// Every checksum begins from the log's id: bytes of another log, as they may stand in a record, are never taken for a batch of this one.
import { assert } from '../../../schemas/assert.ts';
import { crc32c } from '../../../schemas/crc32c.ts';
import { logBatchBytesMax } from '../../../schemas/limits.ts';

export const FORMAT_VERSION = 1;
export const SEGMENT_HEADER_BYTES = 64;
export const BATCH_HEAD_BYTES = 32;
export const POSITION_BYTES = 12;
export const SECTION_BYTES = 36;

/** append: records and positions. snapshot: first in each segment, all that is known but the records. topic: one more. trim: what is gone. closed: the writer left in order. removal: a topic, or a group's positions, is gone. */
export const KINDS = ['append', 'snapshot', 'topic', 'trim', 'closed', 'removal'] as const;
export type BatchKind = (typeof KINDS)[number];

export interface LogId { readonly hex: string; /** What checksums begin from. */ readonly seed: number }

export function logIdOf(bytes: Buffer): LogId {
  return { hex: bytes.toString('hex'), seed: crc32c(bytes) };
}

export interface SegmentHeader { readonly version: number; readonly number: number; readonly generation: number; readonly log: LogId }

export function writeSegmentHeader(number: number, generation: number, log: LogId): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  header.write('PARITASL', 0, 'latin1');
  header.writeUInt32LE(FORMAT_VERSION, 8);
  header.writeDoubleLE(number, 12);
  header.writeUInt32LE(generation, 20);
  header.write(log.hex, 24, 'hex');
  header.writeUInt32LE(crc32c(header, 0, 60), 60);
  return header;
}

/** The header, or why it is none. */
export function readSegmentHeader(data: Buffer): SegmentHeader | string {
  if (data.length < SEGMENT_HEADER_BYTES) return `the file has ${data.length} bytes, and its header alone ${SEGMENT_HEADER_BYTES}`;
  if (data.toString('latin1', 0, 8) !== 'PARITASL') return 'it does not begin like a segment of a log';
  const version = data.readUInt32LE(8);
  if (crc32c(data, 0, 60) !== data.readUInt32LE(60)) return 'the checksum of its header does not match';
  return { version, number: data.readDoubleLE(12), generation: data.readUInt32LE(20), log: logIdOf(data.subarray(24, 40)) };
}

/** Where a batch lies and what it is; read with `readBatch`, written over by the next. */
export interface BatchHead { lengthBytes: number; directoryEnd: number; sequence: number; kind: BatchKind; sections: number }

export function newBatchHead(): BatchHead {
  return { lengthBytes: 0, directoryEnd: 0, sequence: 0, kind: 'append', sections: 0 };
}

/** whole: its directory is as written. short: `available` bytes do not hold all of it. bad: these bytes are not a batch. */
export type BatchRead = 'whole' | 'short' | 'bad';

/** Reads the head at `at`, of which `available` bytes are there, and checks the directory; the records are checked by `recordsMatch`. */
export function readBatch(head: BatchHead, data: Buffer, at: number, available: number, log: LogId): BatchRead {
  if (available < BATCH_HEAD_BYTES) return 'short';
  const lengthBytes = data.readUInt32LE(at + 4);
  const directoryEnd = data.readUInt32LE(at + 8);
  const kind = KINDS[data[at + 24]];
  if (lengthBytes < directoryEnd || directoryEnd < BATCH_HEAD_BYTES || lengthBytes > logBatchBytesMax || kind === undefined) return 'bad';
  head.lengthBytes = lengthBytes;
  if (available < lengthBytes) return 'short';
  if (crc32c(data, at + 4, at + directoryEnd, log.seed) !== data.readUInt32LE(at)) return 'bad';
  head.directoryEnd = directoryEnd;
  head.sequence = data.readDoubleLE(at + 16);
  head.kind = kind;
  head.sections = data.readUInt32LE(at + 28);
  return 'whole';
}

export function recordsMatch(head: BatchHead, data: Buffer, at: number, log: LogId): boolean {
  return crc32c(data, at + head.directoryEnd, at + head.lengthBytes, log.seed) === data.readUInt32LE(at + 12);
}

/** Fills in the head of a batch that lies at the beginning of `data`, directory and records in place. */
export function sealBatch(data: Buffer, lengthBytes: number, directoryEnd: number, sequence: number, kind: BatchKind, sections: number, log: LogId): void {
  assert(lengthBytes >= directoryEnd && directoryEnd >= BATCH_HEAD_BYTES && lengthBytes <= logBatchBytesMax, 'a batch of the log is out of its bounds');
  data.writeUInt32LE(lengthBytes, 4);
  data.writeUInt32LE(directoryEnd, 8);
  data.writeUInt32LE(crc32c(data, directoryEnd, lengthBytes, log.seed), 12);
  data.writeDoubleLE(sequence, 16);
  data.writeUInt32LE(KINDS.indexOf(kind), 24);
  data.writeUInt32LE(sections, 28);
  data.writeUInt32LE(crc32c(data, 4, directoryEnd, log.seed), 0);
}

/** A batch whose directory is JSON. */
export function jsonBatch(kind: BatchKind, content: unknown, sequence: number, log: LogId): Buffer {
  const json = Buffer.from(JSON.stringify(content));
  const batch = Buffer.alloc(BATCH_HEAD_BYTES + json.length);
  json.copy(batch, BATCH_HEAD_BYTES);
  sealBatch(batch, batch.length, batch.length, sequence, kind, 0, log);
  return batch;
}

export function readJson(data: Buffer, at: number, head: BatchHead): unknown {
  return JSON.parse(data.toString('utf8', at + BATCH_HEAD_BYTES, at + head.directoryEnd));
}

/** Place of the number of positions in an append's directory. */
function positionsAt(data: Buffer, at: number): number {
  return at + BATCH_HEAD_BYTES + 2 + data.readUInt16LE(at + BATCH_HEAD_BYTES);
}

/** Place of the first section in an append's directory. */
export function sectionsAt(data: Buffer, at: number): number {
  const positions = positionsAt(data, at);
  return positions + 4 + data.readUInt32LE(positions) * POSITION_BYTES;
}

export function forEachPosition(data: Buffer, at: number, take: (group: string, partition: number, offset: number) => void): void {
  const positions = positionsAt(data, at);
  const count = data.readUInt32LE(positions);
  if (count === 0) return;
  const group = data.toString('utf8', at + BATCH_HEAD_BYTES + 2, positions);
  for (let p = positions + 4, n = 0; n < count; n++, p += POSITION_BYTES) take(group, data.readUInt32LE(p), data.readDoubleLE(p + 4));
}

/** One section of an append, as written in its directory. */
export interface Section {
  partition: number;
  /** What the offsets of its frames count from. */
  baseOffset: number;
  /** Offset after the last record. */
  endOffset: number;
  records: number;
  sizeBytes: number;
  maxTimestampMs: number;
}

export function readSection(section: Section, data: Buffer, at: number): void {
  section.partition = data.readUInt32LE(at);
  section.baseOffset = data.readDoubleLE(at + 4);
  section.endOffset = data.readDoubleLE(at + 12);
  section.records = data.readUInt32LE(at + 20);
  section.sizeBytes = data.readUInt32LE(at + 24);
  section.maxTimestampMs = data.readDoubleLE(at + 28);
}

export function writeSection(section: Section, data: Buffer, at: number): void {
  data.writeUInt32LE(section.partition, at);
  data.writeDoubleLE(section.baseOffset, at + 4);
  data.writeDoubleLE(section.endOffset, at + 12);
  data.writeUInt32LE(section.records, at + 20);
  data.writeUInt32LE(section.sizeBytes, at + 24);
  data.writeDoubleLE(section.maxTimestampMs, at + 28);
}

export function newSection(): Section {
  return { partition: 0, baseOffset: 0, endOffset: 0, records: 0, sizeBytes: 0, maxTimestampMs: 0 };
}
