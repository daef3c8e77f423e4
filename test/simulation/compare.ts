// The records of a `check` against the oracle's judgement: one line for every difference, empty where they agree.
// Not compared: digests, hashes and ids (they have properties of their own), decisions, `pending`, and where ruling 19 leaves room.
import type { Counts, ManifestRecord, ManifestSide, OutputRecord, VerdictRecord } from '../../schemas/records.ts';
import type { Finding, Judgement, WindowJudgement } from '../oracle/judgement.ts';
import { WINDOW_COUNTS } from '../oracle/judgement.ts';

export interface CheckResult { readonly records: readonly OutputRecord[]; readonly exitCode: number; readonly text: string }

export function differences(judgement: Judgement, result: CheckResult, complete: boolean): string[] {
  const expected = describeJudgement(judgement);
  const actual = describeResult(result);
  const lines = [
    ...[...expected].filter((line) => !actual.has(line)).map((line) => `oracle only: ${line}`),
    ...[...actual].filter((line) => !expected.has(line)).map((line) => `check only:  ${line}`),
  ].sort((a, b) => (a.slice(13) < b.slice(13) ? -1 : 1));
  return [...lines, ...sums(judgement, result, complete)];
}

function describeJudgement(judgement: Judgement): Set<string> {
  const lines: string[] = [`exit ${String(judgement.exitCode)}`, `open windows ${String(judgement.openWindows)}`];
  for (const w of judgement.windows) {
    const start = formatUs(w.startUs);
    lines.push(`${start} verdict ${w.change} ${w.state} ${w.status} ${countsText(w)}`);
    for (const f of w.findings) lines.push(`${start} ${findingText(f)}`);
    for (const t of w.torn) lines.push(`${start} torn ${String(t.tx)} applied ${String(t.applied)} missing ${String(t.missing)} keys ${t.keys.join()}`);
    for (const r of w.resolved) lines.push(`${start} resolved key ${String(r.key)}, parted with findings of ${r.findingStartUs === undefined ? 'none' : formatUs(r.findingStartUs)}`);
  }
  for (const d of judgement.deadLetters) lines.push(`dead letter ${d.side} ${String(d.partition)}@${String(d.offset)} ${d.reason}`);
  return numbered(lines);
}

function describeResult(result: CheckResult): Set<string> {
  const lines: string[] = [`exit ${String(result.exitCode)}`];
  const manifests = new Map(result.records.filter((r) => r.record === 'manifest').map((m) => [m.manifestId, m]));
  for (const record of result.records) {
    switch (record.record) {
      case 'summary': lines.push(`open windows ${record.windows.open}`); break;
      case 'verdict':
        lines.push(`${record.window.start} verdict ${record.change} ${record.state} ${record.status} ${countsText(record)}`);
        for (const t of record.torn ?? []) lines.push(`${record.window.start} torn ${t.transaction} applied ${t.applied} missing ${t.missing} keys ${t.keys.map(({ id }) => Number(id)).toSorted((a, b) => a - b).join()}`);
        break;
      case 'manifest': lines.push(`${record.window.start} ${findingText(findingOf(record))}`); break;
      case 'resolved': {
        const cause = record.manifestId === undefined ? undefined : manifests.get(record.manifestId);
        const named = record.manifestId === undefined ? 'none' : cause?.window.start ?? 'no such manifest';
        lines.push(`${record.window.start} resolved key ${record.key['id'] ?? '?'}, parted with findings of ${cause !== undefined && cause.key['id'] !== record.key['id'] ? 'another key' : named}`);
        break;
      }
      case 'dead-letter': lines.push(`dead letter ${record.side} ${String(record.partition)}@${String(record.offset)} ${record.reason}`); break;
      case 'schema': lines.push(`schema ${record.side} ${record.column}`); break;
      case 'decision': case 'status': case 'task': break;
    }
  }
  return numbered(lines);
}

function findingOf(record: ManifestRecord): Finding {
  const at = (side: ManifestSide | undefined): Finding['source'] => (side === undefined ? undefined : { partition: side.partition, offset: Number(side.offset) });
  return { class: record.class, key: Number(record.key['id']), source: at(record.source), target: at(record.target), columns: (record.columns ?? []).map((c) => c.name), ...(record.class === 'gap' ? { hint: record.hint === 'coverage-gap' ? record.hint : 'evidence-gap' } : {}) };
}

function findingText(f: Finding): string {
  const at = (a: Finding['source']): string => (a === undefined ? '-' : `${String(a.partition)}@${String(a.offset)}`);
  return `${f.class} key ${String(f.key)} source ${at(f.source)} target ${at(f.target)} columns [${f.columns.join()}]${f.hint === undefined ? '' : ` ${f.hint}`}`;
}

function countsText(of: WindowJudgement | VerdictRecord): string {
  return WINDOW_COUNTS.filter((name) => Number(of.counts[name]) !== 0).map((name) => `${name}=${String(of.counts[name])}`).join(' ');
}

/** Equal lines are told apart by their number, so that a finding given twice is not one. */
function numbered(lines: readonly string[]): Set<string> {
  const seen = new Map<string, number>();
  return new Set(lines.map((line) => {
    const n = (seen.get(line) ?? 0) + 1;
    seen.set(line, n);
    return n === 1 ? line : `${line} (#${String(n)})`;
  }));
}

/** Ruling 21: over a complete check every record read is in exactly one of these counts. */
function sums(judgement: Judgement, result: CheckResult, complete: boolean): string[] {
  const counts = result.records.find((r) => r.record === 'summary')?.counts;
  if (counts === undefined) return ['check only: no summary'];
  const letters = (reason: 'late' | 'malformed'): number => judgement.deadLetters.filter((d) => d.reason === reason).length;
  const expected: Partial<Record<keyof Counts, number>> = {
    late: letters('late'), deadLettered: letters('malformed'), ...(complete ? { redelivered: judgement.redelivered, excluded: judgement.excluded } : {}),
  };
  return Object.entries(expected)
    .filter(([name, n]) => Number(counts[name as keyof Counts]) !== n)
    .map(([name, n]) => `summary ${name}: oracle ${String(n)}, check ${counts[name as keyof Counts]}`);
}

/** RFC 3339 UTC with microseconds. */
export function formatUs(us: number): string {
  const fraction = ((us % 1_000_000) + 1_000_000) % 1_000_000;
  return `${new Date((us - fraction) / 1000).toISOString().slice(0, 19)}.${String(fraction).padStart(6, '0')}Z`;
}
