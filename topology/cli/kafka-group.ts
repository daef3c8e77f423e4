// Membership of the group of a Kafka log's instances.
import { ParitasError } from '../../schemas/errors.ts';
import { groupAcceptableLag, groupRoundMs } from '../../schemas/limits.ts';
import type { Config } from '../config.ts';
import { createMembership } from '../runtime/membership.ts';
import type { ShareParts } from './run-share.ts';

/** Undefined: the log is none of a cluster, and one process has all tasks. `worker`: its instance id is one of its own. */
export async function joinKafkaGroup(config: Config, { clock, say, worker }: Pick<ShareParts, 'clock' | 'say' | 'worker'>): Promise<ShareParts['join']> {
  const { log, application } = config;
  if (log.kind !== 'kafka') return undefined;
  const [{ openGroupMember }, { clientSettings }] = await Promise.all([import('../log/kafka/group-member.ts'), import('../log/kafka/client-properties.ts')]);
  const { group: { instance, sessionMs, heartbeatMs } } = clientSettings(log.properties);
  const { standbyReplicas } = config.state;
  if (standbyReplicas > 0 && worker !== undefined) {
    throw new ParitasError('config', 'state.standbyReplicas: a standby needs a state.directory of its own, which the workers of one process do not have; run more instances, each with workers: 1');
  }
  return (tasks, lags) => createMembership({
    protocol: openGroupMember({
      ...log, group: application, instance: instance === undefined || worker === undefined ? instance : `${instance}/${worker}`, tasks: () => tasks,
      assignor: { standbyReplicas, acceptableLag: groupAcceptableLag }, sessionMs, roundMs: groupRoundMs,
    }),
    lags, acceptableLag: groupAcceptableLag, heartbeatMs, repeatMs: sessionMs, clock, say,
  });
}
