// Histories of single rows, over the captures of the demonstration: what was matched to what, and a reason for whatever stays alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { stringify } from 'yaml';

import type { PairSettings } from '../../../schemas/pair.ts';
import type { ManifestRecord, SummaryRecord } from '../../../schemas/records.ts';
import type { ExplainRow } from '../../../topology/check-types.ts';
import { explainKey, runCheck } from '../../../topology/cli/check-engine.ts';
import { explainRowKey } from '../../../topology/cli/explain-key.ts';
import { loadConfig } from '../../../topology/config.ts';
import { capturePair } from '../../support/captures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DEMO = fileURLToPath(new URL('../../../deploy/demo/paritas.yaml', import.meta.url));
const { pairs } = loadConfig(DEMO);
const pairOf = (name: string): PairSettings => pairs.find((pair) => pair.name === name) as PairSettings;

const COMPLETE = { complete: true, skipBadLines: true };
const explain = (pair: string, key: string): Promise<ExplainRow[]> => explainRowKey(pairOf(pair), key, COMPLETE, runCheck);

/** `update 8 = 6 unexpected`: operation, offset, offset of the match, findings. */
function shown(rows: readonly ExplainRow[]): string[] {
  return rows.map(({ side, op, offset, match, findings }) => [`${side} ${op} ${offset}`, ...(match === undefined ? [] : [`= ${match.split('@')[1]}`]), ...findings].join(' '));
}

const CASES: readonly (readonly [what: string, pair: string, key: string, rows: readonly string[]])[] = [
  ['an out-of-band update keeps the origin and still has no cause', 'orders', '1007', ['source create 6 = 6', 'target create 6 = 6', 'target update 8 unexpected']],
  ['an out-of-band delete; the next update brings the row back', 'orders', '1011', [
    'source create 8 = 9', 'source update 9 = 12', 'target create 9 = 8', 'target delete 10 unexpected', 'target create 12 = 9',
  ]],
  ['an insert without any source row', 'customers', '{"region":"EU","cust_no":"900001"}', ['target create 9 unexpected']],
  ['a lost update', 'orders', '1014', ['source create 9 = 9', 'source update 11 missing', 'target create 9 = 9']],
  ['a lost delete', 'orders', '1015', ['source create 10 = 10', 'source delete 12 missing', 'target create 10 = 10']],
  ['a lost update, converged', 'orders', '1018', ['source create 17 = 17', 'source update 18 missing', 'source update 19 = 18', 'target create 17 = 17', 'target update 18 = 19']],
  ['a repeat is a fault of the target\'s change only; deletes too', 'orders', '1028', [
    'source create 22 = 18', 'source delete 23 = 19', 'target create 18 = 22', 'target delete 19 = 23', 'target create 22 = 22 duplicate', 'target delete 23 = 23 duplicate',
  ]],
  ['a snapshot row and its load', 'orders', '1', ['source read 0 = 0', 'target create 0 = 0']],
];

for (const [what, pair, key, rows] of CASES) {
  void test(`${pair} ${key}: ${what}`, async () => assert.deepEqual(shown(await explain(pair, key)), rows));
}

void test('every form of a key names the same row', async () => {
  const forms = ['1007', 'id=1007', '{"id":"1007"}', '{"id":1007}'];
  const [first, ...others] = await Promise.all(forms.map((form) => explain('orders', form)));
  for (const other of others) assert.deepEqual(other, first);
  const undeclared = { ...pairOf('orders'), key: undefined };
  assert.deepEqual(await explainRowKey(undeclared, '1007', COMPLETE, runCheck), first);
  assert.deepEqual(shown(await explain('customers', 'EU,900001')), shown(await explain('customers', 'cust_no=900001,region=EU')));
});

void test('a row has position, origin, commit time and log coordinates', async () => {
  const [source] = await explainKey(pairOf('orders'), '1007', COMPLETE);
  assert.deepEqual(source, {
    side: 'source', op: 'create', position: source.position, origin: '63006936', commitTime: '2026-11-30T21:18:08.316356Z',
    topic: 'src.public.orders', partition: 2, offset: '6', findings: [], match: 'tgt.public.orders-2@6',
  });
  assert.match(source.position, /^0:\d+:63006936$/);
});

for (const { name } of pairs) {
  void test(`${name}: over all its keys, the rows are the changes of the check, and whatever stays alone says why`, async () => {
    const records = [...(await runCheck([pairOf(name)], COMPLETE)).records()];
    const manifests = records.filter((record): record is ManifestRecord => record.record === 'manifest');
    const { counts } = records.at(-1) as SummaryRecord;
    const rows = (await Promise.all((await keysOf(name)).map((key) => explain(name, key)))).flat();
    const changes = rows.filter((row) => row.op !== 'read');
    assert.equal(changes.filter((row) => row.side === 'source').length, Number(counts.sourceEvents));
    assert.equal(changes.filter((row) => row.side === 'source' && row.match !== undefined).length, Number(counts.matched));
    const loads = rows.filter((row) => row.side === 'source' && row.op === 'read').length;
    assert.equal(rows.filter((row) => row.side === 'target').length, Number(counts.targetEvents) + loads);
    assert.deepEqual(rows.filter((row) => row.match === undefined && row.reason === undefined), []);
    assert.equal(rows.flatMap((row) => row.findings).length, manifests.length);
    const at = new Set(rows.map((row) => `${row.topic}-${row.partition}@${row.offset}`));
    for (const { match } of rows) assert.ok(match === undefined || at.has(match), match);
  });
}

void test('by alignment the matches are the aligner\'s; what the target does not log is said to be elided', async (t) => {
  const settings = { ...capturePair('main', 'items', 'tgtm'), match: { by: 'alignment' } };
  const [pair] = loadConfig(join(tempFolder(t, { 'paritas.yaml': stringify({ application: 'captures', pairs: [settings] }) }), 'paritas.yaml')).pairs;
  const { counts } = [...(await runCheck([pair], COMPLETE)).records()].at(-1) as SummaryRecord;
  assert.ok(Number(counts.elided) > 0);
  const rows = (await Promise.all(['1297', '1284', '1153', '1047', '1079', '1123', '1166', '1286', '1033', '1041'].map((key) => explainKey(pair, key, COMPLETE)))).flat();
  const changes = rows.filter((row) => row.op !== 'read');
  assert.ok(changes.length > 60);
  const alone = changes.filter((row) => row.match === undefined);
  assert.ok(alone.length > 0);
  assert.deepEqual(alone.filter((row) => !/^elided: /.test(row.reason ?? '')), []);
});

/** The keys of a pair, as JSON: the message keys of its captures. */
async function keysOf(name: string): Promise<string[]> {
  const { readFile } = await import('node:fs/promises');
  const { source, target } = pairOf(name);
  const texts = await Promise.all([...source.files, ...target.files].map((file) => readFile(file, 'utf8')));
  const lines = texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as { key: string | null });
  return [...new Set(lines.map(({ key }) => key ?? '{}').filter((key) => key !== '{}').map((key) => {
    const columns = JSON.parse(key) as { payload?: Record<string, unknown> } & Record<string, unknown>;
    return JSON.stringify(Object.fromEntries(Object.entries(columns.payload ?? columns).sort()));
  }))];
}

void test('a key that is not there: the nearest that are', async () => {
  await assert.rejects(explain('orders', '1999'), { code: 'input', message: /^pair "orders": neither side has a change of 1999; the nearest keys there are id=1030 · id=1029 · id=1028 · / });
  await assert.rejects(explain('customers', 'EU,900002'), /the nearest keys there are region=EU,cust_no=900001 · /);
});

void test('part of a composite key is not a key, nor is more than a key', async () => {
  await assert.rejects(explain('orders', '{"id":"1007","shop":"1"}'), /neither side has a change of/);
  await assert.rejects(explain('customers', '{"region":"EU"}'), /neither side has a change of \{"region":"EU"\}; the nearest keys/);
});

void test('a masked key is asked for as it is printed, and prints nothing else', async () => {
  const masked = loadConfig(DEMO, {
    env: { PARITAS_MASK_KEY: 'night shift' }, flags: [{ path: ['pairs', 0, 'columns', 'mask'], value: ['id'], flag: '--mask' }],
  }).pairs[0];
  const records = [...(await runCheck([masked], { complete: true, skipBadLines: false })).records()];
  const found = records.find((record): record is ManifestRecord => record.record === 'manifest' && record.class === 'unexpected');
  const key = found?.key['id'] ?? '';
  assert.match(key, /^masked:[0-9a-f]{16}$/);
  const rows = await explainKey(masked, key, COMPLETE);
  assert.deepEqual(shown(rows), CASES[0][3]);
  await assert.rejects(explainKey(masked, '1007', COMPLETE), /neither side has a change of .*1007.*; id is masked: give it as it is printed, masked:…$/);
});

void test('standard input cannot be read twice', async () => {
  const { source } = pairOf('orders');
  await assert.rejects(explain('orders', '1').then(() => explainKey({ ...pairOf('orders'), source: { ...source, files: ['-'] } }, '1', COMPLETE)), /standard input can be read once/);
});

void test('a truncate is in the history of a key that had a row, and in no other', async (t) => {
  const row = (side: string, offset: number, op: string, id: number | null): string => JSON.stringify({
    topic: side, partition: 0, offset, timestamp: 1_700_000_000_000 + offset, key: id === null ? null : `{"id":${id}}`,
    value: JSON.stringify({
      before: null, after: op === 'c' ? { id, origin_lsn: (offset + 1) * 8 } : null, op, ts_ms: 1,
      source: { connector: 'postgresql', ts_ms: 1_700_000_000_000 + offset * 100, lsn: (offset + 1) * 8, sequence: `[null,"${(offset + 1) * 8}"]`, snapshot: 'false' },
    }),
  });
  const lines = (side: string): string => [row(side, 0, 't', null), row(side, 1, 'c', 1), row(side, 2, 't', null), row(side, 3, 'c', 2), row(side, 4, 't', null)].join('\n');
  const folder = tempFolder(t, { 's.jsonl': lines('s'), 't.jsonl': lines('t') });
  const side = (name: string): PairSettings['source'] => ({ ...pairOf('orders').source, valueSchema: undefined, topic: name, files: [`${folder}/${name}.jsonl`] });
  const pair = { ...pairOf('orders'), name: 'truncated', source: side('s'), target: side('t'), columns: { ...pairOf('orders').columns, ignore: [] } };
  assert.deepEqual(shown(await explainKey(pair, '1', COMPLETE)), ['source create 1 = 1', 'source truncate 2 = 2', 'target create 1 = 1', 'target truncate 2 = 2']);
  assert.deepEqual(shown(await explainKey(pair, '2', COMPLETE)), ['source create 3 = 3', 'source truncate 4 = 4', 'target create 3 = 3', 'target truncate 4 = 4']);
});
