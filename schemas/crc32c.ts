// CRC-32C (Castagnoli), the checksum of the durable log and of Kafka's record batches. Node has CRC-32 only. @node-rs/crc32 has the processor's own
// instruction for it; where it has no binary, sixteen tables, four words a step ("slicing by 16"), take four times as long or more, which is a
// microsecond for a record of a kilobyte.
import { createRequire } from 'node:module';

const POLYNOMIAL = 0x82f63b78;

/** Table `n` at `n * 256`: what a byte does to the checksum with `n` more bytes behind it. */
const TABLES: Int32Array = makeTables();

function makeTables(): Int32Array {
  const tables = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
    tables[byte] = value;
  }
  for (let at = 256; at < tables.length; at++) tables[at] = (tables[at - 256] >>> 8) ^ tables[tables[at - 256] & 0xff];
  return tables;
}

/** Below it a view of words costs more than it saves, and below the other a view for the call. */
const WORDS_FROM_BYTES = 64;
const NATIVE_FROM_BYTES = 512;

type Native = (data: Uint8Array, before: number) => number;
const native = loadNative();

function loadNative(): Native | undefined {
  try {
    return (createRequire(import.meta.url)('@node-rs/crc32') as { crc32c: Native }).crc32c;
  } catch {
    return undefined;
  }
}

/** Checksum of bytes [start, end), unsigned. `before`: the checksum of what stands in front of them. */
export function crc32c(data: Uint8Array, start = 0, end: number = data.length, before = 0): number {
  return native !== undefined && end - start >= NATIVE_FROM_BYTES ? native(data.subarray(start, end), before) : crc32cByTables(data, start, end, before);
}

/** The same where there is no binary. */
export function crc32cByTables(data: Uint8Array, start: number, end: number, before: number): number {
  if (end - start < WORDS_FROM_BYTES) return ~ofBytes(data, start, end, ~before) >>> 0;
  const wordsAt = start + (-(data.byteOffset + start) & 3);
  const words = new Int32Array(data.buffer, data.byteOffset + wordsAt, ((end - wordsAt) >>> 4) * 4);
  const crc = ofWords(words, ofBytes(data, start, wordsAt, ~before));
  return ~ofBytes(data, wordsAt + words.byteLength, end, crc) >>> 0;
}

/** Words of a little-endian machine, as all are that Node and RocksDB run on. A multiple of four. */
function ofWords(words: Int32Array, before: number): number {
  const t = TABLES;
  let crc = before;
  for (let i = 0; i < words.length; i += 4) {
    const a = crc ^ words[i];
    const b = words[i + 1];
    const c = words[i + 2];
    const d = words[i + 3];
    crc = t[3840 + (a & 0xff)] ^ t[3584 + ((a >>> 8) & 0xff)] ^ t[3328 + ((a >>> 16) & 0xff)] ^ t[3072 + (a >>> 24)]
      ^ t[2816 + (b & 0xff)] ^ t[2560 + ((b >>> 8) & 0xff)] ^ t[2304 + ((b >>> 16) & 0xff)] ^ t[2048 + (b >>> 24)]
      ^ t[1792 + (c & 0xff)] ^ t[1536 + ((c >>> 8) & 0xff)] ^ t[1280 + ((c >>> 16) & 0xff)] ^ t[1024 + (c >>> 24)]
      ^ t[768 + (d & 0xff)] ^ t[512 + ((d >>> 8) & 0xff)] ^ t[256 + ((d >>> 16) & 0xff)] ^ t[d >>> 24];
  }
  return crc;
}

function ofBytes(data: Uint8Array, start: number, end: number, before: number): number {
  const t = TABLES;
  let crc = before;
  for (let at = start; at < end; at++) crc = (crc >>> 8) ^ t[(crc ^ data[at]) & 0xff];
  return crc;
}
