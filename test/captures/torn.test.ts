// A real capture in which every transaction was applied whole, and the same with some applications taken out of the target's log, as a sink
// does that gives up half-way. The injected faults of the other captures are all in transactions of one change: lost whole, never torn.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { TornTransaction } from '../../schemas/records.ts';
import { captureFile, checkCapture } from '../support/captures.ts';
import type { Checked } from '../support/check.ts';

interface Envelope { readonly after: { readonly id: number; readonly origin_lsn?: number } | null; readonly source: { readonly lsn: number }; readonly transaction: { readonly id: string } | null }

const linesOf = (topic: string): string[] => gunzipSync(readFileSync(captureFile('main', topic))).toString('utf8').trimEnd().split('\n');
const envelopeOf = (line: string): Envelope | undefined => {
  const { value } = JSON.parse(line) as { value: string | null };
  return value === null ? undefined : JSON.parse(value) as Envelope;
};

/** Places in the log and rows of what transaction `txid` has left behind in the source's table. */
const changesOf = (txid: string): { lsn: number; id: string }[] => linesOf('src.public.orders').map(envelopeOf).flatMap(envelope => (
  envelope?.transaction?.id.startsWith(`${txid}:`) === true && envelope.after !== null ? [{ lsn: envelope.source.lsn, id: String(envelope.after.id) }] : []));

async function without(lsns: readonly number[]): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-torn-'));
  try {
    const kept = linesOf('tgt.public.orders').filter(line => !lsns.includes(envelopeOf(line)?.after?.origin_lsn ?? NaN));
    writeFileSync(join(folder, 'target.jsonl'), kept.join('\n'));
    return await checkCapture('main', 'orders', 'tgt', pair => ({ ...pair, target: { ...pair['target'] as object, topic: 'tgt.public.orders', file: join(folder, 'target.jsonl') } }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tornOf = ({ records }: Checked): TornTransaction[] => records.flatMap(record => (record.record === 'verdict' ? record.torn ?? [] : []));
const missingOf = ({ records }: Checked): number => records.filter(record => record.record === 'manifest' && record.class === 'missing').length;

void test('main, orders: a transaction of five changes, of which two were not applied', async () => {
  const changes = changesOf('1029');
  assert.equal(changes.length, 5);
  assert.deepEqual(tornOf(await without([])), []);
  const result = await without(changes.slice(2, 4).map(({ lsn }) => lsn));
  assert.deepEqual(tornOf(result), [{ transaction: '1029', applied: '3', missing: '2', keys: changes.slice(2, 4).map(({ id }) => ({ id })) }]);
  assert.equal(missingOf(result), 2);
});

void test('main, orders: a transaction of which nothing was applied is lost, not torn', async () => {
  const result = await without(changesOf('1029').map(({ lsn }) => lsn));
  assert.deepEqual([tornOf(result), missingOf(result)], [[], 5]);
});
