// The command line as a whole: which commands there are, and what happens to an error. Every path ends in an exit code and, unless it is 0,
// a line on standard error that says what to do.
import { Command, CommanderError } from 'commander';

import { classify } from '../../schemas/errors.ts';
import type { CliContext } from './context.ts';
import type { CliIo } from './io.ts';

/** What a process brings: streams, environment, and how to get the engine. */
export interface CliDependencies { readonly io: CliIo; readonly engine: CliContext['engine']; readonly version: string }

/** Runs one command. `argv`: the words after the program's name. Resolves to the exit code; never rejects. */
export async function runCli(argv: readonly string[], { io, engine, version }: CliDependencies): Promise<number> {
  let exitCode = 0;
  const context: CliContext = { io, engine, argv, exit: (code) => { exitCode = code; } };
  try {
    const program = await createProgram(context, version, argv[0]);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return isHelp(error) ? 0 : 2; // commander has printed it
    const { code, exitCode: failed, message } = classify(io.signal.aborted && argv[0] !== 'run' ? interrupted() : error);
    io.stderr.write(code === 'interrupted' ? '\ninterrupted\n' : message.split('\n').map((line) => `paritas: ${line}\n`).join(''));
    return failed;
  }
}

type AddCommand = (program: Command, context: CliContext) => void;

/** In the order of the help. A command is loaded when it is named: it waits for no module that only another one needs. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  check: async () => (await import('./check.ts')).addCheck,
  run: async () => (await import('./run.ts')).addRun,
  state: async () => (await import('./state.ts')).addState,
  status: async () => (await import('./status.ts')).addStatus,
  'verdicts and other outputs': async () => (await import('./read-outputs.ts')).addReadOutputs,
  replay: async () => (await import('./replay.ts')).addReplay,
  explain: async () => (await import('./explain.ts')).addExplain,
  init: async () => (await import('./init.ts')).addInit,
  validate: async () => (await import('./validate.ts')).addValidate,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  topics: async () => (await import('./topics.ts')).addTopics,
  config: async () => (await import('./config-command.ts')).addConfig,
  describe: async () => (await import('./describe.ts')).addDescribe,
  start: async () => (await import('./start.ts')).addStart,
};

/** `named`: the command line's first word. Where it is none of these the program has all commands, for its help and its suggestions. */
export async function createProgram(context: CliContext, version: string, named = ''): Promise<Command> {
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
  const loads = Object.hasOwn(COMMANDS, named) ? [COMMANDS[named]] : Object.values(COMMANDS);
  for (const load of loads) (await load())(program, context);
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
