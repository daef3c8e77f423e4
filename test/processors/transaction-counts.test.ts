// ENDs against the rows that were read: every way in which fewer are there than counted, and only what is a hole is told.
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { countOfTable, groupLength } from '../../schemas/transaction-end.ts';
import { applied, checkTransactions, gapsOf, verdictsOf, type End, type Row, type SideLog } from '../support/transactions.ts';

const row = (tx: number, atMs: number, id: number, more: Partial<Row> = {}): Row => ({ tx, atMs, id, lsn: tx * 1000 + id, ...more });
const end = (tx: number, atMs: number, count: number): End => ({ tx, atMs, counts: { 'public.orders': count } });
/** Three transactions of three changes each, two seconds apart. */
const ROWS = [1, 2, 3].flatMap(tx => [1, 2, 3].map(id => row(tx, tx * 2000, tx * 10 + id)));
const ENDS = [1, 2, 3].map(tx => end(tx, tx * 2000, 3));
/** One a second, by which windows close one by one. */
const LATER = Array.from({ length: 12 }, (_, i) => row(50 + i, 7000 + i * 1000, 50 + i));
const numbered = (rows: readonly Row[]): Row[] => rows.map((r, i) => ({ ...r, order: 1 + rows.slice(0, i).filter(({ tx }) => tx === r.tx).length }));
/** Statements of transaction 5 in four windows. */
const SPREAD = numbered([row(5, 3000, 1), row(5, 4500, 2), row(5, 6100, 3), row(5, 7200, 4), ...LATER]);
const lost = (rows: readonly Row[], ...ids: number[]): Row[] => rows.filter(({ id }) => !ids.includes(id));
const without = (...ids: number[]): Row[] => ROWS.filter(({ id }) => !ids.includes(id));

async function told(source: SideLog, target: SideLog = { rows: applied(source.rows.filter(({ garbage }) => garbage !== true)) }, options = {}): Promise<string[]> {
  const { records } = await checkTransactions(source, target, options);
  return gapsOf(records).map(({ detail, hint }) => `${hint}: ${detail?.replace(/^.*transaction (\d+):\d+ has (\d+) .* and (\d+) were read$/, '$1 $3 of $2')
    .replace(/^.*transaction (\d+) has a change of the table that is number (\d+), and up to it (\d+) were read$/, '$1 $3 of the first $2')}`);
}

const CASES: readonly { readonly name: string; readonly source: SideLog; readonly options?: object; readonly expected: readonly string[] }[] = [
  { name: 'all are there', source: { rows: ROWS, ends: ENDS }, expected: [] },
  { name: 'one is lost', source: { rows: without(22), ends: ENDS }, expected: ['evidence-gap: 2 2 of 3'] },
  { name: 'a whole transaction is lost', source: { rows: without(21, 22, 23), ends: ENDS }, expected: ['evidence-gap: 2 0 of 3'] },
  { name: 'of two transactions some are lost', source: { rows: without(11, 31, 32), ends: ENDS }, expected: ['evidence-gap: 1 2 of 3', 'evidence-gap: 3 1 of 3'] },
  { name: 'a connector sends rows and ENDs again', source: { rows: [...ROWS, ...ROWS.slice(3)], ends: [...ENDS, ...ENDS] }, expected: [] },
  { name: 'what is sent again does not make up for what is lost', source: { rows: [...without(22), ROWS[3]], ends: [...ENDS, ...ENDS] }, expected: ['evidence-gap: 2 2 of 3'] },
  { name: 'more are there than counted', source: { rows: [...ROWS, row(3, 6000, 39)], ends: ENDS }, expected: [] },
  { name: 'an END counts another table alone', source: { rows: without(21, 22, 23), ends: ENDS.with(1, { tx: 2, atMs: 4000, counts: { 'public.customers': 3, 'archive.orders': 2 } }) }, expected: [] },
  { name: 'a transaction of two tables', source: { rows: without(22), ends: ENDS.with(1, { tx: 2, atMs: 4000, counts: { 'public.customers': 9, 'public.orders': 3 } }) }, expected: ['evidence-gap: 2 2 of 3'] },
  { name: 'rows of an earlier window than their END', source: { rows: [row(5, 3000, 1), row(5, 4500, 2), row(5, 6100, 3), ...LATER], ends: [end(5, 6200, 3)] }, options: { window: { lateness: '5s' } }, expected: [] },
  { name: 'the same, one lost', source: { rows: [row(5, 3000, 1), row(5, 6100, 3), ...LATER], ends: [end(5, 6200, 3)] }, options: { window: { lateness: '5s', lag: '4s' } }, expected: ['evidence-gap: 5 2 of 3'] },
  { name: 'rows after their END, as after a clock that was set back', source: { rows: [row(5, 3000, 1), row(5, 4500, 2), row(6, 7000, 4)], ends: [end(5, 3000, 2), end(6, 7000, 1)] }, expected: [] },
  { name: 'a row that came late was read', source: { rows: [row(5, 3000, 1), row(6, 9000, 4), row(5, 3100, 2), row(7, 9100, 5)], ends: [end(6, 9000, 1), end(5, 9000, 2), end(7, 9100, 1)] }, expected: [] },
  { name: 'a dead letter may have been the lost one', source: { rows: ROWS.map(r => (r.id === 22 ? { ...r, garbage: true } : r)), ends: ENDS }, expected: [] },
  { name: 'a dead letter far from it was not', source: { rows: [row(0, 500, 1, { garbage: true }), row(0, 500, 2), ...without(32)], ends: ENDS }, expected: ['evidence-gap: 3 2 of 3'] },
  { name: 'a start in mid-stream', source: { rows: without(11, 12), ends: ENDS, firstOffset: 7 }, options: { complete: false }, expected: [] },
  { name: 'a transaction that straddles it', source: { rows: [row(5, 3000, 2), ...LATER], ends: [end(5, 8500, 2)], firstOffset: 7 }, options: { complete: false, window: { lateness: '3s' } }, expected: [] },
  { name: 'one that begins after it', source: { rows: [row(4, 3000, 1), row(5, 8200, 2), ...LATER], ends: [end(5, 8500, 2)], firstOffset: 7 }, options: { complete: false, window: { lateness: '3s' } }, expected: ['evidence-gap: 5 1 of 2'] },
  { name: 'a log of ENDs that is older than that of the rows', source: { rows: ROWS, ends: [end(0, 0, 5), ...ENDS] }, expected: [] },
  { name: 'a log of ENDs that goes on where that of the rows ends', source: { rows: ROWS, ends: [...ENDS, end(4, 6500, 5)] }, expected: [] },
  { name: 'a topic of another name', source: { rows: without(22), ends: ENDS, topic: 'routed' }, expected: [] },
  { name: 'no ENDs', source: { rows: without(22) }, expected: [] },
  { name: 'numbers, all there', source: { rows: numbered(ROWS), ends: ENDS }, expected: [] },
  { name: 'numbers and an END: one report', source: { rows: lost(numbered(ROWS), 22), ends: ENDS }, expected: ['evidence-gap: 2 2 of the first 3'] },
  { name: 'numbers without an END', source: { rows: lost(numbered(ROWS), 22), ends: [] }, expected: ['evidence-gap: 2 2 of the first 3'] },
  { name: 'the first is lost', source: { rows: lost(numbered(ROWS), 21), ends: [] }, expected: ['evidence-gap: 2 2 of the first 3'] },
  { name: 'the last is lost: no number says so', source: { rows: lost(numbered(ROWS), 23), ends: [] }, expected: [] },
  { name: 'the last is lost: the END says so', source: { rows: lost(numbered(ROWS), 23), ends: ENDS }, expected: ['evidence-gap: 2 2 of 3'] },
  { name: 'one before and one behind: one report', source: { rows: lost(numbered(ROWS), 21, 23), ends: ENDS }, expected: ['evidence-gap: 2 1 of the first 2'] },
  { name: 'holes of two transactions', source: { rows: lost(numbered(ROWS), 12, 31, 32), ends: [] }, expected: ['evidence-gap: 1 2 of the first 3', 'evidence-gap: 3 1 of the first 3'] },
  { name: 'numbers of a topic of another name', source: { rows: lost(numbered(ROWS), 22), ends: ENDS, topic: 'routed' }, expected: ['evidence-gap: 2 2 of the first 3'] },
  { name: 'numbers of a side without a transaction topic, which may be filtered', source: { rows: lost(numbered(ROWS), 22) }, expected: [] },
  { name: 'numbers sent again', source: { rows: [...numbered(ROWS), ...numbered(ROWS).slice(3)], ends: [] }, expected: [] },
  { name: 'a number that nobody could read', source: { rows: numbered(ROWS).map(r => (r.id === 22 ? { ...r, garbage: true } : r)), ends: [] }, expected: [] },
  { name: 'numbers in several windows', source: { rows: SPREAD, ends: [end(5, 7200, 4)] }, options: { window: { lateness: '5s' } }, expected: [] },
  { name: 'the same, one lost: told once, by the window of the next', source: { rows: lost(SPREAD, 2), ends: [end(5, 7200, 4)] }, options: { window: { lateness: '5s' } }, expected: ['evidence-gap: 5 2 of the first 3'] },
  { name: 'numbers against their times, as after a clock that was set back', source: { rows: [{ ...row(5, 4500, 1), order: 1 }, { ...row(5, 3000, 2), order: 2 }, row(6, 7000, 4)], ends: [] }, options: { window: { lateness: '5s' } }, expected: [] },
  { name: 'numbers that begin before a start in mid-stream', source: { rows: lost(SPREAD, 1, 2), ends: [], firstOffset: 7 }, options: { complete: false, window: { lateness: '3s' } }, expected: [] },
  { name: 'numbers of two tables in one topic say less, and nothing wrong', source: { rows: [...numbered(ROWS), ...numbered(ROWS.map(r => ({ ...r, id: r.id + 100, lsn: r.lsn + 100 })))], ends: [] }, expected: [] },
];

for (const { name, source, options, expected } of CASES) test(`END counts: ${name}`, async () => { deepEqual(await told(source, undefined, options), expected); });

test('a lost stretch makes its window undecidable, leaves the state as the rows are, and no other window is touched', async () => {
  const { records, exitCode } = await checkTransactions({ rows: without(22), ends: ENDS }, { rows: applied(without(22)) });
  deepEqual(verdictsOf(records).map(({ change, state, counts }) => [change, state, counts.gap]), [['parity', 'parity', '0'], ['undecidable', 'parity', '1'], ['parity', 'parity', '0']]);
  deepEqual(verdictsOf(records).map(({ digests }) => digests.source === digests.target), [true, false, true]);
  equal(exitCode, 3);
});

test('on the target the hole is in what we see of it: a missing change beside it is told too', async () => {
  const rows = applied(ROWS, 50);
  const ends = rows.map(({ tx, atMs }) => end(tx, atMs, 1));
  const { records } = await checkTransactions({ rows: ROWS }, { rows: rows.filter(({ id }) => id !== 22), ends });
  deepEqual(records.filter(r => r.record === 'manifest').map(r => [r.class, r.key, r.target?.transaction, r.target?.topic]), [['missing', { id: '22' }, undefined, undefined], ['gap', {}, '54:5499', 'target.transaction']]);
  deepEqual(verdictsOf(records).map(({ change }) => change), ['parity', 'diverged', 'parity']);
});

test('the number of shards and partitions changes nothing', async () => {
  const spread = ROWS.map((r, i) => ({ ...r, partition: i % 2 })).filter(({ id }) => id !== 22);
  const one = await checkTransactions({ rows: spread, ends: ENDS }, { rows: applied(spread) });
  const three = await checkTransactions({ rows: spread, ends: ENDS }, { rows: applied(spread) }, { shards: 3 });
  deepEqual(three.records, one.records);
  equal(gapsOf(one.records).length, 1);
  const holed = lost(numbered(ROWS.map((r, i) => ({ ...r, partition: i % 2 }))), 11, 22, 32);
  const [alone, five] = [await checkTransactions({ rows: holed, ends: ENDS }, { rows: applied(holed) }), await checkTransactions({ rows: holed, ends: ENDS }, { rows: applied(holed) }, { shards: 5 })];
  deepEqual(five.records, alone.records);
  equal(gapsOf(alone.records).length, 3);
});

test('a transaction is known by its txid, or by its whole GTID', () => {
  const group = (id: string): string => id.slice(0, groupLength(Buffer.from(id), 0, id.length));
  deepEqual(['949:62065552', '0-77-328', '7c1de3f2-8a0e-11ee-9c3b-0242ac120002:91', '12', '12:', ':3', ''].map(group), ['949', '0-77-328', '7c1de3f2-8a0e-11ee-9c3b-0242ac120002:91', '12', '12:', ':3', '']);
});

test('the count of a table is found by the name of its topic', () => {
  const counted = (...names: string[]): Parameters<typeof countOfTable>[0] => ({ id: '', commitTimeUs: 0, eventCount: 0, collections: names.map((name, i) => ({ name, eventCount: i })) });
  equal(countOfTable(counted('public.orders'), 'src.public.orders')?.eventCount, 0);
  equal(countOfTable(counted('x.y', 'shop.orders'), 'shop.orders')?.eventCount, 1);
  equal(countOfTable(counted('public.order items'), 'a.b.public.order_items')?.eventCount, 0);
  equal(countOfTable(counted('public.orders', 'shop.dbo.orders'), 'srv.shop.dbo.orders')?.name, 'shop.dbo.orders');
  equal(countOfTable(counted('public.orders'), 'src.notpublic.orders'), undefined);
});
