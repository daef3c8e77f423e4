// Two services on one log that hand tasks to each other: the one lets a task go when it is asked to, or the other one takes it while the first
// still believes that it has it. Whatever happens, one chain is left, and it is that of a service that nobody disturbs.
import type { PairSettings } from '../../schemas/pair.ts';
import { runService } from '../../topology/cli/service.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import type { Assignment } from '../../topology/runtime/assignment.ts';
import type { Clock } from '../../topology/runtime/pacer.ts';
import { taskName, type TaskId } from '../../topology/runtime/task-id.ts';
import { untilQuiet } from '../support/quiet-clock.ts';
import type { History } from './history.ts';
import { prng, type Prng } from './prng.ts';
import { COMMIT_INTERVAL_MS, diskOf, firstDifference, liveOn, openDisk, outputsOf, runLives, tasksIn, UNDISTURBED, withPairs, type Durable } from './service.ts';

export interface Handovers { readonly lines: readonly string[]; readonly asked: number; readonly taken: number; readonly fenced: number }

/** What one of the two is to run. */
interface Desk {
  readonly assignment: Assignment;
  readonly tasks: ReadonlySet<TaskId>;
  add(task: TaskId): void;
  /** Resolves when it is let go. */
  remove(task: TaskId): Promise<void>;
  /** Gives the set once more. */
  again(): void;
}

export async function handoverDifferences(history: History, seed: number, partitions: number): Promise<Handovers> {
  const expected = (await runLives(history, UNDISTURBED, partitions)).lines;
  return withPairs(history, partitions, async (pairs, durable) => {
    const counts = await runTwo(pairs, durable, prng(seed));
    await liveOn(pairs, UNDISTURBED, durable);
    return { ...counts, lines: firstDifference(await outputsOf(durable.log, pairs), expected, JSON.stringify(counts)) };
  });
}

async function runTwo(pairs: readonly PairSettings[], durable: Durable, random: Prng): Promise<Omit<Handovers, 'lines'>> {
  const all = await tasksIn(pairs, durable.log);
  const desks = [deskOf(all), deskOf([])] as const;
  const counts = { asked: 0, taken: 0, fenced: 0 };
  const moving = new Set<TaskId>();
  const quiet = untilQuiet(durable.log, { tasks: all.length, commitIntervalMs: COMMIT_INTERVAL_MS, tick: () => random.pick([0, 40, 200]) });
  const chance = random.pick([0.02, 0.1]);

  async function move(task: TaskId): Promise<void> {
    const from = desks[0].tasks.has(task) ? 0 : 1;
    const isAsked = random.chance(0.5);
    counts[isAsked ? 'asked' : 'taken']++;
    if (!isAsked) desks[1 - from].add(task);
    await desks[from].remove(task);
    desks[1 - from].add(task);
    moving.delete(task);
  }

  const clock: Clock = {
    ...quiet.clock,
    nowMs() {
      const task = random.pick(all);
      if (random.chance(chance) && !moving.has(task) && !quiet.signal.aborted) {
        moving.add(task);
        void move(task);
      }
      return quiet.clock.nowMs();
    },
  };
  await Promise.all(desks.map((desk, worker) => runService({
    application: 'sim', pairs, outputs: DEFAULT_OUTPUTS, commitIntervalMs: COMMIT_INTERVAL_MS, owner: `worker-${worker}:1`, clock, signal: quiet.signal, log: quiet.log, sliceRecords: random.pick([1, 7, 50]),
    assignment: desk.assignment, onTakenOver: () => setImmediate(desk.again), say: line => void (line.endsWith('taken over by another service') && counts.fenced++),
    openStore: (task, changelog) => openDisk({ disk: () => 'as it was', older: () => 0 }, durable, diskOf(durable, `${worker} ${taskName(task)}`), changelog),
  })));
  return counts;
}

function deskOf(first: readonly TaskId[]): Desk {
  const tasks = new Set(first);
  let version = 0;
  let waiting: { readonly version: number; readonly resolve: () => void }[] = [];
  let wake: () => void = () => undefined;
  const change = (): void => {
    version++;
    wake();
  };
  return {
    tasks,
    again: change,
    add(task) {
      tasks.add(task);
      change();
    },
    remove(task) {
      tasks.delete(task);
      change();
      return new Promise(resolve => void waiting.push({ version, resolve }));
    },
    assignment: async function* (signal) {
      for (let given = -1; !signal.aborted;) {
        if (given === version) {
          await new Promise<void>(resolve => {
            wake = resolve;
            signal.addEventListener('abort', () => { resolve(); }, { once: true });
          });
          continue;
        }
        given = version;
        yield [...tasks];
        // Asked for the next one: what this one has not is closed.
        for (const one of waiting) if (one.version <= given) one.resolve();
        waiting = waiting.filter(one => one.version > given);
      }
      for (const { resolve } of waiting) resolve();
    },
  };
}

