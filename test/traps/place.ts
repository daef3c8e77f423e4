// Where the traps are laid: a service over a durable log on a disk, with RocksDB. Its clock is the test's: it moves when it is asked, and once
// every task waits for more the test is asked what happens next. No test waits for time to pass.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import type { DeadLetterRecord, ManifestRecord, OutputRecord, VerdictRecord } from '../../schemas/records.ts';
import { closingWith } from '../../stores/closing-engine.ts';
import type { StoreEngine } from '../../stores/store.ts';
import { runService, type ServiceParts } from '../../topology/cli/service.ts';
import { openTaskStore } from '../../topology/cli/task-store.ts';
import { loadConfig, type Config } from '../../topology/config.ts';
import { openDurableLog, type DurableLog, type DurableLogSettings } from '../../topology/log/durable/durable-log.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import type { TaskId } from '../../topology/runtime/task-id.ts';
import { appendTo } from '../support/append.ts';
import { outputLines } from '../support/output-lines.ts';
import { untilQuiet } from '../support/quiet-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Place { readonly folder: string; readonly config: Config }

const PAIR = `    target: { topic: tgt, format: debezium-json, replicaIdentity: full }
    key: [id]
    match: { by: origin, source: source.lsn, target: after.origin }
    columns: { ignore: [origin] }
    window: { size: 1s, lateness: 1s, lag: 2s, skew: 1s }
`;

/** Pairs of these names, all over the topics `src` and `tgt`. `source`: more of the source. `partitioning`: direct needs keys in the partitions that Kafka's partitioner gives them. */
export function placeOf(t: TestContext, { pairs = ['orders'], source = '', partitioning = 'direct' }: { pairs?: readonly string[]; source?: string; partitioning?: string } = {}): Place {
  const text = pairs.map(name => `  - name: ${name}\n    source: { topic: src, format: debezium-json, replicaIdentity: full${source} }\n    partitioning: ${partitioning}\n${PAIR}`).join('');
  const folder = tempFolder(t, { 'paritas.yaml': `application: shop\nlog: { embedded: { directory: ./log, fsync: never } }\nstate: { directory: ./state }\npairs:\n${text}` });
  return { folder, config: loadConfig(join(folder, 'paritas.yaml')) };
}

/** 2026-11-30T12:00:00Z */
export const START_MS: number = Date.UTC(2026, 10, 30, 12);

export interface Change {
  readonly id: number;
  /** Milliseconds after START_MS. */
  readonly atMs: number;
  /** Of the source change; a target change names it as its origin. */
  readonly lsn: number;
  readonly v?: string;
  readonly partition?: number;
  /** The record's own timestamp; without it the commit time and a little. */
  readonly timestampMs?: number;
}

export function change(topic: 'src' | 'tgt', { id, atMs, lsn, v = 'x', partition = 0, timestampMs }: Change): AppendRecord {
  const own = topic === 'src' ? lsn : lsn + 1_000_000;
  const ms = START_MS + atMs;
  return {
    topic, partition, key: Buffer.from(`{"id":${id}}`), timestampMs: timestampMs ?? ms + 5,
    value: Buffer.from(JSON.stringify({
      before: null, after: { id, v, ...(topic === 'tgt' ? { origin: lsn } : {}) }, op: 'c', ts_ms: ms + 3,
      source: { connector: 'postgresql', ts_ms: ms, snapshot: 'false', sequence: `[null,"${own}"]`, lsn: own, txId: own },
    })),
  };
}

/** A row every second, applied 300 ms later; the tenth is lost, the fifteenth has another value. */
export function rows(seconds: number, from = 0): AppendRecord[] {
  return Array.from({ length: seconds }, (_, i) => from + i).flatMap(i => [
    change('src', { id: i, atMs: i * 1000, lsn: 100 + i }),
    ...(i === 10 ? [] : [change('tgt', { id: i, atMs: i * 1000 + 300, lsn: 100 + i, ...(i === 15 ? { v: 'y' } : {}) })]),
  ]);
}

export async function openLog(place: Place, more: Partial<DurableLogSettings> = {}, nowMs: () => number = () => START_MS): Promise<DurableLog> {
  if (place.config.log.kind !== 'embedded') throw new TypeError('the traps are laid on an embedded log');
  return openDurableLog({ ...place.config.log, ...more }, { nowMs });
}

/** Makes the topics, where they are not there yet, and writes the records. */
export async function write(log: Log, records: readonly AppendRecord[], partitions: Readonly<Record<string, number>> = {}): Promise<void> {
  for (const topic of new Set(['src', 'tgt', ...Object.keys(partitions)])) {
    if (!(await log.topics()).includes(topic)) await log.createTopic(topic, { partitions: partitions[topic] ?? 1, cleanup: 'delete' });
  }
  await appendTo(log, { records, positions: [], group: 'connectors' }, 'connectors');
}

export interface Life {
  readonly log: Log;
  /** Once every task waits for more: something happens, or (false) the service is asked to end. */
  readonly idle?: (times: number) => Promise<boolean>;
  /** Milliseconds that the clock goes on each time that it is asked. */
  readonly tick?: () => number;
  /** Harms the store of a task, to see what becomes of it. */
  readonly harm?: (engine: StoreEngine, task: TaskId) => StoreEngine;
  readonly more?: Partial<ServiceParts>;
}

/** One life of the service: what it said. Ends where a task of it is taken over, too. Rejects with what stopped it. */
export async function live({ config }: Place, { log, idle = () => Promise.resolve(false), tick = () => 20, harm = engine => engine, more = {} }: Life): Promise<string[]> {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const commitIntervalMs = 60;
  let times = 0;
  // Of each pair the merge beside them.
  const reconcileTasks = config.pairs[0].partitioning === 'repartition' ? 1 : await log.partitions('src');
  const tasks = config.pairs.length * (reconcileTasks + 1);
  const quiet = untilQuiet(log, { tasks, commitIntervalMs, tick, more: () => idle(++times) });
  await runService({
    application: config.application, pairs: config.pairs, outputs: config.outputs, commitIntervalMs, log: quiet.log, clock: quiet.clock, signal: quiet.signal, owner: 'host:1', say,
    openStore: async (task, changelog, _, __, anew) => harm(await openTaskStore({ config, task, log, changelog, say }, { anew }), task),
    // What is left may have nothing to do, and then all never wait again.
    onTakenOver: () => { quiet.stop(); },
    ...more,
  });
  return said;
}

/** The engine, but for what is said otherwise. */
export function altered(engine: StoreEngine, otherwise: Partial<StoreEngine>): StoreEngine {
  return { ...closingWith(engine, () => undefined), ...otherwise };
}

/** A whole life on a log that is opened for it. */
export async function liveOn(place: Place, life: Omit<Life, 'log'> = {}): Promise<string[]> {
  const log = await openLog(place);
  try {
    return await live(place, { log, ...life });
  } finally {
    await log.close();
  }
}

/** What the service has put out, pair by pair: those of two lie among each other as their commits did. */
export async function outputsOf(place: Place): Promise<string[]> {
  const log = await openLog(place);
  try {
    const lines = await outputLines(log, place.config.outputs);
    return place.config.pairs.flatMap(({ name }) => lines.filter(line => line.includes(`"pair":"${name}"`)));
  } finally {
    await log.close();
  }
}

export async function recordsOf(place: Place): Promise<{ verdicts: VerdictRecord[]; manifests: ManifestRecord[]; letters: DeadLetterRecord[] }> {
  const records = (await outputsOf(place)).map(line => JSON.parse(line.slice(line.indexOf('{'))) as OutputRecord);
  return {
    verdicts: records.filter(record => record.record === 'verdict'), manifests: records.filter(record => record.record === 'manifest'),
    letters: records.filter(record => record.record === 'dead-letter'),
  };
}

/** What a service that nobody disturbs puts out over these records. */
export async function undisturbed(t: TestContext, records: readonly AppendRecord[], pairs: readonly string[] = ['orders']): Promise<string[]> {
  const place = placeOf(t, { pairs });
  const log = await openLog(place);
  await write(log, records);
  await live(place, { log });
  await log.close();
  return outputsOf(place);
}

/** The database of a pair's first reconcile task. */
export function databaseOf(place: Place, pair: string): string {
  return join(place.folder, 'state/shop', pair, 'reconcile-0/db');
}

export function loseState(place: Place): void {
  rmSync(join(place.folder, 'state'), { recursive: true });
}

/** Whether a store was given up and restored from nothing. */
export function wiped(said: readonly string[]): string[] {
  return said.filter(line => line.includes('the local state is wiped'));
}
