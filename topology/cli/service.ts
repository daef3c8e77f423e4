// The engine of `run`: every pair as one task over the log, with its state in RocksDB behind a changelog topic. A task begins where its last
// commit has left it, whatever became of the process since.
import { ParitasError } from '../../schemas/errors.ts';
import { overlayBytesMax } from '../../schemas/limits.ts';
import type { PairSettings, SideSettings } from '../../schemas/pair.ts';
import { openWriteOverlay } from '../../stores/write-overlay.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { Log, TopicPartition } from '../log/log.ts';
import type { OutputTopics } from '../reconcile.ts';
import { changelogPosition, toChangelog } from '../runtime/changelog.ts';
import { closingAll } from '../runtime/closing.ts';
import { createCommit, type CrashPoint, type InputPosition } from '../runtime/commit.ts';
import { createLifecycle } from '../runtime/task-lifecycle.ts';
import { createPacer, Stopping, type Clock, type Pacer } from '../runtime/pacer.ts';
import { createPairTask, type PairTask } from '../runtime/pair-task.ts';
import type { RestoreProgress } from '../runtime/restoration.ts';
import { createStatusReporter, type StatusReporter } from '../runtime/status-reporter.ts';
import { openTaskState } from '../runtime/task-state.ts';
import { sinksOf } from '../topology.ts';
import { openInputs } from './service-inputs.ts';
import { wirePair, type SideReaders } from './wire-pair.ts';

export interface ServiceParts {
  readonly application: string;
  readonly pairs: readonly PairSettings[];
  readonly outputs: OutputTopics;
  readonly commitIntervalMs: number;
  readonly log: Log;
  /** Opens the local store of a pair's task, restored from its changelog. */
  readonly openStore: (pair: PairSettings, changelog: TopicPartition, onProgress: (progress: RestoreProgress) => void) => Promise<StoreEngine>;
  readonly clock: Clock;
  /** The clock by which the log stamps what is appended, milliseconds since the epoch. Without it nothing follows from the end of a log alone. */
  readonly logNowMs?: () => number;
  /** Who has the tasks, for the status topic: `host:pid`. */
  readonly owner: string;
  /** Aborted: what was read is committed, and the service ends. */
  readonly signal: AbortSignal;
  /** One line for the operator. */
  readonly say: (line: string) => void;
  /** For tests: what happens at each point of a commit, and records between two pauses. */
  readonly crashPoint?: (point: CrashPoint) => void;
  readonly sliceRecords?: number;
}

/** Runs until the signal. Rejects with what stopped a pair; the others are stopped with it. */
export async function runService(parts: ServiceParts): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  const status = await openStatus(parts);
  const tasks = parts.pairs.map(pair => runPair(pair, { ...parts, signal }, status).catch((error: unknown) => {
    stop.abort();
    throw error;
  }));
  const failed = (await Promise.allSettled(tasks)).find(({ status: outcome }) => outcome === 'rejected');
  await status.flushed();
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}

async function openStatus({ log, application, owner, outputs: { status: topic }, clock, logNowMs, say }: ServiceParts): Promise<StatusReporter> {
  await log.createTopic(topic, { partitions: 1, cleanup: 'compact' });
  const group = `${application}/status/${owner}`;
  const writer = await log.writer(group);
  return createStatusReporter({ owner, topic, nowMs: () => clock.nowMs(), wallMs: logNowMs, say, write: records => writer.append({ records, positions: [], group }) });
}

/** The positions of a pair's inputs: two pairs may read one topic, each at its own pace. */
export function groupOf(application: string, pair: PairSettings): string {
  return `${application}/${pair.name}`;
}

/** The state of a pair's task, record by record. */
export function changelogOf(application: string, pair: PairSettings): TopicPartition {
  return { topic: `${application}-${pair.name}-changelog`, partition: 0 };
}

async function runPair(pair: PairSettings, parts: ServiceParts, status: StatusReporter): Promise<void> {
  const { log, say } = parts;
  const report = status.add(pair, `${pair.name}/0`);
  const lifecycle = createLifecycle(`${pair.name}/0`, (_, to) => {
    say(`${pair.name}: ${to}`);
    report.state(to);
  });
  const changelog = changelogOf(parts.application, pair);
  await closingAll(async onEnd => {
    onEnd(() => Promise.resolve(lifecycle.to('closed')));
    await log.createTopic(changelog.topic, { partitions: 1, cleanup: 'compact' });
    lifecycle.to('restoring');
    const engine = await parts.openStore(pair, changelog, report.restoring);
    onEnd(() => engine.close());
    // The readers may call before there is anybody to wake: then nobody waits.
    const awake: { pacer?: Pacer } = {};
    const open = async (side: SideSettings): Promise<SideReaders> => {
      const inputs = await openInputs(pair, side, { log, group: groupOf(parts.application, pair), wake: () => awake.pacer?.wake(), logNowMs: parts.logNowMs });
      onEnd(() => inputs.close());
      return inputs.readers;
    };
    const { task, pacer } = await wire(pair, [await open(pair.source), await open(pair.target)], engine, changelog, { ...parts, turned: status.turned });
    awake.pacer = pacer;
    report.watch(task);
    lifecycle.to('running');
    await follow(task, pacer);
    lifecycle.to('suspended');
  });
}

async function wire(
  pair: PairSettings, sides: readonly [SideReaders, SideReaders], engine: StoreEngine, changelog: TopicPartition, parts: ServiceParts & { readonly turned: () => void },
): Promise<{ task: PairTask; pacer: Pacer }> {
  const { log, signal, clock, commitIntervalMs, crashPoint, sliceRecords, turned } = parts;
  const group = groupOf(parts.application, pair);
  const overlay = openWriteOverlay(engine, 'read-through');
  const nodes = wirePair(pair, sides, { outputs: parts.outputs, shards: 1, overlay, publishing: 'at-close', memory: 'window.retain' });
  for (const sink of sinksOf(nodes.topology)) await log.createTopic(sink.topic, { partitions: 1, cleanup: sink.cleanup });
  const claims = nodes.members.map(({ claim }) => claim);
  const topics = [...claims, ...nodes.auxiliaries.map(({ reader }) => reader)].map(({ topic }) => topic);
  const topicIds = Object.fromEntries(await Promise.all(topics.map(async topic => [topic, await log.topicId(topic)] as const)));
  const state = openTaskState({ ...nodes, engine, overlay, claims, topicIds });
  const inputPositions = (): InputPosition[] => [
    ...claims.map(({ topic, partition, frontier }) => ({ topic, partition, offset: frontier })),
    ...nodes.auxiliaries.map(({ reader: { topic, partition, position } }) => ({ topic, partition, offset: position })),
  ];
  await requireSamePositions(pair, group, log, state.restored === undefined, inputPositions());
  const commit = createCommit({
    group, log, writer: await log.writer(group), changelog, engine, toChangelog: op => toChangelog(changelog, op), changelogPosition,
    task: { inputPositions, sealState: () => state.seal(task.place()), drainOutputs: () => nodes.collector.drain() },
    ...(crashPoint === undefined ? {} : { crashPoint }),
  }, inputPositions());
  const pacer = createPacer({ commit, intervalMs: commitIntervalMs, isFull: () => overlay.sizeBytes >= overlayBytesMax, clock, signal, turned });
  const task = createPairTask({ ...nodes, from: state.restored, commit: () => pacer.commitIfDue(), pause: () => pacer.turn(), ...(sliceRecords === undefined ? {} : { sliceRecords }) });
  return { task, pacer };
}

/** The pair assertion: what the restored state has read is what the group has committed. Anything else was made by somebody's hand. */
async function requireSamePositions(pair: PairSettings, group: string, log: Log, isNew: boolean, restored: readonly InputPosition[]): Promise<void> {
  for (const at of restored) {
    const committed = await log.committed(group, at);
    // A task that begins stands where its inputs begin.
    if (committed === at.offset || (committed === undefined && isNew)) continue;
    throw new ParitasError('state', `pair "${pair.name}": the state has read ${at.topic}-${at.partition} to ${at.offset}, and the committed position of the group ${group} is ${committed ?? 'none'}. `
      + 'Positions or changelog were changed by hand; begin a new chain under another application name, or put the log directory back as it was');
  }
}

/** Reads until it is to stop; then commits what was read. */
async function follow(task: PairTask, pacer: Pacer): Promise<void> {
  try {
    await task.follow(() => pacer.more());
  } catch (error) {
    if (!(error instanceof Stopping)) throw error;
  }
  await pacer.commit();
}
