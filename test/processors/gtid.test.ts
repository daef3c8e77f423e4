// The engine's own origin: a MySQL target that replicates by GTID logs the source's GTID with each of its row events, deletes included. A
// transaction's rows share it: key, origin, order (semantics.md §4, §5).
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../support/check.ts';

type Row = readonly [op: 'c' | 'u' | 'd', id: number, value: string | null, gtid: number];

const START_MS = 1_700_000_000_000;
const SOURCE: readonly Row[] = [['c', 1, 'a', 1], ['c', 2, 'x', 1], ['u', 1, 'b', 2], ['d', 2, null, 3], ['u', 1, 'c', 4], ['u', 1, 'd', 4], ['d', 1, null, 5]];

/** One binlog; `lagMs` after the source. No before images: what was removed tells nothing. */
function lines(topic: string, rows: readonly Row[], lagMs: number): string[] {
  return rows.map(([op, id, value, gtid], i) => JSON.stringify({
    topic, partition: 0, offset: i, timestamp: START_MS, key: JSON.stringify({ id }),
    value: JSON.stringify({
      before: op === 'd' ? { id, v: null } : null, after: op === 'd' ? null : { id, v: value }, op,
      source: { version: '3.6.1.Final', connector: 'mysql', name: topic, ts_ms: START_MS + gtid * 100 + lagMs, snapshot: 'false', db: 'shop', table: 'items', server_id: 1, gtid: `3e11fa47-71ca-11e1-9e33-c80aa9429562:${String(gtid)}`, file: 'bin.000001', pos: 100 + i * 40, row: 0 },
    }),
  }));
}

async function told(target: readonly Row[], lagMs = 50): Promise<string[]> {
  const pair = {
    source: { topic: 's', format: 'debezium-json' }, target: { topic: 't', format: 'debezium-json' }, key: ['id'],
    match: { by: 'origin', source: 'source.gtid', target: 'source.gtid' }, window: { size: '1s', lateness: '1s', lag: '2s', skew: '0s' },
  };
  const { records } = await check({ pair }, lines('s', SOURCE, 0), lines('t', target, lagMs), { complete: true });
  return records.filter(record => record.record === 'manifest').map(m => `${m.class} ${m.key['id'] ?? ''} ${m.source?.offset ?? '-'} ${m.target?.offset ?? '-'} ${m.attribution}`);
}

void test('each once: nothing is told, rows of one transaction included', async () => deepEqual(await told(SOURCE), []));

void test('a lost delete is missing, exactly', async () => deepEqual(await told(SOURCE.filter((_, i) => i !== 3)), ['missing 2 3 - origin']));

void test('the second of two updates in one transaction is lost', async () => deepEqual(await told(SOURCE.filter((_, i) => i !== 5)), ['missing 1 5 - origin']));

void test('an out-of-band delete has a GTID of its own', async () => {
  const found = await told([...SOURCE.slice(0, 4), ['d', 1, null, 900], ...SOURCE.slice(4)]);
  equal(found.length, 1);
  deepEqual(found, ['unexpected 1 - 4 origin']);
});

void test('late by more than the lag: missing first, then late, deletes included', async () => {
  const found = await told(SOURCE, 6000);
  deepEqual(found.filter(line => line.startsWith('missing')).length, SOURCE.length);
  deepEqual(found.filter(line => line.startsWith('late_applied')).length, SOURCE.length);
});
