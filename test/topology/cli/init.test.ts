import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';

import { loadConfig } from '../../../topology/config.ts';
import { runStub } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Change { readonly id: number; readonly lsn: string; readonly row: Record<string, unknown> }

/** A Debezium record; `lsn` is text so that it may have more digits than a double. */
function record(topic: string, { id, lsn, row }: Change): string {
  const value = JSON.stringify({ before: null, after: { id, ...row }, source: { connector: 'postgresql', lsn: 'LSN' }, op: 'c' }).replace('"LSN"', lsn);
  return JSON.stringify({ topic, partition: 0, offset: id, timestamp: 0, key: JSON.stringify({ id }), value, headers: [] });
}
const lines = (...records: string[]): string => records.map((line) => `${line}\n`).join('');
const LSNS = ['9007199254740993', '9007199254740995', '9007199254740997'];
const SOURCE = lines(...LSNS.map((lsn, id) => record('src.shop.orders', { id, lsn, row: { note: 'x' } })));
const TARGET = lines(...LSNS.map((lsn, id) => record('tgt.shop.orders', { id, lsn: '7', row: { note: 'x', origin_lsn: lsn, loaded_at: 5, batch: 1 } })));

test('it finds key, origin and the sink\'s own columns, and what it writes is read', async (t) => {
  const cwd = tempFolder(t, { 'in/s.jsonl': SOURCE, 'in/t.jsonl': TARGET });
  const ran = await runStub(['init', '--source', 'in/s.jsonl', '--target', 'in/t.jsonl'], { cwd });
  assert.deepEqual([ran.code, ran.err], [0, '']);
  assert.match(ran.out, /^wrote paritas\.yaml\n {2}key: id\n {2}match: 3 of 3 target rows carry source\.lsn of a source change of the same key in origin_lsn\nNext:\n/);
  const [pair] = loadConfig(join(cwd, 'paritas.yaml')).pairs;
  assert.equal(pair.name, 'orders');
  assert.deepEqual(pair.key, ['id']);
  assert.deepEqual(pair.match, { by: 'origin', source: ['source.lsn'], target: ['after.origin_lsn'] });
  assert.deepEqual(pair.columns.ignore, ['loaded_at', 'batch']);
  assert.deepEqual(pair.source.files, [join(cwd, 'in/s.jsonl')]);
  assert.deepEqual([pair.source.topic, pair.source.format], ['src.shop.orders', 'debezium-json']);

  const again = await runStub(['init', '--source', 'in/s.jsonl', '--target', 'in/t.jsonl'], { cwd });
  assert.deepEqual([again.code, again.err], [2, 'paritas: paritas.yaml is there already; --force overwrites it, --out FILE writes another\n']);
  assert.equal((await runStub(['init', '--source', 'in/s.jsonl', '--target', 'in/t.jsonl', '--force', '--name', 'o2'], { cwd })).code, 0);
  assert.match(readFileSync(join(cwd, 'paritas.yaml'), 'utf8'), /name: o2/);
});

test('neighbouring numbers beyond 2^53 are not taken for each other', async (t) => {
  const shifted = lines(...LSNS.map((lsn, id) => record('t', { id, lsn: '7', row: { note: 'x', origin_lsn: String(BigInt(lsn) - 1n) } })));
  const cwd = tempFolder(t, { 's.jsonl': SOURCE, 't.jsonl': shifted });
  const ran = await runStub(['init', '--source', 's.jsonl', '--target', 't.jsonl', '--out', '-'], { cwd });
  assert.match(ran.out, /match: \{ by: alignment \}/);
});

test('without an origin: a version column, else alignment', async (t) => {
  const rows = (row: Record<string, unknown>): string => lines(record('x', { id: 1, lsn: '5', row }));
  const cwd = tempFolder(t, { 'v.jsonl': rows({ updated_at: 'now' }), 'n.jsonl': rows({ note: 'x' }) });
  assert.match((await runStub(['init', '--source', 'v.jsonl', '--target', 'v.jsonl', '--out', '-'], { cwd })).out, /match: \{ by: version, columns: \[updated_at\] \}/);
  assert.match((await runStub(['init', '--source', 'n.jsonl', '--target', 'n.jsonl', '--out', '-'], { cwd })).out, /match: \{ by: alignment \}/);
});

test('bare change events, kcat lines, gzip', async (t) => {
  const cwd = tempFolder(t, {
    'bare.jsonl': SOURCE.split('\n').filter((line) => line !== '').map((line) => `${(JSON.parse(line) as { value: string }).value}\n`).join(''),
    'kcat.jsonl': TARGET.replaceAll('"value":', '"payload":').replaceAll('"timestamp":', '"ts":'),
  });
  writeFileSync(join(cwd, 's.gz'), gzipSync(SOURCE));
  const gz = await runStub(['init', '--source', 's.gz', '--target', 'kcat.jsonl', '--out', '-'], { cwd });
  assert.match(gz.out, /by: origin, source: source\.lsn, target: after\.origin_lsn/, gz.err);
  const bare = await runStub(['init', '--source', 'bare.jsonl', '--target', 'kcat.jsonl', '--out', '-'], { cwd });
  assert.match(bare.out, /format: debezium-json/);
});

test('formats by their shape', async (t) => {
  const shapes: Record<string, string> = {
    maxwell: '{"database":"d","table":"t","type":"insert","ts":1,"data":{"id":1}}',
    'canal-json': '{"data":[{"id":"1"}],"database":"d","isDdl":false,"table":"t","type":"INSERT","es":1}',
    'tidb-open': '{"u":{"id":{"t":3,"v":1}}}',
    cockroach: '{"after":{"id":1},"updated":"1.0"}',
    'debezium-flat': '{"id":1,"__op":"c","__lsn":5}',
    'dms-json': '{"data":{"id":1},"metadata":{"operation":"insert"}}',
  };
  const cwd = tempFolder(t, Object.fromEntries(Object.entries(shapes).map(([name, line]) => [`${name}.jsonl`, `${line}\n`])));
  for (const name of Object.keys(shapes)) {
    const ran = await runStub(['init', '--source', `${name}.jsonl`, '--target', `${name}.jsonl`, '--out', '-', '--name', 'x'], { cwd });
    assert.ok(ran.out.includes(`format: ${name} }`), `${name}: ${ran.out}${ran.err}`);
  }
});

test('what cannot be looked at', async (t) => {
  const cwd = tempFolder(t, { 'empty.jsonl': '', 's.jsonl': SOURCE });
  const table: [string[], RegExp][] = [
    [['init'], /^paritas: init needs captures of both sides/],
    [['init', '--source', 'no.jsonl', '--target', 's.jsonl'], /no\.jsonl: no such file/],
    [['init', '--source', 'empty.jsonl', '--target', 's.jsonl'], /empty\.jsonl: holds no record; a capture is JSON Lines/],
    [['init', '--source', '-', '--target', 's.jsonl'], /cannot read standard input: name files/],
  ];
  for (const [argv, err] of table) {
    const ran = await runStub(argv, { cwd });
    assert.equal(ran.code, 2);
    assert.match(ran.err, err);
  }
});

test('validate says what it understands, and fails where a side is not what it is said to be', async (t) => {
  const flags = ['--source', 's.jsonl', '--target', 't.jsonl', '--match', 'alignment'];
  const cwd = tempFolder(t, { 's.jsonl': SOURCE, 't.jsonl': TARGET });
  const good = await runStub(['validate', ...flags], { cwd });
  assert.deepEqual([good.code, good.out], [0, `flags: 1 pair, sound
check source: 1 file, the first 3 records as auto (debezium-json); record key: id
check target: 1 file, the first 3 records as auto (debezium-json); record key: id
`]);
  const bad = await runStub(['validate', ...flags, '--format', 'maxwell:debezium-json'], { cwd });
  assert.equal(bad.code, 2);
  assert.match(bad.out, /check source: PROBLEM: 1 file, the first 3 records as maxwell; it looks like debezium-json/);
});
