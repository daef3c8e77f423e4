// The service under crashes. `runService` runs two pairs, of captures or of topics with several partitions, over a log and disks that outlive it (log-disk.ts,
// disks.ts); it dies (life.ts), is asked to end, or cannot commit. Then one of two workers, each with disks of its own, opens its tasks: on the disk as
// it was, on an older one, a damaged one or none. What is in the output topics at the end is what an undisturbed service puts there, byte for byte.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../schemas/assert.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { planPair, tasksOf } from '../../topology/cli/pair-plan.ts';
import type { Log } from '../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import type { TaskId } from '../../topology/runtime/task-id.ts';
import { outputLines } from '../support/output-lines.ts';
import { untilQuiet } from '../support/quiet-clock.ts';
import { DISKS, OUTCOMES, type Coverage, type Kind } from './coverage.ts';
import { writePair } from './crash.ts';
import type { Disks } from './disks.ts';
import type { History } from './history.ts';
import { COMMIT_INTERVAL_MS, lifeOf, type LifePlan } from './life.ts';
import { durableLogDisk, memoryLogDisk, type LogDisk } from './log-disk.ts';
import { prng, type Prng } from './prng.ts';
import { layDown } from './topics.ts';

export interface ServicePlan extends LifePlan {
  /** Which of the two workers opens the tasks next. */
  worker(): 0 | 1;
  /** A life is over: one that has come to no commit makes the next one calmer, or it would die again and again and get nowhere. */
  lived(hasCommitted: boolean): void;
  /** How likely a life dies while the log writes to its files. */
  readonly tears: number;
}

export const UNDISTURBED: ServicePlan = {
  dies: () => false, letsGo: () => false, breaks: () => false, rots: () => false, worker: () => 0, append: () => 'done', disk: () => 'as it was', older: () => 0, tick: () => 1000, lived: () => undefined,
  sliceRecords: 1000, restoreBytes: 1 << 20, tears: 0,
};

export function disturbed(random: Prng): ServicePlan {
  const [dying, restoring, losing, between] = [random.pick([0, 0.05, 0.2]), random.pick([0, 0.01, 0.05]), random.pick([0, 0.1]), random.pick([0, 0.01, 0.03])];
  let calm = 1;
  const chance = (of: number): boolean => random.chance(of / calm);
  return {
    dies: point => chance(point === 'between records' ? between : point === 'restoring' ? restoring : dying),
    letsGo: () => chance(between / 2),
    breaks: () => chance(losing / 4),
    rots: () => chance(losing / 4),
    worker: () => random.pick([0, 0, 1] as const),
    append: () => (chance(losing) ? random.pick(OUTCOMES) : 'done'),
    disk: () => (random.chance(0.4) ? 'as it was' : random.pick(DISKS)),
    older: batches => random.int(batches + 1),
    tick: () => random.pick([0, 40, 200]),
    lived(hasCommitted) { calm = hasCommitted ? 1 : 2 * calm; },
    sliceRecords: random.pick([1, 7, 50]), restoreBytes: random.pick([500, 20_000, 1 << 20]), tears: random.pick([0, 0.5]),
  };
}

export interface ServiceRun { readonly lines: readonly string[]; readonly lives: number }

/** What outlives a service. */
export interface Durable { readonly logDisk: LogDisk; readonly disks: Disks; readonly random: Prng }

/** `partitions` above 1: of topics, so that each pair is as many reconcile tasks. */
export async function runLives(history: History, plan: ServicePlan, { partitions = 1, seed = 0, covered = {} }: { partitions?: number; seed?: number; covered?: Coverage } = {}): Promise<ServiceRun> {
  return withPairs(history, { partitions, seed }, async (pairs, durable) => {
    const lives = await liveOn(pairs, plan, durable, counting(covered));
    return { lines: await outputsOf(durable.logDisk.log, pairs), lives };
  });
}

export function counting(covered: Coverage): (kind: Kind) => void {
  return kind => { covered[kind] = (covered[kind] ?? 0) + 1; };
}

/** `seed`: 0 for a log in memory; every second other one has a durable log. */
export async function withPairs<T>(history: History, { partitions, seed = 0 }: { partitions: number; seed?: number }, use: (pairs: readonly PairSettings[], durable: Durable) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-service-'));
  try {
    const random = prng(seed ^ 0x10c);
    const durable: Durable = { logDisk: seed === 0 || random.chance(0.5) ? memoryLogDisk() : await durableLogDisk(), disks: new Map(), random };
    const captured = writePair(folder, history);
    const pair = partitions === 1 ? captured : await layDown(durable.logDisk.log, history, captured, partitions);
    return await use([pair, { ...pair, name: `${pair.name}-again` }], durable);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const LIVES_MAX = 500;

/** Until every pair has come to the end of its input. Answers how many lives it took. */
export async function liveOn(pairs: readonly PairSettings[], plan: ServicePlan, durable: Durable, covers: (kind: Kind) => void = () => undefined): Promise<number> {
  const { logDisk, random } = durable;
  let last = 0;
  for (let lives = 1; lives <= LIVES_MAX; lives++) {
    const worker = plan.worker();
    if (lives > 1 && worker !== last) covers('other worker');
    last = worker;
    logDisk.begin(random, plan.tears);
    const { isAtEnd, commits } = await liveOnce(pairs, plan, durable, worker, covers);
    if (isAtEnd) return lives;
    plan.lived(commits > 0);
    await logDisk.openAnew(random, covers);
  }
  throw new Error('it dies again and again and gets nowhere');
}

/** `isAtEnd`: every pair came to the end of its input. */
async function liveOnce(pairs: readonly PairSettings[], plan: ServicePlan, { logDisk, disks }: Durable, worker: number, covers: (kind: Kind) => void): Promise<{ readonly isAtEnd: boolean; readonly commits: number }> {
  const quiet = untilQuiet(logDisk.log, { tasks: (await tasksIn(pairs, logDisk.log)).length, commitIntervalMs: COMMIT_INTERVAL_MS, tick: plan.tick });
  const life = lifeOf({ pairs, worker, quiet, plan, disks, covers, logDied: () => logDisk.died });
  const hasEnded = await life.run();
  return { isAtEnd: hasEnded && quiet.isQuiet(), commits: life.commits };
}

/** All tasks of the pairs. */
export async function tasksIn(pairs: readonly PairSettings[], log: Log): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  for (const pair of pairs) tasks.push(...tasksOf(await planPair(pair, 'sim', log)));
  return tasks;
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

export interface Differences { readonly lines: readonly string[]; readonly lives: number; readonly covered: Coverage }

/** What a run that `disturbed(prng(seed))` disturbs says otherwise than one that nobody does. */
export async function serviceDifferences(history: History, seed: number, partitions = 1): Promise<Differences> {
  const covered: Coverage = {};
  const expected = (await runLives(history, UNDISTURBED, { partitions })).lines;
  const { lines, lives } = await runLives(history, disturbed(prng(seed)), { partitions, seed, covered });
  return { lines: firstDifference(lines, expected, `after ${lives} lives`), lives, covered };
}

/** Empty where there is none. */
export function firstDifference(lines: readonly string[], expected: readonly string[], when: string): string[] {
  const at = lines.findIndex((line, i) => line !== expected[i]);
  if (at < 0 && lines.length === expected.length) return [];
  const first = at < 0 ? lines.length : at;
  return [`${when}, line ${first + 1} of ${lines.length} (${expected.length})`, `  is   ${lines[first]}`, `  not  ${expected[first]}`];
}
