// The three requests of a commit, with transactions as KIP-890 has them (transaction.version 2): the partitions join by the first Produce,
// the group by TxnOffsetCommit, and EndTxn answers with the producer's next epoch. The library ends one version before each of them. The version
// before, for an older cluster, has the same bytes, but for the epoch that EndTxn does not answer with.
import type { TopicPartition } from '../log.ts';
import type { Transactions } from './broker-versions.ts';
import type { RequestForm } from './connection.ts';
import { Reader, Writer } from './library.ts';
import type { EncodedBatch, ProducerIdentity } from './record-batch.ts';
import { kafkaProduceMs } from '../../../schemas/limits.ts';

export const PRODUCE: Forms = { v1: { api: 0, version: 11 }, v2: { api: 0, version: 12 } };
export const END_TXN: Forms = { v1: { api: 26, version: 4 }, v2: { api: 26, version: 5 } };
export const TXN_OFFSET_COMMIT: Forms = { v1: { api: 28, version: 4 }, v2: { api: 28, version: 5 } };

type Forms = Readonly<Record<Transactions, RequestForm>>;

export type CommitPosition = TopicPartition & { readonly offset: number };

export interface ProducedPartition extends TopicPartition { readonly errorCode: number; readonly baseOffset: number; readonly message: string | null }

/** At most one batch of a partition. Without an id it is no part of a transaction. */
export function produceRequest(transactionalId: string | null, batches: readonly EncodedBatch[]): readonly Buffer[] {
  return Writer.create().appendString(transactionalId).appendInt16(-1).appendInt32(kafkaProduceMs)
    .appendArray(byTopic(batches), (topicWriter, [topic, list]) => {
      topicWriter.appendString(topic).appendArray(list, (writer, { partition, data }) => {
        writer.appendInt32(partition).appendUnsignedVarInt(data.length + 1).append(data);
      });
    })
    .appendTaggedFields().buffers;
}

export function readProduceAnswer(data: Buffer, at: number): ProducedPartition[] {
  const produced: ProducedPartition[] = [];
  readerAt(data, at).readArray(topicReader => {
    const topic = topicReader.readString();
    topicReader.readArray(reader => {
      const partition = reader.readInt32();
      const errorCode = reader.readInt16();
      const baseOffset = Number(reader.readInt64());
      reader.readInt64();
      reader.readInt64();
      const refused = reader.readArray(record => ({ index: record.readInt32(), message: record.readNullableString() }));
      const message = reader.readNullableString() ?? refused[0]?.message ?? null;
      produced.push({ topic, partition, errorCode, baseOffset, message });
    });
  });
  return produced;
}

/** Generation -1 and no member: the transactional id alone fences. With a group membership its generation fences too. */
export function txnOffsetCommitRequest(transactionalId: string, group: string, { producerId, epoch }: ProducerIdentity, positions: readonly CommitPosition[]): Buffer {
  return Writer.create().appendString(transactionalId).appendString(group).appendInt64(producerId).appendInt16(epoch)
    .appendInt32(-1).appendString('').appendString(null)
    .appendArray(byTopic(positions), (topicWriter, [topic, list]) => {
      topicWriter.appendString(topic).appendArray(list, (writer, { partition, offset }) => {
        writer.appendInt32(partition).appendInt64(BigInt(offset)).appendInt32(-1).appendString(null);
      });
    })
    .appendTaggedFields().buffer;
}

export function readTxnOffsetCommitAnswer(data: Buffer, at: number): (TopicPartition & { errorCode: number })[] {
  const reader = readerAt(data, at);
  reader.readInt32();
  return reader.readArray(topicReader => {
    const topic = topicReader.readString();
    return topicReader.readArray(entry => ({ topic, partition: entry.readInt32(), errorCode: entry.readInt16() }));
  }).flat();
}

export function endTxnRequest(transactionalId: string, { producerId, epoch }: ProducerIdentity, isCommit: boolean): Buffer {
  return Writer.create().appendString(transactionalId).appendInt64(producerId).appendInt16(epoch).appendBoolean(isCommit).appendTaggedFields().buffer;
}

/** By the version; `next` where the answer has it. */
export const readEndTxnAnswer: Readonly<Record<Transactions, (data: Buffer, at: number) => { errorCode: number; next?: ProducerIdentity }>> = {
  v1: (data, at) => ({ errorCode: data.readInt16BE(at + 4) }),
  v2: (data, at) => {
    const reader = readerAt(data, at + 4);
    return { errorCode: reader.readInt16(), next: { producerId: reader.readInt64(), epoch: reader.readInt16() } };
  },
};

function readerAt(data: Buffer, at: number): Reader {
  return Reader.from(data.subarray(at));
}

function byTopic<T extends TopicPartition>(list: readonly T[]): [string, T[]][] {
  return [...Map.groupBy(list, ({ topic }) => topic)];
}
