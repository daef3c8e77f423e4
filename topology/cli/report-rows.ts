// The rows of verdicts and discrepancies in the report.
import { COUNT_NAMES } from '../../schemas/records.ts';
import type { ColumnValue, Counts, ManifestRecord, ManifestSide, OfChain, VerdictRecord } from '../../schemas/records.ts';
import { cut, grouped, keyText, plural, shortTime, visible } from './text.ts';
import type { Style } from './text.ts';

/** From this many windows on, consecutive ones in parity share a line. */
const WINDOWS_SHOWN_ONE_BY_ONE = 20;
const VALUE_CHARACTERS = 32;
/** Rows of a torn transaction in the narrow table. */
const KEYS_SHOWN = 5;

export function VERDICT_HEAD(wide: boolean): string[] {
  return ['pair', 'window', 'change', 'state', 'status', ...(wide ? ['confidence', 'attribution', 'watermarks', 'verdict'] : []), 'counts'];
}

export function verdictRows(verdicts: readonly VerdictRecord[], style: Style, wide: boolean): string[][] {
  if (wide || verdicts.length <= WINDOWS_SHOWN_ONE_BY_ONE) return verdicts.map((verdict) => verdictRow(verdict, style, wide));
  const rows: string[][] = [];
  for (let i = 0; i < verdicts.length;) {
    const length = quietRun(verdicts, i);
    rows.push(length < 3 ? verdictRow(verdicts[i], style, false) : runRow(verdicts.slice(i, i + length), style));
    i += length < 3 ? 1 : length;
  }
  return rows;
}

export function MANIFEST_HEAD(wide: boolean): string[] {
  const rest = wide ? ['attribution', 'remedy', 'hint', 'source origin', 'target origin', 'manifest'] : [];
  return ['class', 'pair', 'key', 'columns source → target', 'source', 'target', ...rest];
}

export function manifestRow(record: ManifestRecord, style: Style, wide: boolean): string[] {
  const columns = (record.columns ?? []).map((column) => {
    const hint = column.hint === undefined ? '' : ` (${column.hint})`;
    return `${visible(column.name)}: ${valueText(column.source, wide)} → ${valueText(column.target, wide)}${hint}`;
  });
  const rest = wide
    ? [record.attribution ?? '', record.remedy ?? '', record.hint ?? '', visible(record.source?.origin ?? ''), visible(record.target?.origin ?? ''), record.manifestId]
    : [];
  const counted = record.class === 'collapsed' || record.class === 'elided' || record.class === 'late_applied';
  return [
    style.paint(counted ? 'yellow' : 'red', record.class), pairText(record), keyText(record.key),
    columns.join(wide ? '; ' : '\n') || visible(record.detail ?? record.hint ?? ''), sideText(record.source, wide), sideText(record.target, wide), ...rest,
  ];
}

export const TORN_HEAD: readonly string[] = ['pair', 'transaction', 'window', 'applied', 'missing', 'rows that miss a change'];

export function tornRows({ pair, window, torn = [], tornCut }: VerdictRecord, wide: boolean): string[][] {
  const start = wide ? window.start : shortTime(window.start);
  const rows = torn.map(({ transaction, applied, missing, keys, keysCut }) => {
    const shown = wide ? keys : keys.slice(0, KEYS_SHOWN);
    const rest = keys.length - shown.length + Number(keysCut ?? 0);
    return [pair, visible(transaction), start, grouped(applied), grouped(missing), shown.map(keyText).join(' ') + (rest === 0 ? '' : ` and ${plural(rest, 'more row')}`)];
  });
  return tornCut === undefined ? rows : [...rows, [pair, `and ${grouped(tornCut)} more`, start, '', '', '']];
}

function verdictRow(verdict: VerdictRecord, style: Style, wide: boolean): string[] {
  const more = wide
    ? [verdict.confidence, verdict.attribution, `${verdict.watermarks.source} ${verdict.watermarks.target}`, verdict.verdictId]
    : [];
  return [
    pairText(verdict), wide ? `${verdict.window.start} ${verdict.window.end}` : shortTime(verdict.window.start),
    judged(verdict.change, style), judged(verdict.state, style), verdict.status, ...more, countsText(verdict.counts) + cutText(verdict),
  ];
}

/** Of what a reset has begun, which chain of the pair it is. */
export function pairText({ pair, chain }: { readonly pair: string } & OfChain): string {
  return chain === undefined ? pair : `${pair} (chain ${chain})`;
}

/** How many verdicts from `start` on say nothing but parity. */
function quietRun(verdicts: readonly VerdictRecord[], start: number): number {
  const { pair, chain } = verdicts[start];
  let end = start;
  while (end < verdicts.length && verdicts[end].pair === pair && verdicts[end].chain === chain && verdicts[end].change === 'parity'
    && verdicts[end].state === 'parity' && verdicts[end].status === 'final' && verdicts[end].torn === undefined) end++;
  return end - start;
}

function runRow(run: readonly VerdictRecord[], style: Style): string[] {
  const counts = Object.fromEntries(COUNT_NAMES.map((name) => [name, String(run.reduce((sum, { counts: of }) => sum + BigInt(of[name]), 0n))])) as Counts;
  const start = shortTime(run[0].window.start);
  return [pairText(run[0]), `${start} … ${plural(run.length, 'window')}`, judged('parity', style), judged('parity', style), 'final', countsText(counts)];
}

function judged(word: VerdictRecord['change'] | VerdictRecord['state'], style: Style): string {
  return style.paint(word === 'parity' ? 'green' : word === 'diverged' ? 'red' : 'yellow', word);
}

/** The counts that are not zero, in the order of the record. */
function countsText(counts: Counts): string {
  return COUNT_NAMES.filter((name) => counts[name] !== '0').map((name) => `${name} ${grouped(counts[name])}`).join(', ') || '-';
}

function cutText({ detailCut }: VerdictRecord): string {
  return detailCut === undefined ? '' : `, detail of ${plural(detailCut, 'record')} cut`;
}

function valueText(value: ColumnValue, wide: boolean): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return 'unavailable' in value ? '(unavailable)' : '(absent)';
  return `"${wide ? visible(value) : cut(visible(value), VALUE_CHARACTERS)}"`;
}

/** `update topic-0@12`, with the time in the wide form. */
function sideText(side: ManifestSide | undefined, wide: boolean): string {
  if (side === undefined) return '-';
  const at = `${side.op} ${visible(side.topic)}-${side.partition}@${side.offset}`;
  return wide ? `${at} ${side.commitTime} ${visible(side.position ?? '')}`.trimEnd() : at;
}
