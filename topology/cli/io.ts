// The outside world of a command, so that tests can stand in for it: streams, environment, working folder. Data goes to stdout; logs,
// progress and errors go to stderr.
import type { Readable, Writable } from 'node:stream';

import type { Environment } from '../config-source.ts';

export interface Terminal extends Writable { readonly isTTY?: boolean; readonly columns?: number }

export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Environment;
  readonly cwd: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Writes the pieces in order, waiting where the reader is slow. Stops without a word once the reader has gone (`| head`). */
export async function writeAll(out: Terminal, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let buffered = '';
  for await (const piece of pieces) {
    buffered += piece;
    if (buffered.length < 65_536) continue;
    if (!(await write(out, buffered))) return;
    buffered = '';
  }
  if (buffered !== '') await write(out, buffered);
}

/** False: the reader has gone. */
export function write(out: Terminal, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (out.destroyed) return resolve(false);
    out.write(text, (error) => {
      if (error === null || error === undefined) return resolve(true);
      return isGone(error) ? resolve(false) : reject(error);
    });
  });
}

export function warn(io: CliIo, messages: Iterable<string>): void {
  for (const message of messages) io.stderr.write(`warning: ${message}\n`);
}

function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
