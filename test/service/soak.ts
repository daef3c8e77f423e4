// A service that is fed for as long as is asked, at the pace of the clock, with its log and its state on the disk: what it weighs as a table (or as
// JSON Lines), then a line of bars for each measure and whether it is flat; ends with 1 where it grew. `npm run soak -- --minutes 30`.
// Its process has the settings of memory that one of `paritas run` has.
// The feeder (see there) writes into the same log, so it is in the same process; of one change in `--lost` nothing comes to the target.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { getHeapStatistics } from 'node:v8';

import { logMaintenanceMs } from '../../schemas/limits.ts';
import '../../topology/cli/give-back.mjs';
import { runService } from '../../topology/cli/service.ts';
import { openTaskStore } from '../../topology/cli/task-store.ts';
import { loadConfig } from '../../topology/config.ts';
import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { startMaintaining } from '../../topology/runtime/maintaining.ts';
import { changesOf, FEED_PAIRS } from './feeder.ts';
import { FLAT_MB_PER_MINUTE, HEAD, row, verdict, type Sample } from './soak-report.ts';

const { values } = parseArgs({ options: {
  minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '800' }, keys: { type: 'string', default: '20000' }, lost: { type: 'string', default: '1000' },
  every: { type: 'string', default: '10' }, bound: { type: 'string', default: String(FLAT_MB_PER_MINUTE) }, json: { type: 'boolean', default: false },
} });
const [minutes, rate, keys, lostOneIn, everySeconds, bound] = [values.minutes, values.rate, values.keys, values.lost, values.every, values.bound].map(Number);
const MB = 1 << 20;
/** A turn takes some 50 ms; on a busy machine seconds. */
const STOPPED_MS = 10_000;
const CONFIG = `application: soak
log: { embedded: { directory: ./log, fsync: never, retention: { age: 2m } } }
state: { directory: ./state }
${FEED_PAIRS}    window: { size: 1s, lateness: 1s, lag: 5s, skew: 1s, retain: 1m }
`;

const folder = mkdtempSync(join(tmpdir(), 'paritas-soak-'));
writeFileSync(join(folder, 'paritas.yaml'), CONFIG);
const config = loadConfig(join(folder, 'paritas.yaml'));
if (config.log.kind !== 'embedded') throw new TypeError('the soak runs on the embedded log');
const log = await openDurableLog(config.log, { nowMs: Date.now });
for (const topic of ['src', 'tgt']) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
const stop = new AbortController();
process.on('SIGINT', () => { stop.abort(); });
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const clock = { nowMs: () => performance.now(), sleep: (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }).then(() => undefined, () => undefined) };
const stopMaintaining = startMaintaining({ maintain: () => log.maintain(Date.now()), everyMs: logMaintenanceMs, clock, say });
const service = runService({
  application: config.application, pairs: config.pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, logNowMs: Date.now, owner: `soak:${process.pid}`,
  signal: stop.signal, say, openStore: (task, changelog) => openTaskStore({ config, task, log, changelog, say }),
});

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const begunMs = performance.now();
let [turnedMs, stoppedMs] = [begunMs, 0];
const samples: Sample[] = [];
let cpu = process.cpuUsage();
if (!values.json) print(HEAD);
const writer = await log.writer('feeder');
let [written, sampledMs] = [0, begunMs];
while (!stop.signal.aborted && fedMs() < minutes * 60_000) {
  const due = Math.floor((fedMs() / 1000) * rate);
  const nowMs = Date.now();
  const records: AppendRecord[] = [];
  for (; written < due; written++) records.push(...changesOf({ keys, lostOneIn }, written, nowMs));
  if (records.length > 0) await writer.append({ records, positions: [], group: 'feeder' });
  if (performance.now() - sampledMs >= everySeconds * 1000) await sample();
  await clock.sleep(50, stop.signal);
}
stop.abort();
await service;
await stopMaintaining();
await log.close();
rmSync(folder, { recursive: true });
const { lines, flat } = verdict(samples, bound);
for (const line of lines) print(values.json ? JSON.stringify({ soak: 'end', line }) : line);
process.exitCode = flat ? 0 : 1;

/** Milliseconds that it has run. Where it was stopped for a while (SIGSTOP, a machine that slept) nothing was missed: made up for, it would be one append of all of it. */
function fedMs(): number {
  const nowMs = performance.now();
  if (nowMs - turnedMs > STOPPED_MS) stoppedMs += nowMs - turnedMs;
  turnedMs = nowMs;
  return nowMs - begunMs - stoppedMs;
}

async function sample(): Promise<void> {
  const { rss, heapUsed, external } = process.memoryUsage();
  // What V8 has touched of its heap: heapTotal counts what it has only reserved.
  const { total_physical_size: heap } = getHeapStatistics();
  const [nowMs, used] = [performance.now(), process.cpuUsage(cpu)];
  const verdicts = (await log.topics()).includes(config.outputs.verdicts) ? await log.endOffset({ topic: config.outputs.verdicts, partition: 0 }) : 0;
  const taken: Sample = {
    minutes: (nowMs - begunMs - stoppedMs) / 60_000, events: written, verdicts, rss: rss / MB, used: heapUsed / MB, heap: heap / MB, external: external / MB, native: (rss - heap - external) / MB,
    state: sizeOf(join(folder, 'state')) / MB, log: sizeOf(join(folder, 'log')) / MB,
    cpuPercent: (used.user + used.system) / (nowMs - sampledMs) / 10, loopP99Ms: delay.percentile(99) / 1e6,
  };
  samples.push(taken);
  print(values.json ? JSON.stringify(Object.fromEntries(Object.entries(taken).map(([name, value]: [string, number]) => [name, Math.round(value * 10) / 10]))) : row(taken));
  [sampledMs, cpu] = [nowMs, process.cpuUsage()];
  delay.reset();
}

/** Bytes of the files below a directory; what goes meanwhile has none. */
function sizeOf(directory: string): number {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
