// `paritas config`: the JSON Schema of the file, or each setting with its value and where it came from.
import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import { jsonSchema } from '../config-schema.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { addExample, addOutputFlags, COMMAND, outputOf } from './context.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { writeAll } from './io.ts';
import { settingsOf } from './settings.ts';
import { printTable } from './table.ts';
import { visible } from './text.ts';

interface Flags extends CheckFlags, OutputFlags { readonly schema?: boolean; readonly effective?: boolean }

export function addConfig(program: Command, context: CliContext): void {
  const command = program.command('config').description('print the JSON Schema of paritas.yaml, or the settings in force')
    .option('--schema', 'the JSON Schema of the file')
    .option('--effective', 'each setting, its value, and where it came from; secrets are not shown');
  addOutputFlags(addCheckFlags(command));
  addExample(command, `${COMMAND} config --effective --config deploy/demo/paritas.yaml`, `${COMMAND} config --schema`);
  command.action(async (flags: Flags) => {
    if (flags.schema === true) return writeAll(context.io.stdout, [`${JSON.stringify(jsonSchema(), null, 2)}\n`]);
    if (flags.effective !== true) throw new ParitasError('usage', 'config prints one of two things: add --schema or --effective');
    const { config } = settingsOf(flags, context.io);
    const { format, style } = outputOf(flags, context);
    const rows = config.effective;
    if (format === 'jsonl') return writeAll(context.io.stdout, rows.map((row) => `${JSON.stringify(row)}\n`));
    if (format === 'json') return writeAll(context.io.stdout, [`${JSON.stringify(rows, null, 1)}\n`]);
    if (format === 'yaml') return writeAll(context.io.stdout, rows.map((row) => `${row.path}: ${row.value}  # ${row.from}\n`));
    return writeAll(context.io.stdout, [printTable(style, ['setting', 'value', 'from'], rows.map((row) => [row.path, visible(row.value), row.from]))]);
  });
}
