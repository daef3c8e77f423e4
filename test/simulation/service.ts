// The service under crashes. `runService` runs two pairs, of captures or of topics with several partitions, over a log and disks that outlive it; it dies at the named points of a commit, between
// two records, or an append fails in one of the two ways that it can; or it is asked to end and lets its tasks go. Then one of two workers, each
// with a disk of its own, opens them: on its disk as it was, on an older one, a damaged one or none. What is in the output topics at the end is
// what an undisturbed service puts there, byte for byte.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../schemas/assert.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import type { StoreEngine, WriteOp } from '../../stores/store.ts';
import { planPair, tasksOf } from '../../topology/cli/pair-plan.ts';
import { runService } from '../../topology/cli/service.ts';
import { openEmbeddedLog } from '../../topology/log/embedded-log.ts';
import type { Log, TopicPartition } from '../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import { CommitLost, type CrashPoint } from '../../topology/runtime/commit.ts';
import type { Clock } from '../../topology/runtime/pacer.ts';
import { restoreStore } from '../../topology/runtime/restoration.ts';
import { taskName, type TaskId } from '../../topology/runtime/task-id.ts';
import { STATE_FAMILIES } from '../../topology/runtime/task-state.ts';
import { outputLines } from '../support/output-lines.ts';
import { withAppends } from '../support/append.ts';
import { untilQuiet } from '../support/quiet-clock.ts';
import { writePair } from './crash.ts';
import type { History } from './history.ts';
import { prng, type Prng } from './prng.ts';
import { layDown } from './topics.ts';

/** What a restart finds of the local store. `damaged`: it opens, and does not say whose it is. */
export const DISKS = ['as it was', 'older', 'none', 'damaged'] as const;

export interface ServicePlan {
  /** Whether to die here. */
  dies(point: CrashPoint | 'between records'): boolean;
  /** Whether it is asked to end, between two records. */
  letsGo(): boolean;
  /** Which of the two workers opens the tasks next. */
  worker(): 0 | 1;
  /** What becomes of an append: it takes place and its answer is lost, or it does not take place. */
  append(): 'done' | 'answer lost' | 'not done';
  disk(): (typeof DISKS)[number];
  /** Which of so many batches an older disk has seen. */
  older(batches: number): number;
  /** Milliseconds that the clock goes on, each time it is asked. */
  tick(): number;
  readonly sliceRecords: number;
}

export const UNDISTURBED: ServicePlan = { dies: () => false, letsGo: () => false, worker: () => 0, append: () => 'done', disk: () => 'as it was', older: () => 0, tick: () => 1000, sliceRecords: 1000 };

export function disturbed(random: Prng): ServicePlan {
  const [dying, losing, between] = [random.pick([0, 0.05, 0.2]), random.pick([0, 0.1]), random.pick([0, 0.01, 0.03])];
  return {
    dies: point => random.chance(point === 'between records' ? between : dying),
    letsGo: () => random.chance(between / 2),
    worker: () => random.pick([0, 0, 1] as const),
    append: () => (random.chance(losing) ? random.pick(['answer lost', 'not done'] as const) : 'done'),
    disk: () => random.pick(DISKS),
    older: batches => random.int(batches + 1),
    tick: () => random.pick([0, 40, 200]),
    sliceRecords: random.pick([1, 7, 50]),
  };
}

export interface ServiceRun { readonly lines: readonly string[]; readonly lives: number }

export const COMMIT_INTERVAL_MS = 100;

class Crash extends Error {}

/** The log, and of each worker and task every batch that the disk has got. */
export interface Durable { readonly log: Log; readonly disks: Map<string, Disk> }
interface Disk { batches: (readonly WriteOp[])[] }

/** `partitions` above 1: of topics, so that each pair is as many reconcile tasks. */
export async function runLives(history: History, plan: ServicePlan, partitions = 1): Promise<ServiceRun> {
  return withPairs(history, partitions, async (pairs, durable) => {
    const lives = await liveOn(pairs, plan, durable);
    return { lines: await outputsOf(durable.log, pairs), lives };
  });
}

export async function withPairs<T>(history: History, partitions: number, use: (pairs: readonly PairSettings[], durable: Durable) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-service-'));
  try {
    const durable: Durable = { log: openEmbeddedLog(), disks: new Map() };
    const captured = writePair(folder, history);
    const pair = partitions === 1 ? captured : await layDown(durable.log, history, captured, partitions);
    return await use([pair, { ...pair, name: `${pair.name}-again` }], durable);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until every pair has come to the end of its input. Answers how many lives it took. */
export async function liveOn(pairs: readonly PairSettings[], plan: ServicePlan, durable: Durable): Promise<number> {
  for (let lives = 1; lives <= 2000; lives++) if (await live(pairs, plan, durable)) return lives;
  throw new Error('it dies again and again and gets nowhere');
}

/** All tasks of the pairs. */
export async function tasksIn(pairs: readonly PairSettings[], log: Log): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  for (const pair of pairs) tasks.push(...tasksOf(await planPair(pair, 'sim', log)));
  return tasks;
}

/** True where every pair came to the end of its input. */
async function live(pairs: readonly PairSettings[], plan: ServicePlan, durable: Durable): Promise<boolean> {
  const worker = plan.worker();
  const quiet = untilQuiet(failing(durable.log, plan), { tasks: (await tasksIn(pairs, durable.log)).length, commitIntervalMs: COMMIT_INTERVAL_MS, tick: plan.tick });
  const clock: Clock = {
    ...quiet.clock,
    nowMs() {
      if (plan.dies('between records')) throw new Crash();
      if (plan.letsGo()) quiet.stop();
      return quiet.clock.nowMs();
    },
  };
  try {
    await runService({
      application: 'sim', pairs, outputs: DEFAULT_OUTPUTS, commitIntervalMs: COMMIT_INTERVAL_MS, owner: `worker-${worker}:1`, clock, signal: quiet.signal, say: () => undefined,
      log: quiet.log, sliceRecords: plan.sliceRecords,
      openStore: (task, changelog) => openDisk(plan, durable, diskOf(durable, `${worker} ${taskName(task)}`), changelog),
      crashPoint: point => { if (plan.dies(point)) throw new Crash(); },
    });
    return quiet.isQuiet();
  } catch (error) {
    if (error instanceof Crash || error instanceof CommitLost) return false;
    throw error;
  }
}

export function diskOf({ disks }: Durable, name: string): Disk {
  const disk = disks.get(name) ?? { batches: [] };
  disks.set(name, disk);
  return disk;
}

function failing(log: Log, plan: ServicePlan): Log {
  return withAppends(log, async (writer, batch) => {
    const what = plan.append();
    if (what !== 'not done') await writer.append(batch);
    if (what !== 'done') throw new Error(what);
  });
}

export function openDisk(plan: Pick<ServicePlan, 'disk' | 'older'>, { log }: Durable, durable: Disk, changelog: TopicPartition): Promise<StoreEngine> {
  const disk = plan.disk();
  if (disk === 'none') durable.batches = [];
  if (disk === 'older') durable.batches.length = plan.older(durable.batches.length);
  const open = (): Promise<StoreEngine> => {
    const engine = openMemoryStore(STATE_FAMILIES);
    for (const batch of durable.batches) engine.write(batch);
    return Promise.resolve(recording(engine, durable));
  };
  if (disk === 'damaged' && durable.batches.length > 0) durable.batches.push([{ family: 'offsets', key: Buffer.from('of'), value: null }]);
  return restoreStore({ log, changelog, open, wipe: () => { durable.batches = []; }, nowMs: () => 0 });
}

function recording(engine: StoreEngine, durable: Disk): StoreEngine {
  return {
    ...engine,
    write(ops) {
      engine.write(ops);
      durable.batches.push(ops);
    },
  };
}

/** Pair by pair: how the records of two lie among each other is how their commits did. So do dead letters of several tasks. */
export async function outputsOf(log: Log, pairs: readonly PairSettings[]): Promise<string[]> {
  const all = await outputLines(log, DEFAULT_OUTPUTS);
  const isLetter = (line: string): boolean => line.startsWith(DEFAULT_OUTPUTS.deadLetters);
  const lines = [...all.filter(line => !isLetter(line)), ...all.filter(isLetter).sort()];
  const sorted = pairs.flatMap(({ name }) => lines.filter(line => line.includes(`"pair":"${name}"`)));
  assert(sorted.length === lines.length, 'every record names its pair');
  return sorted;
}

/** What a run that `disturbed(prng(seed))` disturbs says otherwise than one that nobody does. */
export async function serviceDifferences(history: History, seed: number, partitions = 1): Promise<{ readonly lines: readonly string[]; readonly lives: number }> {
  const expected = (await runLives(history, UNDISTURBED, partitions)).lines;
  const { lines, lives } = await runLives(history, disturbed(prng(seed)), partitions);
  return { lines: firstDifference(lines, expected, `after ${lives} lives`), lives };
}

/** Empty where there is none. */
export function firstDifference(lines: readonly string[], expected: readonly string[], when: string): string[] {
  const at = lines.findIndex((line, i) => line !== expected[i]);
  if (at < 0 && lines.length === expected.length) return [];
  const first = at < 0 ? lines.length : at;
  return [`${when}, line ${first + 1} of ${lines.length} (${expected.length})`, `  is   ${lines[first]}`, `  not  ${expected[first]}`];
}
