// A run that commits and dies. The pair's real task runs over captures; at random records it commits its state as changelog batches, at
// others it dies, and everything the process had is thrown away: it goes on from a store, from the changelog alone, or from an older store
// and the changelog's tail. What it has put out by then is what an undisturbed run puts out, byte for byte.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Memory } from '../../processors/reconcile-processor.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { createRangeExpiry, finishExpiry } from '../../stores/expired-ranges.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import type { StoreEngine, WriteOp } from '../../stores/store.ts';
import { openWriteOverlay } from '../../stores/write-overlay.ts';
import { skipTo } from '../../topology/cli/service-inputs.ts';
import { wirePair } from '../../topology/cli/wire-pair.ts';
import { loadConfig } from '../../topology/config.ts';
import { openCaptures, type CaptureLog } from '../../topology/log/capture-log.ts';
import type { PartitionReader } from '../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import { createPairTask } from '../../topology/runtime/pair-task.ts';
import { summarise } from '../../topology/runtime/summary.ts';
import { openTaskState, STATE_FAMILIES } from '../../topology/runtime/task-state.ts';
import type { History } from './history.ts';
import type { Prng } from './prng.ts';
import { toCapture, toConfig } from './render.ts';

/** What a restart has: its store as it was left, none at all, or one that an earlier commit wrote. */
export const RESTARTS = ['store', 'changelog', 'older store'] as const;
export type Restart = (typeof RESTARTS)[number];

export interface CrashPlan {
  readonly shards: number;
  readonly complete: boolean;
  /** By step (a record about to be read, or a window just closed): what happens. */
  at(step: number): 'commit' | 'crash' | undefined;
  restart(): Restart;
  /** Which of so many commits an older store has seen. */
  older(commits: number): number;
  readonly memory?: Memory;
  /** Harms what is written, to see that it is missed. */
  harm?(op: WriteOp): WriteOp;
}

export interface CrashRun {
  /** What was put out, in its order, and what was counted. */
  readonly lines: readonly string[];
  readonly commits: readonly (readonly WriteOp[])[];
  readonly crashes: number;
  readonly steps: number;
}

class Crash extends Error {}

/** What outlives a process. */
interface Durable { readonly commits: (readonly WriteOp[])[]; readonly outputs: string[]; store: StoreEngine }

export async function runWithCrashes(history: History, plan: CrashPlan): Promise<CrashRun> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-crash-'));
  try {
    const settings = writePair(folder, history);
    const durable: Durable = { commits: [], outputs: [], store: openMemoryStore(STATE_FAMILIES) };
    const clock = { step: 0 };
    for (let crashes = 0; ; crashes++) {
      if (crashes > 300) throw new Error('it dies again and again and gets nowhere');
      const rest = await live(settings, plan, durable, clock);
      if (rest !== undefined) return { lines: [...durable.outputs, ...rest], commits: durable.commits, crashes, steps: clock.step };
      durable.store = storeAfter(durable, plan);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function undisturbed(history: History, shards: number, complete: boolean, memory: Memory = 'for-ever'): Promise<CrashRun> {
  return runWithCrashes(history, { shards, complete, memory, at: () => undefined, restart: () => 'store', older: () => 0 });
}

/** Commits every few records and dies every few commits; a process commits at least once before it dies, so a run ends. */
export function randomCrashes(random: Prng, shards: number, complete: boolean, perCommit: number, perCrash: number): CrashPlan {
  let committed = false;
  return {
    shards, complete,
    at() {
      if (committed && random.chance(1 / perCrash)) {
        committed = false;
        return 'crash';
      }
      if (!random.chance(1 / perCommit)) return undefined;
      committed = true;
      return 'commit';
    },
    restart: () => random.pick(RESTARTS),
    older: commits => random.int(commits + 1),
  };
}

export function writePair(folder: string, history: History): PairSettings {
  const config = toConfig(history.plan);
  for (const side of ['source', 'target'] as const) writeFileSync(join(folder, `${side}.jsonl`), toCapture(history, side).map(line => `${line}\n`).join(''));
  const withFile = (side: 'source' | 'target'): unknown => ({ ...(config[side] as object), file: `${side}.jsonl` });
  // Short, so that a run that forgets has something to forget; the others do not look at it.
  const pair = { ...config, window: { ...(config['window'] as object), retain: '1ms' }, source: withFile('source'), target: withFile('target') };
  writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'test', log: { embedded: { directory: './log' } }, pairs: [pair] }));
  return loadConfig(join(folder, 'paritas.yaml')).pairs[0];
}

function storeAfter(durable: Durable, plan: CrashPlan): StoreEngine {
  const how = plan.restart();
  if (how === 'store') return durable.store;
  const store = openMemoryStore(STATE_FAMILIES);
  const seen = how === 'older store' ? plan.older(durable.commits.length) : 0;
  for (const ops of durable.commits.slice(0, seen)) store.write(ops);
  // The rest comes from the changelog, compacted: of each key the last record.
  const last = new Map<string, WriteOp>();
  for (const op of durable.commits.slice(seen).flat()) last.set(`${op.family} ${op.key.toString('hex')}`, op);
  store.write([...last.values()]);
  return store;
}

/** One life of the process: what it put out since its last commit, at its end, or undefined where it died. */
async function live(settings: PairSettings, plan: CrashPlan, durable: Durable, clock: { step: number }): Promise<string[] | undefined> {
  const captures = [await open(settings, 'source'), await open(settings, 'target')];
  try {
    return await runTask(settings, plan, durable, clock, captures);
  } catch (error) {
    if (error instanceof Crash) return undefined;
    throw error;
  } finally {
    for (const capture of captures) await capture.close();
  }
}

function open(settings: PairSettings, side: 'source' | 'target'): Promise<CaptureLog> {
  return openCaptures(settings[side].files, { topic: settings[side].topic, skipBadLines: false });
}

async function runTask(settings: PairSettings, plan: CrashPlan, durable: Durable, clock: { step: number }, captures: readonly CaptureLog[]): Promise<string[]> {
  finishExpiry(durable.store);
  const expiry = createRangeExpiry(durable.store);
  const overlay = openWriteOverlay(durable.store);
  const [source, target] = captures.map(({ partitions }) => ({ rows: partitions.map(reader => stepping(reader, step)), beside: [] }));
  const nodes = wirePair(settings, [source, target], {
    outputs: DEFAULT_OUTPUTS, shards: plan.shards, overlay, publishing: 'at-close', ...(plan.memory === undefined ? {} : { memory: plan.memory }),
  });
  const { collector } = nodes;
  const state = openTaskState({ ...nodes, engine: durable.store, overlay, claims: nodes.members.map(({ claim }) => claim) });
  const readers = captures.flatMap(({ partitions }) => partitions);
  for (const [i, { claim }] of nodes.members.entries()) await skipTo(readers[i], claim.frontier);
  const task = createPairTask({ ...nodes, from: state.restored, commit: () => Promise.resolve(step()), pause: () => Promise.resolve() });
  await task.run(plan.complete);
  return [...linesOf(collector.drain()), `counts ${JSON.stringify(summarise(settings, task, []))}`];

  function step(): void {
    const what = plan.at(clock.step++);
    if (what === 'crash') throw new Crash();
    if (what === 'commit') commit();
  }

  /** Outputs and changelog in one append, then the store. */
  function commit(): void {
    const ops = state.seal(task.place()).map(op => plan.harm?.(op) ?? op);
    durable.commits.push(ops);
    durable.outputs.push(...linesOf(collector.drain()));
    expiry.write(ops, state.expired());
  }
}

function linesOf(records: readonly { topic: string; key: Buffer | null; value: Buffer | null }[]): string[] {
  return records.map(({ topic, key, value }) => `${topic} ${String(key)} ${String(value)}`);
}

/** Between two records is where a commit may be, and where a process may die. */
function stepping(reader: PartitionReader, step: () => void): PartitionReader {
  return {
    topic: reader.topic, partition: reader.partition, record: reader.record, firstOffset: reader.firstOffset,
    get position() { return reader.position; },
    total: reader.total,
    next() {
      step();
      return reader.next();
    },
    fill: () => reader.fill(),
    close: () => reader.close(),
  };
}
