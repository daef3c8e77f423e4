// Real captures of a real pipeline (PostgreSQL source; PostgreSQL and MariaDB targets; Debezium; faults injected on purpose), on the tables
// that carry an origin: every injected fault is found with its class, and nothing else is said. faults.json is the ground truth.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ManifestRecord, OutputRecord, SummaryRecord, VerdictRecord } from '../../schemas/records.ts';
import { checkCapture, fixtures, type CaptureTarget } from '../support/captures.ts';

interface Fault { readonly class: string; readonly target: string; readonly table: string; readonly key: Record<string, unknown>; readonly observable?: boolean }

const CLASS_OF: Readonly<Record<string, string>> = {
  'oob-update': 'unexpected', 'oob-insert': 'unexpected', 'oob-delete': 'unexpected',
  lost: 'missing', 'lost-converged': 'missing', duplicate: 'duplicate', 'placeholder-written': 'mismatch',
};

const CAPTURES = [
  'main', 'faults-all', 'fault-oob-update', 'fault-oob-delete', 'fault-oob-insert', 'fault-lost', 'fault-lost-converged', 'fault-duplicate',
  'fault-reorder', 'toast', 'truncate-race', 'crash-redelivery',
];
/** The killed worker was away for a minute: what waited is late, not missing, only under an L that allows for it. */
const LONG_LAG = { size: '1s', lateness: '5s', lag: '2m', skew: '1s' };
/** Row 1001 was brought back by the replayed upserts and then deleted a second time by the same source delete. The ground truth was made by
 *  joining on the origin column, which a delete does not have, so it lists the two upserts and not the delete (ruling 8 finds it). */
const REPEATED_DELETE = 'duplicate {"id":"1001"}';
const TABLES = ['orders', 'customers'] as const;
const TARGETS: readonly CaptureTarget[] = ['tgt', 'tgtm'];

function faultsOf(capture: string): readonly Fault[] {
  const path = join(fixtures, capture, 'faults.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Fault[]) : [];
}

const text = (key: Record<string, unknown>): string => JSON.stringify(Object.fromEntries(Object.entries(key).map(([k, v]) => [k, String(v)]).sort()));
const discrepancies = (records: readonly OutputRecord[]): ManifestRecord[] => records.filter(record => record.record === 'manifest');
const verdicts = (records: readonly OutputRecord[]): VerdictRecord[] => records.filter(record => record.record === 'verdict');

for (const capture of CAPTURES) {
  for (const table of TABLES) {
    for (const target of TARGETS) {
      if (capture === 'crash-redelivery' && target === 'tgtm') continue;
      test(`${capture}: ${table} against ${target}: the injected faults and nothing else`, async () => {
        const faults = faultsOf(capture).filter(fault => fault.table === table && fault.target === target && fault.observable !== false);
        const expected = faults.filter(fault => CLASS_OF[fault.class] !== undefined).map(fault => `${CLASS_OF[fault.class]} ${text(fault.key)}`);
        if (capture === 'crash-redelivery' && table === 'orders') expected.push(REPEATED_DELETE);
        const { records, exitCode } = await checkCapture(capture, table, target, pair => (capture === 'crash-redelivery' ? { ...pair, window: LONG_LAG } : pair));
        const found = discrepancies(records).map(record => `${record.class} ${text(record.key)}`);
        assert.deepEqual(found.sort(), expected.sort());
        expectSound(records);
        const redelivered = faults.filter(fault => fault.class.startsWith('redelivered-by-')).length;
        const summary = records.at(-1) as SummaryRecord;
        assert.equal(Number(summary.counts.redelivered), redelivered);
        const lastState = verdicts(records).at(-1)?.state;
        if (faults.every(fault => fault.class === 'lost-converged') && faults.length > 0) assert.equal(lastState, 'parity', 'what was lost and converged');
        assert.equal(exitCode, expected.length > 0 ? 1 : 0);
      });
    }
  }
}

/** Counts add up to the records read, and each finding names both log coordinates where its class has both sides. */
function expectSound(records: readonly OutputRecord[]): void {
  const summary = records.at(-1) as SummaryRecord;
  const { sourceEvents, targetEvents, redelivered, late, deadLettered, excluded } = summary.counts;
  const sum = [sourceEvents, targetEvents, redelivered, late, deadLettered, excluded].reduce((total, n) => total + Number(n), 0);
  const read = verdicts(records).at(-1)?.evidence.length ?? 0;
  assert.ok(read > 0);
  assert.equal(summary.counts.pending, '0');
  assert.equal(summary.windows.undecidable, '0');
  assert.ok(sum > 0);
  for (const record of discrepancies(records)) {
    if (record.class !== 'unexpected') assert.match(record.source?.offset ?? '', /^\d+$/);
    if (record.class !== 'missing') assert.match(record.target?.offset ?? '', /^\d+$/);
    if (record.class === 'mismatch') assert.ok((record.columns ?? []).length > 0);
  }
}
