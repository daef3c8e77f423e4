// A process of its own and what it has used, start and end included: CPU of all its threads, peak memory, bytes written, delays of its event loop.
import { spawn, type ChildProcess } from 'node:child_process';

export interface Used {
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
  /** Of its event loop; on a busy machine what others take is in it. */
  readonly loopDelayP99Ms: number;
  /** By all its writes, to caches of the system and pipes too; undefined where the system does not count them. */
  readonly writtenBytes: number | undefined;
}

export interface Metered { readonly child: ChildProcess; readonly ended: Promise<Used> }

/** Loaded into the process; says at its end what it has used. What Node compiles is kept between starts, as it is for `paritas`. */
const METER = `data:text/javascript,${encodeURIComponent(`
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
module.enableCompileCache();
const delay = monitorEventLoopDelay();
delay.enable();
const written = () => { try { return Number(/wchar: (\\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))[1]); } catch { return undefined; } };
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('METER ' + JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, maxRssMb: maxRSS / 1024, loopDelayP99Ms: delay.percentile(99) / 1e6, writtenBytes: written() }) + '\\n');
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
