// `npm start`: the topology over the shipped capture of a real pipeline with injected faults. It prints the report, then what was injected
// against what was found, and ends with 0 where the two agree: every observable fault found, and nothing else. Else 1, with what differs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { ManifestRecord, OutputRecord } from '../../schemas/records.ts';
import { StoreError } from '../../stores/store-error.ts';
import type { CheckResult } from '../check-types.ts';
import { runChecked, type Checked } from './check.ts';
import { addExample, addOutputFlags, outputOf } from './context.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { formatRecords } from './format-records.ts';
import { compareWithTruth, truthLines } from './ground-truth.ts';
import type { GroundTruth, InjectedFault } from './ground-truth.ts';
import { writeAll } from './io.ts';
import { nextSteps } from './next-steps.ts';
import { settingsOf } from './settings.ts';
import { createStyle } from './text.ts';

const DEMO = 'deploy/demo/paritas.yaml';
const FAULTS = 'deploy/demo/faults.json';

export function addStart(program: Command, context: CliContext): void {
  const command = program.command('start').description('a demonstration: a real capture of a pipeline with injected faults')
    .option('--follow', 'keep running with the status page');
  addExample(addOutputFlags(command), 'npm start');
  command.action(async (flags: OutputFlags & { follow?: boolean }) => {
    if (flags.follow === true) throw new ParitasError('not-built', 'the status page and --follow are not built yet; "npm start" runs the demonstration to its end');
    const { config, pairs } = settingsOf({ config: inProject(DEMO) }, context.io);
    const faults = JSON.parse(readFileSync(inProject(FAULTS), 'utf8')) as InjectedFault[];
    context.io.stderr.write(introduction(pairs, faults));
    const result = await runOnRocksdb({ config, pairs }, context);
    const truth = compareWithTruth(faults, [...result.records()].filter(isManifest));
    await report(result, truth, flags, context);
    context.exit(truth.holds ? 0 : 1);
  });
}

/** A table unless another format is asked for; there the ground truth, which is no record, goes to standard error. */
async function report(result: CheckResult, truth: GroundTruth, flags: OutputFlags, context: CliContext): Promise<void> {
  const { style } = outputOf(flags, context);
  const format = flags.output ?? 'table';
  const isTable = format === 'table' || format === 'wide';
  const steps = nextSteps(['check', '--config', DEMO], true);
  const next: typeof steps = (sections) => [...truthLines(truth, style), ...steps(sections)];
  await writeAll(context.io.stdout, formatRecords(result.records(), format, { style, next }));
  if (!isTable) context.io.stderr.write(truthLines(truth, createStyle({ isTerminal: false, noColor: true, env: {} })).join('\n'));
}

/** State in RocksDB, as a large run keeps it; in memory where the platform has no binary. */
async function runOnRocksdb(demo: Checked, context: CliContext): Promise<CheckResult> {
  try {
    return await runChecked(demo, { complete: true, store: 'rocksdb' }, context);
  } catch (error) {
    if (!(error instanceof StoreError) || error.reason !== 'no-binary') throw error;
    context.io.stderr.write(`warning: ${error.message}; the demonstration keeps its state in memory\n`);
    return runChecked(demo, { complete: true }, context);
  }
}

function introduction(pairs: readonly PairSettings[], faults: readonly InjectedFault[]): string {
  return `paritas: a real capture of a replication pipeline, PostgreSQL to PostgreSQL and to MariaDB by Debezium (${DEMO})\n`
    + `  ${faults.length} faults were injected into the targets (${FAULTS}); ${pairs.map(({ name }) => name).join(', ')} are compared window by window\n\n`;
}

function isManifest(record: OutputRecord): record is ManifestRecord {
  return record.record === 'manifest';
}

function inProject(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
