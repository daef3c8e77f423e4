// The report that a person reads: verdicts per window, then what differs, then what could not be judged, then the sum. One section per
// kind of record; a section without records is left out. A long run of windows in parity is one line, or the rest would drown in it.
import type {
  DeadLetterRecord, DecisionRecord, ManifestRecord, OutputRecord, ResolvedRecord, SchemaRecord, StatusRecord, SummaryRecord, TaskRecord, VerdictRecord,
} from '../../schemas/records.ts';
import { unreachable } from '../../schemas/unreachable.ts';
import { manifestRow, MANIFEST_HEAD, pairText, TORN_HEAD, tornRows, verdictRows, VERDICT_HEAD } from './report-rows.ts';
import { partitionHead, partitionRow, TASK_HEAD, taskRow } from './report-status.ts';
import { printTable } from './table.ts';
import { cut, keyText, plural, visible } from './text.ts';
import type { Style } from './text.ts';

export interface ReportOptions {
  readonly style: Style;
  /** Every window and every discrepancy, with more columns. */
  readonly wide?: boolean;
  /** Lines that say what to do with the report. */
  readonly next?: (records: Sections) => readonly string[];
}

/** The records of a report by kind. */
export interface Sections {
  readonly verdicts: VerdictRecord[];
  readonly manifests: ManifestRecord[];
  readonly resolved: ResolvedRecord[];
  readonly schemas: SchemaRecord[];
  readonly deadLetters: DeadLetterRecord[];
  readonly decisions: DecisionRecord[];
  readonly statuses: StatusRecord[];
  readonly tasks: TaskRecord[];
  readonly summaries: SummaryRecord[];
}

/** Rows of a section in the narrow table; more are counted and said. */
const ROWS_SHOWN = 50;

export function* reportTables(records: Iterable<OutputRecord>, options: ReportOptions): Iterable<string> {
  const sections = sortOut(records);
  const { style } = options;
  const wide = options.wide === true;
  const form = { wide, lag: sections.statuses.some(({ lagMs }) => lagMs !== undefined) };
  const blocks = [
    section('Windows', style, VERDICT_HEAD(wide), verdictRows(sections.verdicts, style, wide), wide),
    section('Discrepancies', style, MANIFEST_HEAD(wide), sections.manifests.map((record) => manifestRow(record, style, wide)), wide),
    section('Torn transactions', style, TORN_HEAD, sections.verdicts.flatMap((record) => tornRows(record, wide)), wide),
    section('Resolved', style, ['pair', 'key', 'window'], sections.resolved.map((record) => [record.pair, keyText(record.key), record.window.start]), wide),
    section('Schemas that differ', style, ['pair', 'side', 'column', 'detail'],
      sections.schemas.map((record) => [record.pair, record.side, visible(record.column), visible(record.detail)]), wide),
    section('Dead letters', style, ['pair', 'side', 'record', 'reason', 'detail'], sections.deadLetters.map(deadLetterRow(wide)), wide),
    section('Tasks', style, TASK_HEAD, sections.tasks.map(taskRow(style)), wide),
    section('Partitions', style, partitionHead(form),
      // After verdicts, whether a partition holds the windows is news; that it does not is for the wide form.
      sections.statuses.filter((record) => wide || sections.summaries.length === 0 || record.stalled).map(partitionRow(form)), wide),
    // Decisions are for replay; a reader of a full report has no use for them.
    sections.verdicts.length + sections.summaries.length > 0 ? '' : section('Decisions', style, ['pair', 'close up to', 'taken at', 'decision'],
      sections.decisions.map((record) => [pairText(record), record.closeUpTo, record.takenAt, record.decisionId]), wide),
    sections.summaries.map((record) => summaryText(record, style)).join(''),
    (options.next?.(sections) ?? []).map((line) => `${line}\n`).join(''),
  ].filter((block) => block !== '');
  yield blocks.join('\n');
}

function sortOut(records: Iterable<OutputRecord>): Sections {
  const sections: Sections = { verdicts: [], manifests: [], resolved: [], schemas: [], deadLetters: [], decisions: [], statuses: [], tasks: [], summaries: [] };
  for (const record of records) {
    switch (record.record) {
      case 'verdict': sections.verdicts.push(record); break;
      case 'manifest': sections.manifests.push(record); break;
      case 'resolved': sections.resolved.push(record); break;
      case 'schema': sections.schemas.push(record); break;
      case 'dead-letter': sections.deadLetters.push(record); break;
      case 'decision': sections.decisions.push(record); break;
      case 'status': sections.statuses.push(record); break;
      case 'task': sections.tasks.push(record); break;
      case 'summary': sections.summaries.push(record); break;
      default: unreachable(record);
    }
  }
  return sections;
}

function section(title: string, style: Style, head: readonly string[], rows: readonly (readonly string[])[], wide: boolean): string {
  if (rows.length === 0) return '';
  const shown = wide ? rows : rows.slice(0, ROWS_SHOWN);
  const rest = rows.length - shown.length;
  return `${style.paint('bold', title)}\n${printTable(style, head, shown)}${rest === 0 ? '' : `… and ${plural(rest, 'more row')}; -o wide shows all\n`}`;
}

function deadLetterRow(wide: boolean): (record: DeadLetterRecord) => string[] {
  return (record) => {
    const at = record.file === undefined
      ? `${record.topic ?? ''}-${record.partition ?? ''}@${record.offset ?? ''}`
      : `${wide ? record.file : (record.file.split('/').pop() ?? '')}:${record.line ?? ''}`;
    return [record.pair, record.side, visible(at), record.reason, wide ? visible(record.detail) : cut(visible(record.detail), 80)];
  };
}

function summaryText(record: SummaryRecord, style: Style): string {
  const { windows, counts } = record;
  const found = record.exitCode === 0 ? style.paint('green', 'in parity') : record.exitCode === 1 ? style.paint('red', 'discrepancies') : style.paint('yellow', 'inconclusive');
  const parts = [
    `${plural(windows.parity, 'window')} in parity`, `${windows.diverged} diverged`, `${windows.undecidable} undecidable`, `${windows.open} open`,
  ];
  return `${style.paint('bold', record.pair)}: ${found} (exit code ${record.exitCode}). ${parts.join(', ')}. `
    + `${plural(counts.sourceEvents, 'source change')}, ${plural(counts.targetEvents, 'target change')}, ${counts.matched} matched.\n`;
}
