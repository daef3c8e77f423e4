// The engine of `run`: runs the tasks that it is given over the log, each with its state in RocksDB behind a changelog topic. All tasks share the
// log; none knows of the others but through it.
import { ParitasError } from '../../schemas/errors.ts';
import { taskGoesBackMs } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { isDamage } from '../../stores/store-error.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { Log, TopicPartition } from '../log/log.ts';
import type { OutputTopics } from '../reconcile.ts';
import { fixed, type Assignment } from '../runtime/assignment.ts';
import { AppendEnded } from '../runtime/append-ended.ts';
import { CommitLost, type CrashPoint } from '../runtime/commit.ts';
import type { Clock } from '../runtime/pacer.ts';
import type { RestoreProgress } from '../runtime/restoration.ts';
import { createStatusReporter, type StatusReporter } from '../runtime/status-reporter.ts';
import { taskName, type TaskId } from '../runtime/task-id.ts';
import { createTurns } from '../runtime/turns.ts';
import { WriterFenced } from '../runtime/writer-fenced.ts';
import { planPair, tasksOf, type PairPlan } from './pair-plan.ts';
import { runTask } from './run-task.ts';

export interface ServiceParts {
  readonly application: string;
  readonly pairs: readonly PairSettings[];
  readonly outputs: OutputTopics;
  readonly commitIntervalMs: number;
  readonly log: Log;
  /** Which of the pairs' tasks run here; undefined: all of them. */
  readonly assignment?: Assignment;
  /** Told of a task that somebody else has opened: whoever shares tasks out should ask who is to have it, and give a set once more. */
  readonly onTakenOver?: (task: TaskId) => void;
  /** Opens the local store of a task, restored from its changelog; `anew`: whatever is there is wiped first. Once the signal is aborted, rejects with `Stopping`. */
  readonly openStore: (task: TaskId, changelog: TopicPartition, onProgress: (progress: RestoreProgress) => void, signal: AbortSignal, anew: boolean) => Promise<StoreEngine>;
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

/**
 * Runs until the signal. Rejects with what stopped a task; the others are stopped with it. A task that somebody else has opened ends alone, and
 * the service with the last of them where no other tasks can come.
 */
export async function runService(parts: ServiceParts): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  const plans: PairPlan[] = [];
  for (const pair of parts.pairs) plans.push(await planPair(pair, parts.application, parts.log));
  const status = await openStatus(parts);
  const tasks = createTaskSet(plans, { ...parts, signal }, status, () => { stop.abort(); });
  const assignment = parts.assignment ?? fixed(plans.flatMap(tasksOf));
  try {
    for await (const set of assignment(signal)) await tasks.change(set);
    await tasks.ended();
  } catch (error) {
    stop.abort();
    await tasks.ended().catch(() => undefined);
    throw error;
  } finally {
    await status.flushed();
  }
}

async function openStatus({ log, application, owner, outputs: { status: topic }, clock, logNowMs, say }: ServiceParts): Promise<StatusReporter> {
  await log.createTopic(topic, { partitions: 1, cleanup: 'compact' });
  const group = `${application}/status/${owner}`;
  const writer = await log.writer(group);
  return createStatusReporter({ owner, topic, nowMs: () => clock.nowMs(), wallMs: logNowMs, say, write: records => writer.append({ records, positions: [], group }) });
}

interface TaskSet {
  /** Closes what is not in the set and begins what is new. Resolves when the former is closed. */
  change(tasks: readonly TaskId[]): Promise<void>;
  /** Resolves when no task runs any more; rejects with what stopped one. */
  ended(): Promise<void>;
}

interface Running { readonly stop: AbortController; readonly done: Promise<void> }

function createTaskSet(plans: readonly PairPlan[], parts: ServiceParts, status: StatusReporter, stopAll: () => void): TaskSet {
  const running = new Map<string, Running>();
  let failure: { readonly error: unknown } | undefined;
  let fenced: WriterFenced | undefined;
  const turns = new Map(plans.map(({ pair }) => [pair.name, createTurns()]));
  /** When a task went back to its last commit, milliseconds of the clock. */
  const wentBackMs = new Map<string, number>();

  /** `anew`: its local state is damaged, and made anew from the changelog. */
  function begin(name: string, task: TaskId, anew: boolean): void {
    const [plan, ofPair] = [plans.find(({ pair }) => pair.name === task.pair), turns.get(task.pair)];
    if (plan === undefined || ofPair === undefined) throw new ParitasError('internal', `there is no pair for the task ${name}`);
    const stop = new AbortController();
    const signal = AbortSignal.any([parts.signal, stop.signal]);
    const done = runTask(task, plan, { ...parts, signal }, status, ofPair, anew).catch((error: unknown) => error).then(error => {
      running.delete(name);
      // Damage that is found on the way out is told: the next start may open the store without meeting it.
      if (!(isDamage(error) && signal.aborted) && mayGoOn(name, error)) return void (signal.aborted || begin(name, task, isDamage(error)));
      if (error !== undefined) fail(task, error);
    });
    running.set(name, { stop, done });
  }

  /**
   * A commit that the log has given up left nothing: the task goes back to the one before. So it does where its local store turned out to be damaged:
   * the changelog has it all. Not over and over: then something else is wrong.
   */
  function mayGoOn(name: string, error: unknown): boolean {
    if (!isDamage(error) && !(error instanceof CommitLost && error.cause instanceof AppendEnded)) return false;
    const nowMs = parts.clock.nowMs();
    if (nowMs - (wentBackMs.get(name) ?? -Infinity) < taskGoesBackMs) return false;
    wentBackMs.set(name, nowMs);
    parts.say(`${name}: ${error.message}; ${isDamage(error) ? 'the local state is wiped and restored from the changelog' : 'it goes back to its last commit'}`);
    return true;
  }

  function fail(task: TaskId, error: unknown): void {
    if (error instanceof WriterFenced) {
      fenced = error;
      parts.say(`${taskName(task)}: taken over by another service`);
      parts.onTakenOver?.(task);
      return;
    }
    failure ??= { error };
    stopAll();
  }

  return {
    async change(tasks) {
      const wanted = new Map(tasks.map(task => [taskName(task), task]));
      const gone = [...running].flatMap(([name, task]) => (wanted.has(name) ? [] : [task]));
      for (const { stop } of gone) stop.abort();
      await Promise.all(gone.map(({ done }) => done));
      if (parts.signal.aborted) return;
      for (const [name, task] of wanted) if (!running.has(name)) begin(name, task, false);
    },
    async ended() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
      if (failure !== undefined) throw failure.error;
      if (fenced !== undefined && !parts.signal.aborted) throw fenced;
    },
  };
}
