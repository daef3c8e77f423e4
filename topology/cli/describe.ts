// `paritas describe`: the declared topology of each pair as text, or as a Mermaid diagram.
import type { Command } from 'commander';

import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { addExample, COMMAND } from './context.ts';
import type { CliContext } from './context.ts';
import { writeAll } from './io.ts';
import { settingsOf } from './settings.ts';

export function addDescribe(program: Command, context: CliContext): void {
  const command = program.command('describe').description('the topology of a configuration as text, or as a Mermaid diagram')
    .option('--mermaid', 'a Mermaid diagram');
  addExample(addCheckFlags(command), `${COMMAND} describe --config deploy/demo/paritas.yaml`);
  command.action(async (flags: CheckFlags & { mermaid?: boolean }) => {
    const { config, pairs } = settingsOf(flags, context.io);
    const blocks: string[] = [];
    for (const pair of pairs) blocks.push(await describePair(pair, config.outputs, flags.mermaid === true));
    await writeAll(context.io.stdout, [blocks.join('\n')]);
  });
}

async function describePair(pair: PairSettings, outputs: Config['outputs'], mermaid: boolean): Promise<string> {
  // Loaded here: no other command that needs no engine pays for it.
  const { columnEquality } = await import('../../schemas/canonical/compare.ts');
  const { describeMermaid, describeText } = await import('../describe.ts');
  const { reconcile } = await import('../reconcile.ts');
  const { createPairContext } = await import('../../schemas/pair-context.ts');
  const context = createPairContext(pair);
  const topology = reconcile(context, () => [], columnEquality(context), outputs);
  return mermaid ? describeMermaid(topology) : describeText(topology);
}
