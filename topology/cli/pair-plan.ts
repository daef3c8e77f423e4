// How a pair is split into tasks: one reconcile task for each partition where equal keys lie in equal partitions, else one over all of them; and
// one merge task.
import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { chainOf } from '../../schemas/records.ts';
import { LogError } from '../log/embedded-error.ts';
import type { LogQuery, LogReader } from '../log/log.ts';
import { chainIn, chainsTopicOf, readChains, type ChainRecord } from '../runtime/chains.ts';
import { toBeginAnew } from '../runtime/same-chain.ts';
import { windowsTopicOf, type TaskId } from '../runtime/task-id.ts';
import { partitionsOf } from './service-inputs.ts';

export interface PairPlan {
  /** At the chain that the log says. */
  readonly pair: PairSettings;
  /** 1: one that reads all partitions. */
  readonly reconcileTasks: number;
}

/** Throws ParitasError `input` for topics that are not there, `config` for partitions that do not fit, `state` for what another split has left. */
export async function planPair(settings: PairSettings, application: string, log: LogQuery & LogReader): Promise<PairPlan> {
  await requireKnowable(chainsTopicOf(application), log);
  const pair = atChain(settings, await readChains(application, log));
  const known = await log.topics();
  const former = formerTopicOf(application, pair.name);
  if (pair.chain === undefined && known.includes(former)) {
    throw new ParitasError('state', `pair "${pair.name}": the log has ${former}, the state of an earlier version that ran a pair as one task; this one cannot go on from it. `
      + `Start that version, or ${toBeginAnew(pair.name)}`);
  }
  const reconcileTasks = await reconcileTasksOf(pair, topic => partitionsOf(pair, topic, log));
  const windows = windowsTopicOf(application, pair.name, pair);
  const before = known.includes(windows) ? await log.partitions(windows) : reconcileTasks;
  if (before === reconcileTasks) return { pair, reconcileTasks };
  throw new ParitasError('state', `pair "${pair.name}": it ran as ${before} reconcile tasks, and there would be ${reconcileTasks} now: partitions were added, or partitioning was changed. `
    + `Keys have other partitions now, so its state is of no use: put it back, or ${toBeginAnew(pair.name)}`);
}

/**
 * A topic that this user may not know of is in no list of theirs. Counter-example to believing the list: a pair was reset, the user has lost DESCRIBE on
 * the topic that says so, and the first chain would be said once more.
 */
async function requireKnowable(topic: string, log: LogQuery): Promise<void> {
  await log.partitions(topic).catch((error: unknown) => { if (!(error instanceof LogError && error.reason === 'unknown-topic')) throw error; });
}

export function atChain(pair: PairSettings, chains: readonly ChainRecord[]): PairSettings {
  return { ...pair, ...chainOf({ chain: chainIn(chains, pair.name) }) };
}

/** The changelog of a pair that an early version ran as one task. */
export function formerTopicOf(application: string, pair: string): string {
  return `${application}-${pair}-changelog`;
}

export function tasksOf({ pair, reconcileTasks }: PairPlan): TaskId[] {
  const [name, of] = [pair.name, chainOf(pair)];
  const reconcile = Array.from({ length: reconcileTasks }, (_, partition): TaskId => ({ pair: name, subTopology: 'reconcile', partition, ...of }));
  return [...reconcile, { pair: name, subTopology: 'merge', partition: 0, ...of }];
}

/** ENDs of transactions count the changes of all partitions, and a capture file is read by one. `partitions`: of a topic. */
export async function reconcileTasksOf(pair: PairSettings, partitions: (topic: string) => Promise<number>): Promise<number> {
  const { source, target } = pair;
  const sides = [source, target];
  if (pair.partitioning === 'repartition' || sides.some(({ files, transactions }) => files.length > 0 || transactions !== undefined)) return 1;
  const [own, other] = [await partitions(source.topic), await partitions(target.topic)];
  if (own === other) return own;
  throw new ParitasError('config', `pair "${pair.name}": ${source.topic} has ${own} partitions and ${target.topic} ${other}, so equal keys do not lie in equal partitions; `
    + 'set partitioning: repartition for the pair, which then runs as one task');
}
