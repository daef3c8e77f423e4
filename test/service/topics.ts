// The records of captures as topics of a log, for services that read topics; and a service on them, as a process, until it has said what it should.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { stringify } from 'yaml';

import { partitionOfKey } from '../../schemas/murmur2.ts';
import { openLogToRead } from '../../topology/cli/open-log.ts';
import { openRun } from '../../topology/cli/run-service.ts';
import { groupOf } from '../../topology/cli/service.ts';
import { loadConfig, type Config } from '../../topology/config.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { outputLines } from '../support/output-lines.ts';
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
export async function linesIn({ config }: TopicPlace): Promise<string[]> {
  const log = await openLogToRead(config.log);
  try {
    const known = await log.topics();
    return known.includes(config.outputs.audit) ? await outputLines(log, config.outputs) : [];
  } finally {
    await log.close();
  }
}

export interface Said { readonly lines: readonly string[]; readonly positions: string }

/** Runs in this process until every pair waits for more, over a log that hides nothing: then there is nothing left to say. */
export async function runCalmly(place: TopicPlace): Promise<Said> {
  const { config } = place;
  const stop = new AbortController();
  let waiting = 0;
  await openRun({
    config, pairs: config.pairs, signal: stop.signal, say: () => undefined,
    clock: {
      nowMs: () => performance.now(),
      // Whoever waits longer than for a commit is the maintenance of the log, which has nothing to do here.
      sleep: async (ms, signal) => {
        const isPair = ms <= config.commit.intervalUs / 1000;
        if (isPair) waiting++;
        const quietMs = waiting === config.pairs.length ? 300 : 1000;
        await setTimeout(isPair ? quietMs : 600_000, undefined, { signal }).catch(() => undefined);
        if (isPair && waiting-- === config.pairs.length && !signal.aborted) stop.abort();
      },
    },
  });
  return { lines: await linesIn(place), positions: await positionsIn(place) };
}

/** Runs as a process until it has said and read as much, then asks it to end. Gives up after a while. */
export async function runUntil(place: TopicPlace, should: Said): Promise<{ code: number | null; lines: readonly string[] }> {
  const service = startRun(place.configFile);
  await service.running;
  for (const untilMs = performance.now() + 60_000; performance.now() < untilMs && service.child.exitCode === null; await setTimeout(100)) {
    if (await positionsIn(place) === should.positions && (await linesIn(place)).length >= should.lines.length) break;
  }
  return end(service);
}

/** What is committed of every partition of the inputs. */
export async function positionsIn({ config }: TopicPlace): Promise<string> {
  const log = await openLogToRead(config.log);
  try {
    const found: string[] = [];
    for (const pair of config.pairs) {
      for (const topic of [pair.source.topic, pair.target.topic]) {
        for (let partition = 0; partition < await log.partitions(topic); partition++) {
          found.push(`${pair.name} ${topic}-${partition}@${await log.committed(groupOf(config.application, pair), { topic, partition }) ?? 0}`);
        }
      }
    }
    return found.join('\n');
  } finally {
    await log.close();
  }
}

export async function end(service: ServiceProcess): Promise<{ code: number | null; lines: readonly string[] }> {
  service.child.kill('SIGTERM');
  const { code } = await service.gone;
  return { code, lines: service.lines };
}
