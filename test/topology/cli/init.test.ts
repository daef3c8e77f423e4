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

void test('it finds key, origin and the sink\'s own columns, and what it writes is read', async (t) => {
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

void test('neighbouring numbers beyond 2^53 are not taken for each other', async (t) => {
  const shifted = lines(...LSNS.map((lsn, id) => record('t', { id, lsn: '7', row: { note: 'x', origin_lsn: String(BigInt(lsn) - 1n) } })));
  const cwd = tempFolder(t, { 's.jsonl': SOURCE, 't.jsonl': shifted });
  const ran = await runStub(['init', '--source', 's.jsonl', '--target', 't.jsonl', '--out', '-'], { cwd });
  assert.match(ran.out, /match: \{ by: alignment \}/);
});

void test('a column that only sometimes holds a source position is no origin', async (t) => {
  const sometimes = lines(...LSNS.map((lsn, id) => record('t', { id, lsn: '7', row: { note: 'x', batch: id === 0 ? lsn : '5' } })));
  const cwd = tempFolder(t, { 's.jsonl': SOURCE, 't.jsonl': sometimes });
  assert.match((await runStub(['init', '--source', 's.jsonl', '--target', 't.jsonl', '--out', '-'], { cwd })).out, /match: \{ by: alignment \}/);
});

void test('without an origin: a version column, else alignment', async (t) => {
  const rows = (row: Record<string, unknown>): string => lines(record('x', { id: 1, lsn: '5', row }));
  const cwd = tempFolder(t, { 'v.jsonl': rows({ updated_at: 'now' }), 'n.jsonl': rows({ note: 'x' }) });
  assert.match((await runStub(['init', '--source', 'v.jsonl', '--target', 'v.jsonl', '--out', '-'], { cwd })).out, /match: \{ by: version, columns: \[updated_at\] \}/);
  assert.match((await runStub(['init', '--source', 'n.jsonl', '--target', 'n.jsonl', '--out', '-'], { cwd })).out, /match: \{ by: alignment \}/);
});

void test('bare change events, kcat lines, gzip', async (t) => {
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

void test('formats by their shape', async (t) => {
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

void test('what cannot be looked at', async (t) => {
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

void test('validate says what it understands, and fails where a side is not what it is said to be', async (t) => {
  const cwd = tempFolder(t, { 's.jsonl': SOURCE, 't.jsonl': TARGET, 'bad.jsonl': `${TARGET}${record('t', { id: 9, lsn: '7', row: {} }).replace('before', 'befor\\u0001')}\n{"a":\n` });
  const validate = (...argv: string[]): ReturnType<typeof runStub> =>
    runStub(['validate', '--source', 's.jsonl', '--target', 't.jsonl', '--key', 'id', ...argv], { cwd });

  const good = await validate('--match', 'origin:source.lsn=after.origin_lsn');
  assert.deepEqual([good.code, good.out], [0, `flags: 1 pair, sound
check source: debezium-json, 3 records in 1 partition; first ones: change 3; 3 of 3 changes carry the origin
check target: debezium-json, 3 records in 1 partition; first ones: change 3; 3 of 3 changes carry the origin
`]);
  const table: [string[], RegExp][] = [
    [['--match', 'origin:source.lsn=after.orign_lsn'], /target: PROBLEM: .*; 0 of 3 changes carry the origin; no change carries its origin; is match: right\?/],
    [['--match', 'alignment', '--format', 'maxwell:debezium-json'], /source: PROBLEM: said to be maxwell, looks like debezium-json; write format: debezium-json/],
    [['--match', 'alignment', '--target', 'bad.jsonl'], /target: PROBLEM: .*bad\.jsonl:5/],
    [['--match', 'alignment', '--target', 'none.jsonl'], /target: PROBLEM: .*none\.jsonl: no such file/],
  ];
  for (const [argv, out] of table) {
    const ran = await validate(...argv);
    assert.equal(ran.code, 2, ran.out);
    assert.match(ran.out, out);
  }
});
