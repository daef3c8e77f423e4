// Transactions of which the target has a part: from the rows of two logs to what the verdict says, and what is no tearing.
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { printTorn, type TransactionPart } from '../../processors/torn.ts';
import { tornKeysMax, tornTransactionsMax } from '../../schemas/limits.ts';
import { applied, checkTransactions, verdictsOf, type CheckedTransactions, type Row } from '../support/transactions.ts';

const row = (tx: number, atMs: number, id: number): Row => ({ tx, atMs, id, lsn: tx * 1000 + id });
/** Three transactions of three changes each, two seconds apart. */
const ROWS = [1, 2, 3].flatMap(tx => [1, 2, 3].map(id => row(tx, tx * 2000, tx * 10 + id)));
/** Rows of the target but for those, whose changes are lost. */
const but = (rows: readonly Row[], ...ids: number[]): Row[] => applied(rows).filter(({ id }) => !ids.includes(id));

/** `second of the window: transaction applied+missing [rows]` of every verdict that has one. */
async function told(source: readonly Row[], target: readonly Row[], options: CheckedTransactions = {}): Promise<string[]> {
  const { records } = await checkTransactions({ rows: source }, { rows: target }, options);
  return verdictsOf(records).flatMap(({ window, torn = [] }) => torn.map(({ transaction, applied: there, missing, keys }) => (
    `${(Date.parse(window.start) - 1_700_000_000_000) / 1000}: ${transaction} ${there}+${missing} [${keys.map(({ id }) => id).join()}]`)));
}

/** Statements of transaction 5 a second and more apart, as MySQL and MariaDB time them; others by which windows close one by one. */
const SPREAD = [row(5, 2100, 1), row(5, 2200, 2), row(5, 3500, 3), row(5, 4500, 4), ...Array.from({ length: 12 }, (_, i) => row(50 + i, 5000 + i * 1000, 50 + i))];
const LONG: CheckedTransactions = { window: { lag: '4s' } };

const CASES: readonly { readonly name: string; readonly source?: readonly Row[]; readonly target: readonly Row[]; readonly options?: CheckedTransactions; readonly expected: readonly string[] }[] = [
  { name: 'all is applied', target: applied(ROWS), expected: [] },
  { name: 'one change is lost', target: but(ROWS, 22), expected: ['4: 2 2+1 [22]'] },
  { name: 'all but one are lost', target: but(ROWS, 21, 23), expected: ['4: 2 1+2 [21,23]'] },
  { name: 'a whole transaction is lost', target: but(ROWS, 21, 22, 23), expected: [] },
  { name: 'the end of one and the beginning of the next', target: but(ROWS, 13, 21), expected: ['2: 1 2+1 [13]', '4: 2 2+1 [21]'] },
  { name: 'two in one window', source: [...ROWS, row(4, 4100, 41), row(4, 4100, 42)], target: but([...ROWS, row(4, 4100, 41), row(4, 4100, 42)], 22, 41), expected: ['4: 2 2+1 [22]', '4: 4 1+1 [41]'] },
  { name: 'a row with two changes, both lost', source: [...ROWS, { ...row(2, 4000, 22), lsn: 2999 }], target: but(ROWS, 22), expected: ['4: 2 2+2 [22]'] },
  { name: 'applied with other values is applied', target: applied(ROWS).map(r => (r.id === 22 ? { ...r, value: 'y' } : r)), expected: [] },
  { name: 'applied late', source: [...ROWS, row(9, 9000, 91)], target: [...but(ROWS, 22), { ...applied([row(2, 4000, 22)])[0], atMs: 8000 }, ...applied([row(9, 9000, 91)], 9100)], expected: ['4: 2 2+1 [22]'] },
  { name: 'statements in several windows, the last lost', source: SPREAD, target: but(SPREAD, 4), options: LONG, expected: ['4: 5 3+1 [4]'] },
  { name: 'the first lost', source: SPREAD, target: but(SPREAD, 1, 2), options: LONG, expected: ['3: 5 1+2 [1,2]'] },
  { name: 'told once: by the first window that shows it', source: SPREAD, target: but(SPREAD, 1, 4), options: LONG, expected: ['2: 5 1+1 [1]'] },
  { name: 'the first windows lost whole, the last one applied', source: SPREAD, target: but(SPREAD, 1, 2, 3), options: LONG, expected: ['4: 5 1+3 [1,2,3]'] },
  { name: 'statements further apart than a slot lives', source: SPREAD, target: but(SPREAD, 4), options: { window: { lag: '500ms', skew: '0ms' } }, expected: ['4: 5 1+1 [4]'] },
];

for (const { name, source = ROWS, target, options, expected } of CASES) {
  test(`torn: ${name}`, async () => {
    for (const shards of [1, 2, 5]) deepEqual(await told(source, target, { ...options, shards }), expected, `${shards} shards`);
  });
}

test('what is torn is in the verdict and not in the hash of its core: the change, its findings and the digests tell it already', async () => {
  const of = async (tx: (r: Row) => number): Promise<unknown[]> => {
    const { records } = await checkTransactions({ rows: ROWS.map(r => ({ ...r, tx: tx(r) })) }, { rows: but(ROWS, 22) });
    return verdictsOf(records).map(({ coreHash, change }) => [coreHash, change]);
  };
  deepEqual(await of(r => r.id), await of(r => r.tx));
  deepEqual((await of(r => r.tx)).map(verdict => (verdict as string[])[1]), ['parity', 'diverged', 'parity']);
});

test('rows of a transaction in several shards: one report, as of one shard', async () => {
  const rows = [1, 2].flatMap(tx => Array.from({ length: 40 }, (_, i) => row(tx, tx * 2000, tx * 100 + i)));
  const target = applied(rows).filter(({ id }) => id % 7 !== 0);
  const one = await told(rows, target);
  for (const shards of [2, 5]) deepEqual(await told(rows, target, { shards }), one);
  equal(one.length, 2);
});

test('beyond the bounds rows and transactions are counted', async () => {
  const rows = Array.from({ length: tornKeysMax + 6 }, (_, i) => row(1, 2000, 100 + i));
  const { records } = await checkTransactions({ rows }, { rows: applied(rows).slice(0, 1) });
  const [{ torn = [] }] = verdictsOf(records);
  deepEqual(torn.map(({ applied: there, missing, keys, keysCut }) => [there, missing, keys.length, keys[0], keysCut]), [['1', String(tornKeysMax + 5), tornKeysMax, { id: '101' }, '5']]);
  const many = Array.from({ length: tornTransactionsMax + 3 }, (_, i): TransactionPart => ({ transaction: String(i).padStart(4, '0'), applied: 1, missing: 1, appliedBefore: 0, missingBefore: 0, keys: [] }));
  const printed = printTorn(many.toReversed());
  deepEqual([printed.torn.length, printed.torn[0].transaction, printed.cut], [tornTransactionsMax, '0000', 3]);
});
