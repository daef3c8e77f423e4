// `paritas status`: what a running service says of itself in the status topic of its log. It asks the log, not the process, so it works from
// anywhere, and when the process is gone it says that.
import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import { taskSilentMs } from '../../schemas/limits.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import { selectPairs } from '../config.ts';
import { addConfigFlags, type ConfigFlags } from './check-flags.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, type CliContext, type OutputFlags } from './context.ts';
import { formatRecords, type OutputFormat } from './format-records.ts';
import { writeAll } from './io.ts';
import { orQuiet } from './or-quiet.ts';
import { settingsOf } from './settings.ts';
import { asHeard, createPicture, problemsOf } from './status-picture.ts';

type StatusFlags = ConfigFlags & OutputFlags & { readonly follow?: boolean };

export function addStatus(program: Command, context: CliContext): void {
  const command = addConfigFlags(addOutputFlags(program.command('status').description('how a service is: tasks and owners, watermarks, lag, stalled partitions and why, open divergences, restoration')))
    .option('--follow', 'print what there is, then again whenever the service writes');
  command.addHelpText('after', `
It reads the status topic of the log, which a service writes every ten seconds: lag and watermarks are as of then. HEARD (ageMs) is how long ago a
task was last heard of; after half a minute it is stale: its owner is gone or stands still. What has to be looked at is also said on standard error. Exit code 0: every task is run. 3: a partition is stalled, a task is not run or not heard of, so windows do not close.
Rows that differ (open divergences) do not change it: those are verdicts, not the service.`);
  const example = 'deploy/demo/paritas.yaml';
  addExample(command, `${COMMAND} status --config ${example}`, `${COMMAND} status --config ${example} --pair orders -o jsonl`);
  command.action((flags: StatusFlags) => printStatus(flags, context));
}

async function printStatus(flags: StatusFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const { format, style } = outputOf(flags, context);
  if (flags.follow === true && format === 'json') throw new ParitasError('usage', '--follow has no end, and -o json is one array that ends; use -o jsonl');
  const { config } = settingsOf(flags, io);
  const names = selectPairs(config, flags.pair).map(({ name }) => name);
  const { hasLogToRead } = await import('./open-log.ts');
  const { readLogOutput } = await import('./read-log-output.ts');
  if (config.log.kind === 'embedded' && !hasLogToRead(config.log)) throw new ParitasError('input', `${config.log.directory}: there is no log; paritas run makes it`);
  const picture = createPicture(names);
  const follow = flags.follow === true;
  let isFirst = true;
  const end = new AbortController();
  const words = readLogOutput(config.log, config.outputs.status, AbortSignal.any([io.signal, end.signal]), follow);
  for await (const records of follow ? orQuiet(words, taskSilentMs, () => { end.abort(); }) : words) {
    const nowMs = Date.now();
    picture.take(records ?? []);
    const silent = picture.turnedStale(nowMs);
    // A reader of lines has the rest already.
    const told = isFirst || isTable(format) ? picture.records() : [...(records ?? []).filter(({ pair }) => names.includes(pair)), ...silent];
    isFirst = false;
    await writeAll(io.stdout, formatRecords(asHeard(told, nowMs), format, { style }));
    if (io.stdout.destroyed) return;
    if (!follow) judge(told, config.outputs.status, context);
  }
  if (io.signal.aborted) throw new ParitasError('interrupted', 'interrupted');
}

function isTable(format: OutputFormat): boolean {
  return format === 'table' || format === 'wide';
}

function judge(records: readonly OutputRecord[], topic: string, { io, exit }: CliContext): void {
  if (records.length === 0) throw new ParitasError('input', `${topic}: no service of this configuration has written a status yet; paritas run does`);
  const problems = problemsOf(records, Date.now());
  for (const problem of problems) io.stderr.write(`${problem}\n`);
  exit(problems.length > 0 ? 3 : 0);
}
