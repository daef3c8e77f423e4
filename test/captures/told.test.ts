// Captures that show what a log can tell and what it cannot, one by one. A capture of a source alone is held against itself, or against
// another that had the same statements, which stands for a target: where the two logs know different things, the difference is their own.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import type { DeadLetterRecord, ManifestRecord, SummaryRecord } from '../../schemas/records.ts';
import { captureFile, checkCapture, fixtures } from '../support/captures.ts';
import { checkConfig, type Checked } from '../support/check.ts';

type Pair = Record<string, unknown>;
const SHORT = { size: '100ms', lateness: '50ms', lag: '1s', skew: '50ms' };
/** Two captures of the same statements were made seconds apart: the one is a target that is as much late. */
const APART = { size: '1s', lateness: '50ms', lag: '5m', skew: '5m' };

async function checked(pair: Pair): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-told-'));
  try {
    writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'told', pairs: [{ name: 'told', key: ['id'], ...pair }] }));
    return await checkConfig(join(folder, 'paritas.yaml'), { complete: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sideOf = (capture: string, topic: string, more: object = {}): Pair => ({ file: captureFile(capture, topic), format: 'debezium-json', ...more });

function againstItself(capture: string, topic: string): Promise<Checked> {
  const side = sideOf(capture, topic);
  return checked({ source: side, target: side, match: { by: 'origin', source: 'source.lsn', target: 'source.lsn' }, window: SHORT });
}

/** The same statements logged in two ways; their positions say nothing of each other. */
function apart(source: Pair, target: Pair, more: object = {}): Promise<Checked> {
  return checked({ source, target, match: { by: 'alignment' }, window: APART, ...more });
}

const manifestsOf = ({ records }: Checked): ManifestRecord[] => records.filter((r): r is ManifestRecord => r.record === 'manifest');
const findingsOf = (result: Checked): string[] => manifestsOf(result).map((m) => `${m.class} ${String(Object.values(m.key))} ${m.source?.op ?? '-'} ${m.target?.op ?? '-'}`).sort();
const countsOf = ({ records }: Checked): SummaryRecord['counts'] => (records.at(-1) as SummaryRecord).counts;
const faultsOf = (capture: string): Record<string, unknown>[] => JSON.parse(readFileSync(join(fixtures, capture, 'faults.json'), 'utf8')) as Record<string, unknown>[];

void test('replica-identity: each way of logging, held against itself, is parity; a placeholder is no value, and what is not known is counted', async () => {
  const told = async (table: string): Promise<string[]> => {
    const result = await againstItself('replica-identity', `src.public.${table}`);
    const { sourceEvents, matched, unknownColumns } = countsOf(result);
    return [sourceEvents, matched, unknownColumns, ...findingsOf(result)];
  };
  assert.deepEqual(await told('ri_full'), ['7', '7', '0'], 'full images: nothing is unknown');
  assert.deepEqual(await told('ri_default'), ['7', '7', '7'], 'doc and docs in three updates and the key change, docs once more alone');
  assert.deepEqual(await told('ri_nothing'), ['1', '1', '0'], 'the insert is all there is in the log');
});

void test('replica-identity default against full: the invented before images and the placeholders are no differences', async () => {
  const result = await apart(sideOf('replica-identity', 'src.public.ri_default'), sideOf('replica-identity', 'src.public.ri_full', { replicaIdentity: 'full' }));
  assert.deepEqual([findingsOf(result), countsOf(result).matched, countsOf(result).openDivergences], [[], '7', '0']);
  assert.ok(Number(countsOf(result).unknownColumns) > 0);
});

void test('replica-identity nothing against full: no update, no delete and no key change is in the log, so the target\'s are unexpected', async () => {
  const result = await apart(sideOf('replica-identity', 'src.public.ri_nothing'), sideOf('replica-identity', 'src.public.ri_full', { replicaIdentity: 'full' }));
  assert.deepEqual(findingsOf(result), NOTHING);
});

void test('replica-identity index: a delete has the index\'s columns alone and an invented key: row 0 is deleted, row 5 never is, and the old key of the change neither', async () => {
  const result = await apart(sideOf('replica-identity', 'src.public.ri_index'), sideOf('replica-identity', 'src.public.ri_full', { replicaIdentity: 'full' }));
  assert.deepEqual([findingsOf(result), countsOf(result).elided], [INDEX, '1'], 'row 0 is absent on both sides: its delete is nothing that could be applied');
});

void test('replica-identity index by the index\'s column as the key: its deletes are right, but the tombstone has the other key and cannot be read', async () => {
  const side = sideOf('replica-identity', 'src.public.ri_index');
  const result = await checked({ source: side, target: side, key: ['code'], match: { by: 'origin', source: 'source.lsn', target: 'source.lsn' }, window: SHORT });
  assert.deepEqual(findingsOf(result), []);
  assert.deepEqual(result.records.filter((r): r is DeadLetterRecord => r.record === 'dead-letter').map(({ side: of, reason }) => `${of} ${reason}`), ['source bad-key', 'target bad-key']);
  assert.equal(result.exitCode, 3);
});

void test('null-default: a NULL that arrives as the default is the default to whoever reads the log: nothing can be told from it alone', async () => {
  const result = await againstItself('null-default', 'src.public.defaults');
  assert.deepEqual([findingsOf(result), countsOf(result).matched, result.exitCode], [[], '4', 0]);
});

void test('null-default-off: NULL stays null, and a before image that has nulls and invented values is no row that was removed', async () => {
  const result = await againstItself('null-default-off', 'src.public.defaults');
  assert.deepEqual([findingsOf(result), countsOf(result).matched, result.exitCode], [[], '4', 0]);
});

void test('null-default against null-default-off: every column that has a default differs where a NULL was written, and no other', async () => {
  const result = await apart(sideOf('null-default-off', 'src.public.defaults'), sideOf('null-default', 'src.public.defaults'), { columns: { ignore: ['ts'] } });
  assert.deepEqual(findingsOf(result), ['mismatch 2 create create', 'mismatch 3 update update'], 'row 1 is a snapshot row, which is no change; row 3 was inserted with its defaults');
  for (const { columns } of manifestsOf(result)) {
    assert.deepEqual(columns?.map(({ name }) => name), ['a', 'b', 'd', 'n', 't']);
    assert.deepEqual(columns?.map(({ source }) => source), [null, null, null, null, null]);
  }
});

void test('incremental-snapshot: rows read between the changes have no position: they are counted, are no change, and contradict none', async () => {
  const result = await againstItself('incremental-snapshot', 'src.public.items');
  const { sourceEvents, matched, excluded, openDivergences } = countsOf(result);
  assert.deepEqual([findingsOf(result), sourceEvents, matched, excluded, openDivergences, result.exitCode], [[], '40', '40', '34', '0', 0], 'seventeen rows on each side');
});

for (const [capture, table] of [['decimal-numeric', 'orders'], ['schemas-enabled', 'orders'], ['schemas-enabled', 'items'], ['specials-default', 'specials'], ['specials-connect', 'specials'], ['specials-text', 'specials']] as const) {
  void test(`${capture}: ${table} held against itself is parity, however the connector was set to write its values`, async () => {
    const result = await againstItself(capture, `src.public.${table}`);
    const { sourceEvents, matched, deadLettered } = countsOf(result);
    assert.deepEqual([findingsOf(result), matched, deadLettered, result.exitCode], [[], sourceEvents, '0', 0]);
    assert.ok(Number(sourceEvents) > 0);
  });
}

void test('unwrapped: rows without an envelope are none of debezium-json: every one is a dead letter, and nothing is parity', async () => {
  const result = await againstItself('unwrapped', 'src.public.items');
  const { sourceEvents, deadLettered } = countsOf(result);
  assert.deepEqual([findingsOf(result), sourceEvents, result.exitCode], [[], '0', 3]);
  assert.ok(Number(deadLettered) > 0);
  assert.ok(result.records.every((r) => r.record !== 'verdict' || r.change === 'undecidable'));
});

for (const target of ['tgt', 'tgtm'] as const) {
  void test(`toast: a placeholder that ${target} stored is told because its images are full; declared otherwise it would be unknown`, async () => {
    const stored = faultsOf('toast').filter((fault) => fault['target'] === target && fault['table'] === 'orders');
    const result = await checkCapture('toast', 'orders', target);
    assert.deepEqual(manifestsOf(result).map((m) => [m.class, m.key['id'], m.hint]).sort(), stored.map((fault) => ['mismatch', String((fault['key'] as { id: number }).id), 'placeholder-written']).sort());
    for (const { columns } of manifestsOf(result)) assert.ok(columns?.every(({ target: value }) => String(value).includes('unavailable')), JSON.stringify(columns));
    if (target === 'tgtm') return;
    const blind = await checkCapture('toast', 'orders', target, (pair) => ({ ...pair, target: { ...(pair['target'] as object), replicaIdentity: 'default' } }));
    assert.deepEqual(findingsOf(blind), []);
    assert.ok(Number(countsOf(blind).unknownColumns) > Number(countsOf(result).unknownColumns));
  });

  void test(`truncate-race: on ${target} the rows that the truncate did not reach are deletes that are missing, and the state stays diverged; which of the two was late cannot be told`, async () => {
    const survivors = faultsOf('truncate-race').filter((fault) => fault['target'] === target && fault['table'] === 'items');
    const result = await checkCapture('truncate-race', 'items', target, (pair) => ({ ...pair, match: { by: 'alignment' } }));
    assert.deepEqual(findingsOf(result), survivors.map((fault) => `missing ${String((fault['key'] as { id: number }).id)} ${TRUNCATED} -`).sort());
    assert.equal(countsOf(result).openDivergences, String(survivors.length));
  });
}

for (const table of ['orders', 'customers']) {
  void test(`crash-redelivery: of ${table} every record that the killed sink applied twice is told by its own offset; what the connectors sent twice is none of it`, async () => {
    const faults = faultsOf('crash-redelivery').filter((fault) => fault['table'] === table);
    const result = await checkCapture('crash-redelivery', table, 'tgt', (pair) => ({ ...pair, window: { size: '1s', lateness: '5s', lag: '2m', skew: '1s' } }));
    const again = manifestsOf(result).filter((m) => m.target?.op !== 'delete');
    const at = (partition: unknown, offset: unknown): string => `${String(partition)}@${String(offset)}`;
    assert.deepEqual(again.map((m) => at(m.target?.partition, m.target?.offset)).sort(), faults.filter((f) => f['class'] === 'duplicate').map((f) => at(f['partition'], f['offset'])).sort());
    assert.deepEqual(new Set(manifestsOf(result).map((m) => m.class)), new Set(['duplicate']));
    assert.equal(countsOf(result).redelivered, String(faults.filter((f) => String(f['class']).startsWith('redelivered-by-')).length));
  });
}

/** As the target has them: two updates, the old key's delete, the new one's create, its update and delete. */
const NOTHING = ['unexpected 1 - delete', 'unexpected 1 - update', 'unexpected 1 - update', 'unexpected 5 - create', 'unexpected 5 - delete', 'unexpected 5 - update'];
const INDEX = ['unexpected 1 - delete', 'unexpected 5 - delete'];
const TRUNCATED = 'delete';
