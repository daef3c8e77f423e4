// Match mode `version` where several changes of a key have one version: they pair in order, and the record says so (semantics.md §4).
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../support/check.ts';

const START_MS = 1_700_000_000_000;

function lines(topic: string, rows: readonly (readonly [value: string, ver: number])[], lagMs: number): string[] {
  return rows.map(([v, ver], i) => JSON.stringify({
    topic, partition: 0, offset: i, timestamp: START_MS, key: '{"id":1}',
    value: JSON.stringify({ before: null, after: { id: 1, v, ver, part: 'p' }, op: i === 0 ? 'c' : 'u', source: { version: '3.6.1.Final', connector: 'postgresql', name: topic, ts_ms: START_MS + i * 10 + lagMs, snapshot: 'false', db: 'd', sequence: `["${String(i)}","${String(100 + i)}"]`, schema: 'p', table: 't', lsn: 100 + i } }),
  }));
}

async function told(target: readonly (readonly [string, number])[]): Promise<string[]> {
  const pair = { source: { topic: 's', format: 'debezium-json' }, target: { topic: 't', format: 'debezium-json' }, key: ['id'], match: { by: 'version', columns: ['part', 'ver'] }, window: { size: '1s', lateness: '1s', lag: '2s', skew: '0s' } };
  const { records } = await check({ pair }, lines('s', [['a', 6], ['b', 7], ['c', 7], ['d', 8]], 0), lines('t', target, 50), { complete: true });
  return records.filter(record => record.record === 'manifest').map(m => `${m.class} ${m.source?.offset ?? '-'} ${m.target?.offset ?? '-'} ${m.attribution}`);
}

void test('several columns; two changes of one version pair in order', async () => deepEqual(await told([['a', 6], ['b', 7], ['c', 7], ['d', 8]]), []));

void test('a unique version is exact, a shared one is aligned', async () => deepEqual(await told([['x', 6], ['b', 7], ['y', 7], ['d', 8]]), ['mismatch 0 0 version', 'mismatch 2 2 aligned']));
