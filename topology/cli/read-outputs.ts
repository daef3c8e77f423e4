// `paritas verdicts`, `manifests`, `dead-letters`, `audit`: read one output, from the JSON Lines that `check` wrote or by running the check
// of a configuration. They report; the exit code says whether they could read, not what they read.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { addCompletenessFlags, runChecked } from './check.ts';
import { addExample, addOutputFlags, COMMAND, outputOf } from './context.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { formatRecords } from './format-records.ts';
import { writeAll } from './io.ts';
import { createFilter } from './record-filter.ts';
import type { FilterFlags, RecordKind } from './record-filter.ts';
import { settingsOf } from './settings.ts';

interface Flags extends Omit<CheckFlags, 'key'>, FilterFlags, OutputFlags {
  readonly from?: string;
  readonly follow?: boolean;
  readonly keyColumns?: string;
  readonly complete?: boolean;
  readonly skipBadLines?: boolean;
}

const OUTPUTS: readonly { readonly name: string; readonly kind: RecordKind; readonly what: string; readonly example: string }[] = [
  { name: 'verdicts', kind: 'verdict', what: 'verdicts, one per window', example: '--change diverged' },
  { name: 'manifests', kind: 'manifest', what: 'discrepancies, one record each', example: '--class missing,mismatch -n 20' },
  { name: 'dead-letters', kind: 'dead-letter', what: 'records that could not be judged, with the reason', example: '' },
  { name: 'audit', kind: 'decision', what: 'the decisions that closed windows', example: '-n 1' },
];

export function addReadOutputs(program: Command, context: CliContext): void {
  for (const { name, kind, what, example } of OUTPUTS) {
    const command = program.command(name).description(`read an output: ${what}`)
      .option('--from <file>', 'JSON Lines that check wrote (- for standard input)')
      .option('--since <time>', 'windows from this time on: RFC 3339, or a duration back from now')
      .option('--until <time>', 'windows before this time')
      .option('--class <classes>', 'only these classes, e.g. missing,mismatch')
      .option('--change <change>', 'only verdicts that say parity, diverged or undecidable')
      .option('-n <count>', 'only the last so many records')
      .option('--follow', 'wait for more (needs a running log)');
    addCompletenessFlags(addOutputFlags(addCheckFlags(command)));
    const key = command.options.find((option) => option.long === '--key');
    if (key !== undefined) key.description = 'only this row key: 42, id=42 or JSON (the key columns come from --key-columns or the configuration)';
    command.option('--key-columns <columns>', 'key columns of the captures, as --key of check');
    addExample(command, `${COMMAND} ${name} --config deploy/demo/paritas.yaml --complete${example === '' ? '' : ` ${example}`}`,
      `${COMMAND} check --config deploy/demo/paritas.yaml --complete -o jsonl | ${COMMAND} ${name} --from -`);
    command.action(async (flags: Flags) => readOutput(kind, flags, context));
  }
}

async function readOutput(kind: RecordKind, flags: Flags, context: CliContext): Promise<void> {
  if (flags.follow === true) {
    throw new ParitasError('not-built', '--follow waits for records of a running log, and that is not built yet; without it, what there is now is printed');
  }
  const filter = createFilter(kind, flags, Date.now());
  const { format, style } = outputOf(flags, context);
  const records = flags.from === undefined ? await recordsOfCheck(flags, context) : await recordsOfFile(flags.from, context);
  await writeAll(context.io.stdout, formatRecords(filter(records), format, { style }));
}

async function recordsOfCheck(flags: Flags, context: CliContext): Promise<Iterable<OutputRecord>> {
  const { pairs } = settingsOf(checkFlagsOf(flags), context.io);
  return (await runChecked(pairs, flags, context)).records();
}

/** The same flags for the check: there, `--key` names columns. */
function checkFlagsOf(flags: Flags): CheckFlags {
  const { keyColumns } = flags;
  const copy: Record<string, unknown> = { ...flags };
  delete copy['key'];
  return { ...copy, ...(keyColumns === undefined ? {} : { key: keyColumns }) };
}

async function recordsOfFile(file: string, { io }: CliContext): Promise<OutputRecord[]> {
  const input = file === '-' ? io.stdin : createReadStream(resolve(io.cwd, file));
  const records: OutputRecord[] = [];
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity, signal: io.signal })) {
    line++;
    if (text.trim() === '') continue;
    records.push(parseRecord(text, `${file}:${line}`));
  }
  if (io.signal.aborted) throw new ParitasError('interrupted', 'interrupted');
  return records;
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
