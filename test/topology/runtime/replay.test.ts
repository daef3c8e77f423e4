// Replay of recorded decisions over the logs: what is late by a decision in whose windows nothing lay, and decisions that the logs no longer fit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionRecord, OutputRecord } from '../../../schemas/records.ts';
import { checkAndReplay, judged, type Captures } from '../../support/replay.ts';

const PAIR = {
  name: 'orders', source: { topic: 's' }, target: { topic: 't' }, key: ['id'], match: { by: 'version', columns: ['v'] },
  window: { size: '1s', lateness: '1s', lag: '5s', skew: '1s' },
};

function line(topic: string, offset: number, second: number, id: number, partition = 0): string {
  const lsn = 1000 + second;
  const source = { version: '3.6.1.Final', connector: 'postgresql', name: topic, ts_ms: second * 1000, db: 'shop', sequence: `["${lsn}","${lsn}"]`, schema: 'public', table: 'orders', txId: second, lsn };
  return JSON.stringify({ topic, partition, offset, timestamp: second * 1000, key: `{"id":${id}}`, value: JSON.stringify({ before: null, after: { id, v: second }, source, op: 'c', ts_ms: second * 1000 }) });
}

/** One change of every second of the list, on both sides; the offsets begin at `first`. */
function captures(seconds: readonly number[], first = 0): Captures {
  const of = (topic: string): string[] => seconds.map((second, i) => line(topic, first + i, second, second));
  return { source: of('s'), target: of('t') };
}

void test('a record is late for a window in which nothing lay, in the replay as in the check', async () => {
  // At the record of second 200 every window up to 192 closes, those of 101 to 192 empty. The one of second 150 comes too late.
  const { recorded, recomputed } = await checkAndReplay(PAIR, captures([100, 200, 150, 300]), false);
  assert.deepEqual(recorded.filter(r => r.record === 'dead-letter').map(r => [r.reason, r.offset]), [['late', '2'], ['late', '2']]);
  assert.deepEqual(judged(recomputed), judged(recorded));
});

void test('what was declared complete is judged again as it was, though the replay is told nothing of it', async () => {
  const { recorded, recomputed } = await checkAndReplay(PAIR, captures([100, 101, 120], 7), true);
  assert.deepEqual([...new Set(recorded.filter(r => r.record === 'decision').map(r => r.overrides.join()))], ['beginning', 'complete']);
  assert.deepEqual(recorded.filter(r => r.record === 'verdict').map(r => r.change), ['parity', 'parity', 'parity']);
  assert.deepEqual(judged(recomputed), judged(recorded));
});

void test('a start in mid-stream has its warm-up again', async () => {
  const { recorded, recomputed } = await checkAndReplay(PAIR, captures([100, 101, 120, 140, 160], 7), false);
  assert.deepEqual(recorded.filter(r => r.record === 'verdict').map(r => r.change), ['undecidable', 'undecidable', 'parity', 'parity']);
  assert.deepEqual(judged(recomputed), judged(recorded));
});

void test('lines that are no records, at the end of what was declared complete, are read again', async () => {
  const { source, target } = captures([100, 101]);
  const { recorded, recomputed } = await checkAndReplay(PAIR, { source: [...source, 'no record', '{"no":"record"}'], target }, true);
  assert.equal(recorded.filter(r => r.record === 'dead-letter').length, 2);
  assert.deepEqual(judged(recomputed), judged(recorded));
});

void test('a log that has grown since is read to the last decision and no further', async () => {
  const { recorded, recomputed } = await checkAndReplay(PAIR, captures([100, 120]), true, { replayed: captures([100, 120, 121, 200]) });
  assert.deepEqual(judged(recomputed), judged(recorded));
});

const without = (lines: readonly string[], ...offsets: number[]): string[] => lines.filter((_, i) => !offsets.includes(i));
const whole = captures([100, 110, 120, 130]);
const first = (change: (decision: DecisionRecord) => DecisionRecord) => (records: OutputRecord[]): OutputRecord[] => {
  const at = records.findIndex(r => r.record === 'decision');
  return records.map((r, i) => (i === at ? change(r as DecisionRecord) : r));
};

const MISFITS: readonly [what: string, options: { replayed?: Captures; change?: (records: OutputRecord[]) => OutputRecord[] }, message: RegExp][] = [
  ['the end is gone', { replayed: { source: whole.source, target: without(whole.target, 3) } },
    /recorded\.jsonl:\d: the decision [0-9a-f]{16} of pair "orders" does not fit the logs: it rests on target t-0 from offset \d up to 4, and the log ends at 3; give the whole/],
  ['the beginning is gone', { replayed: { source: without(whole.source, 0), target: whole.target } }, /recorded\.jsonl:1: .*rests on source s-0 from offset 0 up to 1, and the log begins at 1; retention has eaten what was before/],
  ['one in the middle is gone', { replayed: { source: without(whole.source, 2), target: whole.target } }, /there is no record at 2 any more, the next is 3; compaction has eaten it/],
  ['a partition that was not there', { replayed: { source: [...whole.source, line('s', 0, 100, 9, 1)], target: whole.target } }, /it says nothing of source s-1, which the logs have; give the captures that were checked, and no others/],
  ['a partition that is not there', { change: first(d => ({ ...d, frontiers: d.frontiers.map(f => ({ ...f, partition: 7 })) })) }, /recorded\.jsonl:1: .*source s-7 is no partition of the logs/],
  ['an earlier beginning', { replayed: whole, change: first(d => ({ ...d, frontiers: d.frontiers.map(f => ({ ...f, fromOffset: '1' })) })) }, /from offset 1 up to 1, and the log begins at 0; what lies before was not checked/],
];

for (const [what, options, message] of MISFITS) {
  void test(`a decision that does not fit the logs: ${what}`, async () => {
    await assert.rejects(checkAndReplay(PAIR, whole, true, options), message);
  });
}
