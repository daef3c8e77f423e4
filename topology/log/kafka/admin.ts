// What is asked of a cluster before anything runs on it: its brokers, its topics and their configuration, what this user may do.
import { kafkaRequestMs } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import type { Log, TopicSettings } from '../log.ts';
import { lenient } from './answers.ts';
import type { Transactions } from './broker-versions.ts';
import type { Cluster } from './cluster.ts';
import { openCluster } from './open-cluster.ts';
import { BrokerError, isNamed } from './kafka-error.ts';
import { logOver, type KafkaLogOptions } from './kafka-log.ts';
import { createTopicsV7, describeGroupsV5, metadataV12 } from './library.ts';
import { configsOfTopic, createTopic, differences, newTopic, type TopicDifference } from './topics.ts';
import { END_TXN, endTxnRequest, readEndTxnAnswer } from './transaction-codec.ts';

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
  /** undefined: there is none of that name. Rejects with a BrokerError where this user may not even know. */
  topic(name: string): Promise<ClusterTopic | undefined>;
  differences(name: string, settings: TopicSettings, there: ClusterTopic): TopicDifference[];
  create(name: string, settings: TopicSettings): Promise<void>;
  /** Rejects where `create` would: this user may not, or a policy of the cluster does not want it so. Makes nothing. */
  mayCreate(name: string, settings: TopicSettings): Promise<void>;
  /** What this user may do with the group, whether it is there or not. Rejects where it may not even know of it. */
  groupOperations(group: string): Promise<ReadonlySet<Operation>>;
  /** Rejects where this user may not write under that transactional id. Whoever does is not disturbed. */
  mayWriteAs(transactionalId: string): Promise<void>;
  /** The log over the same connections; closed with them. */
  readonly log: Log;
  close(): Promise<void>;
}

/** Rejects as `openKafkaLog` does. */
export async function openKafkaAdmin(options: KafkaLogOptions): Promise<KafkaAdmin> {
  const cluster = await openCluster(options, options);
  const log = logOver(cluster);
  return {
    transactions: cluster.transactions, log,
    async brokers() {
      const { brokers } = await cluster.call(await cluster.any(), metadataV12, 'Metadata', 'the cluster', [], false, false);
      return Promise.all(brokers.map(async ({ host, port }) => ({
        address: `${host}:${port}`, problem: await cluster.connection('control', { host, port }).then(() => undefined, (error: unknown) => error),
      })));
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
    async mayCreate(name, settings) {
      await cluster.retrying(async () => cluster.call(await cluster.any(), createTopicsV7, 'CreateTopics', `topic "${name}"`, [newTopic(name, settings)], kafkaRequestMs, true));
    },
    groupOperations: group => groupOperations(cluster, group),
    mayWriteAs: id => mayWriteAs(cluster, id),
    close: () => log.close(),
  };
}

function groupOperations(cluster: Cluster, group: string): Promise<ReadonlySet<Operation>> {
  return cluster.retrying(async () => {
    const connection = await cluster.connection('control', await cluster.coordinator('group', group));
    const codec = { ...describeGroupsV5, parseResponse: lenient(describeGroupsV5.parseResponse) };
    const { groups: [{ errorCode, authorizedOperations }] } = await cluster.call(connection, codec, 'DescribeGroups', `group "${group}"`, [group], true);
    if (errorCode !== 0) throw new BrokerError('DescribeGroups', errorCode, `group "${group}"`);
    return operationsOf(authorizedOperations);
  });
}

/** No producer has ever had it: a coordinator looks at the right, then at the id, and refuses. */
const NOBODY = { producerId: 2n ** 63n - 1n, epoch: 0 };

async function mayWriteAs(cluster: Cluster, transactionalId: string): Promise<void> {
  await cluster.retrying(async () => {
    const connection = await cluster.connection('control', await cluster.coordinator('transaction', transactionalId));
    const { errorCode } = await cluster.request(connection, END_TXN.v1, endTxnRequest(transactionalId, NOBODY, false), readEndTxnAnswer.v1);
    const refused = new BrokerError('EndTxn', errorCode, `transactional id "${transactionalId}"`);
    if (!isNamed(refused, 'INVALID_PRODUCER_ID_MAPPING')) throw refused;
  });
}

function operationsOf(bits: number): ReadonlySet<Operation> {
  return new Set((Object.keys(OPERATIONS) as Operation[]).filter(name => (bits & (1 << OPERATIONS[name])) !== 0));
}
