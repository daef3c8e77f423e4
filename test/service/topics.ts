// The records of captures as topics of a log, for services that read topics; and a service on them, as a process, until it has said what it should.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { stringify } from 'yaml';

import { partitionOfKey } from '../../schemas/murmur2.ts';
import { openLogToRead, type LogToRead } from '../../topology/cli/open-log.ts';
import { planPair, tasksOf, type PairPlan } from '../../topology/cli/pair-plan.ts';
import { openRun } from '../../topology/cli/run-service.ts';
import { loadConfig, type Config } from '../../topology/config.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { groupOf } from '../../topology/runtime/task-id.ts';
import { outputLines } from '../support/output-lines.ts';
import { endingWhenQuiet } from '../support/quiet-process.ts';
import { startRun, type ServiceProcess } from './process.ts';

interface CaptureLine { topic: string; partition: number; timestamp: number; key?: string | null; value?: string | null; keyBase64?: string; valueBase64?: string; headers?: [string, string][] }

/** Under another topic name; with `partitions`, over so many, as a producer would spread them. */
export function capturedRecords(file: string, topic: string, partitions?: number): AppendRecord[] {
  const bytes = readFileSync(file);
  const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter(line => line !== '');
  return lines.map(line => {
    const { partition, timestamp, key, value, keyBase64, valueBase64, headers } = JSON.parse(line) as CaptureLine;
    const keyBytes = keyBase64 === undefined ? (typeof key === 'string' ? Buffer.from(key) : null) : Buffer.from(keyBase64, 'base64');
    return {
      topic, partition: partitions === undefined || keyBytes === null ? partition : partitionOfKey(keyBytes, 0, keyBytes.length, partitions), key: keyBytes,
      value: valueBase64 === undefined ? (typeof value === 'string' ? Buffer.from(value) : null) : Buffer.from(valueBase64, 'base64'),
      timestampMs: timestamp, headers: (headers ?? []).map(([name, text]) => [name, Buffer.from(text)] as const),
    };
  });
}

/** In one append, so that offsets are the same in every log. */
export async function fill(log: Log, records: readonly AppendRecord[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { topic, partition } of records) counts.set(topic, Math.max(counts.get(topic) ?? 0, partition + 1));
  for (const [topic, partitions] of counts) await log.createTopic(topic, { partitions, cleanup: 'delete' });
  const writer = await log.writer('producer');
  await writer.append({ records, positions: [], group: 'producer' });
}

export interface TopicPlace { readonly configFile: string; readonly config: Config }

/** A folder with a configuration of that log, its state in the folder. */
export function placeIn(folder: string, log: object, config: { application: string; pairs: object[] }, more: object = {}): TopicPlace {
  mkdirSync(folder, { recursive: true });
  const configFile = join(folder, 'paritas.yaml');
  writeFileSync(configFile, stringify({ ...config, log, state: { directory: './state' }, commit: { interval: '40ms' }, ...more }));
  return { configFile, config: loadConfig(configFile) };
}

/** The output topics as lines; none of what is not there yet. */
export async function linesIn(place: TopicPlace): Promise<string[]> {
  const { outputs } = place.config;
  return withLog(place, async log => ((await log.topics()).includes(outputs.audit) ? outputLines(log, outputs) : []));
}

export interface Said { readonly lines: readonly string[]; readonly positions: string }

/** Runs in this process until its tasks have nothing left to do. */
export async function runCalmly(place: TopicPlace): Promise<Said> {
  const { config } = place;
  const tasks = await withLog(place, async log => (await plansOf(place, log)).flatMap(tasksOf).length);
  await openRun({ config, pairs: config.pairs, say: () => undefined, ...endingWhenQuiet(tasks, config.commit.intervalUs / 1000) });
  return { lines: await linesIn(place), positions: await positionsIn(place) };
}

async function plansOf({ config }: TopicPlace, log: LogToRead): Promise<PairPlan[]> {
  const plans: PairPlan[] = [];
  for (const pair of config.pairs) plans.push(await planPair(pair, config.application, log));
  return plans;
}

async function withLog<T>({ config }: TopicPlace, use: (log: LogToRead) => Promise<T>): Promise<T> {
  const log = await openLogToRead(config.log);
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

/** Runs as a process until it has said and read as much, then asks it to end. Gives up after a while. */
export async function runUntil(place: TopicPlace, should: Said): Promise<{ code: number | null; lines: readonly string[] }> {
  const service = startRun(place.configFile);
  await service.running;
  for (const untilMs = performance.now() + 600_000; performance.now() < untilMs && service.child.exitCode === null; await setTimeout(250)) {
    if (await positionsIn(place) === should.positions && (await linesIn(place)).length >= should.lines.length) break;
  }
  return end(service);
}

/** What is committed of every partition of the inputs. */
export async function positionsIn(place: TopicPlace): Promise<string> {
  return withLog(place, async log => {
    const found: string[] = [];
    for (const plan of await plansOf(place, log)) {
      const { pair: { name, source, target }, reconcileTasks } = plan;
      for (const task of tasksOf(plan).filter(({ subTopology }) => subTopology === 'reconcile')) {
        for (const topic of [source.topic, target.topic]) {
          const all = Array.from({ length: await log.partitions(topic) }, (_, partition) => partition);
          for (const partition of reconcileTasks > 1 ? [task.partition] : all) {
            found.push(`${name} ${topic}-${partition}@${await log.committed(groupOf(place.config.application, task), { topic, partition }) ?? 0}`);
          }
        }
      }
    }
    return found.join('\n');
  });
}

export async function end(service: ServiceProcess): Promise<{ code: number | null; lines: readonly string[] }> {
  service.child.kill('SIGTERM');
  const { code } = await service.gone;
  return { code, lines: service.lines };
}
