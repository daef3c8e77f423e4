// `paritas doctor`: everything that `run` will need of its surroundings, looked at before it runs; each line says ok, warn or fail, and what to do.
import type { Command } from 'commander';
import { stringify } from 'yaml';

import { SIDES } from '../../schemas/change-event.ts';
import { sideOf, type PairSettings } from '../../schemas/pair.ts';
import { selectPairs, type Config } from '../config.ts';
import { addConfigFlags, type ConfigFlags } from './check-flags.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, type CliContext, type OutputFlags } from './context.ts';
import { exitCodeOf, fail, looking, ok, warn, type Finding } from './doctor-finding.ts';
import { writeAll } from './io.ts';
import { settingsOf } from './settings.ts';
import type { TopicsLog } from './side-input.ts';
import { printTable } from './table.ts';
import { visible, type Style } from './text.ts';

type DoctorFlags = ConfigFlags & OutputFlags;

export function addDoctor(program: Command, context: CliContext): void {
  const command = addConfigFlags(addOutputFlags(program.command('doctor').description('look at brokers, rights, topics, retention and the newest records before run needs them')));
  command.addHelpText('after', `
It changes nothing. Exit codes: 0 nothing fails (there may be warnings); 2 something is not as it must be, 4 a broker cannot be reached, 5 a right is
missing; of several the first in this order.`);
  addExample(command, `${COMMAND} doctor --config deploy/demo/paritas.yaml`, `${COMMAND} doctor --config deploy/demo/paritas.yaml -o jsonl`);
  command.action(async (flags: DoctorFlags) => {
    const { config } = settingsOf(flags, context.io);
    const findings = await examine(config, selectPairs(config, flags.pair));
    const { format, style } = outputOf(flags, context);
    await writeAll(context.io.stdout, formatFindings(findings, format, style));
    context.exit(exitCodeOf(findings));
  });
}

async function examine(config: Config, pairs: readonly PairSettings[]): Promise<readonly Finding[]> {
  const { log } = config;
  if (log.kind === 'kafka') {
    const { examineCluster } = await import('./doctor-cluster.ts');
    return examineCluster(config, log, pairs, topics => examineRecords(pairs, topics));
  }
  const [{ topicsLog }, { hasLogToRead }] = await Promise.all([import('./side-input.ts'), import('./open-log.ts')]);
  const topics = topicsLog(log);
  try {
    return [ok('log', log.directory, hasLogToRead(log) ? 'there is a log' : 'there is no log yet; run makes it'), ...await examineRecords(pairs, topics)];
  } finally {
    await topics.close();
  }
}

async function examineRecords(pairs: readonly PairSettings[], topics: TopicsLog): Promise<Finding[]> {
  const samples: Finding[] = [];
  for (const pair of pairs) for (const side of SIDES) samples.push(...await looking('records', `${pair.name} ${side}`, () => examineSide(pair, side, topics)));
  return samples;
}

/** Of a topic the newest records: they are what `run` will meet. */
const LAST_RECORDS = 500;

async function examineSide(pair: PairSettings, side: (typeof SIDES)[number], topics: TopicsLog): Promise<Finding[]> {
  const { decodeFirst } = await import('./validate-side.ts');
  const subject = `${pair.name} ${side}`;
  const { files } = sideOf(pair, side);
  if (files.includes('-')) return [warn('records', subject, 'standard input: not looked at', 'save it to a file')];
  const { ok: isGood, text, records, misplaced } = await decodeFirst(pair, side, topics, files.length > 0 ? undefined : LAST_RECORDS);
  if (records === 0) return [warn('records', subject, 'there are none yet: neither format nor key could be looked at', 'look again when the connector has written some')];
  const findings = [isGood ? ok('records', subject, text) : fail('records', subject, text, 'compare format, key, match and replicaIdentity of the side with what its connector writes')];
  if (misplaced !== undefined) findings.push(warn('partitioning', subject, misplaced, 'let the default partitioner of Kafka place both sides by the same key'));
  return findings;
}

function* formatFindings(findings: readonly Finding[], format: string, style: Style): Iterable<string> {
  if (format === 'json') yield `${JSON.stringify(findings, null, 1)}\n`;
  else if (format === 'jsonl') for (const finding of findings) yield `${JSON.stringify(finding)}\n`;
  else if (format === 'yaml') yield stringify(findings, { lineWidth: 0 });
  else {
    const colour = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
    yield printTable(style, ['', 'check', 'subject', 'what'], findings.map(({ state, check, subject, text, remedy }) => [
      style.paint(colour[state], state), check, subject, `${visible(text)}${remedy === undefined ? '' : `\n→ ${remedy}`}`,
    ]));
  }
}
