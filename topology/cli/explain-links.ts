// What the check said about each change of a key: its findings, and which change was matched to which. Nothing is worked out here; what
// stays alone gets its reason in explain-reasons.ts.
import type { DeadLetterRecord, ManifestRecord, OutputRecord } from '../../schemas/records.ts';
import type { ExplainRow } from '../check-types.ts';

/** A row under construction: what the contract shows, and what it is sorted and told apart by. */
export interface HistoryRow extends Omit<ExplainRow, 'findings' | 'match' | 'lagMs' | 'reason'> {
  /** Position bytes, then the order within the transaction. */
  readonly sortKey: string;
  readonly timeUs: number;
  readonly findings: string[];
  match: HistoryRow | undefined;
  reason: string | undefined;
}

export interface Histories { readonly sources: readonly HistoryRow[]; readonly targets: readonly HistoryRow[] }

/** Source and target of a match, as `topic-partition@offset`, in the order in which they were made. */
export type Pairs = readonly (readonly [source: string, target: string])[];

/** `records`: the key's manifest records, and dead letters. */
export function linkHistories({ sources, targets }: Histories, pairs: Pairs, records: readonly OutputRecord[]): void {
  const bySource = new Map(sources.map((row) => [placeOf(row), row]));
  const byTarget = new Map(targets.map((row) => [placeOf(row), row]));
  for (const [source, target] of pairs) link(bySource.get(source), byTarget.get(target));
  for (const record of records) {
    if (record.record === 'manifest') attach(record, bySource, byTarget);
    if (record.record === 'dead-letter') bury(record, record.side === 'source' ? bySource : byTarget);
  }
  for (const side of [sources, targets]) markRedelivered(side);
}

/** A source change stays with its first application; a repeat is linked to the change that it repeats. */
function link(source: HistoryRow | undefined, target: HistoryRow | undefined): void {
  if (source === undefined || target === undefined) return;
  target.match = source;
  source.match ??= target;
}

function attach(record: ManifestRecord, sources: ReadonlyMap<string, HistoryRow>, targets: ReadonlyMap<string, HistoryRow>): void {
  const source = record.source === undefined ? undefined : sources.get(placeOf(record.source));
  const target = record.target === undefined ? undefined : targets.get(placeOf(record.target));
  const columns = (record.columns ?? []).map(({ name }) => name);
  const text = columns.length === 0 ? record.class : `${record.class}: ${columns.join(', ')}`;
  // A repeat is a fault of the target's change, not of the source's, which was applied; a change never applied has none on the target.
  if (record.class !== 'duplicate' && record.class !== 'unexpected') source?.findings.push(text);
  if (record.class === 'missing') return;
  target?.findings.push(text);
  if (target === undefined || source === undefined) return;
  target.match = source;
  if (record.class !== 'duplicate') source.match ??= target;
}

function bury(record: DeadLetterRecord, rows: ReadonlyMap<string, HistoryRow>): void {
  const { topic, partition, offset } = record;
  if (topic === undefined || partition === undefined || offset === undefined) return;
  const row = rows.get(placeOf({ topic, partition, offset }));
  if (row !== undefined) row.reason = `a dead letter (${record.reason}): ${record.detail}`;
}

/** The same position once more is the connector's redelivery: counted once, at its first offset. */
function markRedelivered(rows: readonly HistoryRow[]): void {
  rows.forEach((row, i) => {
    const first = rows.findIndex((other) => other.sortKey === row.sortKey && other.op === row.op);
    if (row.position === '' || first === i || row.findings.length > 0 || row.match !== undefined) return;
    row.reason ??= `redelivered: the change of ${placeOf(rows[first])} once more`;
  });
}

export function placeOf(at: { topic: string; partition: number; offset: string }): string {
  return `${at.topic}-${at.partition}@${at.offset}`;
}
