// A producer as connectors are: idempotent and without transactions, so that the offsets of what it writes bit by bit are those of one append.
import { Cluster } from '../../topology/log/kafka/cluster.ts';
import { clientSettings } from '../../topology/log/kafka/client-properties.ts';
import { BrokerError } from '../../topology/log/kafka/kafka-error.ts';
import { initProducerIdV5 } from '../../topology/log/kafka/library.ts';
import { encodeBatches, seal, type EncodedBatch, type ProducerIdentity } from '../../topology/log/kafka/record-batch.ts';
import { PRODUCE, produceRequest, readProduceAnswer } from '../../topology/log/kafka/transaction-codec.ts';
import type { AppendRecord } from '../../topology/log/log.ts';

const ATTRIBUTES_AT = 21;
/** A broker that starts on a loaded machine. */
const RETRY_MS = 300_000;

export interface Feed {
  /** Resolves when all of them are there, each once. */
  write(records: readonly AppendRecord[]): Promise<void>;
  close(): void;
}

export async function openFeed(bootstrapServers: readonly string[]): Promise<Feed> {
  const cluster = new Cluster(bootstrapServers, clientSettings(undefined));
  const identity = await cluster.retrying(async () => {
    const { producerId, producerEpoch } = await cluster.call(await cluster.any(), initProducerIdV5, 'InitProducerId', 'a producer', null, 60_000);
    return { producerId, epoch: producerEpoch };
  }, RETRY_MS);
  const sequences = new Map<string, number>();
  return {
    async write(records) {
      for (const batch of encodeBatches(records, Date.now())) {
        const id = `${batch.topic}-${batch.partition}`;
        const sequence = sequences.get(id) ?? 0;
        await send(cluster, batch, identity, sequence);
        sequences.set(id, sequence + batch.count);
      }
    },
    close: () => cluster.close(),
  };
}

/** With the same bytes until it is acknowledged: the leader knows a batch that it has. */
async function send(cluster: Cluster, batch: EncodedBatch, identity: ProducerIdentity, sequence: number): Promise<void> {
  batch.data.writeInt16BE(0, ATTRIBUTES_AT);
  seal(batch, identity, sequence);
  await cluster.retrying(async () => {
    const connection = await cluster.connection('produce', await cluster.leaderOf(batch.topic, batch.partition));
    const [{ errorCode, message }] = await cluster.request(connection, PRODUCE.v2, produceRequest(null, [batch]), readProduceAnswer);
    // DUPLICATE_SEQUENCE_NUMBER: it is there, and longer ago than the leader remembers where.
    if (errorCode !== 0 && errorCode !== 46) throw new BrokerError('Produce', errorCode, `${batch.topic}-${batch.partition}`, message);
  }, RETRY_MS);
}
