// The command line as a whole: which commands there are, and what happens to an error. Every path ends in an exit code and, unless it is 0,
// a line on standard error that says what to do.
import { Command, CommanderError } from 'commander';

import { classify } from '../../schemas/errors.ts';
import { addCheck } from './check.ts';
import { addConfig } from './config-command.ts';
import type { CliContext } from './context.ts';
import { addDescribe } from './describe.ts';
import { addDoctor } from './doctor.ts';
import { addExplain } from './explain.ts';
import { addInit } from './init.ts';
import type { CliIo } from './io.ts';
import { addReadOutputs } from './read-outputs.ts';
import { addRun } from './run.ts';
import { addReplay } from './replay.ts';
import { addStart } from './start.ts';
import { addState } from './state.ts';
import { addStatus } from './status.ts';
import { addTopics } from './topics.ts';
import { addValidate } from './validate.ts';

/** What a process brings: streams, environment, and how to get the engine. */
export interface CliDependencies { readonly io: CliIo; readonly engine: CliContext['engine']; readonly version: string }

/** Runs one command. `argv`: the words after the program's name. Resolves to the exit code; never rejects. */
export async function runCli(argv: readonly string[], { io, engine, version }: CliDependencies): Promise<number> {
  let exitCode = 0;
  const context: CliContext = { io, engine, argv, exit: (code) => { exitCode = code; } };
  try {
    await createProgram(context, version).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return isHelp(error) ? 0 : 2; // commander has printed it
    const { code, exitCode: failed, message } = classify(io.signal.aborted && argv[0] !== 'run' ? interrupted() : error);
    io.stderr.write(code === 'interrupted' ? '\ninterrupted\n' : message.split('\n').map((line) => `paritas: ${line}\n`).join(''));
    return failed;
  }
}

export function createProgram(context: CliContext, version: string): Command {
  const { io } = context;
  const program = new Command('paritas')
    .description('Joins a source and a target change log in event time and says, window by window, whether the target applied what the source did.')
    .version(version)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text.replace(/^error: /, 'paritas: ')),
      getOutHelpWidth: () => io.stdout.columns ?? 120,
      getErrHelpWidth: () => io.stderr.columns ?? 120,
    })
    .showHelpAfterError('(--help shows the options and an example)')
    .exitOverride();
  addCheck(program, context);
  addRun(program, context);
  addState(program, context);
  addStatus(program, context);
  addReadOutputs(program, context);
  addReplay(program, context);
  addExplain(program, context);
  addInit(program, context);
  addValidate(program, context);
  addDoctor(program, context);
  addTopics(program, context);
  addConfig(program, context);
  addDescribe(program, context);
  addStart(program, context);
  program.addHelpText('after', `
Examples:
  $ npm start
  $ npx paritas check --config deploy/demo/paritas.yaml --complete
  $ npx paritas check --help`);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function isHelp(error: CommanderError): boolean {
  return error.exitCode === 0 || error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
}

function interrupted(): Error {
  const error = new Error('interrupted');
  error.name = 'AbortError';
  return error;
}
