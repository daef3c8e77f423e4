// `paritas state verify | rebuild` (reset: state-reset.ts): the local state of `run` against its changelog, and made anew from it. Both want the task's directory for
// themselves: while `run` holds it they stop and name the process.
import type { Command } from 'commander';
import { stringify } from 'yaml';

import type { PairSettings } from '../../schemas/pair.ts';
import { selectPairs, type Config } from '../config.ts';
import { addConfigFlags, type ConfigFlags } from './check-flags.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, type CliContext, type OutputFlags } from './context.ts';
import { writeAll } from './io.ts';
import { settingsOf } from './settings.ts';
import { addStateReset } from './state-reset.ts';
import type { TaskStateReport } from './state-service.ts';
import { printTable } from './table.ts';
import { plural, type Style } from './text.ts';

type StateFlags = ConfigFlags & OutputFlags;

export function addState(program: Command, context: CliContext): void {
  const state = program.command('state').description('the state of run: verify it against its changelog, rebuild it from there, or reset it');
  const example = 'deploy/demo/paritas.yaml';
  const verify = addConfigFlags(addOutputFlags(state.command('verify').description('every key of every family against the changelog, and the positions; exit 0 if equal, 1 if not')));
  verify.addHelpText('after', '\nThe service must be stopped. Nothing is changed. A state that is behind its changelog is no difference: the next start applies the rest.');
  addExample(verify, `${COMMAND} state verify --config ${example}`, `${COMMAND} state verify --config ${example} --pair orders -o jsonl`);
  verify.action((flags: StateFlags) => verifyStates(flags, context));
  const rebuild = addConfigFlags(state.command('rebuild').description('wipes the local state and restores it from the changelog'));
  rebuild.addHelpText('after', '\nThe service must be stopped. Nothing is lost: the changelog has all of the state, and what was committed stays committed.');
  addExample(rebuild, `${COMMAND} state rebuild --config ${example} --pair orders`);
  rebuild.action((flags: StateFlags) => rebuildStates(flags, context));
  addStateReset(state, context);
  addExample(state, `${COMMAND} state verify --config ${example}`, `${COMMAND} state rebuild --config ${example} --pair orders`);
  for (const command of state.commands) command.copyInheritedSettings(program);
}

interface Chosen { readonly config: Config; readonly pairs: readonly PairSettings[] }

function chosenOf(flags: StateFlags, context: CliContext): Chosen {
  const { config } = settingsOf(flags, context.io);
  return { config, pairs: selectPairs(config, flags.pair) };
}

async function verifyStates(flags: StateFlags, context: CliContext): Promise<void> {
  const { config, pairs } = chosenOf(flags, context);
  const { verifyPairState, withLog } = await import('./state-service.ts');
  const states = await withLog(config, async log => {
    const all: TaskStateReport[] = [];
    for (const pair of pairs) all.push(...await verifyPairState(config, pair, log));
    return all;
  });
  const { format, style } = outputOf(flags, context);
  await writeAll(context.io.stdout, formatStates(states, format, style));
  for (const { pair, task } of states.filter(isDifferent)) {
    context.io.stderr.write(`${task}: run would go on from a state that is not its changelog's; stopped, paritas state rebuild --pair ${pair} makes it anew\n`);
  }
  context.exit(states.some(isDifferent) ? 1 : 0);
}

async function rebuildStates(flags: StateFlags, context: CliContext): Promise<void> {
  const { config, pairs } = chosenOf(flags, context);
  const { rebuildPairState, withLog } = await import('./state-service.ts');
  const say = (line: string): void => void context.io.stderr.write(`${line}\n`);
  await withLog(config, async log => {
    for (const pair of pairs) await rebuildPairState(config, pair, log, say);
  });
}

function isDifferent({ report: { differenceCount, problems } }: TaskStateReport): boolean {
  return differenceCount > 0 || problems.length > 0;
}

function* formatStates(states: readonly TaskStateReport[], format: string, style: Style): Iterable<string> {
  const records = states.map(state => ({
    record: 'state', pair: state.pair, task: state.task, changelog: state.changelog, equal: !isDifferent(state), keys: String(state.report.keys), position: String(state.report.position),
    end: String(state.report.end), problems: state.report.problems, differenceCount: String(state.report.differenceCount),
    differences: state.report.differences.map(({ offset, ...difference }) => ({ ...difference, ...(offset === undefined ? {} : { offset: String(offset) }) })),
  }));
  if (format === 'json') yield `${JSON.stringify(records, null, 1)}\n`;
  else if (format === 'jsonl') for (const record of records) yield `${JSON.stringify(record)}\n`;
  else if (format === 'yaml') yield stringify(records, { lineWidth: 0 });
  else for (const state of states) yield stateText(state, style);
}

function stateText(state: TaskStateReport, style: Style): string {
  const { task, changelog, report: { keys, position, end, differences, differenceCount, problems } } = state;
  const what = isDifferent(state) ? style.paint('red', 'different') : style.paint('green', 'equal');
  const behind = position < end ? `; the next start applies ${end - position} more` : '';
  const lines = [`${style.paint('bold', task)}: ${what}. ${plural(keys, 'key')}, at offset ${position} of ${changelog}, which ends at ${end}${behind}\n`];
  for (const problem of problems) lines.push(`  ${problem}\n`);
  if (differenceCount === 0) return lines.join('');
  lines.push(printTable(style, ['family', 'key', 'changelog', 'store'], differences.map(({ family, key, offset, what: how }) => [family, key, offset === undefined ? '-' : `@${offset}`, how])));
  if (differenceCount > differences.length) lines.push(`  and ${differenceCount - differences.length} more\n`);
  return lines.join('');
}
