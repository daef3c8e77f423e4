// What every command is given, and the options that several of them share.
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { Engine } from '../check-types.ts';
import type { LogSettings } from '../config.ts';
import { didYouMean } from '../config-nearest.ts';
import { defaultFormat, OUTPUT_FORMATS } from './format-records.ts';
import type { OutputFormat } from './format-records.ts';
import type { CliIo } from './io.ts';
import { createStyle } from './text.ts';
import type { Style } from './text.ts';

export interface CliContext {
  readonly io: CliIo;
  /** Loaded when a command needs it, so that help and usage errors are quick. */
  readonly engine: () => Promise<Engine>;
  /** The command line after the program's name. */
  readonly argv: readonly string[];
  /** Sets the exit code of the process. */
  exit(code: number): void;
}

export interface OutputFlags { readonly output?: OutputFormat; readonly color?: boolean }

export function addOutputFlags(command: Command): Command {
  return command
    .option('-o, --output <format>', 'table, wide, json, jsonl or yaml (default: a table on a terminal, else jsonl)', parseFormat)
    .option('--no-color', 'no colours (also by NO_COLOR)');
}

function parseFormat(text: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((known) => known === text);
  if (format === undefined) throw new InvalidArgumentError(`Known are ${OUTPUT_FORMATS.join(', ')}${didYouMean(text, OUTPUT_FORMATS)}`);
  return format;
}

export function outputOf(flags: OutputFlags, { io }: CliContext): { format: OutputFormat; style: Style } {
  const isTerminal = io.stdout.isTTY === true;
  return {
    format: flags.output ?? defaultFormat(isTerminal),
    style: createStyle({ isTerminal, noColor: flags.color === false, env: io.env }),
  };
}

/** How a command is called from a fresh checkout; examples and hints are printed so that they can be pasted. */
export const COMMAND = 'npx paritas';

export function addExample(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', `\nExample${examples.length > 1 ? 's' : ''}:\n${examples.map((example) => `  $ ${example}\n`).join('')}`);
}

/** Text as one word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A side without a capture needs a log that has its topic. */
export async function requireInputs(pairs: readonly PairSettings[], log: LogSettings): Promise<void> {
  if (log.kind !== 'embedded') return;
  for (const { name, source, target } of pairs) {
    const side = [source, target].find(({ files }) => files.length === 0);
    if (side === undefined) continue;
    const { hasLogToRead } = await import('./open-log.ts');
    if (hasLogToRead(log)) return;
    throw new ParitasError('input', `pair "${name}" reads the topic ${side.topic} of a log, and ${log.directory} is none: `
      + 'give both sides a capture file (file: in the configuration, or --source FILE --target FILE), or name the log under log:');
  }
}
