// What the check found about each change of a key, and which change was matched to which. A change that stays alone says why.
import type { DeadLetterRecord, ManifestRecord, OutputRecord } from '../../schemas/records.ts';
import type { ExplainRow } from '../check-types.ts';

/** A row under construction: what the contract shows, and what it is sorted, linked and told apart by. */
export interface HistoryRow extends Omit<ExplainRow, 'findings' | 'match'> {
  /** Position bytes, then the order within the transaction. */
  readonly sortKey: string;
  findings: string[];
  match: string | undefined;
}

/** `records`: the key's manifest records, and dead letters. Sets findings, and the match that a finding itself names. */
export function attachFindings(sources: readonly HistoryRow[], targets: readonly HistoryRow[], records: readonly OutputRecord[]): void {
  const bySource = new Map(sources.map((row) => [coordinates(row), row]));
  const byTarget = new Map(targets.map((row) => [coordinates(row), row]));
  for (const record of records) {
    if (record.record === 'manifest') attach(record, bySource, byTarget);
    if (record.record === 'dead-letter') bury(record, record.side === 'source' ? bySource : byTarget);
  }
  for (const side of [sources, targets]) markRedelivered(side);
}

function attach(record: ManifestRecord, sources: ReadonlyMap<string, HistoryRow>, targets: ReadonlyMap<string, HistoryRow>): void {
  const source = record.source === undefined ? undefined : sources.get(coordinates(record.source));
  const target = record.target === undefined ? undefined : targets.get(coordinates(record.target));
  const columns = (record.columns ?? []).map(({ name }) => name);
  const text = columns.length === 0 ? record.class : `${record.class}: ${columns.join(', ')}`;
  // A repeat is a fault of the target's change, not of the source's, which was applied; a change never applied has none on the target.
  if (record.class !== 'duplicate' && record.class !== 'unexpected') source?.findings.push(text);
  if (record.class === 'missing') return;
  target?.findings.push(text);
  if (source === undefined || target === undefined) return;
  target.match = coordinates(source);
  if (record.class !== 'duplicate') source.match ??= coordinates(target);
}

function bury(record: DeadLetterRecord, rows: ReadonlyMap<string, HistoryRow>): void {
  const { topic, partition, offset } = record;
  if (topic === undefined || partition === undefined || offset === undefined) return;
  rows.get(coordinates({ topic, partition, offset }))?.findings.push(`${record.reason}: a dead letter`);
}

/** The same position once more is the connector's redelivery: counted once, at its first offset. */
function markRedelivered(rows: readonly HistoryRow[]): void {
  rows.forEach((row, i) => {
    const first = rows.findIndex((other) => other.sortKey === row.sortKey && other.op === row.op);
    if (row.position !== '' && first < i && row.findings.length === 0) row.findings.push(`redelivered: the change of ${coordinates(rows[first])} once more`);
  });
}

/** Links what no finding has linked: rows by their origin, deletes by their order. Then says of those still alone why. */
export function linkRows(sources: readonly HistoryRow[], targets: readonly HistoryRow[]): void {
  const free = (row: HistoryRow): boolean => row.match === undefined && !row.findings.some((finding) => /^(unexpected|missing|late:|redelivered)/.test(finding));
  for (const target of targets.filter((row) => free(row) && !isRemoval(row) && row.origin !== '')) {
    // Changes of one transaction may share an origin: in order, the last taking what is left.
    const causes = sources.filter((row) => row.origin === target.origin && !isRemoval(row) && !row.findings.some((finding) => finding.startsWith('redelivered')));
    const cause = causes.find((row) => row.match === undefined) ?? causes.at(-1);
    if (cause !== undefined) link(cause, target);
  }
  const removals = targets.filter((row) => free(row) && isRemoval(row));
  sources.filter((row) => free(row) && isRemoval(row)).forEach((source, n) => {
    if (n < removals.length) link(source, removals[n]);
  });
  for (const row of [...sources, ...targets]) if (row.match === undefined && row.findings.length === 0) row.findings.push(whyAlone(row));
}

function link(source: HistoryRow, target: HistoryRow): void {
  target.match = coordinates(source);
  source.match ??= coordinates(target);
}

function isRemoval({ op }: HistoryRow): boolean {
  return op === 'delete' || op === 'truncate';
}

function whyAlone({ op, side }: HistoryRow): string {
  if (op === 'read') return 'snapshot row: a state, not a change';
  return side === 'source' ? 'no change of the target names it' : 'names no change of the source';
}

function coordinates(at: { topic: string; partition: number; offset: string }): string {
  return `${at.topic}-${at.partition}@${at.offset}`;
}
