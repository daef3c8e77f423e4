// npm run bench:restore: what it takes to restore a task with many live entries. A service reads so many changes of the source that the target never
// answers, so that every one of them waits; then its local state is deleted, and `paritas run`, as a process of its own, restores the task from
// the changelog. Prints the rate, the CPU-seconds and the peak memory of that process, and of one that had nothing to restore.
//
//   npm run bench:restore -- --live 1000000 --engine auto --bound 400
//
// Ends with 1 where the peak is above the bound (MB; 0: none). CPU-seconds and memory, because the machine may be busy.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { loadConfig } from '../../topology/config.ts';
import { runService } from '../../topology/cli/service.ts';
import { openTaskStore } from '../../topology/cli/task-store.ts';
import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { changeAt, FEED_PAIRS } from '../service/feeder.ts';
import { groupOf } from '../../topology/runtime/task-id.ts';
import { metered } from './metered.ts';

/** For a million entries. */
const RESTORED_MB_MAX = 400;
const { values } = parseArgs({ options: {
  live: { type: 'string', default: '1000000' }, engine: { type: 'string', default: 'auto' }, bound: { type: 'string', default: String(RESTORED_MB_MAX) }, build: { type: 'string' },
} });
const live = Number(values.live);
const PER_APPEND = 2000;
const MAIN = join(import.meta.dirname, '../../topology/cli/paritas.mjs');

/** A window has a thousand changes, and clocks may differ by an hour: so far the source is read ahead of the target. */
const configText = (folder: string): string => `application: restore
log: { embedded: { directory: ${folder}/log, fsync: never } }
state: { directory: ${folder}/state, engine: ${values.engine} }
${FEED_PAIRS}    window: { size: 1s, lateness: 1s, lag: 1s, skew: 1h, retain: 2h }
`;

/** A row as in the soak. Of the target there is one, so that reading begins: the first change's application. */
const change = (n: number, topic: 'src' | 'tgt' = 'src'): AppendRecord => changeAt(topic, n, n % 100_000, 1_700_000_000_000 + n);

/** A log with the changes and the changelog of the task that has read them; the local state is gone with this process. */
async function build(folder: string): Promise<void> {
  writeFileSync(join(folder, 'paritas.yaml'), configText(folder));
  const config = loadConfig(join(folder, 'paritas.yaml'));
  if (config.log.kind !== 'embedded') throw new TypeError('the log is the embedded one');
  const log = await openDurableLog(config.log, { nowMs: Date.now });
  for (const topic of ['src', 'tgt']) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
  const writer = await log.writer('feeder');
  await writer.append({ records: [change(0, 'tgt')], positions: [], group: 'feeder' });
  for (let n = 0; n < live; n += PER_APPEND) {
    await writer.append({ records: Array.from({ length: Math.min(PER_APPEND, live - n) }, (_, i) => change(n + i)), positions: [], group: 'feeder' });
  }
  const stop = new AbortController();
  const clock = { nowMs: () => performance.now(), sleep: (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }).then(() => undefined, () => undefined) };
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const service = runService({
    application: config.application, pairs: config.pairs, outputs: config.outputs, commitIntervalMs: config.commit.intervalUs / 1000, log, clock, owner: 'builder',
    signal: stop.signal, say, openStore: (task, changelog) => openTaskStore({ config, task, log, changelog, say }),
  });
  const failed = service.then(() => undefined, (error: unknown) => { throw error; });
  const group = groupOf(config.application, { pair: 'orders', subTopology: 'reconcile', partition: 0 });
  while (((await log.committed(group, { topic: 'src', partition: 0 })) ?? 0) < live) await Promise.race([setTimeout(200), failed]);
  stop.abort();
  await service;
  await log.close();
}

interface Measured { readonly cpuSeconds: number; readonly peakMb: number; readonly restoredMs: number; readonly lines: readonly string[] }

/** `paritas run` until it runs, then the signal to end. */
async function run(folder: string): Promise<Measured> {
  const begunMs = performance.now();
  const { child, ended } = metered(MAIN, ['run', '--config', join(folder, 'paritas.yaml')]);
  let [said, restoredMs] = ['', 0];
  child.stderr?.on('data', (chunk: string) => {
    said += chunk;
    if (restoredMs > 0 || !said.split('\n').includes('orders/reconcile/0: running')) return;
    restoredMs = performance.now() - begunMs;
    child.kill('SIGTERM');
  });
  const { cpuSeconds, maxRssMb } = await ended;
  return { cpuSeconds, peakMb: maxRssMb, restoredMs, lines: said.split('\n') };
}

if (values.build !== undefined) await build(values.build);
else {
  const folders = [live, 0].map(() => mkdtempSync(join(tmpdir(), 'paritas-restore-')));
  try {
    const [full, empty] = folders.map((folder, i) => {
      const made = spawnSync(process.execPath, [import.meta.filename, '--build', folder, '--live', String(i === 0 ? live : 0), '--engine', values.engine], { encoding: 'utf8' });
      if (made.status !== 0) throw new Error(`building ended with ${String(made.status)}: ${made.stderr.slice(-2000)}`);
      rmSync(join(folder, 'state'), { recursive: true, force: true });
      mkdirSync(join(folder, 'state'));
      return folder;
    });
    const nothing = await run(empty);
    const restored = await run(full);
    const cpuSeconds = restored.cpuSeconds - nothing.cpuSeconds;
    process.stdout.write(`${JSON.stringify({
      live, engine: values.engine, cpuSeconds: +cpuSeconds.toFixed(2), entriesPerCpuSecond: Math.round(live / cpuSeconds), wallSeconds: +((restored.restoredMs - nothing.restoredMs) / 1000).toFixed(1),
      peakMb: Math.round(restored.peakMb), peakMbWithNothing: Math.round(nothing.peakMb), boundMb: Number(values.bound),
    })}\n`);
    process.stderr.write(`${restored.lines.filter(line => line.includes('restoring')).slice(-1).join('\n')}\n`);
    process.exitCode = Number(values.bound) > 0 && restored.peakMb > Number(values.bound) ? 1 : 0;
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
