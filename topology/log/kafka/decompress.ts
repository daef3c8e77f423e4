// The records of a compressed batch. gzip and zstd are Node's own; snappy (with or without the Java framing) and lz4 are the library's.
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

import { kafkaBatchBytesMax } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import { compressionsAlgorithms } from './library.ts';

const CODECS: Readonly<Record<number, (data: Buffer) => Buffer>> = {
  1: data => gunzipSync(data, { maxOutputLength: kafkaBatchBytesMax }),
  2: data => compressionsAlgorithms.snappy.decompressSync(data),
  3: data => compressionsAlgorithms.lz4.decompressSync(data),
  4: data => zstdDecompressSync(data, { maxOutputLength: kafkaBatchBytesMax }),
};

/** `codec`: the low three bits of the batch's attributes. Throws LogError `damaged`. */
export function decompress(codec: number, data: Buffer, where: string): Buffer {
  const decode = CODECS[codec];
  if (decode === undefined) throw new LogError('damaged', `${where}: a record batch compressed with codec ${codec}, which is not known`);
  try {
    return decode(data);
  } catch (cause) {
    throw new LogError('damaged', `${where}: a compressed record batch cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}
