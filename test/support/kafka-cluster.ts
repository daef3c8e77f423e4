// Three brokers of our own as one cluster, of which each can be ended and started again, and whose partitions can be led by others.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import * as alterPartitionReassignmentsV0 from '../../node_modules/@platformatic/kafka/dist/apis/admin/alter-partition-reassignments-v0.js';
import { clientSettings } from '../../topology/log/kafka/client-properties.ts';
import { Cluster } from '../../topology/log/kafka/cluster.ts';
import { metadataV12 } from '../../topology/log/kafka/library.ts';
import { brokerProcess, fetchJars, freePorts, runTool, whyNoJava, type BrokerProcess } from './kafka-jars.ts';

const BROKERS = 3;
/** So long may partitions be without a leader, or be led by others than they should, on a loaded machine. */
const LED_WITHIN_MS = 180_000;

export interface TestCluster {
  readonly bootstrapServers: readonly string[];
  readonly brokers: readonly BrokerProcess[];
  /** Which broker it is. */
  coordinator(kind: 'group' | 'transaction', key: string): Promise<number>;
  /** Each partition of the topics gets its next replica as the preferred leader, and is led by it when this resolves. How many were led by others before. */
  moveLeaders(topics: readonly string[]): Promise<number>;
  /** Until all three are in sync with every partition. */
  untilWhole(): Promise<void>;
  /** The values of the topics that the pattern matches, as Kafka's own console consumer reads them at read-committed; in no order. */
  readCommitted(pattern: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** Three brokers, or why there are none. */
export async function startKafkaCluster(): Promise<TestCluster | string> {
  const why = whyNoJava();
  if (why !== undefined) return `three brokers need our own: ${why}`;
  const jars = fetchJars();
  const folder = mkdtempSync(join(tmpdir(), 'paritas-kafka-cluster-'));
  const ports = await freePorts(2 * BROKERS);
  const [own, controllers] = [ports.slice(0, BROKERS), ports.slice(BROKERS)];
  const configs = own.map((port, i) => {
    const config = join(folder, `broker-${i + 1}.properties`);
    writeFileSync(config, properties(i + 1, port, controllers, join(folder, `data-${i + 1}`)));
    return config;
  });
  const brokers = configs.map((config, i) => brokerProcess(jars, config, { port: own[i], heapMegabytes: 256 }));
  const bootstrapServers = own.map(port => `127.0.0.1:${port}`);
  const cluster = new Cluster(bootstrapServers, clientSettings(undefined));
  const remove = (): void => {
    for (const broker of brokers) void broker.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  const stop = async (): Promise<void> => {
    cluster.close();
    await Promise.all(brokers.map(broker => broker.end('SIGKILL')));
    remove();
    process.removeListener('exit', remove);
  };
  try {
    await Promise.all(configs.map(config => runTool(jars, 'kafka.tools.StorageTool', ['format', '-t', 'AAAAAAAAAAAAAAAAAAAAAQ', '-c', config])));
    await Promise.all(brokers.map(broker => broker.start()));
  } catch (error) {
    await stop();
    return `three brokers do not start here: ${error instanceof Error ? error.message : String(error)}`;
  }
  return {
    bootstrapServers, brokers, stop,
    coordinator: (kind, key) => cluster.retrying(async () => {
      cluster.forget();
      const { port } = await cluster.coordinator(kind, key);
      return own.indexOf(port);
    }),
    moveLeaders: topics => moveLeaders(cluster, topics),
    untilWhole: () => until('all replicas are in sync', async () => (await partitionsOf(cluster, null)).every(({ isrNodes }) => isrNodes.length === BROKERS)),
    async readCommitted(pattern) {
      const text = await runTool(jars, 'org.apache.kafka.tools.consumer.ConsoleConsumer', [
        '--bootstrap-server', bootstrapServers.join(','), '--include', pattern, '--from-beginning', '--isolation-level', 'read_committed', '--timeout-ms', '20000',
      ]);
      return text.split('\n').filter(line => line !== '');
    },
  };
}

function properties(id: number, port: number, controllers: readonly number[], data: string): string {
  return [
    'process.roles=broker,controller', `node.id=${id}`, `controller.quorum.voters=${controllers.map((controller, i) => `${i + 1}@127.0.0.1:${controller}`).join(',')}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllers[id - 1]}`, 'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'controller.listener.names=CONTROLLER', 'inter.broker.listener.name=PLAINTEXT', `log.dirs=${data.replaceAll('\\', '/')}`, 'auto.create.topics.enable=false',
    ...['offsets.topic', 'transaction.state.log', 'share.coordinator.state.topic'].map(topic => `${topic}.replication.factor=${BROKERS}`), 'default.replication.factor=3', 'min.insync.replicas=2',
    'offsets.topic.num.partitions=6', 'transaction.state.log.num.partitions=6', 'group.initial.rebalance.delay.ms=0', 'group.min.session.timeout.ms=1000',
    // Leadership goes to the preferred replica within seconds, and not within minutes.
    'leader.imbalance.check.interval.seconds=2', 'leader.imbalance.per.broker.percentage=0', '',
  ].join('\n');
}

interface Partition { readonly name: string; readonly partitionIndex: number; readonly leaderId: number; readonly replicaNodes: readonly number[]; readonly isrNodes: readonly number[] }

async function partitionsOf(cluster: Cluster, names: readonly string[] | null): Promise<Partition[]> {
  const { topics } = await cluster.retrying(async () => cluster.call(await cluster.any(), metadataV12, 'Metadata', 'the cluster', names as never, false));
  return topics.flatMap(({ name, partitions }) => partitions.map(partition => ({ ...partition, name: name ?? '' })));
}

async function moveLeaders(cluster: Cluster, names: readonly string[]): Promise<number> {
  const before = await partitionsOf(cluster, names);
  const next = before.map(({ replicaNodes: [first, ...others] }) => [...others, first]);
  const byTopic = Map.groupBy(before.map(({ name, partitionIndex }, i) => ({ name, partitionIndex, replicas: next[i] })), ({ name }) => name);
  const asked = [...byTopic].map(([name, partitions]) => ({ name, partitions: partitions.map(({ partitionIndex, replicas }) => ({ partitionIndex, replicas })) }));
  await cluster.retrying(async () => cluster.call(await cluster.any(), alterPartitionReassignmentsV0, 'AlterPartitionReassignments', 'the cluster', 60_000, false, asked));
  await until('the preferred replicas lead', async () => (await partitionsOf(cluster, names)).every(({ leaderId }, i) => leaderId === next[i][0]));
  return before.filter(({ leaderId }, i) => leaderId !== next[i][0]).length;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const untilMs = performance.now() + LED_WITHIN_MS; !(await holds().catch(() => false)); await setTimeout(100)) {
    if (performance.now() > untilMs) throw new Error(`not within ${LED_WITHIN_MS} ms: ${what}`);
  }
}
