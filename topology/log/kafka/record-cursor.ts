// Steps from record to record through fetched record sets. One long-lived object per reader; a step reads one record's header into the fields
// of its RawRecord, without copies: key and value stay views into the answer, or into the decompressed batch.
import type { RawRecord } from '../../../schemas/raw-record.ts';
import { LogError } from '../embedded-error.ts';
import { readInt64 } from './committed-batches.ts';
import { decompress } from './decompress.ts';
import { ATTRIBUTES, BATCH_HEADER_BYTES } from './record-batch.ts';

/** What `committedBatches` left of one fetched set. */
export interface RecordSet { readonly data: Buffer; readonly starts: readonly number[]; readonly sizeBytes: number }

export class RecordCursor {
  readonly record: RawRecord;
  /** Records below it are passed over: a fetch gives whole batches. */
  #from: number;
  /** Records from it on are not given. */
  readonly #end: number;
  /** Called when a set has been stepped through. */
  readonly #onDrained: (set: RecordSet) => void;
  readonly #sets: RecordSet[] = [];
  #batch = 0;
  /** Bytes of sets not yet stepped through. */
  bufferedBytes = 0;
  #data: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Records of the batch still to come. */
  #left = 0;
  #baseOffset = 0;
  #firstMs = 0;
  /** The log's own append time, of all records of the batch; NaN where each has its own. */
  #appendMs = NaN;
  #headersAt = -1;

  constructor(topic: string, partition: number, from: number, end: number, onDrained: (set: RecordSet) => void) {
    this.#onDrained = onDrained;
    this.#from = from;
    this.#end = end;
    this.record = {
      topic, partition, offset: -1, timestampMs: 0, data: this.#data, keyStart: -1, keyEnd: -1, valueStart: -1, valueEnd: -1, bad: undefined,
      header: name => (this.#headersAt < 0 ? undefined : lastHeader(this.record.data, this.#headersAt, name)),
    };
  }

  push(set: RecordSet): void {
    this.#sets.push(set);
    this.bufferedBytes += set.sizeBytes;
  }

  clear(): void {
    this.#sets.length = this.#left = this.#batch = this.bufferedBytes = 0;
  }

  /** Whether `next` will give a record. */
  hasNext(): boolean {
    while (this.#left > 0 || this.#nextBatch()) {
      const bodyAt = this.#skipVarint(this.#at);
      const offset = this.#baseOffset + readVarint(this.#data, this.#skipVarint(bodyAt + 1));
      if (offset >= this.#end) { this.clear(); return false; }
      if (offset >= this.#from) return true;
      this.#at = bodyAt + readVarint(this.#data, this.#at);
      this.#left--;
    }
    return false;
  }

  /** Steps to the next buffered record. */
  next(): boolean {
    while (this.#left > 0 || this.#nextBatch()) {
      const d = this.#data;
      let q = this.#at;
      let byte = d[q++];
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) value |= ((byte = d[q++]) & 127) << shift;
      const recordEnd = q + ((value >>> 1) ^ -(value & 1));
      if (!(recordEnd <= d.length)) this.#damaged();
      byte = d[++q];
      q++;
      let delta = byte & 127;
      for (let scale = 128; byte > 127; scale *= 128) delta += ((byte = d[q++]) & 127) * scale;
      byte = d[q++];
      value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) value |= ((byte = d[q++]) & 127) << shift;
      const offset = this.#baseOffset + ((value >>> 1) ^ -(value & 1));
      if (offset >= this.#end) { this.clear(); return false; }
      this.#at = recordEnd;
      this.#left--;
      if (offset < this.#from) continue;
      byte = d[q++];
      value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) value |= ((byte = d[q++]) & 127) << shift;
      const keyLength = (value >>> 1) ^ -(value & 1);
      const keyStart = q;
      if (keyLength > 0) q += keyLength;
      byte = d[q++];
      value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) value |= ((byte = d[q++]) & 127) << shift;
      const valueLength = (value >>> 1) ^ -(value & 1);
      const valueEnd = valueLength > 0 ? q + valueLength : q;
      if (!(valueEnd < recordEnd)) this.#damaged();
      const { record } = this;
      record.data = d;
      record.offset = offset;
      record.timestampMs = this.#appendMs === this.#appendMs ? this.#appendMs : this.#firstMs + (delta % 2 === 0 ? delta / 2 : -(delta + 1) / 2);
      record.keyStart = keyLength < 0 ? -1 : keyStart;
      record.keyEnd = keyLength < 0 ? -1 : keyStart + keyLength;
      record.valueStart = valueLength < 0 ? -1 : q;
      record.valueEnd = valueLength < 0 ? -1 : valueEnd;
      this.#headersAt = valueEnd;
      this.#from = offset + 1;
      return true;
    }
    return false;
  }

  /** Enters the next batch; false: none is buffered. */
  #nextBatch(): boolean {
    for (let set = this.#sets[0]; set !== undefined; set = this.#sets[0]) {
      if (this.#batch < set.starts.length) {
        this.#enter(set.data, set.starts[this.#batch++]);
        if (this.#left > 0) return true;
      } else {
        this.#sets.shift();
        this.#batch = 0;
        this.bufferedBytes -= set.sizeBytes;
        this.#onDrained(set);
      }
    }
    return false;
  }

  #enter(data: Buffer, at: number): void {
    const attributes = data.readInt16BE(at + 21);
    this.#baseOffset = readInt64(data, at);
    this.#firstMs = readInt64(data, at + 27);
    this.#appendMs = (attributes & ATTRIBUTES.logAppendTime) === 0 ? NaN : readInt64(data, at + 35);
    this.#left = data.readInt32BE(at + 57);
    const codec = attributes & ATTRIBUTES.compression;
    const recordsAt = at + BATCH_HEADER_BYTES;
    this.#data = codec === 0 ? data : decompress(codec, data.subarray(recordsAt, at + 12 + data.readInt32BE(at + 8)), this.#where());
    this.#at = codec === 0 ? recordsAt : 0;
  }

  #skipVarint(at: number): number {
    while (this.#data[at] > 127) at++;
    return at + 1;
  }

  #where(): string {
    return `${this.record.topic}-${this.record.partition}@${this.#baseOffset}`;
  }

  #damaged(): never {
    throw new LogError('damaged', `${this.#where()}: the records of a batch do not have the lengths that they say; the producer wrote it so`);
  }
}

/** A zigzag varint below 2^31. */
function readVarint(data: Buffer, at: number): number {
  let value = 0;
  for (let shift = 0, byte = 128; byte > 127; shift += 7) value |= ((byte = data[at++]) & 127) << shift;
  return (value >>> 1) ^ -(value & 1);
}

/** The value of the last header of that name; undefined where there is none or it is null. */
function lastHeader(data: Buffer, at: number, name: string): Buffer | undefined {
  // Most records have none, and all are asked.
  if (data[at] === 0) return undefined;
  const wanted = Buffer.from(name);
  let found: Buffer | undefined;
  const varint = (): number => {
    const value = readVarint(data, at);
    while (data[at++] > 127);
    return value;
  };
  for (let count = varint(); count > 0; count--) {
    const nameBytes = varint();
    const isWanted = wanted.compare(data, at, at + nameBytes) === 0;
    at += nameBytes;
    const valueBytes = varint();
    if (isWanted) found = valueBytes < 0 ? undefined : data.subarray(at, at + valueBytes);
    at += Math.max(valueBytes, 0);
  }
  return found;
}
