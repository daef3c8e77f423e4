// Runs one task: makes its topics, opens its writer and its state, and lets it work until it is to stop. A task begins where its last commit has
// left it, whatever became of the process since.
import { AssertionFailure } from '../../schemas/assert.ts';
import { ParitasError } from '../../schemas/errors.ts';
import { isDamage, StoreError } from '../../stores/store-error.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { Log, LogWriter, TopicPartition } from '../log/log.ts';
import { chainIn, readChains } from '../runtime/chains.ts';
import { toBeginAnew } from '../runtime/same-chain.ts';
import { changelogPosition, toChangelog } from '../runtime/changelog.ts';
import { closingAll } from '../runtime/closing.ts';
import { createCommit, type Committable, type InputPosition } from '../runtime/commit.ts';
import { nothingKept } from '../runtime/nothing-kept.ts';
import { createPacer, Stopping, type Pacer, type PacerParts } from '../runtime/pacer.ts';
import type { StatusReporter, WatchedTask } from '../runtime/status-reporter.ts';
import { changelogOf, groupOf, taskName, type TaskId } from '../runtime/task-id.ts';
import { createLifecycle, type Lifecycle } from '../runtime/task-lifecycle.ts';
import type { Turns } from '../runtime/turns.ts';
import { sinksOf, type Topology } from '../topology.ts';
import { openMerge } from './open-merge.ts';
import { openReconcile } from './open-reconcile.ts';
import { pairTopics } from './own-topics.ts';
import type { PairPlan } from './pair-plan.ts';
import type { ServiceParts } from './service.ts';

/** What a task is opened with. */
export interface TaskContext {
  readonly task: TaskId;
  readonly plan: PairPlan;
  readonly parts: ServiceParts;
  readonly group: string;
  /** Restored. */
  readonly engine: StoreEngine;
  /** There may be something to read. */
  readonly wake: () => void;
  /** What is to be closed with the task. */
  readonly onEnd: (close: () => Promise<void>) => void;
}

/** A task that may begin. */
export interface OpenedTask {
  /** What the restored state has read; undefined: there is none, the task begins. */
  readonly restored: readonly InputPosition[] | undefined;
  readonly topology: Topology;
  readonly committable: Committable;
  /** What waits for the next commit is beyond its bound. */
  readonly isFull: () => boolean;
  /** What the status topic is told of it. */
  readonly watched?: WatchedTask;
  /** Works until the pacer stops it. */
  follow(pacer: Pacer): Promise<void>;
}

/** `parts.signal`: of this task. `anew`: its local state is wiped first. Rejects with what stopped it; `WriterFenced`: somebody else has opened the task. */
export async function runTask(task: TaskId, plan: PairPlan, parts: ServiceParts, status: StatusReporter, turns: Turns, anew: boolean): Promise<void> {
  const { log, application, say } = parts;
  const [name, group, changelog] = [taskName(task), groupOf(application, task), changelogOf(application, task)];
  const report = status.add(plan.pair, name);
  const lifecycle = createLifecycle(name, (_, to) => {
    say(`${name}: ${to}`);
    report.state(to);
  });
  await closingAll(onEnd => unlessStopped(() => tellingFaults(name, lifecycle, async () => {
    onEnd(() => Promise.resolve(lifecycle.to('closed')));
    lifecycle.to('restoring');
    // First of all: from here on nobody else appends to what is restored, and what was appended is all there.
    const writer = await log.writer(group);
    await requireChain(plan, application, log);
    for (const { topic, settings } of pairTopics(application, plan)) await log.createTopic(topic, settings);
    const engine = await parts.openStore(task, changelog, report.restoring, parts.signal, anew).catch((error: unknown) => { throw withWayOut(error, plan); });
    onEnd(() => engine.close());
    // The readers may call before there is anybody to wake: then nobody waits.
    const awake: { pacer?: Pacer } = {};
    const context: TaskContext = { task, plan, parts, group, engine, onEnd, wake: () => awake.pacer?.wake() };
    const opened = await (task.subTopology === 'merge' ? openMerge(context) : openReconcile(context));
    for (const sink of sinksOf(opened.topology)) await log.createTopic(sink.topic, { partitions: 1, cleanup: sink.cleanup });
    await requireSamePositions(plan, name, group, writer, opened);
    awake.pacer = pacerOf(opened, { group, writer, changelog, engine }, parts, { turned: status.turned, turns });
    if (opened.watched !== undefined) report.watch(opened.watched);
    lifecycle.to('running');
    await follow(opened, awake.pacer);
    lifecycle.to('suspended');
  })));
}

/** Damage, wherever it is found: at the start, where the state is read, or where one block is read in the middle of the run. And faults of ours, by their task. */
async function tellingFaults(name: string, lifecycle: Lifecycle, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDamage(error)) lifecycle.to('corrupt');
    throw isFault(error) ? new ParitasError('internal', `task ${name}: an internal error: ${nothingKept(error)}`, { cause: error }) : error;
  }
}

function isFault(error: unknown): boolean {
  return [AssertionFailure, TypeError, RangeError, ReferenceError].some(fault => error instanceof fault);
}

/** A reset begins a chain and then opens the writers of the one before: who has one of those since knows of it, or is fenced. */
async function requireChain({ pair }: PairPlan, application: string, log: Log): Promise<void> {
  const chain = chainIn(await readChains(application, log), pair.name);
  if (chain !== (pair.chain ?? 1)) throw new ParitasError('state', `pair "${pair.name}": it was reset to chain ${chain} while this service started; start again`);
}

/** What no restoring helps, a later version has written. */
function withWayOut(error: unknown, { pair }: PairPlan): unknown {
  return error instanceof StoreError && error.reason === 'wrong-format' ? new ParitasError('state', `${error.message}, or ${toBeginAnew(pair.name)}`, { cause: error }) : error;
}

interface Durable { readonly group: string; readonly writer: LogWriter; readonly changelog: TopicPartition; readonly engine: StoreEngine }

function pacerOf({ committable, isFull }: OpenedTask, { group, writer, changelog, engine }: Durable, { log, clock, signal, commitIntervalMs, crashPoint }: ServiceParts, shared: Pick<PacerParts, 'turned' | 'turns'>): Pacer {
  const commit = createCommit({
    group, log, writer, changelog, engine, toChangelog: op => toChangelog(changelog, op), changelogPosition, task: committable, ...(crashPoint === undefined ? {} : { crashPoint }),
  }, committable.inputPositions());
  return createPacer({ commit, intervalMs: commitIntervalMs, isFull, clock, signal, ...shared });
}

/** The pair assertion: what the restored state has read is what the group has committed. Anything else was made by somebody's hand. */
async function requireSamePositions({ pair }: PairPlan, name: string, group: string, writer: LogWriter, { restored, committable }: OpenedTask): Promise<void> {
  for (const at of restored ?? committable.inputPositions()) {
    const committed = await writer.committed(group, at);
    // A task that begins has committed nothing.
    if (committed === (restored === undefined ? undefined : at.offset)) continue;
    // Or by whoever has opened the task since, who says so to the next append.
    await writer.append({ records: [], positions: committed === undefined ? [] : [{ ...at, offset: committed }], group });
    const state = restored === undefined ? 'there is no state, its changelog is gone or empty' : `the state has read ${at.topic}-${at.partition} to ${at.offset}`;
    const there = `the committed position of the group ${group}${restored === undefined ? ` in ${at.topic}-${at.partition}` : ''} is ${committed ?? 'none'}`;
    throw new ParitasError('state', `task ${name}: ${state}, and ${there}. `
      + (committed === undefined ? forgotten(group, at) : `Positions or changelog were changed by hand: put the log directory back as it was, or ${toBeginAnew(pair.name)}`));
  }
}

/** The state says what was read, so the position may be put back by hand; nothing else may have run in between. */
function forgotten(group: string, { topic, partition, offset }: InputPosition): string {
  return 'A Kafka broker forgets what a group has not committed anew for offsets.retention.minutes (a week); put it back: '
    + `kafka-consumer-groups.sh --group ${group} --reset-offsets --topic ${topic}:${partition} --to-offset ${offset} --execute`;
}

/** Works until it is to stop; then commits what was read. */
async function follow(opened: OpenedTask, pacer: Pacer): Promise<void> {
  await unlessStopped(() => opened.follow(pacer));
  await pacer.commit();
}

/** That a task is to stop is no failure, wherever it was: also one that is restored. */
async function unlessStopped(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stopping)) throw error;
  }
}
