// The judge of the cases judged: each thing that an expectation can state is missed when it is not so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counts, manifest, verdict, windowAt } from '../support/sample-records.ts';
import type { DeadLetterRecord, OutputRecord, SummaryRecord } from '../../schemas/records.ts';
import { problemsWith, type Expected } from './expectation.ts';

const letter: DeadLetterRecord = { record: 'dead-letter', pair: 'orders', side: 'source', reason: 'no-key', detail: 'x' };
const summary: SummaryRecord = { record: 'summary', pair: 'orders', windows: { parity: '1', diverged: '1', undecidable: '0', open: '2' }, counts: counts({ matched: '3' }), exitCode: 1 };
const amount = manifest(1, { key: { id: '42' }, columns: [{ name: 'amount', source: '10.50', target: null, hint: 'null-default' }] });
const RECORDS: readonly OutputRecord[] = [
  verdict(0, { change: 'parity' }), verdict(1, { change: 'diverged', state: 'diverged' }),
  amount, manifest(1, { class: 'missing', key: { id: '43' } }), manifest(1, { class: 'late_applied', key: { id: '44' } }), letter, summary,
];
const RIGHT: Expected = {
  id: 'B0', title: '', note: '', reference: '', complete: true, exitCode: 1, others: false, deadLetters: ['no-key'], noVerdict: [windowAt(5).start],
  verdicts: [{ window: 'any', change: 'parity' }, { window: windowAt(1).start, pair: 'orders', change: 'diverged', state: 'diverged' }],
  manifests: [{ class: ['missing', 'mismatch'] }, { class: 'mismatch', key: { id: '42' }, columns: ['amount'], sourceValue: '10.5', targetValue: null, hint: 'null-default' }],
  notManifests: [{ class: 'any', key: { id: '44' } }, { class: 'duplicate' }], counts: { matched: '>=3', missing: '0' }, windows: { open: '2' },
};

test('all as it should be', () => assert.deepEqual(problemsWith(RIGHT, RECORDS, 1), []));

const [, mismatch] = RIGHT.manifests;
const WRONG: Readonly<Record<string, Partial<Expected>>> = {
  'exit code': { exitCode: 0 },
  'change of any window': { verdicts: [{ window: 'any', change: 'undecidable' }] },
  'state of a window': { verdicts: [{ window: windowAt(0).start, state: 'diverged' }] },
  'pair of a verdict': { verdicts: [{ window: 'any', pair: 'other' }] },
  'a window without a verdict': { verdicts: [{ window: windowAt(5).start }] },
  'a verdict of an open window': { noVerdict: [windowAt(1).start] },
  'a class': { manifests: [{ class: 'gap' }] },
  'a key': { manifests: [{ class: 'mismatch', key: { id: '43' } }] },
  'columns beyond': { manifests: [{ class: 'mismatch', columns: ['amount', 'note'] }] },
  'the source value': { manifests: [{ ...mismatch, sourceValue: '10.51' }] },
  'the target value': { manifests: [{ ...mismatch, targetValue: '0' }] },
  'a hint': { manifests: [{ ...mismatch, hint: 'timezone' }] },
  'one record for two': { manifests: [mismatch, mismatch] },
  'a discrepancy beyond': { manifests: [mismatch] },
  'what must not be': { notManifests: [{ class: 'any', key: { id: '43' } }] },
  'dead letters missing': { deadLetters: [] },
  'dead letters beyond': { deadLetters: ['no-key', 'no-key'] },
  'a count': { counts: { matched: '2' } },
  'a least count': { counts: { matched: '>=4' } },
  'windows': { windows: { open: '>=3' } },
};
for (const [what, wrong] of Object.entries(WRONG)) {
  test(`seen: ${what}`, () => assert.equal(problemsWith({ ...RIGHT, ...wrong }, RECORDS, 1).length > 0, true));
}
