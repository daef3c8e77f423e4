// `paritas run`: the long-running service. SIGTERM or Ctrl-C: it commits what it has read, closes and exits with 0; a second one ends it at
// once, which loses nothing either: the next start goes on from the last commit.
import { setTimeout } from 'node:timers/promises';

import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import type { Clock } from '../runtime/pacer.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { RESET } from '../runtime/same-chain.ts';
import { addExample, COMMAND, quoted } from './context.ts';
import type { CliContext } from './context.ts';
import { settingsOf } from './settings.ts';

export function addRun(program: Command, context: CliContext): void {
  const command = addCheckFlags(program.command('run').description('the long-running topology: follows the logs, gives verdicts as windows close, commits as it goes'));
  command.addHelpText('after', `
Verdicts, manifests, dead letters, decisions and status go to the output topics of the log (outputs: in the configuration); read them with
paritas verdicts, manifests, dead-letters, audit --follow. On Kafka, instances of one application name share the tasks out. SIGTERM or Ctrl-C: commit, close, exit 0. A second one: at once, and nothing is lost.`);
  addExample(command, `${COMMAND} run --config deploy/demo/paritas.yaml`);
  command.option('--workers <n>', 'worker threads that share the tasks (default: workers of the configuration, 1)');
  command.action(async ({ workers, ...flags }: CheckFlags & { workers?: string }) => {
    const set = [...(flags.set ?? []), ...(workers === undefined ? [] : [`workers=${workers}`])];
    const { config, pairs } = settingsOf({ ...flags, set }, context.io);
    if (config.outputs.format === 'protobuf') throw new ParitasError('not-built', 'outputs.format: protobuf is not built yet; json is');
    const { openRun } = await import('./run-service.ts');
    const running = openRun({ config, pairs, clock, signal: context.io.signal, say: line => void context.io.stderr.write(`${line}\n`) });
    await running.catch((error: unknown) => { throw withConfig(error, flags.config); });
  });
}

/** The command that a refusal names, so that it can be pasted. */
function withConfig(error: unknown, file: string | undefined): unknown {
  if (file === undefined || !(error instanceof ParitasError) || !error.message.includes(`${RESET} `)) return error;
  return new ParitasError(error.code, error.message.replaceAll(`${RESET} `, `${RESET} --config ${quoted(file)} `), { cause: error });
}

const clock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).then(() => undefined, () => undefined),
};
