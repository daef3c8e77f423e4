// `npm start`: the topology over the shipped capture of a real pipeline with injected faults. It always prints the report, and ends with 0:
// the discrepancies are what it is there to show.
import { fileURLToPath } from 'node:url';

import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import { runChecked } from './check.ts';
import { addExample, addOutputFlags, outputOf } from './context.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { formatRecords } from './format-records.ts';
import { writeAll } from './io.ts';
import { nextSteps } from './next-steps.ts';
import { settingsOf } from './settings.ts';

const DEMO = 'deploy/demo/paritas.yaml';

export function addStart(program: Command, context: CliContext): void {
  const command = program.command('start').description('a demonstration: a real capture of a pipeline with injected faults')
    .option('--follow', 'keep running with the status page');
  addExample(addOutputFlags(command), 'npm start');
  command.action(async (flags: OutputFlags & { follow?: boolean }) => {
    if (flags.follow === true) throw new ParitasError('not-built', 'the status page and --follow are not built yet; "npm start" runs the demonstration to its end');
    const file = fileURLToPath(new URL(`../../${DEMO}`, import.meta.url));
    context.io.stderr.write(`paritas: a real capture of a replication pipeline, with faults injected (${DEMO})\n\n`);
    const { pairs } = settingsOf({ config: file }, context.io);
    const result = await runChecked(pairs, { complete: true, store: 'rocksdb' }, context);
    const { style } = outputOf(flags, context);
    const next = nextSteps(['check', '--config', DEMO], true);
    await writeAll(context.io.stdout, formatRecords(result.records(), flags.output ?? 'table', { style, next }));
    context.exit(0);
  });
}
