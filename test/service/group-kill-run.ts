// npm run kill:kafka -- [--kills n] [--events n] [--instances n] [--brokers 1|3] [--seed n]: several instances on a Kafka broker of its own, killed
// and stopped while the inputs come. With three brokers these are killed and restarted beside it, coordinators among them, and partitions get other
// leaders; and what was said is read once more by Kafka's own console consumer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { prng } from '../simulation/prng.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { startKafkaCluster, type TestCluster } from '../support/kafka-cluster.ts';
import { disturbing } from './disturbing.ts';
import { differencesOfValues, groupKill } from './group-kill.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' }, events: { type: 'string', default: '30000' }, instances: { type: 'string', default: '3' }, brokers: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});
const started = values.brokers === '3' ? await startKafkaCluster() : await startKafkaBroker();
if (typeof started === 'string') throw new Error(started);
const cluster: TestCluster | undefined = 'brokers' in started ? started : undefined;
const folder = mkdtempSync(join(tmpdir(), 'paritas-group-'));
const random = prng(Number(values.seed));
const application = `group-${Date.now().toString(36)}`;
try {
  const begunMs = performance.now();
  const { should, ...run } = await groupKill({
    bootstrapServers: 'brokers' in started ? started.bootstrapServers : [started.bootstrap], folder, application, instances: Number(values.instances), partitions: 4,
    events: Number(values.events), kills: Number(values.kills), sessionMs: 'restart' in started && started.restart === undefined ? 6000 : 2000, random, isFed: true,
    disturb: cluster === undefined ? undefined : disturbing(cluster, random),
    say: line => { process.stdout.write(`${line}\n`); },
  });
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  const read = await cluster?.readCommitted(`${application}\\.(audit|manifests|verdicts|dead-letters)`);
  const byReader = read === undefined ? {} : { readByConsoleConsumer: read.length, differencesOfConsoleConsumer: differencesOfValues(read, should) };
  process.stdout.write(`${JSON.stringify({ ...run, ...byReader, seconds }, undefined, 2)}\n`);
  process.exitCode = run.differences.length === 0 && (byReader.differencesOfConsoleConsumer ?? []).length === 0 ? 0 : 1;
} finally {
  await started.stop();
  rmSync(folder, { recursive: true, force: true });
}
