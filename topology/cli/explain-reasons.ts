// Why a change of a row was not matched: what it would have needed, in the terms of the pair's own rules.
import type { PairSettings } from '../../schemas/pair.ts';
import { formatTime } from '../../schemas/time.ts';
import { placeOf, type Histories, type HistoryRow } from './explain-links.ts';

export interface Facts {
  readonly pair: PairSettings;
  /** Windows that end at or before this are closed; -Infinity where none is. */
  readonly closedUpToUs: number;
  /** The partitions that hold the first open window, as `topic-partition`. */
  readonly stalled: readonly string[];
  /** Source changes that the target's engine did not log, as `topic-partition@offset`. */
  readonly elided: ReadonlySet<string>;
}

export function giveReasons(histories: Histories, facts: Facts): void {
  for (const row of [...histories.sources, ...histories.targets]) {
    if (row.match === undefined) row.reason ??= reasonOf(row, histories, facts);
  }
}

function reasonOf(row: HistoryRow, histories: Histories, facts: Facts): string {
  if (row.findings.length > 0) return row.side === 'source' ? whyMissing(row, facts) : whyUnexpected(row, histories, facts);
  if (row.op === 'read') return `snapshot row: a state, not a change${row.side === 'source' ? '; nothing on the target was its load' : ''}`;
  if (row.position === '') return 'without a position: it cannot be ordered among the row\'s changes';
  if (facts.elided.has(placeOf(row))) return 'elided: it changes nothing, and the target\'s engine does not log such an update';
  if (row.timeUs >= facts.closedUpToUs) return whyOpen(facts);
  return row.side === 'source' ? 'not matched, and nothing was found: its window could not be judged' : 'no change of its own, or in a window that could not be judged';
}

function whyOpen({ closedUpToUs, stalled }: Facts): string {
  const upTo = Number.isFinite(closedUpToUs) ? `windows are closed up to ${formatTime(closedUpToUs)}` : 'no window is closed';
  const by = stalled.length === 0 ? '' : `, held by ${stalled.join(', ')} (the status records of a check say why; --complete closes them)`;
  return `its window is open: ${upTo}${by}`;
}

function whyMissing(row: HistoryRow, { pair }: Facts): string {
  const { sizeUs, lagUs, skewUs } = pair.window;
  if (pair.match.by === 'alignment') {
    return `no change of the row on the target from ${formatTime(row.timeUs - skewUs)} to ${formatTime(row.timeUs + lagUs)} is left that leaves it so`;
  }
  const byUs = (Math.floor(row.timeUs / sizeUs) + 1) * sizeUs + lagUs;
  const what = isRemoval(row) ? 'delete of the row' : 'change of the row';
  const names = row.origin === '' || isRemoval(row) ? ' is left for it' : ` names ${pair.match.by} ${row.origin}`;
  return `no ${what} on the target that was committed before ${formatTime(byUs)}${names}`;
}

function whyUnexpected(row: HistoryRow, { sources }: Histories, { pair }: Facts): string {
  if (pair.match.by === 'alignment') return 'no change of the row on the source is left that leaves it so, nor did an earlier one';
  if (isRemoval(row)) return 'no delete of the row on the source is left for it';
  if (row.origin === '') return `it carries no ${pair.match.by}: nothing on the source says that it wrote this`;
  const named = sources.find((source) => source.origin === row.origin && !isRemoval(source));
  if (named === undefined) return `${pair.match.by} ${row.origin} is no change of this row on the source`;
  if (named.match === undefined) return `it names ${placeOf(named)}, and was committed when that was out of its reach (lag, skew)`;
  return `it names ${placeOf(named)}, which was applied by ${placeOf(named.match)}, and holds other values: written beside the pipeline`;
}

function isRemoval({ op }: HistoryRow): boolean {
  return op === 'delete' || op === 'truncate';
}
