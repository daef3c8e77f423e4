// Tasks and the names that follow from them. A pair is one or more reconcile tasks, each over some of its partitions, and one merge task that
// makes one chain of verdicts of what they say.
import type { OfChain } from '../../schemas/records.ts';
import type { TopicPartition } from '../log/log.ts';

export interface TaskId {
  readonly pair: string;
  readonly subTopology: 'reconcile' | 'merge';
  /** Of a reconcile task, from 0. A merge task has 0. */
  readonly partition: number;
  /** Of the pair's chain, from 2 on; left out in the first. Whatever belongs to another chain has other names. */
  readonly chain?: number;
}

/** `orders/reconcile/0`, `orders/merge`: distinct for distinct tasks of one moment, for messages and as keys. */
export function taskName({ pair, subTopology, partition }: TaskId): string {
  return subTopology === 'merge' ? `${pair}/merge` : `${pair}/reconcile/${partition}`;
}

/** Under this name the log keeps the positions of a task's inputs, and only one process at a time may append. */
export function groupOf(application: string, task: TaskId): string {
  return `${application}/${taskName(task)}${suffixOf('/', task)}`;
}

/** The state of a task, record by record. The reconcile tasks of a pair share a topic. */
export function changelogOf(application: string, task: TaskId): TopicPartition {
  const { pair, subTopology, partition } = task;
  return { topic: `${application}-${pair}-${subTopology}-changelog${suffixOf('-', task)}`, partition };
}

/** What the reconcile tasks of a pair tell its merge task, each in a partition of its own. */
export function windowsTopicOf(application: string, pair: string, of: OfChain = {}): string {
  return `${application}-${pair}-windows${suffixOf('-', of)}`;
}

function suffixOf(separator: string, { chain = 1 }: OfChain): string {
  return chain === 1 ? '' : `${separator}${chain}`;
}
