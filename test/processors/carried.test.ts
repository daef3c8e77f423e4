// `columns.carry` (ruling 31): a column that a record does not have is held to the last value that the row is known to have had on that side.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packagesHere } from '../../stores/rocksdb-platform.ts';
import { check, type CheckedOptions } from '../support/check.ts';

const START_MS = 1_700_000_000_000;
const GONE = '__debezium_unavailable_value';

/** [millisecond, value of `doc`; null: the row is deleted, position if not the next]. */
type Change = readonly [ms: number, doc: string | null, lsn?: number];
interface Case { readonly says: string; readonly source: readonly Change[]; readonly target: readonly Change[]; readonly tells: readonly string[]; readonly without: readonly string[]; readonly columns?: Record<string, unknown> }

function lines(side: 'source' | 'target', changes: readonly Change[]): string[] {
  return changes.map(([ms, doc, lsn], i) => {
    const at = lsn ?? 10 * (i + 1);
    const row = { id: 1, n: i, doc, ...(side === 'target' ? { origin_lsn: at } : {}) };
    const images = doc === null ? { before: side === 'target' ? { id: 1, n: null, doc: null, origin_lsn: null } : { id: 1 }, after: null, op: 'd' } : { before: null, after: row, op: i === 0 ? 'c' : 'u' };
    return JSON.stringify({ ...images, source: { connector: 'postgresql', db: 'shop', schema: 'shop', table: 'orders', ts_ms: START_MS + ms, lsn: side === 'source' ? at : 1000 + i }, ts_ms: START_MS + ms });
  });
}

async function run(c: Case, carry: boolean, options: CheckedOptions = {}): Promise<{ told: string[]; text: string }> {
  const pair = {
    key: ['id'], match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' }, window: { size: '1s', lateness: '1s', lag: '2s', skew: '500ms' },
    columns: { ...c.columns, ...(carry ? { carry: ['doc'] } : {}) },
  };
  const { records, text } = await check({ pair }, lines('source', c.source), lines('target', c.target), { complete: true, ...options });
  const told = records.flatMap(record => {
    if (record.record === 'manifest') return [`${record.class} ${(record.columns ?? []).map(column => `${column.name} ${JSON.stringify(column.source)} ${JSON.stringify(column.target)}`).join()}`];
    if (record.record !== 'summary') return [];
    return [...record.counts.unknownColumns === '0' ? [] : [`unknown ${record.counts.unknownColumns}`], ...record.counts.openDivergences === '0' ? [] : ['differs']];
  });
  return { told, text };
}

const UNAVAILABLE = '{"unavailable":true}';

const CASES: readonly Case[] = [
  { says: 'the value is the one before', source: [[100, 'a'], [200, GONE]], target: [[150, 'a'], [250, 'a']], tells: [], without: ['unknown 1'] },
  { says: 'another value was written', source: [[100, 'a'], [200, GONE]], target: [[150, 'a'], [250, 'b']], tells: [`mismatch doc ${UNAVAILABLE} "b"`, 'differs'], without: ['unknown 1'] },
  { says: 'long before, when the slots are gone', source: [[100, 'a'], [60_200, GONE]], target: [[150, 'a'], [60_250, 'b']], tells: [`mismatch doc ${UNAVAILABLE} "b"`, 'differs'], without: ['unknown 1'] },
  { says: 'neither side has it, and they differ since', source: [[100, 'a'], [200, GONE]], target: [[150, 'b'], [250, GONE]], tells: ['mismatch doc "a" "b"', `mismatch doc ${UNAVAILABLE} ${UNAVAILABLE}`, 'differs'], without: ['mismatch doc "a" "b"', 'unknown 1'] },
  { says: 'nothing was known of it', source: [[200, GONE]], target: [[250, 'b']], tells: ['unknown 1'], without: ['unknown 1'] },
  { says: 'the row it was known of is gone', source: [[100, 'a'], [200, null], [300, GONE]], target: [[150, 'a'], [250, null], [350, 'b']], tells: ['unknown 1'], without: ['unknown 1'] },
  // By position the value is a, though c was committed before.
  { says: 'times that go back', source: [[100, 'a'], [1300, GONE], [1000, 'c']], target: [[150, 'a'], [1350, 'a'], [1400, 'c']], tells: [], without: ['unknown 1'] },
  { says: 'masked', columns: { mask: ['doc'] }, source: [[100, 'secret'], [200, GONE]], target: [[150, 'secret'], [250, 'secret']], tells: [], without: ['unknown 1'] },
];

for (const c of CASES) {
  test(`carried: ${c.says}`, async () => {
    assert.deepEqual((await run(c, true)).told, c.tells);
    assert.deepEqual((await run(c, false)).told, c.without, 'without carry');
    assert.equal((await run(c, true, { store: packagesHere()[0], shards: 3 })).text, (await run(c, true)).text, 'in another store, in shards');
  });
}
