// What is asked of a cluster before anything runs on it: its brokers, its topics and their configuration, what this user may do.
import type { TopicSettings } from '../log.ts';
import type { Transactions } from './broker-versions.ts';
import { clientSettings } from './client-properties.ts';
import { Cluster } from './cluster.ts';
import { describeClusterV1, metadataV12 } from './library.ts';
import { LogError } from '../embedded-error.ts';
import type { KafkaLogOptions } from './kafka-log.ts';
import { configsOfTopic, createTopic, differences, type TopicDifference } from './topics.ts';

export type { TopicDifference } from './topics.ts';

/** Bits of the answer, by name. READ, WRITE and ALTER bring DESCRIBE with them. */
const OPERATIONS = { READ: 3, WRITE: 4, CREATE: 5, DESCRIBE: 8, DESCRIBE_CONFIGS: 10 } as const;
export type Operation = keyof typeof OPERATIONS;

export interface ClusterTopic {
  readonly partitions: number;
  /** undefined: this user may not ask. */
  readonly configs: ReadonlyMap<string, string> | undefined;
  readonly operations: ReadonlySet<Operation>;
}

export interface KafkaAdmin {
  readonly transactions: Transactions;
  /** Every broker of the cluster, with why it cannot be reached. */
  brokers(): Promise<readonly { readonly address: string; readonly problem: unknown }[]>;
  clusterOperations(): Promise<ReadonlySet<Operation>>;
  /** undefined: there is none of that name. Rejects with a BrokerError where this user may not even know. */
  topic(name: string): Promise<ClusterTopic | undefined>;
  differences(name: string, settings: TopicSettings, there: ClusterTopic): TopicDifference[];
  create(name: string, settings: TopicSettings): Promise<void>;
  /** Rejects where this user may not find the one who keeps that group or transactional id. */
  find(kind: 'group' | 'transaction', key: string): Promise<void>;
  close(): void;
}

/** Rejects as `openKafkaLog` does. */
export async function openKafkaAdmin({ bootstrapServers, properties, allowTransactionsV1 = false, say }: KafkaLogOptions): Promise<KafkaAdmin> {
  const cluster = new Cluster(bootstrapServers, { ...clientSettings(properties), allowTransactionsV1 }, { say });
  try {
    await cluster.ask();
  } catch (error) {
    cluster.close();
    throw error;
  }
  return {
    transactions: cluster.transactions,
    async brokers() {
      const { brokers } = await cluster.call(await cluster.any(), metadataV12, 'Metadata', 'the cluster', [], false, false);
      return Promise.all(brokers.map(async ({ host, port }) => ({
        address: `${host}:${port}`, problem: await cluster.connection('control', { host, port }).then(() => undefined, (error: unknown) => error),
      })));
    },
    async clusterOperations() {
      return operationsOf((await cluster.call(await cluster.any(), describeClusterV1, 'DescribeCluster', 'the cluster', true, 1)).clusterAuthorizedOperations);
    },
    async topic(name) {
      try {
        await cluster.topic(name);
      } catch (error) {
        if (error instanceof LogError && error.reason === 'unknown-topic') return undefined;
        throw error;
      }
      const { topics: [told] } = await cluster.call(await cluster.any(), metadataV12, 'Metadata', `topic "${name}"`, [name], false, true);
      const operations = operationsOf(told.topicAuthorizedOperations);
      return { partitions: told.partitions.length, operations, configs: operations.has('DESCRIBE_CONFIGS') ? await configsOfTopic(cluster, name) : undefined };
    },
    differences: (name, settings, { partitions, configs }) => [
      ...(partitions === settings.partitions ? [] : [{ what: `has ${partitions} partitions, and must have ${settings.partitions}`, remedy: 'delete it if nothing of it is needed, or choose another name' }]),
      ...(configs === undefined ? [] : differences(name, settings, configs)),
    ],
    create: (name, settings) => createTopic(cluster, name, settings),
    find: async (kind, key) => { await cluster.retrying(() => cluster.coordinator(kind, key)); },
    close: () => { cluster.close(); },
  };
}

function operationsOf(bits: number): ReadonlySet<Operation> {
  return new Set((Object.keys(OPERATIONS) as Operation[]).filter(name => (bits & (1 << OPERATIONS[name])) !== 0));
}
