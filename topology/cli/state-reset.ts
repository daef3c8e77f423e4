// `paritas state reset`: says what a reset of each pair would do, and with --execute does it.
import type { Command } from 'commander';
import { stringify } from 'yaml';

import type { PairSettings } from '../../schemas/pair.ts';
import { selectPairs, type Config } from '../config.ts';
import { addConfigFlags, type ConfigFlags } from './check-flags.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, quoted, type CliContext, type OutputFlags } from './context.ts';
import { writeAll } from './io.ts';
import type { ResetPlan } from './reset-pair.ts';
import { settingsOf } from './settings.ts';
import { plural, type Style } from './text.ts';

type ResetFlags = ConfigFlags & OutputFlags & { readonly execute?: boolean };

export function addStateReset(state: Command, context: CliContext): void {
  const command = addConfigFlags(addOutputFlags(state.command('reset').description('ends the chain of verdicts of each pair: the next start begins another one beside it, from the beginning of the inputs')))
    .option('--execute', 'do it; without it nothing is changed, and what would be is said');
  command.addHelpText('after', `
For what a start refuses: settings that decide a verdict have changed, partitions were added, a topic was made anew, retention has taken what was not
read. With --execute the service must be stopped. Verdicts, manifests, dead letters and decisions stay as they are; records of the new chain say
"chain":2, and have ids of their own. A reset that was cut short is run again.`);
  addExample(command, `${COMMAND} state reset --config deploy/demo/paritas.yaml --pair orders`, `${COMMAND} state reset --config deploy/demo/paritas.yaml --pair orders --execute`);
  command.action((flags: ResetFlags) => resetStates(flags, context));
}

async function resetStates(flags: ResetFlags, context: CliContext): Promise<void> {
  const { config } = settingsOf(flags, context.io);
  const pairs = selectPairs(config, flags.pair);
  const say = (line: string): void => void context.io.stderr.write(`${line}\n`);
  const isExecuted = flags.execute === true;
  const plans = await (isExecuted ? execute(config, pairs, say) : plan(config, pairs));
  const { format, style } = outputOf(flags, context);
  await writeAll(context.io.stdout, formatPlans(plans, { format, style, isExecuted, config }));
  if (!isExecuted) say(`Nothing was changed. To do it, with the service stopped: ${COMMAND} ${context.argv.map(quoted).join(' ')} --execute`);
}

async function plan(config: Config, pairs: readonly PairSettings[]): Promise<ResetPlan[]> {
  const { withLog } = await import('./state-service.ts');
  const { planReset } = await import('./reset-pair.ts');
  return withLog(config, async log => {
    const plans: ResetPlan[] = [];
    for (const pair of pairs) plans.push(await planReset(config, pair, log));
    return plans;
  });
}

async function execute(config: Config, pairs: readonly PairSettings[], say: (line: string) => void): Promise<ResetPlan[]> {
  const { requireLog } = await import('./state-service.ts');
  const { executeReset, planReset, requireStopped } = await import('./reset-pair.ts');
  requireLog(config);
  const { openLogToReset } = await import('./open-log.ts');
  const log = await openLogToReset(config.log, say);
  try {
    await requireStopped(config.application, log);
    const plans: ResetPlan[] = [];
    for (const pair of pairs) {
      const planned = await planReset(config, pair, log);
      await executeReset(config, planned, log, Date.now());
      plans.push(planned);
    }
    return plans;
  } finally {
    await log.close();
  }
}

interface Form { readonly format: string; readonly style: Style; readonly isExecuted: boolean; readonly config: Config }

function* formatPlans(plans: readonly ResetPlan[], form: Form): Iterable<string> {
  const records = plans.map(({ pair, ends, begins, topics, groups, directories, cut }) => ({
    record: 'reset', pair: pair.name, executed: form.isExecuted, ...(ends === undefined ? {} : { ends }), begins, topics, groups, directories, beginsAt: cut.map(({ offset, ...at }) => ({ ...at, offset: String(offset) })),
  }));
  if (form.format === 'json') yield `${JSON.stringify(records, null, 1)}\n`;
  else if (form.format === 'jsonl') for (const record of records) yield `${JSON.stringify(record)}\n`;
  else if (form.format === 'yaml') yield stringify(records, { lineWidth: 0 });
  else for (const one of plans) yield planText(one, form);
}

function planText({ pair, ends, begins, topics, groups, directories, cut }: ResetPlan, { style, isExecuted, config: { outputs, log } }: Form): string {
  const title = ends === undefined
    ? `chain ${begins} has not begun yet; ${topics.length + groups.length + directories.length === 0 ? 'there is nothing to reset' : 'what is left of earlier ones goes'}`
    : isExecuted ? `chain ${ends} has ended, the next start begins chain ${begins}` : `chain ${ends} would end, and the next start begin chain ${begins}`;
  const row = (done: string, would: string, what: readonly string[]): string => what.map(one => `  ${(isExecuted ? done : would).padEnd(8)} ${one}\n`).join('');
  return `${style.paint('bold', pair.name)}: ${title}\n`
    + row('deleted', 'deletes', topics.map(topic => `topic ${topic}`)) + row('forgot', 'forgets', groups.map(group => `positions of ${group}`))
    + row('wiped', 'wipes', directories.map(task => `local state of ${pair.name}, ${task}${log.kind === 'kafka' ? ' (on other hosts the next start does)' : ''}`))
    + row('kept', 'keeps', ends === undefined ? [] : [`${[outputs.verdicts, outputs.manifests, outputs.deadLetters, outputs.audit].join(', ')}: what was said stays`])
    + cut.map(({ topic, partition, offset }) => `  reads    ${topic}-${partition} from offset ${offset}: ${plural(offset, 'record')} before it ${offset === 1 ? 'is' : 'are'} gone, and the first windows are undecidable\n`).join('');
}
