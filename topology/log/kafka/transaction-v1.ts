// What a transaction needs beforehand where the cluster has it as it was before KIP-890 (transaction.version 0 or 1): a new epoch, and the
// coordinator told of every partition and of the group. There the epoch stays from one transaction to the next, so that a write that was held up
// on its way could be taken into the next transaction; the new epoch, which KIP-890 gives by itself, refuses it. What is weaker all the same: the
// leader of a partition hears of the new epoch with the first write of the new transaction, and until then a broker before 3.6 takes the late write.
import type { TopicPartition } from '../log.ts';
import { lenient } from './answers.ts';
import type { Cluster } from './cluster.ts';
import { BrokerError, nameOf } from './kafka-error.ts';
import { addOffsetsToTxnV4, addPartitionsToTxnV3 } from './library.ts';
import type { ProducerIdentity } from './record-batch.ts';

/** Version 3: from version 4 on the request is one between brokers, and needs a right on the cluster. */
const addPartitions = { ...addPartitionsToTxnV3, parseResponse: lenient(addPartitionsToTxnV3.parseResponse) };

export async function joinTransaction(cluster: Cluster, id: string, identity: ProducerIdentity, partitions: readonly TopicPartition[], group: string | undefined): Promise<void> {
  if (partitions.length > 0) await cluster.retrying(() => joinPartitions(cluster, id, identity, partitions));
  if (group === undefined) return;
  await cluster.retrying(async () => {
    const connection = await cluster.connection('transaction', await cluster.coordinator('transaction', id));
    await cluster.call(connection, addOffsetsToTxnV4, 'AddOffsetsToTxn', `group "${group}"`, id, identity.producerId, identity.epoch, group);
  });
}

async function joinPartitions(cluster: Cluster, id: string, { producerId, epoch }: ProducerIdentity, partitions: readonly TopicPartition[]): Promise<void> {
  const topics = [...Map.groupBy(partitions, ({ topic }) => topic)].map(([name, list]) => ({ name, partitions: [...new Set(list.map(({ partition }) => partition))] }));
  const connection = await cluster.connection('transaction', await cluster.coordinator('transaction', id));
  const { resultsByTransaction: [{ topicResults }] } = await cluster.call(
    connection, addPartitions, 'AddPartitionsToTxn', `transactional id "${id}"`, [{ transactionalId: id, producerId, producerEpoch: epoch, verifyOnly: false, topics }]);
  const failed = topicResults
    .flatMap(({ name, resultsByPartition }) => resultsByPartition.map(({ partitionIndex, partitionErrorCode }) => ({ at: `${name}-${partitionIndex}`, code: partitionErrorCode })))
    .filter(({ code }) => code !== 0);
  // One refusal lets the others go untried: it is the one to tell.
  const told = failed.find(({ code }) => nameOf(code) !== 'OPERATION_NOT_ATTEMPTED') ?? failed.at(0);
  if (told !== undefined) throw new BrokerError('AddPartitionsToTxn', told.code, told.at);
}
