// The command line without a process: what it writes, how it exits, and an engine that gives the records it is told to.
import { Readable, Writable } from 'node:stream';

import type { OutputRecord } from '../../schemas/records.ts';
import type { CheckOptions, Engine, ExplainRow, Progress } from '../../topology/check-types.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { runCli } from '../../topology/cli/program.ts';

export interface StubEngine extends Engine { readonly calls: { pairs: PairSettings[]; options: CheckOptions }[]; readonly keys: string[] }

export function stubEngine(records: readonly OutputRecord[], exitCode: number, more: {
  rows?: readonly ExplainRow[]; warnings?: readonly string[]; progress?: readonly Progress[]; fails?: Error;
} = {}): StubEngine {
  const calls: StubEngine['calls'] = [];
  const keys: string[] = [];
  return {
    calls,
    keys,
    runCheck(pairs, options) {
      calls.push({ pairs, options });
      for (const progress of more.progress ?? []) options.onProgress?.(progress);
      if (more.fails !== undefined) return Promise.reject(more.fails);
      return Promise.resolve({ records: () => records, exitCode, warnings: more.warnings ?? [] });
    },
    runReplay(pairs, _decisions, options) {
      return this.runCheck([...pairs], options);
    },
    explainKey(_pair, key) {
      keys.push(key);
      return Promise.resolve([...(more.rows ?? [])]);
    },
  };
}

export interface Ran { readonly code: number; readonly out: string; readonly err: string }

export async function runStub(argv: readonly string[], options: {
  engine?: Engine; env?: Record<string, string>; cwd?: string; stdin?: string; tty?: boolean; signal?: AbortSignal;
} = {}): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(argv, {
    io: {
      stdin: Readable.from([options.stdin ?? '']),
      stdout: sink(out, options.tty === true),
      stderr: sink(err, false),
      env: options.env ?? {},
      cwd: options.cwd ?? '/nowhere',
      signal: options.signal ?? new AbortController().signal,
    },
    engine: () => Promise.resolve(options.engine ?? stubEngine([], 0)),
    version: '0.0.0',
  });
  return { code, out: out.join(''), err: err.join('') };
}

function sink(into: string[], isTTY: boolean): Writable & { isTTY: boolean; columns: number } {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      into.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { isTTY, columns: 200 });
}
