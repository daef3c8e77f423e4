// The service under crashes. `runService` runs over a log and a disk that outlive it; it dies at the named points of a commit, or an append
// fails in one of the two ways that it can; then it starts again on the disk as it was, on an older one, or on none. What is in the output
// topics at the end is what an undisturbed service puts there, byte for byte.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PairSettings } from '../../schemas/pair.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import type { StoreEngine, WriteOp } from '../../stores/store.ts';
import { runService } from '../../topology/cli/service.ts';
import { openEmbeddedLog } from '../../topology/log/embedded-log.ts';
import type { Log, TopicPartition } from '../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import { CommitLost, type CrashPoint } from '../../topology/runtime/commit.ts';
import type { Clock } from '../../topology/runtime/pacer.ts';
import { restoreStore } from '../../topology/runtime/restoration.ts';
import { STATE_FAMILIES } from '../../topology/runtime/task-state.ts';
import { writePair } from './crash.ts';
import type { History } from './history.ts';
import type { Prng } from './prng.ts';

/** What a restart finds of the local store. `damaged`: it opens, and does not say whose it is. */
export const DISKS = ['as it was', 'older', 'none', 'damaged'] as const;

export interface ServicePlan {
  /** Whether to die here. */
  dies(point: CrashPoint): boolean;
  /** What becomes of an append: it takes place and its answer is lost, or it does not take place. */
  append(): 'done' | 'answer lost' | 'not done';
  disk(): (typeof DISKS)[number];
  /** Which of so many batches an older disk has seen. */
  older(batches: number): number;
  /** Milliseconds that the clock goes on, each time it is asked. */
  tick(): number;
  readonly sliceRecords: number;
}

export const UNDISTURBED: ServicePlan = { dies: () => false, append: () => 'done', disk: () => 'as it was', older: () => 0, tick: () => 1000, sliceRecords: 1000 };

export function disturbed(random: Prng): ServicePlan {
  const [dying, losing] = [random.pick([0, 0.05, 0.2]), random.pick([0, 0.1])];
  return {
    dies: () => random.chance(dying),
    append: () => (random.chance(losing) ? random.pick(['answer lost', 'not done'] as const) : 'done'),
    disk: () => random.pick(DISKS),
    older: batches => random.int(batches + 1),
    tick: () => random.pick([0, 40, 200]),
    sliceRecords: random.pick([1, 7, 50]),
  };
}

export interface ServiceRun { readonly lines: readonly string[]; readonly lives: number; readonly commits: number }

class Crash extends Error {}

/** The log, and every batch that the disk has got. */
interface Durable { readonly log: Log; batches: (readonly WriteOp[])[] }

export async function runLives(history: History, plan: ServicePlan): Promise<ServiceRun> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-service-'));
  try {
    const pair = writePair(folder, history);
    const durable: Durable = { log: openEmbeddedLog(), batches: [] };
    for (let lives = 1; ; lives++) {
      if (!(await live(pair, plan, durable))) continue;
      return { lines: await outputsOf(durable.log), lives, commits: durable.batches.length };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True where it came to the end of its input. */
async function live(pair: PairSettings, plan: ServicePlan, durable: Durable): Promise<boolean> {
  const stop = new AbortController();
  let ms = 0;
  const clock: Clock = {
    nowMs: () => (ms += plan.tick()),
    // Nobody writes to the captures: whoever waits has read everything.
    sleep: () => Promise.resolve(stop.abort()),
  };
  try {
    await runService({
      application: 'sim', pairs: [pair], outputs: DEFAULT_OUTPUTS, commitIntervalMs: 100, clock, signal: stop.signal, say: () => undefined,
      log: failing(durable.log, plan), sliceRecords: plan.sliceRecords,
      openStore: (_, changelog) => openDisk(plan, durable, changelog),
      crashPoint: point => { if (plan.dies(point)) throw new Crash(); },
    });
    return true;
  } catch (error) {
    if (error instanceof Crash || error instanceof CommitLost) return false;
    throw error;
  }
}

function failing(log: Log, plan: ServicePlan): Log {
  return {
    ...log,
    async append(batch) {
      const what = plan.append();
      if (what !== 'not done') await log.append(batch);
      if (what !== 'done') throw new Error(what);
    },
  };
}

function openDisk(plan: ServicePlan, durable: Durable, changelog: TopicPartition): Promise<StoreEngine> {
  const disk = plan.disk();
  if (disk === 'none') durable.batches = [];
  if (disk === 'older') durable.batches.length = plan.older(durable.batches.length);
  const open = (): Promise<StoreEngine> => {
    const engine = openMemoryStore(STATE_FAMILIES);
    for (const batch of durable.batches) engine.write(batch);
    return Promise.resolve(recording(engine, durable));
  };
  if (disk === 'damaged' && durable.batches.length > 0) durable.batches.push([{ family: 'offsets', key: Buffer.from('of'), value: null }]);
  return restoreStore({ log: durable.log, changelog, open, wipe: () => { durable.batches = []; }, nowMs: () => 0 });
}

function recording(engine: StoreEngine, durable: Durable): StoreEngine {
  return {
    ...engine,
    write(ops) {
      engine.write(ops);
      durable.batches.push(ops);
    },
  };
}

async function outputsOf(log: Log): Promise<string[]> {
  const lines: string[] = [];
  for (const topic of [DEFAULT_OUTPUTS.audit, DEFAULT_OUTPUTS.manifests, DEFAULT_OUTPUTS.verdicts, DEFAULT_OUTPUTS.deadLetters]) {
    const reader = await log.open({ topic, partition: 0 }, 0);
    do {
      while (reader.next()) {
        const { data, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
        lines.push(`${topic} ${data.toString('utf8', keyStart, keyEnd)} ${data.toString('utf8', valueStart, valueEnd)}`);
      }
    } while (await reader.fill());
    await reader.close();
  }
  return lines;
}
