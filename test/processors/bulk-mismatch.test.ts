// A hot key above the work bound of match mode `alignment`: what is told of it is a guess, and says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManifestRecord, OutputRecord, VerdictRecord } from '../../schemas/records.ts';
import { check } from '../support/check.ts';

const START_MS = 1_700_000_000_000;

interface Row { readonly id: number; readonly v: string }
const line = (ms: number, lsn: number, row: Row): string =>
  JSON.stringify({ before: null, after: row, op: 'u', source: { connector: 'postgresql', db: 'shop', schema: 'shop', table: 'orders', ts_ms: START_MS + ms, lsn }, ts_ms: START_MS + ms });

/** `count` changes of row 1 within two seconds, of which the target lost some and wrote others on its own; and one lost change of row 2. */
async function hot(count: number): Promise<readonly OutputRecord[]> {
  const source = Array.from({ length: count }, (_, k) => ({ ms: Math.floor((k * 2000) / count), row: { id: 1, v: `v${k % 50}` } }));
  const target = source.flatMap((change, k) => (k % 97 === 5 ? [] : k % 101 === 7 ? [change, { ms: change.ms, row: { id: 1, v: 'nobody' } }] : [change]));
  const lines = (changes: typeof source, ms: number): string[] => changes.map((change, k) => line(change.ms + ms, 100 + k, change.row));
  const pair = { key: ['id'], match: { by: 'alignment' }, window: { size: '10s', lateness: '0ms', lag: '5s', skew: '100ms' } };
  const { records } = await check({ pair }, [...lines(source, 0), line(2500, 90_000, { id: 2, v: 'a' })], lines(target, 10), { complete: true });
  return records;
}

const found = (records: readonly OutputRecord[]): ManifestRecord[] => records.filter(record => record.record === 'manifest');

test('above the work bound every finding of the key is a bulk mismatch, and no other', async () => {
  const ofKey = Map.groupBy(found(await hot(1100)), record => record.key['id']);
  const rough = ofKey.get('1') ?? [];
  assert.ok(rough.length > 15, `${String(rough.length)} findings`);
  for (const record of rough) {
    assert.equal(record.hint, 'bulk-mismatch');
    assert.match(record.detail ?? '', /1100 source and 1099 target changes .* more than 1048576 comparisons/);
    assert.equal(record.remedy, 'investigate', 'a guess asks for no write');
  }
  assert.deepEqual(ofKey.get('2')?.map(({ class: kind, hint, remedy }) => [kind, hint, remedy]), [['missing', undefined, 'reapply']]);
});

test('the same below it has no such hint', async () => {
  const records = found(await hot(900));
  assert.ok(records.length > 15);
  assert.deepEqual(records.filter(record => record.hint !== undefined || record.detail !== undefined), []);
});

test('a bulk mismatch keeps the counts: every change is in one of them', async () => {
  const verdict = (await hot(1100)).find((record): record is VerdictRecord => record.record === 'verdict') as VerdictRecord;
  const n = Object.fromEntries(Object.entries(verdict.counts).map(([name, count]) => [name, Number(count)]));
  const [sources, targets] = [1101, 1099];
  assert.deepEqual([n['sourceEvents'], n['targetEvents']], [sources, targets]);
  const wrong = n['sourceEvents'] - n['matched'] - n['missing'] - n['elided'];
  assert.equal(n['matched'] + wrong + n['duplicate'] + n['unexpected'] + n['lateApplied'], targets);
  assert.notEqual(verdict.digests.source, verdict.digests.target);
});
