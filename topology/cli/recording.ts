// What `check -o jsonl` printed, read back: each record with the line it stands on, for messages and for bytes to compare.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import type { RecordedLine } from '../../processors/verify-chain.ts';
import { ParitasError } from '../../schemas/errors.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import type { CliContext } from './context.ts';

export type { RecordedLine } from '../../processors/verify-chain.ts';

/** `file`: relative to the working folder, `-` for standard input. Throws `input` at a line that is no record. */
export async function readRecording(file: string, { io }: CliContext): Promise<RecordedLine[]> {
  const input = file === '-' ? io.stdin : createReadStream(resolve(io.cwd, file));
  const lines: RecordedLine[] = [];
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity, signal: io.signal })) {
    line++;
    if (text.trim() === '') continue;
    const at = `${file}:${line}`;
    lines.push({ at, text, record: parseRecord(text, at) });
  }
  if (io.signal.aborted) throw new ParitasError('interrupted', 'interrupted');
  return lines;
}

function parseRecord(text: string, at: string): OutputRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ParitasError('input', `${at}: not JSON; expected the output of "paritas check -o jsonl", one record a line`);
  }
  if (typeof value !== 'object' || value === null || !('record' in value)) {
    throw new ParitasError('input', `${at}: no "record" field; expected the output of "paritas check -o jsonl"${Array.isArray(value) ? ', not -o json' : ''}`);
  }
  return value as OutputRecord;
}
