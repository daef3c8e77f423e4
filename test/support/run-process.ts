// `paritas run` as a process of its own, and what it leaves behind: for tests that stop it and look at its disk.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { hasLog, openLogView } from '../../topology/log/durable/log-view.ts';

/** A run that gets nowhere is stopped all the same: what it wrote is judged by the caller. */
const DEADLINE_MS = 60_000;
const MAIN = fileURLToPath(new URL('../../topology/cli/main.ts', import.meta.url));

export interface Ended { readonly code: number | null; readonly out: string; readonly err: string }
export interface Running { readonly child: ChildProcess; readonly ended: Promise<Ended>; said(): string }

export function paritas(...args: readonly string[]): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString(); });
  child.stderr.on('data', (chunk: Buffer) => { err += chunk.toString(); });
  const ended = new Promise<Ended>(resolve => void child.on('close', code => { resolve({ code, out, err }); }));
  return { child, ended, said: () => err };
}

/** Runs until `enough` of the log in that directory, then asks it to stop. Throws where it ends before. */
export async function runUntil(args: readonly string[], logDirectory: string, enough: (ends: ReadonlyMap<string, number>) => boolean): Promise<Ended> {
  const running = paritas('run', ...args);
  let over = false;
  void running.ended.then(() => { over = true; });
  const deadlineMs = Date.now() + DEADLINE_MS;
  while (!over && Date.now() < deadlineMs && !(hasLog(logDirectory) && enough(await endsOf(logDirectory)))) await new Promise(resolve => setTimeout(resolve, 20));
  const early = over;
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  if (early || ended.code !== 0) throw new Error(`run ended with ${String(ended.code)}:\n${ended.err}`);
  return ended;
}

/** End offset of the first partition of each topic. */
async function endsOf(directory: string): Promise<Map<string, number>> {
  const view = await openLogView(directory);
  try {
    const ends = new Map<string, number>();
    for (const topic of await view.topics()) ends.set(topic, await view.endOffset({ topic, partition: 0 }));
    return ends;
  } finally {
    await view.close();
  }
}
