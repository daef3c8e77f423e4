// A service that is fed for as long as is asked, at the pace of the clock, with its log and its state on the disk. Prints what it weighs as JSON Lines
// and ends with 1 where it grew: `npm run soak -- --minutes 30 --rate 1000`. The feeder writes into the same log, so it is in the same process.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { logMaintenanceMs } from '../../schemas/limits.ts';
import { runService } from '../../topology/cli/service.ts';
import { openTaskStore } from '../../topology/cli/task-store.ts';
import { loadConfig } from '../../topology/config.ts';
import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { startMaintaining } from '../../topology/runtime/maintaining.ts';

const { values } = parseArgs({ options: {
  minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '500' }, keys: { type: 'string', default: '20000' },
  every: { type: 'string', default: '10' }, grow: { type: 'string', default: '40' },
} });
const [minutes, rate, keys, everySeconds, growMb] = [values.minutes, values.rate, values.keys, values.every, values.grow].map(Number);
const MB = 1 << 20;
const CONFIG = `application: soak
log: { embedded: { directory: ./log, fsync: never, retention: { age: 2m } } }
state: { directory: ./state }
pairs:
  - name: orders
    source: { topic: src, format: debezium-json, replicaIdentity: full }
    target: { topic: tgt, format: debezium-json, replicaIdentity: full }
    key: [id]
    match: { by: origin, source: source.lsn, target: after.origin }
    columns: { ignore: [origin] }
    window: { size: 1s, lateness: 1s, lag: 5s, skew: 1s, retain: 1m }
`;

/** One change of a row, and 200 ms later its application; one in a thousand is lost. */
function changeAt(topic: 'src' | 'tgt', n: number, ms: number): AppendRecord {
  const [id, lsn] = [n % keys, (topic === 'src' ? 0 : 1e12) + n + 1];
  const after = { id, note: `row ${id} as of ${n}, somewhat longer than it has to be`, amount: n % 997, ...(topic === 'tgt' ? { origin: n + 1 } : {}) };
  const source = { connector: 'postgresql', ts_ms: ms, snapshot: 'false', sequence: `[null,"${lsn}"]`, lsn, txId: n };
  return { topic, partition: 0, key: Buffer.from(`{"id":${id}}`), timestampMs: ms, value: Buffer.from(JSON.stringify({ before: null, after, source, op: 'c', ts_ms: ms })) };
}

const folder = mkdtempSync(join(tmpdir(), 'paritas-soak-'));
writeFileSync(join(folder, 'paritas.yaml'), CONFIG);
const config = loadConfig(join(folder, 'paritas.yaml'));
if (config.log.kind !== 'embedded') throw new TypeError('the soak runs on the embedded log');
const log = await openDurableLog(config.log, { nowMs: Date.now });
for (const topic of ['src', 'tgt']) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
const stop = new AbortController();
process.on('SIGINT', () => { stop.abort(); });
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const clock = { nowMs: () => performance.now(), sleep: (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }).then(() => undefined, () => undefined) };
const stopMaintaining = startMaintaining({ maintain: () => log.maintain(Date.now()), everyMs: logMaintenanceMs, clock, say });
const service = runService({
  application: config.application, pairs: config.pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, logNowMs: Date.now, owner: `soak:${process.pid}`,
  signal: stop.signal, say, openStore: (task, changelog) => openTaskStore({ config, task, log, changelog, say }),
});

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const begunMs = performance.now();
const weights: number[] = [];
const writer = await log.writer('feeder');
let [written, sampledMs] = [0, begunMs];
while (!stop.signal.aborted && performance.now() - begunMs < minutes * 60_000) {
  const due = Math.floor(((performance.now() - begunMs) / 1000) * rate);
  const nowMs = Date.now();
  const records: AppendRecord[] = [];
  for (; written < due; written++) {
    records.push(changeAt('src', written, nowMs - 200));
    if (written % 1000 !== 500) records.push(changeAt('tgt', written, nowMs));
  }
  if (records.length > 0) await writer.append({ records, positions: [], group: 'feeder' });
  if (performance.now() - sampledMs >= everySeconds * 1000) await sample();
  await clock.sleep(50, stop.signal);
}
stop.abort();
await service;
await stopMaintaining();
await log.close();
rmSync(folder, { recursive: true });
const fifth = Math.max(1, Math.floor(weights.length / 5));
const grewMb = median(weights.slice(-fifth)) - median(weights.slice(fifth, 2 * fifth));
print({ soak: 'end', seconds: Math.round((performance.now() - begunMs) / 1000), events: written, rssGrewMb: round(grewMb), boundMb: growMb });
process.exitCode = grewMb > growMb ? 1 : 0;

async function sample(): Promise<void> {
  sampledMs = performance.now();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  weights.push(rss / MB);
  const verdicts = (await log.topics()).includes(config.outputs.verdicts) ? await log.endOffset({ topic: config.outputs.verdicts, partition: 0 }) : 0;
  print({
    seconds: Math.round((sampledMs - begunMs) / 1000), events: written, verdicts, rssMb: round(rss / MB), heapMb: round(heapUsed / MB),
    // What is neither the heap nor its buffers: RocksDB, code, stacks.
    nativeMb: round((rss - heapTotal - external) / MB), externalMb: round(external / MB), loopDelayP99Ms: round(delay.percentile(99) / 1e6), logSegments: log.segments,
  });
  delay.reset();
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
