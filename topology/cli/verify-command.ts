// `paritas audit --verify`, `paritas verdicts --verify`: whether recorded verdicts and decisions are what was written. One line a chain.
import { stringify } from 'yaml';

import { verifyChains, type ChainReport } from '../../processors/verify-chain.ts';
import { ParitasError } from '../../schemas/errors.ts';
import type { CliContext } from './context.ts';
import { outputOf } from './context.ts';
import { writeAll } from './io.ts';
import { checkFlagsOf, recordingOfConfiguration, type ReadFlags } from './outputs-of-check.ts';
import { chainTest } from './record-filter.ts';
import { readRecording } from './recording.ts';
import { settingsOf } from './settings.ts';
import { plural, shortTime, type Style } from './text.ts';

/** Part of a chain cannot be verified: what is filtered out is missing. */
const PARTS = ['since', 'until', 'class', 'change', 'key', 'n'] as const;

export async function verifyRecords(flags: ReadFlags, context: CliContext): Promise<void> {
  const part = PARTS.find((name) => flags[name] !== undefined);
  if (part !== undefined) throw new ParitasError('usage', `--verify is about whole chains: leave out ${part === 'n' ? '-n' : `--${part}`}`);
  const recording = flags.from === undefined ? await recordingOfConfiguration(flags, context) : await readRecording(flags.from, context);
  const isChosen = flags.chain === undefined ? () => true : chainTest(flags.chain);
  const lines = recording.filter(({ record }) => (flags.pair === undefined || record.pair === flags.pair) && isChosen(record));
  const reports = verifyChains(lines, flags.from === undefined || flags.config !== undefined ? configHashes(flags, context) : undefined);
  if (reports.length === 0) throw new ParitasError('input', `nothing to verify: no verdict and no decision${flags.pair === undefined ? '' : ` of pair "${flags.pair}"`} is there`);
  const unnamed = reports.find(({ configHash }) => configHash === '');
  if (unnamed !== undefined) throw new ParitasError('usage', `pair "${unnamed.pair}" has decisions and no verdict that names their configuration: give it with --config`);
  const { format, style } = outputOf(flags, context);
  await writeAll(context.io.stdout, formatReports(reports, format, style));
  context.exit(reports.some(({ broken }) => broken !== undefined) ? 1 : 0);
}

function configHashes(flags: ReadFlags, context: CliContext): Map<string, string> {
  return new Map(settingsOf(checkFlagsOf(flags), context.io).pairs.map(({ name, configHash }) => [name, configHash]));
}

function* formatReports(reports: readonly ChainReport[], format: string, style: Style): Iterable<string> {
  const records = reports.map(({ broken, verdicts, decisions, ...chain }) => ({
    record: 'chain', ...chain, verdicts: String(verdicts), decisions: String(decisions), unbroken: broken === undefined, ...(broken === undefined ? {} : { broken }),
  }));
  if (format === 'json') yield `${JSON.stringify(records, null, 1)}\n`;
  else if (format === 'jsonl') for (const record of records) yield `${JSON.stringify(record)}\n`;
  else if (format === 'yaml') yield stringify(records, { lineWidth: 0 });
  else for (const report of reports) yield reportText(report, style);
}

function reportText({ pair, chain, configHash, verdicts, decisions, head, broken }: ChainReport, style: Style): string {
  const what = `${style.paint('bold', pair)} (${chain === undefined ? '' : `chain ${chain}, `}configuration ${configHash.slice(0, 16)}): ${plural(verdicts, 'verdict')}, ${plural(decisions, 'decision')}, `;
  if (broken === undefined) return `${what}${style.paint('green', 'unbroken')}. Head of the chain: ${head}\n`;
  const window = broken.window === undefined ? '' : `, window ${shortTime(broken.window)}`;
  return `${what}${style.paint('red', 'broken')} at ${broken.at}${window}: ${broken.what}\n`;
}
