// `paritas init`: looks at the first records of two captures and writes a configuration to start from, with the reason of every guess.
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';

import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import { loadConfig } from '../config.ts';
import { sampleCapture } from './capture-sample.ts';
import type { SampleRecord } from './capture-sample.ts';
import { collect } from './check-flags.ts';
import { addExample, COMMAND, quoted } from './context.ts';
import type { CliContext } from './context.ts';
import { guessPair } from './guess-pair.ts';
import type { PairGuess } from './guess-pair.ts';
import { writeAll } from './io.ts';

interface Flags { readonly source?: readonly string[]; readonly target?: readonly string[]; readonly name?: string; readonly out: string; readonly force?: boolean }

export function addInit(program: Command, context: CliContext): void {
  const command = program.command('init').description('write a paritas.yaml to start from, by looking at two captures')
    .option('--source <file>', 'capture of the source; repeatable', collect)
    .option('--target <file>', 'capture of the target; repeatable', collect)
    .option('--name <name>', 'name of the pair (default: the table)')
    .option('--out <file>', 'where to write it; - prints it', 'paritas.yaml')
    .option('--force', 'overwrite the file');
  addExample(command, `${COMMAND} init --source deploy/demo/src.public.orders.jsonl --target deploy/demo/tgt.public.orders.jsonl --out -`);
  command.action(async (flags: Flags) => writeConfig(flags, context));
}

async function writeConfig(flags: Flags, { io }: CliContext): Promise<void> {
  if (flags.source === undefined || flags.target === undefined) {
    throw new ParitasError('usage', 'init needs captures of both sides: --source FILE --target FILE');
  }
  const out = flags.out === '-' ? resolve(io.cwd, 'paritas.yaml') : resolve(io.cwd, flags.out);
  if (flags.out !== '-' && flags.force !== true && existsSync(out)) {
    throw new ParitasError('usage', `${flags.out} is there already; --force overwrites it, --out FILE writes another`);
  }
  const [source, target] = await Promise.all([flags.source, flags.target].map((files) => samples(files.map((file) => (file === '-' ? file : resolve(io.cwd, file))))));
  const guess = guessPair(source, target);
  const name = flags.name ?? tableOf(source, flags.source[0]);
  const text = configText(name, guess, side(flags.source, source, dirname(out), io.cwd), side(flags.target, target, dirname(out), io.cwd));
  if (flags.out === '-') return writeAll(io.stdout, [text]);
  writeFileSync(out, text);
  loadConfig(out, { env: io.env });
  const config = flags.out === 'paritas.yaml' ? '' : ` --config ${quoted(flags.out)}`;
  await writeAll(io.stdout, [`wrote ${flags.out}\n${guess.reasons.map((reason) => `  ${reason}\n`).join('')}Next:\n  ${COMMAND} validate${config}\n  ${COMMAND} check${config}\n`]);
}

async function samples(files: readonly string[]): Promise<SampleRecord[]> {
  return (await Promise.all(files.map(sampleCapture))).flat();
}

interface SideText { readonly file: string; readonly topic: string }

function side(files: readonly string[], records: readonly SampleRecord[], folder: string, cwd: string): SideText {
  const paths = files.map((file) => scalar(relative(folder, resolve(cwd, file))));
  const topic = records.find((record) => record.topic !== undefined)?.topic ?? basename(files[0]).replace(/\.jsonl?(\.gz)?$/, '');
  return { file: paths.length === 1 ? paths[0] : `[${paths.join(', ')}]`, topic: scalar(topic) };
}

function tableOf(records: readonly SampleRecord[], file: string): string {
  const topic = records.find((record) => record.topic !== undefined)?.topic ?? basename(file).replace(/\.jsonl?(\.gz)?$/, '');
  const last = topic.split('.').pop() ?? '';
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(last) ? last : 'pair';
}

function configText(name: string, guess: PairGuess, source: SideText, target: SideText): string {
  const ignore = guess.ignore.map(scalar);
  const lines = [
    '# Written by "paritas init" from the first records of the two captures. Every guess is to be confirmed.',
    ...guess.reasons.map((reason) => `# ${reason}`),
    `application: ${scalar(`${name}-parity`)}`,
    'pairs:',
    `  - name: ${scalar(name)}`,
    `    source: { file: ${source.file}, topic: ${source.topic}, format: ${guess.sourceFormat} }`,
    `    target: { file: ${target.file}, topic: ${target.topic}, format: ${guess.targetFormat} }`,
    guess.key === undefined ? '    # key: [id]          # default: the columns of the record key' : `    key: [${guess.key.map(scalar).join(', ')}]`,
    `    match: ${guess.match}`,
    '    # size of a window; how far a partition may be out of order; within what time a change is applied; how far the clocks may differ',
    '    window: { size: 1s, lateness: 5s, lag: 30s, skew: 1s }',
    '    policy: exact        # exact | collapse | replay',
    ...(ignore.length === 0 ? [] : ['    columns:', `      ignore: [${ignore.join(', ')}]   # only the target has them`]),
    ...(guess.onlySource.length === 0 ? [] : [`    # only the source has: ${guess.onlySource.join(', ')}; ignore them, or say by columns.rename what the target calls them`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A YAML scalar in a flow collection, quoted where it could be read as something else. */
function scalar(text: string): string {
  return /^[A-Za-z_./][A-Za-z0-9_./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|~)$/i.test(text) ? text : JSON.stringify(text);
}
