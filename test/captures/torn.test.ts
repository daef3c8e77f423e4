// Transactions of a real capture of which a part was lost. All of them were applied whole; some of their records are taken out of the target's
// log, as a sink leaves it that gives up half-way, or out of the source's, as a connector that skips. The injected faults of the other
// captures are all in transactions of one change: lost whole, never torn.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ManifestRecord, TornTransaction, VerdictRecord } from '../../schemas/records.ts';
import { captureFile, checkCapture } from '../support/captures.ts';
import { changesOf, envelopeOf, linesOf } from '../support/capture-lines.ts';
import type { Checked } from '../support/check.ts';

const SOURCE = 'src.public.orders';
const TARGET = 'tgt.public.orders';
/** The five changes of a transaction. */
const CHANGES = changesOf('main', SOURCE, '1029');
const LSNS = CHANGES.map(({ lsn }) => lsn);

/** Without the source's changes at those places, and without the applications of those. `ends`: the source has its transaction topic. */
async function without({ changes = [], applications = [], ends = false }: { changes?: readonly number[]; applications?: readonly number[]; ends?: boolean }): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-torn-'));
  try {
    const source = linesOf('main', SOURCE).filter(line => !changes.includes(envelopeOf(line)?.source.lsn ?? NaN));
    const target = linesOf('main', TARGET).filter(line => !applications.includes(envelopeOf(line)?.after?.origin_lsn ?? NaN));
    writeFileSync(join(folder, 'source.jsonl'), source.join('\n'));
    writeFileSync(join(folder, 'target.jsonl'), target.join('\n'));
    const beside = ends ? { transactionTopic: 'src.transaction', transactionFile: captureFile('main', 'src.transaction') } : {};
    return await checkCapture('main', 'orders', 'tgt', pair => ({
      ...pair, source: { ...pair['source'] as object, topic: SOURCE, file: join(folder, 'source.jsonl'), ...beside },
      target: { ...pair['target'] as object, topic: TARGET, file: join(folder, 'target.jsonl') },
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const verdictsOf = ({ records }: Checked): VerdictRecord[] => records.filter(record => record.record === 'verdict');
const tornOf = (result: Checked): TornTransaction[] => verdictsOf(result).flatMap(({ torn = [] }) => torn);
/** Those that are no row's: a before image of the target's shows each lost change too. */
const holesOf = (result: Checked): ManifestRecord[] => findingsOf(result, 'gap').filter(({ detail }) => detail !== undefined);
const findingsOf = ({ records }: Checked, name: ManifestRecord['class']): ManifestRecord[] => records.filter((record): record is ManifestRecord => record.record === 'manifest' && record.class === name);

void test('main, orders: a transaction of five changes, of which two were not applied', async () => {
  assert.equal(CHANGES.length, 5);
  assert.deepEqual(tornOf(await without({})), []);
  const result = await without({ applications: LSNS.slice(2, 4) });
  assert.deepEqual(tornOf(result), [{ transaction: '1029', applied: '3', missing: '2', keys: CHANGES.slice(2, 4).map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1)) }]);
  assert.equal(findingsOf(result, 'missing').length, 2);
});

void test('main, orders: a transaction of which nothing was applied is lost, not torn', async () => {
  const result = await without({ applications: LSNS });
  assert.deepEqual([tornOf(result), findingsOf(result, 'missing').length], [[], 5]);
});

void test('main, orders: two changes of a transaction that neither log has: the numbers of the others show the hole, and its END is not told again', async () => {
  const result = await without({ changes: LSNS.slice(2, 4), applications: LSNS.slice(2, 4), ends: true });
  assert.deepEqual(holesOf(result).map(({ hint, detail, source }) => [hint, detail, source?.position?.endsWith(`:${LSNS[4]}`)]),
    [['evidence-gap', "the source's transaction 1029 has a change of the table that is number 5, and up to it 3 were read", true]]);
  assert.deepEqual(verdictsOf(result).filter(({ change }) => change !== 'parity').map(({ change }) => change), ['undecidable']);
});

void test('main, orders: the last two of them are behind every number, and the END shows it', async () => {
  const result = await without({ changes: LSNS.slice(3), applications: LSNS.slice(3), ends: true });
  assert.deepEqual(holesOf(result).map(({ detail }) => detail?.replace(/1029:\d+/, '1029')), ["the source's transaction 1029 has 5 changes of public.orders by its END, and 3 were read"]);
  assert.deepEqual(findingsOf(await without({ ends: true }), 'gap'), [], 'nothing is lost');
});
