// `paritas check`: one run over captures up to their end. Prints the records of ruling 26, or the report of them, and exits by what was found.
import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { CheckResult } from '../check-types.ts';
import type { Config } from '../config.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, requireInputs } from './context.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { formatRecords } from './format-records.ts';
import { warn, writeAll } from './io.ts';
import { nextSteps } from './next-steps.ts';
import { createProgress } from './progress.ts';
import { settingsOf } from './settings.ts';

interface Flags extends CheckFlags, OutputFlags { readonly complete?: boolean; readonly skipBadLines?: boolean }

export function addCheck(program: Command, context: CliContext): void {
  const command = program.command('check').description('compare captures up to their end, print verdicts, set the exit code');
  addCompletenessFlags(addOutputFlags(addCheckFlags(command)));
  command.addHelpText('after', `
Exit codes: 0 all closed windows in parity, 1 a discrepancy, 2 usage or configuration, 3 inconclusive (no window could close, a verdict
is undecidable, or a dead letter exists), 4 broker or registry unreachable, 5 not authorised.`);
  addExample(command, `${COMMAND} check --config deploy/demo/paritas.yaml --complete`,
    `${COMMAND} check --source deploy/demo/src.public.customers.jsonl --target deploy/demo/tgt.public.customers.jsonl --key region,cust_no --match origin:source.lsn=after.origin_lsn --ignore origin_seq,origin_tx,origin_us,origin_part,origin_off --complete`);
  command.action(async (flags: Flags) => {
    const settings = settingsOf(flags, context.io);
    const { format, style } = outputOf(flags, context);
    const result = await runChecked(settings, flags, context);
    const next = nextSteps(context.argv, flags.complete === true);
    await writeAll(context.io.stdout, formatRecords(result.records(), format, { style, next }));
    context.exit(result.exitCode);
  });
}

export function addCompletenessFlags(command: Command): Command {
  return command
    .option('--complete', 'both captures are complete to their end: every window closes')
    .option('--skip-bad-lines', 'a line that cannot be read becomes a dead letter');
}

/** What is checked, where its topics lie and how its state is kept. */
export interface Checked { readonly pairs: readonly PairSettings[]; readonly config: Pick<Config, 'log' | 'state'> }

/** Runs the engine with progress on standard error. Rejects with `interrupted` after Ctrl-C. */
export async function runChecked(
  { pairs, config: { log, state } }: Checked, flags: { complete?: boolean; skipBadLines?: boolean; store?: 'rocksdb' }, context: CliContext,
): Promise<CheckResult> {
  await requireInputs(pairs, log);
  const { io } = context;
  const engine = await context.engine();
  const progress = await createProgress(io);
  try {
    const result = await engine.runCheck([...pairs], {
      complete: flags.complete === true,
      log,
      stateEngine: state.engine,
      skipBadLines: flags.skipBadLines === true,
      onProgress: (made) => progress.update(made),
      signal: io.signal,
      ...(flags.store === undefined ? {} : { store: flags.store }),
    });
    if (io.signal.aborted) throw new ParitasError('interrupted', 'interrupted');
    progress.stop();
    warn(io, result.warnings);
    return result;
  } finally {
    progress.stop();
  }
}
