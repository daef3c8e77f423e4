// What `doctor` finds of the rights that `run` needs on a Kafka cluster, each asked for without an effect.
import { isNamed } from '../log/kafka/kafka-error.ts';
import type { ClusterTopic, KafkaAdmin, Operation } from '../log/kafka/admin.ts';
import { groupOf } from '../runtime/task-id.ts';
import { fail, looking, ok, warn, type Finding } from './doctor-finding.ts';
import type { OwnTopic } from './own-topics.ts';
import { tasksOf, type PairPlan } from './pair-plan.ts';
import { plural } from './text.ts';

/** The command that gives the right. */
export function grant(operation: string, resource: string, name: string): string {
  return `kafka-acls.sh --add --allow-principal User:… --operation ${operation} --${resource} ${name}`;
}

export function mayUse(check: string, topic: string, { operations, partitions }: ClusterTopic, needed: readonly Operation[]): Finding[] {
  const lacking = needed.filter(operation => !operations.has(operation));
  if (lacking.length === 0) return [ok(check, topic, `${plural(partitions, 'partition')}; ${needed.join(', ')} allowed`)];
  return lacking.map(operation => fail(check, topic, `this user has no ${operation} on it`, grant(operation, 'topic', topic), 'not-authorised'));
}

/** One that is not there yet. Who may not make it may still run once an administrator has. */
export async function mayCreate(admin: KafkaAdmin, { topic, what, settings }: OwnTopic): Promise<Finding[]> {
  try {
    await admin.mayCreate(topic, settings);
    return [ok('own topic', topic, `${what}: not there yet; run makes it`)];
  } catch (error) {
    if (!isNamed(error, 'TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED')) throw error;
    return [warn('own topic', topic, `${what}: not there yet, and this user may not create it`, `${grant('CREATE', 'topic', topic)}; or let an administrator run paritas topics apply`)];
  }
}

/** The group of the instances, of each task the group that keeps its positions, and the transactional ids under which tasks and their status are written. */
export async function mayCommit(admin: KafkaAdmin, application: string, plans: readonly PairPlan[]): Promise<Finding[]> {
  const ofTasks = plans.flatMap(tasksOf).map(task => groupOf(application, task));
  // An instance has an id of its own for its status.
  const ids = [...ofTasks, `${application}/status/doctor`];
  return [
    ...await all('group', [application, ...ofTasks], 'READ', async group => {
      if ((await admin.groupOperations(group)).has('READ')) return [];
      return [fail('group', group, 'this user has no READ on it', grant('READ', 'group', group), 'not-authorised')];
    }),
    ...await all('transactional id', ids, 'WRITE', async id => {
      await admin.mayWriteAs(id);
      return [];
    }),
  ];
}

/** One line where none of them lacks anything. */
async function all(check: string, names: readonly string[], operation: Operation, look: (name: string) => Promise<readonly Finding[]>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of names) findings.push(...await looking(check, name, () => look(name)));
  return findings.length > 0 ? findings : [ok(check, `${names[0]}${names.length > 1 ? ', …' : ''}`, `${operation} allowed on ${names.length === 1 ? 'it' : `${names.length} of them`}`)];
}
