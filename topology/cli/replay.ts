// `paritas replay`: recomputes verdicts from the logs and the recorded decisions, and compares them byte by byte with those recorded. With
// --diff: judges the same logs again under another configuration, and says what that changes.
import type { Command } from 'commander';

import { stringify } from 'yaml';

import { COMPLETE, decisionIdOf } from '../../processors/decision.ts';
import type { RecordedLine } from '../../processors/verify-chain.ts';
import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { chainOf, type OfChain, type OutputRecord } from '../../schemas/records.ts';
import type { RecordedDecision } from '../check-types.ts';
import type { Config } from '../config.ts';
import { didYouMean } from '../config-nearest.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { runChecked, type Checked } from './check.ts';
import { chainName, chainsIn, lastOf, pairOf } from './chains-of-recording.ts';
import { compareRecording, type Comparison, type Difference } from './compare-recording.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, requireInputs } from './context.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { writeAll } from './io.ts';
import { hasLogToRead } from './open-log.ts';
import { createProgress } from './progress.ts';
import { readLogRecording, splitsIn } from './read-log-output.ts';
import { chainTest } from './record-filter.ts';
import { readRecording } from './recording.ts';
import { diffVerdicts, formatRejudgings } from './rejudge.ts';
import { pairText } from './report-rows.ts';
import { settingsOf } from './settings.ts';
import { printTable } from './table.ts';
import { cut, plural, shortTime, visible, type Style } from './text.ts';

interface Flags extends CheckFlags, OutputFlags { readonly from?: string; readonly chain?: string; readonly diff?: boolean; readonly skipBadLines?: boolean }

interface PairComparison extends Comparison, OfChain { readonly pair: string; readonly decisions: number }

export function addReplay(program: Command, context: CliContext): void {
  const command = program.command('replay').description('recompute recorded verdicts from the logs and the recorded decisions, compare byte by byte')
    .option('--from <file>', 'what check -o jsonl printed (- for standard input); without it, what run has put into the log of the configuration')
    .option('--chain <number>', 'only this chain of each pair: 1, and one more for each state reset; without it all that were judged under this configuration')
    .option('--diff', 'judge the logs again under this configuration: which windows and discrepancies differ from the recording')
    .option('--skip-bad-lines', 'a line that cannot be read becomes a dead letter (so also where the recording has such dead letters)');
  addOutputFlags(addCheckFlags(command));
  command.addHelpText('after', `
Exit codes: 0 every recorded record was recomputed, byte by byte; 1 some differ, are missing or are extra; 2 usage, configuration, or a
decision that the logs do not fit any more; 3 the recording has no decision, so nothing could be recomputed.`);
  addExample(command, `${COMMAND} check --config deploy/demo/paritas.yaml --complete -o jsonl | ${COMMAND} replay --config deploy/demo/paritas.yaml --from -`,
    `${COMMAND} check --config deploy/demo/paritas.yaml --complete -o jsonl | ${COMMAND} replay --diff --lag 200ms --config deploy/demo/paritas.yaml --from -`);
  command.action((flags: Flags) => replay(flags, context));
}

async function replay(flags: Flags, context: CliContext): Promise<void> {
  const { config, pairs } = settingsOf(flags, context.io);
  const isChosen = flags.chain === undefined ? () => true : chainTest(flags.chain);
  const recording = (await recordingOf(flags, config, context)).filter(({ record }) => (flags.pair === undefined || record.pair === flags.pair) && isChosen(record));
  requirePairs(Map.groupBy(recording, ({ record }) => record.pair), pairs);
  const lines = Map.groupBy(recording, ({ record }) => chainName(record));
  const chosen = pairs.flatMap(pair => chainsIn(recording, pair));
  await requireInputs(chosen, config.log);
  if (flags.diff === true) return rejudge({ pairs: lastOf(chosen), config }, lines, flags, context);
  const ours = chosen.filter(pair => isOfConfiguration(pair, lines, chosen, context));
  const recomputed = Map.groupBy(await recompute(ours, config, lines, flags, context), chainName);
  const comparisons = ours.map(pair => compared(pair, linesOf(pair, lines), recomputed.get(chainName(pairOf(pair))) ?? []));
  const { format, style } = outputOf(flags, context);
  await writeAll(context.io.stdout, formatComparisons(comparisons, format, style));
  context.exit(comparisons.some(({ differences }) => differences.length > 0) ? 1 : comparisons.some(({ decisions }) => decisions === 0) || comparisons.length === 0 ? 3 : 0);
}

type Lines = ReadonlyMap<string, readonly RecordedLine[]>;

function linesOf(pair: PairSettings, lines: Lines): readonly RecordedLine[] {
  return lines.get(chainName(pairOf(pair))) ?? [];
}

/** What a check printed; without a file, what a service has put into the log of the configuration. */
function recordingOf(flags: Flags, { log, outputs }: Config, context: CliContext): Promise<RecordedLine[]> {
  if (flags.from !== undefined) return readRecording(flags.from, context);
  if (hasLogToRead(log)) return readLogRecording(log, outputs);
  throw new ParitasError('usage', 'nothing to compare with: give --from FILE, what "paritas check -o jsonl" printed (- for standard input), or a configuration whose log directory a service has written');
}

/** A pair that was recorded and is not configured would go unlooked at. */
function requirePairs(byPair: ReadonlyMap<string, readonly RecordedLine[]>, pairs: readonly PairSettings[]): void {
  const names = pairs.map(({ name }) => name);
  for (const [name, [{ at }]] of byPair) {
    if (!names.includes(name)) throw new ParitasError('input', `${at}: the recording speaks of pair "${name}", which the configuration has not${didYouMean(name, names)}; give the configuration it was made with, or --pair`);
  }
}

/** A chain of before a reset may be of another configuration: it is left out, and said. Where no chain of the pair is of this one, nothing could be compared. */
function isOfConfiguration(pair: PairSettings, lines: Lines, all: readonly PairSettings[], { io }: CliContext): boolean {
  const why = otherConfiguration(pair, linesOf(pair, lines));
  if (why === undefined) return true;
  if (all.every(other => other.name !== pair.name || otherConfiguration(other, linesOf(other, lines)) !== undefined)) throw new ParitasError('input', why);
  io.stderr.write(`chain ${pair.chain ?? 1} is left out: ${why}\n`);
  return false;
}

/** Another configuration gives other ids: not one record would be equal, and the reason would not be seen. Undefined: it is this one. */
function otherConfiguration({ name, configHash }: PairSettings, lines: readonly RecordedLine[]): string | undefined {
  const isOurs = (record: OutputRecord): boolean => (record.record === 'verdict' ? record.configHash === configHash : record.record === 'decision' && decisionIdOf(configHash, record) === record.decisionId);
  const first = lines.find(({ record }) => record.record === 'verdict') ?? lines.find(({ record }) => record.record === 'decision');
  if (first === undefined || lines.some(({ record }) => isOurs(record))) return undefined;
  const then = first.record.record === 'verdict' ? `configuration ${first.record.configHash.slice(0, 16)}` : 'another configuration';
  return `${first.at}: pair "${name}" was judged under ${then}, and this one is ${configHash.slice(0, 16)}: replay with the configuration of then, or see with --diff what this one changes`;
}

/** Complete where the recording was declared to be. */
async function rejudge({ pairs, config }: Checked, lines: Lines, flags: Flags, context: CliContext): Promise<void> {
  const complete = [...lines.values()].some(of => of.some(({ record }) => record.record === 'decision' && record.overrides.includes(COMPLETE)));
  const judged = Map.groupBy((await runChecked({ pairs, config }, { complete, skipBadLines: skipsBadLines(lines, flags) }, context)).records(), chainName);
  const rejudgings = pairs.map(pair => diffVerdicts(pair.name, pair.configHash, linesOf(pair, lines), judged.get(chainName(pairOf(pair))) ?? []));
  const { format, style } = outputOf(flags, context);
  await writeAll(context.io.stdout, formatRejudgings(rejudgings, format, style));
  context.exit(rejudgings.some(({ changed }) => changed.length > 0) ? 1 : 0);
}

/** What a recording shows to have been skipped is skipped again. */
function skipsBadLines(byPair: Lines, flags: Flags): boolean {
  return flags.skipBadLines === true || [...byPair.values()].some(lines => lines.some(({ record }) => record.record === 'dead-letter' && record.reason === 'bad-line'));
}

async function recompute(pairs: readonly PairSettings[], config: Config, lines: Lines, flags: Flags, context: CliContext): Promise<OutputRecord[]> {
  const engine = await context.engine();
  const progress = await createProgress(context.io);
  const records: OutputRecord[] = [];
  try {
    for (const ofChain of Map.groupBy(pairs, ({ chain }) => chain).values()) {
      const asAService = flags.from === undefined ? { ...AS_A_SERVICE, splits: await splitsIn(config, ofChain) } : {};
      const result = await engine.runReplay(ofChain, new Map(ofChain.map(pair => [pair.name, decisionsOf(linesOf(pair, lines))])), {
        complete: false, log: config.log, stateEngine: config.state.engine, skipBadLines: skipsBadLines(lines, flags), ...asAService, onProgress: made => progress.update(made), signal: context.io.signal,
      });
      if (context.io.signal.aborted) throw new ParitasError('interrupted', 'interrupted');
      records.push(...result.records());
    }
    return records;
  } finally {
    progress.stop();
  }
}

/** A service publishes at each close, and forgets; and what is each shard's own (warm-up, gaps) is each of its tasks'. */
const AS_A_SERVICE = { publish: 'at-close', memory: 'window.retain' } as const;

function decisionsOf(lines: readonly RecordedLine[]): RecordedDecision[] {
  return lines.flatMap(({ at, record }) => (record.record === 'decision' ? [{ at, record }] : []));
}

/** A decision is used as it was recorded; that it is the one that was written, its id tells. */
function compared({ name, configHash, ...pair }: PairSettings, lines: readonly RecordedLine[], recomputed: readonly OutputRecord[]): PairComparison {
  const decisions = decisionsOf(lines);
  const rightly = recomputed.map(record => (record.record === 'decision' ? { ...record, decisionId: decisionIdOf(configHash, record) } : record));
  return { pair: name, ...chainOf(pair), decisions: decisions.length, ...compareRecording(lines, rightly) };
}

function* formatComparisons(comparisons: readonly PairComparison[], format: string, style: Style): Iterable<string> {
  const records = [...comparisons.flatMap(({ differences }) => differences), ...comparisons.map(summaryRecord)];
  if (format === 'json') yield `${JSON.stringify(records, null, 1)}\n`;
  else if (format === 'jsonl') for (const record of records) yield `${JSON.stringify(record)}\n`;
  else if (format === 'yaml') yield stringify(records, { lineWidth: 0 });
  else yield comparisonTable(comparisons, style, format === 'wide');
}

function summaryRecord(of: PairComparison): Record<string, string | number> {
  const having = (state: Difference['state']): string => String(of.differences.filter(difference => difference.state === state).length);
  return {
    record: 'replay', pair: of.pair, ...chainOf(of), decisions: String(of.decisions), equal: String(of.equal), differing: having('differs'), missing: having('missing'), extra: having('extra'),
    deadLettersBeyond: String(of.beyond),
  };
}

/** Differences that the narrow table shows; more are counted and said. */
const ROWS_SHOWN = 50;

function comparisonTable(comparisons: readonly PairComparison[], style: Style, wide: boolean): string {
  const rows = comparisons.flatMap(({ differences }) => differences).map(({ pair, kind, state, at, window, id, field, recorded, recomputed }) => {
    const value = (text: string | undefined): string => (text === undefined ? '' : wide ? visible(text) : cut(visible(text), 40));
    return [pair, kind, style.paint('red', state), at ?? '-', shortTime(window ?? ''), ...(wide ? [id ?? ''] : []), field ?? '', value(recorded), value(recomputed)];
  });
  const head = ['pair', 'kind', 'state', 'recorded at', 'window', ...(wide ? ['id'] : []), 'first field', 'recorded', 'recomputed'];
  const shown = wide ? rows : rows.slice(0, ROWS_SHOWN);
  const more = rows.length === shown.length ? '' : `… and ${plural(rows.length - shown.length, 'more row')}; -o wide shows all\n`;
  return `${rows.length === 0 ? '' : `${printTable(style, head, shown)}${more}\n`}${comparisons.map(of => summaryText(of, style)).join('')}`;
}

function summaryText(of: PairComparison, style: Style): string {
  const { differing, missing, extra } = summaryRecord(of);
  const told = of.decisions === 0 ? style.paint('yellow', 'no decision was recorded, so there is nothing to recompute')
    : of.differences.length === 0 ? style.paint('green', 'equal, byte by byte') : `${style.paint('red', 'not equal')}: ${differing} differ, ${missing} missing from the recording, ${extra} extra in it`;
  const beyond = of.beyond === 0 ? '' : ` ${plural(of.beyond, 'dead letter')} beyond the last decision not compared.`;
  return `${style.paint('bold', pairText(of))}: ${told}. ${plural(of.equal, 'record')} equal, under ${plural(of.decisions, 'decision')}.${beyond}\n`;
}
