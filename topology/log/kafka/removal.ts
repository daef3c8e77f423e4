// The removal of topics and of what groups have committed, and who takes part in a group.
import { kafkaRequestMs, kafkaRetryMs } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import { lenient } from './answers.ts';
import type { Cluster } from './cluster.ts';
import { sleepMs } from './patience.ts';
import { BrokerError, isNamed, nameOf } from './kafka-error.ts';
import { deleteGroupsV2, deleteTopicsV6, describeGroupsV5 } from './library.ts';

/** Nothing where it is not there. */
export async function deleteTopic(cluster: Cluster, name: string): Promise<void> {
  await cluster.retrying(async () => {
    try {
      await cluster.call(await cluster.any(), deleteTopicsV6, 'DeleteTopics', `topic "${name}"`, [{ name }], kafkaRequestMs);
    } catch (error) {
      if (!isNamed(error, 'UNKNOWN_TOPIC_OR_PARTITION')) throw error;
    }
  });
  await untilGone(cluster, name);
}

/** One broker after the other hears of it. */
async function untilGone(cluster: Cluster, name: string): Promise<void> {
  const untilMs = performance.now() + kafkaRetryMs;
  for (;;) {
    cluster.forgetTopic(name);
    const isThere = await cluster.topic(name).then(() => true, (error: unknown) => !(error instanceof LogError && error.reason === 'unknown-topic'));
    if (!isThere) return;
    if (performance.now() > untilMs) throw new LogError('failed', `topic "${name}" is still there: the broker has taken its deletion, and goes on telling of it; look at the controller's log, then try again`);
    await sleepMs(50);
  }
}

/** Nothing where the group has committed nothing. */
export async function forgetGroup(cluster: Cluster, group: string): Promise<void> {
  await cluster.retrying(async () => {
    const connection = await cluster.connection('group', await cluster.coordinator('group', group));
    try {
      await cluster.call(connection, deleteGroupsV2, 'DeleteGroups', `group "${group}"`, [group]);
    } catch (error) {
      if (!isNamed(error, 'GROUP_ID_NOT_FOUND')) throw error;
    }
  });
}

/** `client@host` of each. */
export async function membersOf(cluster: Cluster, group: string): Promise<string[]> {
  return await cluster.retrying(async () => {
    const connection = await cluster.connection('group', await cluster.coordinator('group', group));
    const codec = { ...describeGroupsV5, parseResponse: lenient(describeGroupsV5.parseResponse) };
    const { groups: [{ errorCode, members }] } = await cluster.call(connection, codec, 'DescribeGroups', `group "${group}"`, [group], false);
    if (nameOf(errorCode) === 'GROUP_ID_NOT_FOUND') return [];
    if (errorCode !== 0) throw new BrokerError('DescribeGroups', errorCode, `group "${group}"`);
    return members.map(({ clientId, clientHost }) => `${clientId}@${clientHost.replace(/^\//, '')}`);
  });
}
