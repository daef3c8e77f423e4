// Which batches of a fetched record set a reader may see. A set ends where the fetch was cut, often within a batch. Of its whole batches
// those of aborted transactions and the markers are passed over; the offset after the last whole batch is where the next fetch begins.
//
// Aborted transactions, as the broker lists them for the set: a producer has one per transaction, and its marker may lie behind the set.
// Counter-example to one range per producer: aborted, committed, aborted by one producer; the second range hides the committed records.
import { crc32c } from '../../../schemas/crc32c.ts';
import { LogError } from '../embedded-error.ts';
import { ATTRIBUTES, BATCH_HEADER_BYTES } from './record-batch.ts';

export interface AbortedTransaction { readonly producerId: bigint; readonly firstOffset: number }

export interface CommittedBatches {
  /** Places of the batches in the data. */
  readonly starts: number[];
  /** Where the next fetch begins. */
  readonly nextOffset: number;
}

/** Walks data[start, end). `where` is for messages. Throws LogError `damaged` where a batch is not as it was written. */
export function committedBatches(data: Buffer, start: number, end: number, aborted: readonly AbortedTransaction[], fetchOffset: number, where: string): CommittedBatches {
  const starts: number[] = [];
  const waiting = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset);
  const dead = new Set<bigint>();
  let next = 0;
  let nextOffset = fetchOffset;
  for (let at = start; at + BATCH_HEADER_BYTES <= end;) {
    const batchEnd = at + 12 + data.readInt32BE(at + 8);
    if (batchEnd > end) break;
    const base = readInt64(data, at);
    checkBatch(data, at, batchEnd, `${where}@${base}`);
    const lastOffset = base + data.readInt32BE(at + 23);
    while (next < waiting.length && waiting[next].firstOffset <= lastOffset) dead.add(waiting[next++].producerId);
    const attributes = data.readInt16BE(at + 21);
    if ((attributes & ATTRIBUTES.control) !== 0) {
      if (isAbortMarker(data, at)) dead.delete(data.readBigInt64BE(at + 43));
    } else if ((attributes & ATTRIBUTES.transactional) === 0 || dead.size === 0 || !dead.has(data.readBigInt64BE(at + 43))) {
      if (lastOffset >= fetchOffset) starts.push(at);
    }
    nextOffset = Math.max(nextOffset, lastOffset + 1);
    at = batchEnd;
  }
  return { starts, nextOffset };
}

/** A whole number up to 2^53, as offsets and timestamps are. */
export function readInt64(data: Buffer, at: number): number {
  return data.readInt32BE(at) * 4294967296 + data.readUInt32BE(at + 4);
}

function checkBatch(data: Buffer, at: number, end: number, where: string): void {
  const magic = data[at + 16];
  if (magic !== 2) throw new LogError('damaged', `${where}: a batch in record format ${magic}, which was written before Kafka 0.11; let a newer client write it anew`);
  if (end - at >= BATCH_HEADER_BYTES && crc32c(data, at + 21, end) === data.readUInt32BE(at + 17)) return;
  throw new LogError('damaged', `${where}: the checksum of a record batch does not match its bytes; check the broker's disk (kafka-dump-log.sh --deep-iteration) or the network`);
}

/** Key of a marker: version (int16), type (int16; 0: abort). */
function isAbortMarker(data: Buffer, at: number): boolean {
  let p = at + BATCH_HEADER_BYTES;
  const skip = (): void => { while (data[p++] > 127); };
  skip();
  p++;
  for (let field = 0; field < 3; field++) skip();
  return data.readInt16BE(p + 2) === 0;
}
