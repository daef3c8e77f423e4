// Commands that are announced and come later. They say so and exit with 2: a script must not take silence for success.
import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import { addExample, COMMAND } from './context.ts';

const LATER: readonly { readonly name: string; readonly what: string; readonly instead: string; readonly example: string }[] = [
  { name: 'doctor', what: 'check brokers, ACLs, partitions, REPLICA IDENTITY', instead: 'paritas validate checks the configuration and captures', example: 'validate --config deploy/demo/paritas.yaml' },
  { name: 'topics', what: 'plan or create the topics', instead: 'paritas config --effective lists the topics it will use', example: 'config --effective --config deploy/demo/paritas.yaml' },
];

export function addNotBuilt(program: Command): void {
  for (const { name, what, instead, example } of LATER) {
    const command = program.command(name).description(`${what} (not built yet)`)
      .argument('[arguments...]')
      .allowUnknownOption()
      .action(() => {
        throw new ParitasError('not-built', `"paritas ${name}" is not built yet; ${instead}`);
      });
    command.addHelpText('after', `\nNot built yet: ${instead}.`);
    addExample(command, `${COMMAND} ${example}`);
  }
}
