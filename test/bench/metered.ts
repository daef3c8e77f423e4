// A process of its own and what it has used, start and end included: CPU of all its threads, peak memory, bytes written, slices of work.
import { spawn, type ChildProcess } from 'node:child_process';

export interface Used {
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
  /** How long its event loop worked without a turn, of all turns in which there was something to work on; on a busy machine what others take is in it. */
  readonly sliceP50Ms: number;
  readonly sliceP99Ms: number;
  /** The same in CPU time of that thread: what others take is not in it, nor is waiting for a disk. */
  readonly sliceCpuP99Ms: number;
  /** By all its writes, to caches of the system and pipes too; undefined where the system does not count them. */
  readonly writtenBytes: number | undefined;
}

export interface Metered { readonly child: ChildProcess; readonly ended: Promise<Used> }

/** Loaded into the process; says at its end what it has used. What Node compiles is kept between starts, as it is for `paritas`. */
const METER = `data:text/javascript,${encodeURIComponent(`
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { createHistogram, performance } from 'node:perf_hooks';
module.enableCompileCache();
const [slices, cpuSlices] = [createHistogram(), createHistogram()];
let [turnedMs, idleMs] = [performance.now(), 0];
const cpuNow = () => { const { user, system } = process.threadCpuUsage(); return user + system; };
let cpuUs = cpuNow();
const turn = () => {
  const [nowMs, { idleTime }] = [performance.now(), performance.nodeTiming];
  const workedUs = Math.round((nowMs - turnedMs - (idleTime - idleMs)) * 1000);
  const nowUs = cpuNow();
  if (workedUs >= 100) {
    slices.record(workedUs);
    cpuSlices.record(Math.max(1, Math.round(nowUs - cpuUs)));
  }
  cpuUs = nowUs;
  [turnedMs, idleMs] = [nowMs, idleTime];
  setImmediate(turn).unref();
};
setImmediate(turn).unref();
const written = () => { try { return Number(/wchar: (\\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))[1]); } catch { return undefined; } };
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('METER ' + JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, maxRssMb: maxRSS / 1024, sliceP50Ms: slices.percentile(50) / 1000, sliceP99Ms: slices.percentile(99) / 1000, sliceCpuP99Ms: cpuSlices.percentile(99) / 1000, writtenBytes: written() }) + '\\n');
});`)}`;

/** Runs a script. `ended` rejects, with what it said last, where its exit code is not 0. */
export function metered(script: string, args: readonly string[]): Metered {
  const child = spawn(process.execPath, ['--import', METER, script, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => { said = (said + chunk).slice(-10_000); });
  const ended = new Promise<Used>((resolve, reject) => {
    child.on('close', code => {
      const line = said.split('\n').findLast(one => one.startsWith('METER '));
      if (code !== 0 || line === undefined) reject(new Error(`${script} ${args[0]} ended with ${code}: ${said.slice(-2000)}`));
      else resolve(JSON.parse(line.slice(6)) as Used);
    });
  });
  return { child, ended };
}
