// The Kafka log against a real broker. Without one (no Java or Maven, no Docker, no PARITAS_TEST_BOOTSTRAP) its tests are skipped, and counted so.
import { test } from 'node:test';
import { kafkaLogContract } from '../../../contracts/kafka-log-contract.ts';
import { startKafkaBroker } from '../../../support/kafka-broker.ts';

const broker = await startKafkaBroker();
if (typeof broker === 'string') {
  process.stderr.write(`SKIPPED: everything that needs a Kafka broker: ${broker}\n`);
  test('the Kafka log against a real broker: the log contract, fencing, lost answers, restarts, SASL', { skip: broker });
} else {
  kafkaLogContract(broker);
}
