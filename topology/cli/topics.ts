// `paritas topics plan | apply`: the topics that `run` makes and writes, what of them is there, and what differs. `apply` makes those that are
// missing, so that `run` needs no right to; it changes none.
import type { Command } from 'commander';
import { stringify } from 'yaml';

import { selectPairs } from '../config.ts';
import { addConfigFlags, type ConfigFlags } from './check-flags.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, type CliContext, type OutputFlags } from './context.ts';
import { writeAll } from './io.ts';
import { settingsOf } from './settings.ts';
import { printTable } from './table.ts';
import type { Style } from './text.ts';
import type { PlannedTopic } from './topics-plan.ts';

type TopicsFlags = ConfigFlags & OutputFlags;

export function addTopics(program: Command, context: CliContext): void {
  const topics = program.command('topics').description('the topics that run makes and writes: plan them, or make them beforehand');
  const example = 'deploy/demo/paritas.yaml';
  for (const [name, what] of [['plan', 'what run will make, what is there, what differs; changes nothing'], ['apply', 'makes those that are missing; changes none that is there']] as const) {
    const command = addConfigFlags(addOutputFlags(topics.command(name).description(what)));
    command.addHelpText('after', '\nExit codes: 0 every topic is there as it must be, or can be made; 2 one differs, with the command that mends it; 4 unreachable, 5 not authorised.');
    addExample(command, `${COMMAND} topics ${name} --config ${example}`);
    command.action((flags: TopicsFlags) => runTopics(flags, name === 'apply', context));
    command.copyInheritedSettings(program);
  }
  addExample(topics, `${COMMAND} topics plan --config ${example}`, `${COMMAND} topics apply --config ${example}`);
}

async function runTopics(flags: TopicsFlags, isApplied: boolean, context: CliContext): Promise<void> {
  const { config } = settingsOf(flags, context.io);
  const { planTopics } = await import('./topics-plan.ts');
  const planned = await planTopics(config, selectPairs(config, flags.pair), isApplied);
  const { format, style } = outputOf(flags, context);
  await writeAll(context.io.stdout, formatPlan(planned, format, style));
  for (const { topic, differences } of planned) for (const { what, remedy } of differences) context.io.stderr.write(`${topic} ${what}: ${remedy}\n`);
  context.exit(planned.some(({ differences }) => differences.length > 0) ? 2 : 0);
}

function* formatPlan(planned: readonly PlannedTopic[], format: string, style: Style): Iterable<string> {
  const records = planned.map(({ topic, what, settings, state, differences }) => ({ record: 'topic', topic, what, partitions: settings.partitions, cleanup: settings.cleanup, state, differences }));
  if (format === 'json') yield `${JSON.stringify(records, null, 1)}\n`;
  else if (format === 'jsonl') for (const record of records) yield `${JSON.stringify(record)}\n`;
  else if (format === 'yaml') yield stringify(records, { lineWidth: 0 });
  else {
    const colour = { there: 'green', missing: 'yellow', made: 'green', differs: 'red' } as const;
    yield printTable(style, ['topic', 'what', 'partitions', 'cleanup', 'state'], records.map(({ topic, what, partitions, cleanup, state }) => [topic, what, String(partitions), cleanup, style.paint(colour[state], state)]));
  }
}
