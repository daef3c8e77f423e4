// Fetch, version 17, without a session. Written and read by hand: the library's own makes an object per record and throws for the whole answer
// where one partition has an error.
import type { AbortedTransaction } from './committed-batches.ts';
import { readInt64 } from './committed-batches.ts';
import { kafkaFetchBytes, kafkaFetchPartitionBytes, kafkaFetchWaitMs } from '../../../schemas/limits.ts';
import type { RequestForm } from './connection.ts';
import { Writer } from './library.ts';

export const FETCH: RequestForm = { api: 1, version: 17 };
const READ_COMMITTED = 1;

export interface FetchPosition { readonly topicId: string; readonly partition: number; readonly fetchOffset: number }

export interface FetchedPartition {
  /** Without dashes. */
  readonly topicId: string;
  readonly partition: number;
  readonly errorCode: number;
  /** Records below it are of transactions that have ended. */
  readonly lastStableOffset: number;
  readonly logStartOffset: number;
  readonly aborted: readonly AbortedTransaction[];
  /** The record set is data[start, end). */
  readonly data: Buffer;
  readonly start: number;
  readonly end: number;
}

export function fetchRequest(positions: readonly FetchPosition[]): Buffer {
  const topics = [...Map.groupBy(positions, ({ topicId }) => topicId)];
  return Writer.create()
    .appendInt32(kafkaFetchWaitMs).appendInt32(1).appendInt32(kafkaFetchBytes).appendInt8(READ_COMMITTED)
    .appendInt32(0).appendInt32(-1)
    .appendArray(topics, (topicWriter, [topicId, list]) => {
      topicWriter.appendUUID(topicId).appendArray(list, (writer, { partition, fetchOffset }) => {
        writer.appendInt32(partition).appendInt32(-1).appendInt64(BigInt(fetchOffset)).appendInt32(-1).appendInt64(-1n).appendInt32(kafkaFetchPartitionBytes);
      });
    })
    .appendArray([], () => undefined).appendString('').appendTaggedFields().buffer;
}

/** The error of the answer as a whole, and its partitions. */
export function readFetchAnswer(data: Buffer, at: number): { errorCode: number; partitions: FetchedPartition[] } {
  let p = at;
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0, byte = 128; byte > 127; shift += 7) value |= ((byte = data[p++]) & 127) << shift;
    return value;
  };
  const int64 = (): number => readInt64(data, (p += 8) - 8);
  const tags = (): void => {
    for (let count = unsigned(); count > 0; count--) {
      unsigned();
      const bytes = unsigned();
      p += bytes;
    }
  };
  const errorCode = data.readInt16BE(p + 4);
  p += 10;
  const partitions: FetchedPartition[] = [];
  for (let topics = unsigned() - 1; topics > 0; topics--) {
    const topicId = data.toString('hex', p, p += 16);
    for (let count = unsigned() - 1; count > 0; count--) {
      const partition = data.readInt32BE(p);
      const partitionError = data.readInt16BE(p + 4);
      p += 14;
      const lastStableOffset = int64();
      const logStartOffset = int64();
      const aborted: AbortedTransaction[] = [];
      for (let entries = unsigned() - 1; entries > 0; entries--) {
        const producerId = data.readBigInt64BE(p);
        p += 8;
        aborted.push({ producerId, firstOffset: int64() });
        tags();
      }
      p += 4;
      const bytes = Math.max(unsigned() - 1, 0);
      partitions.push({ topicId, partition, errorCode: partitionError, lastStableOffset, logStartOffset, aborted, data, start: p, end: p += bytes });
      tags();
    }
    tags();
  }
  return { errorCode, partitions };
}
