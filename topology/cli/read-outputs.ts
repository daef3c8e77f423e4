// `paritas verdicts`, `manifests`, `dead-letters`, `audit`: read one output, from the JSON Lines that `check` wrote, from the log of a
// configuration where it has one, else by running its check. They report; the exit code says whether they could read, not what they read.
import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import type { OutputTopics } from '../reconcile.ts';
import { addCheckFlags } from './check-flags.ts';
import { addCompletenessFlags } from './check.ts';
import { addExample, addOutputFlags, COMMAND, outputOf } from './context.ts';
import type { CliContext } from './context.ts';
import { formatRecords } from './format-records.ts';
import { writeAll } from './io.ts';
import { recordsOfConfiguration, type ReadFlags } from './outputs-of-check.ts';
import { followOutput } from './outputs-of-log.ts';
import { createFilter } from './record-filter.ts';
import type { RecordKind } from './record-filter.ts';
import { readRecording } from './recording.ts';
import { verifyRecords } from './verify-command.ts';

interface Output { readonly name: string; readonly kind: RecordKind; readonly topic: keyof OutputTopics; readonly what: string; readonly example: string }

const OUTPUTS: readonly Output[] = [
  { name: 'verdicts', kind: 'verdict', topic: 'verdicts', what: 'verdicts, one per window', example: '--change diverged' },
  { name: 'manifests', kind: 'manifest', topic: 'manifests', what: 'discrepancies, one record each', example: '--class missing,mismatch -n 20' },
  { name: 'dead-letters', kind: 'dead-letter', topic: 'deadLetters', what: 'records that could not be judged, with the reason', example: '' },
  { name: 'audit', kind: 'decision', topic: 'audit', what: 'the decisions that closed windows', example: '-n 1' },
];

export function addReadOutputs(program: Command, context: CliContext): void {
  for (const output of OUTPUTS) {
    const { name, kind, what, example } = output;
    const command = program.command(name).description(`read an output: ${what}`)
      .option('--from <file>', 'JSON Lines that check wrote (- for standard input)')
      .option('--chain <number>', 'only this chain of each pair: 1, and one more for each state reset')
      .option('--since <time>', 'windows from this time on: RFC 3339, or a duration back from now')
      .option('--until <time>', 'windows before this time')
      .option('--class <classes>', 'only these classes, e.g. missing,mismatch')
      .option('--change <change>', 'only verdicts that say parity, diverged or undecidable')
      .option('-n <count>', 'only the last so many records')
      .option('--follow', 'print what there is, then each record as it is written to the log of the configuration');
    if (kind === 'verdict' || kind === 'decision') command.option('--verify', 'verify the chain of verdicts and the decisions they rest on; exit code 1 names the first broken link');
    addCompletenessFlags(addOutputFlags(addCheckFlags(command)));
    const key = command.options.find((option) => option.long === '--key');
    if (key !== undefined) key.description = 'only this row key: 42, id=42 or JSON (the key columns come from --key-columns or the configuration)';
    command.option('--key-columns <columns>', 'key columns of the captures, as --key of check');
    addExample(command, `${COMMAND} ${name} --config deploy/demo/paritas.yaml --complete${example === '' ? '' : ` ${example}`}`,
      `${COMMAND} check --config deploy/demo/paritas.yaml --complete -o jsonl | ${COMMAND} ${name} --from -`);
    command.action(async (flags: ReadFlags) => readOutput(output, flags, context));
  }
}

async function readOutput({ kind, topic }: Output, flags: ReadFlags, context: CliContext): Promise<void> {
  if (flags.follow === true) {
    const other = flags.from !== undefined ? '--from reads a file' : flags.verify === true ? '--verify is about what there is' : undefined;
    if (other !== undefined) throw new ParitasError('usage', `--follow waits for records of a running log, and ${other}; give one of them`);
    return followOutput(kind, topic, flags, context);
  }
  if (flags.verify === true) return verifyRecords(flags, context);
  const filter = createFilter(kind, flags, Date.now());
  const { format, style } = outputOf(flags, context);
  const records = flags.from === undefined ? await recordsOfConfiguration(topic, flags, context) : (await readRecording(flags.from, context)).map(({ record }) => record);
  await writeAll(context.io.stdout, formatRecords(filter(records), format, { style }));
}
