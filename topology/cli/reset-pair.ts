// The reset of a pair: its chain of verdicts ends, and the next start begins another one beside it, from the beginning of its inputs. What was put out
// stays as it is.
//
// One record begins the next chain (runtime/chains.ts). Before it nothing is changed; after it what belonged to earlier chains is in nobody's way, and is
// swept. So a reset that was cut short is run again: it sweeps what is left, and begins no chain where the last one has not run yet.
import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { chainOf } from '../../schemas/records.ts';
import { openTaskDirectory, tasksWithDirectory } from '../../stores/state-directory.ts';
import type { Config } from '../config.ts';
import type { Log, LogQuery, LogReader, TopicPartition } from '../log/log.ts';
import { beginChain, chainIn, readChains } from '../runtime/chains.ts';
import { changelogOf, groupOf, windowsTopicOf, type TaskId } from '../runtime/task-id.ts';
import { formerTopicOf, tasksOf } from './pair-plan.ts';

export interface ResetPlan {
  readonly pair: PairSettings;
  /** The chain that ends; undefined: the last one has not run yet, and only what is left of earlier ones is swept. */
  readonly ends: number | undefined;
  /** The chain that the next start begins. */
  readonly begins: number;
  readonly reconcileTasks: number;
  readonly topics: readonly string[];
  /** Whose positions are forgotten, and who appends under these names no more. */
  readonly groups: readonly string[];
  /** Tasks whose local state is wiped. */
  readonly directories: readonly string[];
  /** Input partitions that do not begin at offset 0 any more: the first windows over them are undecidable. */
  readonly cut: readonly (TopicPartition & { readonly offset: number })[];
}

/** Where a reset can be cut short; tests pick from them. */
export const RESET_POINTS = ['before-chain', 'after-chain', 'after-writers', 'after-first-topic', 'after-topics', 'after-first-group', 'after-groups', 'after-first-directory', 'after-directories'] as const;
export type ResetPoint = (typeof RESET_POINTS)[number];

export async function planReset({ application, state }: Config, pair: PairSettings, log: LogQuery & LogReader): Promise<ResetPlan> {
  const chains = await readChains(application, log);
  const current = chainIn(chains, pair.name);
  const known = await log.topics();
  const inputs = await inputsOf(pair, known, log);
  const [topics, groups]: [string[], string[]] = [[], []];
  let [hasBegun, reconcileTasks] = [false, 1];
  for (let chain = 1; chain <= current; chain++) {
    const recorded = chains.find(of => of.pair === pair.name && of.chain === chain + 1)?.reconcileTasksBefore;
    const [own, tasks] = await leftOf(application, { ...pair, ...chainOf({ chain }) }, { known, log, otherwise: recorded ?? inputs.partitions });
    const committed = (await Promise.all(tasks.map(async task => await hasCommitted(groupOf(application, task), inputs.all, log)))).includes(true);
    topics.push(...own);
    if (own.length > 0 || committed) groups.push(...tasks.map(task => groupOf(application, task)));
    if (chain === current) [hasBegun, reconcileTasks] = [own.length > 0 || committed, tasks.length - 1];
  }
  const directories = tasksWithDirectory({ root: state.directory, application, pair: pair.name });
  const cut: ResetPlan['cut'][number][] = [];
  for (const at of inputs.all) {
    const offset = await log.beginningOffset(at);
    if (offset > 0) cut.push({ ...at, offset });
  }
  return { pair, ends: hasBegun ? current : undefined, begins: hasBegun ? current + 1 : current, reconcileTasks, topics, groups, directories, cut };
}

/** Throws StoreError `locked` where a process has a task's local state: then nothing was changed. `nowMs`: since the epoch. */
export async function executeReset({ application, state }: Config, plan: ResetPlan, log: Log, nowMs: number, crashPoint: (point: ResetPoint) => void = () => undefined): Promise<void> {
  const { pair, ends, begins, reconcileTasks, topics, groups } = plan;
  const directories: ReturnType<typeof openTaskDirectory>[] = [];
  try {
    for (const task of plan.directories) directories.push(openTaskDirectory({ root: state.directory, application, pair: pair.name, task }));
    crashPoint('before-chain');
    if (ends !== undefined) await beginChain(application, log, { pair: pair.name, chain: begins, begunAt: new Date(nowMs).toISOString(), reconcileTasksBefore: reconcileTasks });
    crashPoint('after-chain');
    // Whoever still had one of them appends nothing more.
    for (const group of groups) await log.writer(group);
    crashPoint('after-writers');
    await each(topics, topic => log.deleteTopic(topic), () => { crashPoint('after-first-topic'); });
    crashPoint('after-topics');
    await each(groups, group => log.forgetGroup(group), () => { crashPoint('after-first-group'); });
    crashPoint('after-groups');
    await each(directories, directory => Promise.resolve(directory.wipe()), () => { crashPoint('after-first-directory'); });
    crashPoint('after-directories');
  } finally {
    for (const directory of directories) directory.close();
  }
}

/** Throws where members of the application's group are alive: of a log directory its lock says so. */
export async function requireStopped(application: string, log: Log): Promise<void> {
  const members = await log.membersOf(application);
  if (members.length === 0) return;
  throw new ParitasError('state', `the service runs: group "${application}" has ${members.join(', ')}. Stop every instance (SIGTERM), then reset; one that was killed is a member until its session.timeout.ms has passed`);
}

async function each<T>(items: readonly T[], act: (item: T) => Promise<void>, afterFirst: () => void): Promise<void> {
  for (const [i, item] of items.entries()) {
    await act(item);
    if (i === 0) afterFirst();
  }
}

/** Of one chain: its topics that are there, and its tasks. `otherwise`: how many reconcile tasks, where no topic tells. */
async function leftOf(application: string, pair: PairSettings, { known, log, otherwise }: { known: readonly string[]; log: LogQuery; otherwise: number }): Promise<[string[], TaskId[]]> {
  const of = chainOf(pair);
  const changelog = (subTopology: TaskId['subTopology']): string => changelogOf(application, { pair: pair.name, subTopology, partition: 0, ...of }).topic;
  const [reconcile, windows] = [changelog('reconcile'), windowsTopicOf(application, pair.name, of)];
  const names = [reconcile, changelog('merge'), windows, ...(pair.chain === undefined ? [formerTopicOf(application, pair.name)] : [])];
  const counted = [windows, reconcile].find(topic => known.includes(topic));
  const reconcileTasks = counted === undefined ? otherwise : await log.partitions(counted);
  return [names.filter(topic => known.includes(topic)), tasksOf({ pair, reconcileTasks })];
}

async function inputsOf({ source, target }: PairSettings, known: readonly string[], log: LogQuery): Promise<{ all: TopicPartition[]; partitions: number }> {
  const all: TopicPartition[] = [];
  let partitions = 1;
  for (const topic of [source, target].flatMap(side => [side.topic, side.transactions?.topic, side.heartbeat?.topic])) {
    if (topic === undefined || !known.includes(topic)) continue;
    const count = await log.partitions(topic);
    partitions = Math.max(partitions, count);
    for (let partition = 0; partition < count; partition++) all.push({ topic, partition });
  }
  return { all, partitions };
}

async function hasCommitted(group: string, inputs: readonly TopicPartition[], log: LogQuery): Promise<boolean> {
  for (const at of inputs) if (await log.committed(group, at) !== undefined) return true;
  return false;
}
