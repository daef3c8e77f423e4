// The Kafka log on a cluster whose transactions are those before KIP-890: refused unless it is allowed, then held to all that holds elsewhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientSettings } from '../../../../topology/log/kafka/client-properties.ts';
import { Cluster } from '../../../../topology/log/kafka/cluster.ts';
import type { Connection, RequestBody, RequestForm } from '../../../../topology/log/kafka/connection.ts';
import { nameOf } from '../../../../topology/log/kafka/kafka-error.ts';
import { openKafkaLog } from '../../../../topology/log/kafka/kafka-log.ts';
import { encodeBatches, seal } from '../../../../topology/log/kafka/record-batch.ts';
import { openProducer } from '../../../../topology/log/kafka/transaction.ts';
import { PRODUCE, produceRequest, readProduceAnswer } from '../../../../topology/log/kafka/transaction-codec.ts';
import { kafkaLogContract } from '../../../contracts/kafka-log-contract.ts';
import { record } from '../../../contracts/log-contract.ts';
import { startKafkaBroker } from '../../../support/kafka-broker.ts';

const broker = await startKafkaBroker(['transaction.version=1']);
if (typeof broker === 'string') {
  process.stderr.write(`SKIPPED: transactions before KIP-890: ${broker}\n`);
  test('the Kafka log with transactions before KIP-890', { skip: broker });
} else {
  const { bootstrap } = broker;
  describe('transactions before KIP-890', () => {
    test('not allowed: refused, with what is weaker and the two ways out', async () => {
      await assert.rejects(openKafkaLog({ bootstrapServers: [bootstrap] }),
        /(transaction\.version 1, with which a late write can end up in the wrong transaction; upgrade it: kafka-features\.sh .*, or set|Kafka 4\.0 or later is needed, or) log\.kafka\.allowTransactionsV1: true/);
    });

    test('a write of an ended transaction that arrives in the next one, before that has written anything, is refused', async () => {
      const log = await openKafkaLog({ bootstrapServers: [bootstrap], allowTransactionsV1: true });
      const at = { topic: `late-${Date.now()}`, partition: 0 };
      await log.createTopic(at.topic, { partitions: 1, cleanup: 'delete' });
      const cluster = new LateCluster([bootstrap], { ...clientSettings(undefined), allowTransactionsV1: true });
      const producer = await openProducer(cluster, at.topic);
      const first = encodeBatches([record(at, 'k', 'one')], Date.now());
      await producer.write(first, at.topic, []);
      const [late] = encodeBatches([record(at, 'k', 'late')], Date.now());
      seal(late, { producerId: first[0].data.readBigInt64BE(43), epoch: first[0].data.readInt16BE(51) }, 1);
      cluster.late = produceRequest(at.topic, [late]);
      await producer.write(encodeBatches([record(at, 'k', 'two')], Date.now()), at.topic, []);
      assert.match(cluster.lateAnswer, /INVALID_PRODUCER_EPOCH|INVALID_TXN_STATE|TRANSACTION_ABORTABLE|error 120/);
      await log.endOffset(at);
      const reader = await log.open(at, 0, { settled: true });
      const read: string[] = [];
      while (await reader.fill()) while (reader.next()) read.push(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd));
      assert.deepEqual(read, ['one', 'two']);
      cluster.close();
      await log.close();
    });
  });
  kafkaLogContract(broker, true);
}

/** Sends what it was given before the next Produce. */
class LateCluster extends Cluster {
  late: RequestBody | undefined;
  lateAnswer = '';

  override async request<T>(connection: Connection, form: RequestForm, body: RequestBody, read: (data: Buffer, at: number) => T): Promise<T> {
    const { late } = this;
    if (late !== undefined && form.api === PRODUCE.v1.api) {
      this.late = undefined;
      const [{ errorCode }] = await super.request(connection, PRODUCE.v1, late, readProduceAnswer);
      this.lateAnswer = nameOf(errorCode);
    }
    return await super.request(connection, form, body, read);
  }
}
