// `paritas run` as a process, over captures, with its log and its state in a folder.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '../../topology/cli/paritas.mjs');

export interface Place { readonly configFile: string; readonly folder: string; readonly commitIntervalMs: number }

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Lines of standard error so far. */
  readonly lines: readonly string[];
  readonly gone: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Resolves with true once it reads records, with false if it ended before. */
  readonly running: Promise<boolean>;
}

export function logDirectory(folder: string): string {
  return join(folder, 'log');
}

/** The settings as they come after `--set`. */
export function settingsIn({ folder, commitIntervalMs }: Place): string[] {
  return [`log.embedded.directory=${logDirectory(folder)}`, `state.directory=${join(folder, 'state')}`, `commit.interval=${commitIntervalMs}ms`];
}

export function startService(place: Place): ServiceProcess {
  return startRun(place.configFile, settingsIn(place));
}

/** `settings`: as they come after `--set`. */
export function startRun(configFile: string, settings: readonly string[] = []): ServiceProcess {
  const child = spawn(process.execPath, [MAIN, 'run', '--config', configFile, ...settings.flatMap(one => ['--set', one])], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  const gone = new Promise<{ code: number | null; signal: string | null }>(resolve => child.on('close', (code, signal) => { resolve({ code, signal }); }));
  const running = new Promise<boolean>(resolve => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (text + chunk).split('\n');
      text = parts.pop() ?? '';
      lines.push(...parts);
      if (parts.some(line => line.endsWith(': running'))) resolve(true);
    });
    void gone.then(() => { resolve(false); });
  });
  return { child, lines, gone, running };
}

/** Sends the signal after so long, if it is still there, and waits for its end. */
export async function signalAfter(service: ServiceProcess, ms: number, signal: NodeJS.Signals): Promise<void> {
  const timer = new AbortController();
  await Promise.race([setTimeout(ms, undefined, { signal: timer.signal }), service.gone]);
  timer.abort();
  service.child.kill(signal);
  await service.gone;
}
