// The topics that `run` makes and writes: the outputs, which its pairs share, and of each pair the changelogs of its tasks and what they tell each other.
import { windowsRetentionMs } from '../../schemas/limits.ts';
import { chainOf } from '../../schemas/records.ts';
import type { Config } from '../config.ts';
import type { TopicSettings } from '../log/log.ts';
import { changelogOf, windowsTopicOf } from '../runtime/task-id.ts';
import type { PairPlan } from './pair-plan.ts';

export interface OwnTopic { readonly topic: string; readonly what: string; readonly settings: TopicSettings }

export function ownTopics({ application, outputs }: Config, plans: readonly PairPlan[]): OwnTopic[] {
  const output = (what: string, topic: string, cleanup: TopicSettings['cleanup']): OwnTopic => ({ topic, what, settings: { partitions: 1, cleanup } });
  return [
    output('verdicts', outputs.verdicts, 'delete'), output('manifests', outputs.manifests, 'delete'), output('dead letters', outputs.deadLetters, 'delete'),
    output('decisions', outputs.audit, 'delete'), output('status', outputs.status, 'compact'),
    ...plans.flatMap(plan => pairTopics(application, plan)),
  ];
}

/** Of a pair: the changelogs of its reconcile tasks and of its merge task, and what the ones tell the other. */
export function pairTopics(application: string, { pair, reconcileTasks }: PairPlan): OwnTopic[] {
  const { name } = pair;
  const changelog = (subTopology: 'reconcile' | 'merge'): string => changelogOf(application, { pair: name, subTopology, partition: 0, ...chainOf(pair) }).topic;
  return [
    { topic: changelog('reconcile'), what: `changelog of ${name}, reconcile`, settings: { partitions: reconcileTasks, cleanup: 'compact' } },
    { topic: changelog('merge'), what: `changelog of ${name}, merge`, settings: { partitions: 1, cleanup: 'compact' } },
    { topic: windowsTopicOf(application, name, pair), what: `windows of ${name}`, settings: { partitions: reconcileTasks, cleanup: 'delete', retention: { ageMs: windowsRetentionMs } } },
  ];
}
