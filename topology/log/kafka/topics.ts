// What is asked of topics and groups, and the making of topics.
import { kafkaRequestMs, kafkaRetryMs, kafkaTransactionMs, logTombstoneMs } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import type { TopicPartition, TopicSettings } from '../log.ts';
import type { Cluster } from './cluster.ts';
import { BrokerError, isNamed, isRetriable, LEADER_MOVED } from './kafka-error.ts';
import { createTopicsV7, describeConfigsV4, listOffsetsV9, offsetFetchV9 } from './library.ts';
import { sleepMs } from './patience.ts';

const EARLIEST = -2n;
const LATEST = -1n;
const READ_UNCOMMITTED = 0;
const READ_COMMITTED = 1;
const TOPIC_RESOURCE = 2;
/** As many as the broker's own default says. */
const DEFAULT_REPLICATION = -1;

/** Throws LogError `unknown-topic`, `unknown-partition`. */
export async function checkPartition(cluster: Cluster, { topic, partition }: TopicPartition): Promise<void> {
  const { leaders } = await cluster.retrying(() => cluster.topic(topic));
  if (Number.isInteger(partition) && partition >= 0 && partition < leaders.length) return;
  throw new LogError('unknown-partition', `topic "${topic}" has partitions 0 to ${leaders.length - 1}, not ${partition}`);
}

export function beginningOffset(cluster: Cluster, at: TopicPartition): Promise<number> {
  return listOffset(cluster, at, EARLIEST);
}

/** The last stable offset: behind it lies nothing but transactions that are still open. */
export function stableOffset(cluster: Cluster, at: TopicPartition): Promise<number> {
  return listOffset(cluster, at, LATEST);
}

/** Behind the last record, also of transactions that are still open. */
export function highWatermark(cluster: Cluster, at: TopicPartition): Promise<number> {
  return listOffset(cluster, at, LATEST, READ_UNCOMMITTED);
}

/** The last stable offset at a moment when no transaction is open there; where they follow on each other without a pause, the last stable offset. */
export async function settledOffset(cluster: Cluster, at: TopicPartition): Promise<number> {
  const untilMs = performance.now() + kafkaTransactionMs;
  for (let tries = 1; ; tries++) {
    const high = await highWatermark(cluster, at);
    const stable = await stableOffset(cluster, at);
    if (stable >= high || performance.now() > untilMs) return stable;
    await sleepMs(Math.min(tries, 20));
  }
}

/** The last stable offset, once it has passed `written`: a transaction is committed a moment before its markers stand in the partitions, and what is read ends there. */
export async function endOffsetPast(cluster: Cluster, at: TopicPartition, written: number): Promise<number> {
  const sinceMs = performance.now();
  for (let tries = 1; ; tries++) {
    const offset = await stableOffset(cluster, at);
    if (offset >= written) return offset;
    if (cluster.patience.isOver(sinceMs, kafkaRetryMs)) throw new LogError('failed', `${at.topic}-${at.partition}: stands at ${offset} before ${written}, which is committed: another producer's transaction is open there (kafka-transactions.sh find-hanging)`);
    await sleepMs(Math.min(tries, 20));
  }
}

async function listOffset(cluster: Cluster, { topic, partition }: TopicPartition, timestamp: bigint, isolation: number = READ_COMMITTED): Promise<number> {
  return await cluster.retrying(async () => {
    const connection = await cluster.connection('control', await cluster.leaderOf(topic, partition));
    const partitions = [{ partitionIndex: partition, currentLeaderEpoch: -1, timestamp }];
    const answer = await cluster.call(connection, listOffsetsV9, 'ListOffsets', `${topic}-${partition}`, -1, isolation, [{ name: topic, partitions }]);
    return Number(answer.topics[0].partitions[0].offset);
  });
}

/** The position that a group has committed; waits for a commit that is under way. */
export async function committedOffset(cluster: Cluster, group: string, { topic, partition }: TopicPartition): Promise<number | undefined> {
  const offset = await cluster.retrying(async () => {
    const connection = await cluster.connection('group', await cluster.coordinator('group', group));
    const asked = { groupId: group, memberId: null as never, memberEpoch: -1, topics: [{ name: topic, partitionIndexes: [partition] }] };
    const answer = await cluster.call(connection, offsetFetchV9, 'OffsetFetch', `group "${group}", ${topic}-${partition}`, [asked], true);
    return Number(answer.groups[0].topics[0].partitions[0].committedOffset);
  });
  return offset < 0 ? undefined : offset;
}

/** Makes the topic where it is not there; where it is, checks that it is as wanted. */
export async function createTopic(cluster: Cluster, name: string, settings: TopicSettings): Promise<void> {
  const { partitions } = settings;
  if (!Number.isInteger(partitions) || partitions < 1) throw new LogError('topic-differs', `topic "${name}" cannot have ${partitions} partitions`);
  await cluster.retrying(async () => {
    try {
      await cluster.call(await cluster.any(), createTopicsV7, 'CreateTopics', `topic "${name}"`, [newTopic(name, settings)], kafkaRequestMs, false);
    } catch (error) {
      // Who may not create may still use what an administrator has made.
      if (!isNamed(error, 'TOPIC_ALREADY_EXISTS', 'CLUSTER_AUTHORIZATION_FAILED', 'TOPIC_AUTHORIZATION_FAILED')) throw error;
      // One that another task has made just now is not told everywhere yet.
      if (isNamed(error, 'TOPIC_ALREADY_EXISTS')) await untilLed(cluster, name);
      const there = await cluster.topic(name).catch((unknown: unknown) => { throw isRetriable(unknown) ? unknown : error; });
      checkCount(name, there.leaders.length, partitions);
      const [different] = differences(name, settings, await configsOfTopic(cluster, name));
      if (different !== undefined) throw new LogError('topic-differs', `topic "${name}" ${different.what}: ${different.remedy}`);
    }
  });
  await untilLed(cluster, name);
}

/** As CreateTopics wants it. */
export function newTopic(name: string, settings: TopicSettings): createTopicsV7.CreateTopicsRequestTopic {
  return { name, numPartitions: settings.partitions, replicationFactor: DEFAULT_REPLICATION, assignments: [], configs: configsOf(settings) };
}

/** Event times may be far from now, in both directions. */
function configsOf({ cleanup, retention }: TopicSettings): { name: string; value: string }[] {
  const values: Record<string, number | string> = {
    'cleanup.policy': cleanup, ...(cleanup === 'compact' ? { 'delete.retention.ms': logTombstoneMs } : {}), 'message.timestamp.type': 'CreateTime',
    'message.timestamp.before.max.ms': '9223372036854775807', 'message.timestamp.after.max.ms': '9223372036854775807',
    ...(cleanup === 'delete' ? { 'retention.ms': retention?.ageMs ?? -1, 'retention.bytes': retention?.sizeBytes ?? -1 } : {}),
  };
  return Object.entries(values).map(([key, value]) => ({ name: key, value: String(value) }));
}

function checkCount(name: string, there: number, wanted: number): void {
  if (there !== wanted) throw new LogError('topic-differs', `topic "${name}" is there with ${there} partitions, not ${wanted}`);
}

/** As they are in force. */
export async function configsOfTopic(cluster: Cluster, name: string): Promise<ReadonlyMap<string, string>> {
  const resource = { resourceType: TOPIC_RESOURCE as never, resourceName: name, configurationKeys: null as never };
  const answer = await cluster.call(await cluster.any(), describeConfigsV4, 'DescribeConfigs', `topic "${name}"`, [resource], false, false);
  return new Map(answer.results[0].configs.map(config => [config.name, config.value ?? '']));
}

export interface TopicDifference { readonly what: string; readonly remedy: string }

/**
 * How a topic differs from what is wanted, with the command that mends it. Counter-examples: a changelog that is not compacted but deleted loses
 * state that nobody has changed for a week; one that forgets its deletions early gives a store that was away the deleted keys back.
 */
export function differences(name: string, { cleanup }: TopicSettings, configs: ReadonlyMap<string, string>): TopicDifference[] {
  const found: TopicDifference[] = [];
  const alter = (key: string, value: string | number): string => `kafka-configs.sh --alter --topic ${name} --add-config ${key}=${value}`;
  const policy = configs.get('cleanup.policy');
  if (policy !== cleanup) found.push({ what: `has cleanup.policy=${policy}, and it must be ${cleanup}`, remedy: alter('cleanup.policy', cleanup) });
  const keptMs = configs.get('delete.retention.ms');
  if (cleanup === 'compact' && Number(keptMs) < logTombstoneMs) found.push({ what: `has delete.retention.ms=${keptMs}, and it must be ${logTombstoneMs} or more`, remedy: alter('delete.retention.ms', logTombstoneMs) });
  return found;
}

/** A topic that was made is told and led some moments later, not at once everywhere. */
async function untilLed(cluster: Cluster, name: string): Promise<void> {
  const sinceMs = performance.now();
  for (;;) {
    cluster.forget();
    const error = await cluster.retrying(() => cluster.topic(name)).then(
      ({ leaders }) => (leaders.every(leader => leader >= 0) ? undefined : new BrokerError('Metadata', 5, `topic "${name}"`)),
      (thrown: unknown) => thrown,
    );
    if (error === undefined) return;
    if (cluster.patience.isOver(sinceMs, kafkaRetryMs) || !(isNamed(error, ...LEADER_MOVED) || (error instanceof LogError && error.reason === 'unknown-topic'))) throw error;
    await sleepMs(50);
  }
}
