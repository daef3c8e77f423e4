// Two services on one log that hand tasks to each other: the one lets a task go when it is asked to, or the other one takes it while the first
// still believes that it has it. What the one does not run it may follow, as a standby. Either dies, cannot commit, and comes back on the disks that
// are left. Whatever happens, one chain is left, and it is that of a service that nobody disturbs.
import { setImmediate as turn } from 'node:timers/promises';
import type { PairSettings } from '../../schemas/pair.ts';
import type { Share } from '../../topology/runtime/assignor.ts';
import { groupAssignment } from '../../topology/runtime/group-assignment.ts';
import { applyTail } from '../../topology/runtime/restoration.ts';
import { createStandbys, type Standbys, type StandbyStore } from '../../topology/runtime/standbys.ts';
import { changelogOf, taskName, type TaskId } from '../../topology/runtime/task-id.ts';
import { untilQuiet } from '../support/quiet-clock.ts';
import type { Coverage, Kind } from './coverage.ts';
import { diskOf, openDisk } from './disks.ts';
import type { History } from './history.ts';
import { COMMIT_INTERVAL_MS, lifeOf } from './life.ts';
import { prng, type Prng } from './prng.ts';
import { counting, disturbed, firstDifference, liveOn, outputsOf, runLives, tasksIn, UNDISTURBED, withPairs, type Durable, type ServicePlan } from './service.ts';

export interface Handovers { readonly lines: readonly string[]; readonly covered: Coverage }

/** What one of the two is to run. */
interface Desk {
  readonly tasks: ReadonlySet<TaskId>;
  shares(signal: AbortSignal): AsyncIterable<Share>;
  add(task: TaskId): void;
  /** Resolves when it is let go. */
  remove(task: TaskId): Promise<void>;
  /** Gives the set once more. */
  again(): void;
  /** Its service is gone, and runs nothing. */
  down(): void;
}

export async function handoverDifferences(history: History, seed: number, partitions: number): Promise<Handovers> {
  const expected = (await runLives(history, UNDISTURBED, { partitions })).lines;
  return withPairs(history, { partitions }, async (pairs, durable) => {
    const covered: Coverage = {};
    await runTwo(pairs, durable, prng(seed), counting(covered));
    await liveOn(pairs, UNDISTURBED, durable);
    return { covered, lines: firstDifference(await outputsOf(durable.logDisk.log, pairs), expected, JSON.stringify(covered)) };
  });
}

async function runTwo(pairs: readonly PairSettings[], durable: Durable, random: Prng, covers: (kind: Kind) => void): Promise<void> {
  const { log } = durable.logDisk;
  const all = await tasksIn(pairs, log);
  // A third of what is not run here is followed, none of it or all.
  const follows = random.pick([0, 0.3, 1]);
  const desks = [deskOf(all, all, () => random.chance(follows)), deskOf([], all, () => random.chance(follows))] as const;
  const moving = new Set<TaskId>();
  const plan: ServicePlan = { ...(random.chance(0.3) ? UNDISTURBED : rarely(random)), tick: () => random.pick([0, 40, 200]), letsGo: () => false };
  const quiet = untilQuiet(log, { tasks: all.length, commitIntervalMs: COMMIT_INTERVAL_MS, tick: plan.tick });
  const chance = random.pick([0.02, 0.1]);

  async function move(task: TaskId): Promise<void> {
    const from = desks[0].tasks.has(task) ? 0 : 1;
    const isAsked = random.chance(0.5);
    covers(isAsked ? 'handover asked' : 'handover taken');
    if (!isAsked) desks[1 - from].add(task);
    await desks[from].remove(task);
    desks[1 - from].add(task);
    moving.delete(task);
  }

  const moves = {
    ...quiet, clock: {
      ...quiet.clock,
      nowMs() {
        const task = random.pick(all);
        if (random.chance(chance) && !moving.has(task) && !quiet.signal.aborted) {
          moving.add(task);
          void move(task);
        }
        return quiet.clock.nowMs();
      },
    },
  };

  async function work(desk: Desk, worker: number): Promise<void> {
    while (!quiet.signal.aborted) {
      const standbys = standbysOf(all, worker, plan, durable, covers);
      const assignment = groupAssignment({ membership: { shares: desk.shares, leave: () => Promise.resolve() }, tasks: all, standbys, say: () => undefined });
      const life = lifeOf({ pairs, worker, quiet: moves, plan, disks: durable.disks, covers, logDied: () => false, assignment, onTakenOver: () => setImmediate(desk.again) });
      await life.run();
      desk.down();
      await standbys.end({ active: [], standby: [], warmup: [] });
      plan.lived(life.commits > 0);
    }
  }
  await Promise.all(desks.map(work));
}

/** Both services die by the same plan, and each death costs the other nothing: less often than where one is alone. */
function rarely(random: Prng): ServicePlan {
  const plan = disturbed(random);
  return { ...plan, dies: point => random.chance(0.5) && plan.dies(point) };
}

/** With a clock of its own, so that who waits for more to follow does not count among those who wait for something to do. */
function standbysOf(all: readonly TaskId[], worker: number, plan: ServicePlan, { logDisk: { log }, disks }: Durable, covers: (kind: Kind) => void): Standbys {
  async function open(name: string): Promise<StandbyStore> {
    const task = all.find(known => taskName(known) === name) as TaskId;
    const changelog = changelogOf('sim', task);
    const engine = await openDisk(diskOf(disks, `${worker} ${name}`), { plan, log, changelog, written: () => undefined, covers });
    covers('handover standby begun');
    return {
      async catchUp() {
        covers('handover standby caught up');
        await applyTail(engine, { log, changelog, nowMs: () => 0, batchBytes: plan.restoreBytes });
      },
      close: () => engine.close(),
    };
  }
  const sleep = async (_: number, signal: AbortSignal): Promise<void> => { for (let turns = 0; turns < 5 && !signal.aborted; turns++) await turn(); };
  const standbys = createStandbys({ open, everyMs: 1, clock: { nowMs: () => 0, sleep }, say: () => undefined });
  return {
    ...standbys,
    end(share) {
      for (const task of share.active) if (standbys.lags()[task] === 0) covers('handover standby promoted');
      return standbys.end(share);
    },
  };
}

function deskOf(first: readonly TaskId[], all: readonly TaskId[], follows: (task: TaskId) => boolean): Desk {
  const tasks = new Set(first);
  let version = 0;
  let waiting: { readonly version: number; readonly resolve: () => void }[] = [];
  let wake: () => void = () => undefined;
  let isUp = false;
  const change = (): void => {
    version++;
    wake();
  };
  const acknowledge = (given: number): void => {
    for (const one of waiting) if (one.version <= given) one.resolve();
    waiting = waiting.filter(one => one.version > given);
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
      return isUp ? new Promise(resolve => void waiting.push({ version, resolve })) : Promise.resolve();
    },
    down() {
      isUp = false;
      acknowledge(version);
    },
    shares: async function* (signal) {
      isUp = true;
      for (let given = -1; !signal.aborted;) {
        if (given === version) {
          await new Promise<void>(resolve => {
            wake = resolve;
            signal.addEventListener('abort', () => { resolve(); }, { once: true });
          });
          continue;
        }
        given = version;
        const active = [...tasks].map(taskName);
        yield { active, standby: all.filter(task => !tasks.has(task) && follows(task)).map(taskName), warmup: [] };
        // Asked for the next one: what this one has not is closed.
        acknowledge(given);
      }
    },
  };
}
