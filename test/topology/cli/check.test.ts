import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ParitasError } from '../../../schemas/errors.ts';
import { manifest, SAMPLE } from '../../support/sample-records.ts';
import { runStub, stubEngine } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FLAGS = ['check', '--source', 's.jsonl', '--target', 't.jsonl', '--key', 'id', '--match', 'origin:source.lsn=after.origin_lsn'];
const CONFIG = `application: shop
pairs:
  - { name: orders, source: { file: s }, target: { file: t }, match: { by: alignment } }
  - { name: items, source: { file: s }, target: { file: t }, match: { by: alignment } }
`;

void test('the exit code is the engine\'s', async () => {
  for (const exitCode of [0, 1, 3, 4, 5]) assert.equal((await runStub(FLAGS, { engine: stubEngine([], exitCode) })).code, exitCode);
});

void test('a pipe gets JSON Lines, a terminal a table, -o what it says', async () => {
  const engine = stubEngine(SAMPLE, 1);
  assert.equal((await runStub(FLAGS, { engine })).out, SAMPLE.map((record) => `${JSON.stringify(record)}\n`).join(''));
  assert.match((await runStub(FLAGS, { engine, tty: true })).out, /^\u001b\[1mWindows/);
  assert.match((await runStub([...FLAGS, '--no-color'], { engine, tty: true })).out, /^Windows\n/);
  assert.match((await runStub([...FLAGS, '-o', 'yaml'], { engine })).out, /^---\nrecord: decision\n/);
});

void test('flags reach the engine', async () => {
  const engine = stubEngine([], 0);
  await runStub([
    ...FLAGS, '--complete', '--skip-bad-lines', '--window', '2s', '--lateness', '3s', '--lag', '4s', '--skew', '5ms', '--policy', 'collapse',
    '--ignore', 'a,b', '--rename', 'full=name', '--type', 'amount=decimal(12,2)', '--type', 'at=timestamp-micros:datetime-text', '--mask', 'email',
    '--partitions', '3', '--format', 'maxwell:debezium-json', '--source', '/abs/s2.jsonl', '--set', 'pairs.check.columns.carry=[doc]',
  ], { engine, cwd: '/base', env: { PARITAS_MASK_KEY: 'k' } });
  const [{ pairs: [pair], options }] = engine.calls;
  assert.equal(options.complete, true);
  assert.equal(options.skipBadLines, true);
  assert.deepEqual(pair.source.files, ['/base/s.jsonl', '/abs/s2.jsonl']);
  assert.deepEqual(pair.target.files, ['/base/t.jsonl']);
  assert.deepEqual([pair.source.format, pair.target.format], ['maxwell', 'debezium-json']);
  assert.deepEqual(pair.key, ['id']);
  assert.deepEqual(pair.match, { by: 'origin', source: ['source.lsn'], target: ['after.origin_lsn'] });
  assert.deepEqual(pair.window, { sizeUs: 2e6, latenessUs: 3e6, lagUs: 4e6, skewUs: 5000, retainUs: 3.6e9 });
  assert.equal(pair.policy, 'collapse');
  assert.deepEqual(pair.columns.ignore, ['a', 'b']);
  assert.deepEqual(pair.columns.carry, ['doc']);
  assert.deepEqual(pair.columns.mask, ['email']);
  assert.deepEqual({ ...pair.columns.rename }, { full: ['name'] });
  assert.deepEqual([pair.columns.types['amount'].target, pair.columns.types['at'].target], ['decimal(12,2)', 'datetime-text']);
  assert.deepEqual([pair.source.partitions, pair.target.partitions], [3, 3]);
});

void test('a file, its pairs, and flags over them', async (t) => {
  const cwd = tempFolder(t, { 'paritas.yaml': CONFIG });
  const engine = stubEngine([], 0);
  assert.equal((await runStub(['check'], { engine, cwd })).code, 0);
  assert.equal((await runStub(['check', '--pair', 'items', '--lag', '1m'], { engine, cwd })).code, 0);
  assert.equal((await runStub(['check', '--config', `${cwd}/paritas.yaml`, '--lag', '2m'], { engine, cwd })).code, 0);
  assert.deepEqual(engine.calls.map(({ pairs }) => pairs.map(({ name, window }) => `${name} ${window.lagUs}`)), [
    ['orders 30000000', 'items 30000000'], ['items 60000000'], ['orders 120000000', 'items 120000000'],
  ]);
});

void test('usage errors: exit 2 and what to do', async (t) => {
  const topics = tempFolder(t, { 'paritas.yaml': 'application: a\npairs: [{ name: p, source: { topic: s }, target: { topic: t }, match: { by: alignment } }]\n' });
  const table: [argv: string[], err: RegExp, cwd?: string][] = [
    [['check'], /^paritas: nothing to read: give --config FILE, or --source FILE --target FILE; there is no paritas\.yaml here\n$/],
    [['check', '--source', 'a'], /^paritas: --source needs --target beside it/],
    [['check', '--target', 'a'], /^paritas: --target needs --source beside it/],
    [['check', '--source', 'a', '--target', 'b'], /^paritas: --match is missing: say how/],
    [['chekc'], /^paritas: unknown command 'chekc'\n\(Did you mean check\?\)/],
    [['check', '--windw', '1s'], /^paritas: unknown option '--windw'\n\(Did you mean --window\?\)/],
    [['check', 'surplus'], /^paritas: too many arguments for 'check'/],
    [['check', '-o', 'tabel'], /Known are table, wide, json, jsonl, yaml; did you mean "table"\?/],
    [[...FLAGS, '--lag', 'x'], /^paritas: --lag: expected a duration, e\.g\. 500ms, 5s, 2m, 1h, got "x"\n$/],
    [[...FLAGS, '--policy', 'exct'], /^paritas: --policy: expected one of exact, collapse, replay, got "exct"\n$/],
    [[...FLAGS, '--type', 'a'], /^paritas: --type a: expected COLUMN=TYPE/],
    [[...FLAGS, '--type', 'a=itn64'], /^paritas: --type: "itn64" is no column type; did you mean "int64"\?\n$/],
    [[...FLAGS, '--rename', '=a'], /^paritas: --rename =a: expected TARGET=SOURCE/],
    [[...FLAGS, '--partitions', 'many'], /^paritas: --partitions: expected a number of partitions, e\.g\. 3, got "many"/],
    [[...FLAGS, '--set', 'nonsense'], /^paritas: --set nonsense: expected PATH=VALUE/],
    [[...FLAGS, '--set', 'pairs.chek.key=a'], /^paritas: --set pairs\.chek\.key: there is no pair "chek"; did you mean "check"\?/],
    [[...FLAGS, '--set', 'stat.directory=a'], /unknown key "stat"; did you mean "state"\?/],
    [['check', '--config', 'no.yaml'], /^paritas: .*no\.yaml: no such file; write one with "paritas init/],
    [['check', '--match', 'orign:a=b', '--source', 'a', '--target', 'b'], /^paritas: --match orign:a=b: expected origin:SOURCE_FIELD=TARGET_FIELD/],
    [['check'], /^paritas: pair "p" reads the topic s of a log, and \/.*data\/log is none: /, topics],
  ];
  for (const [argv, err, cwd] of table) {
    const ran = await runStub(argv, cwd === undefined ? {} : { cwd });
    assert.deepEqual([ran.code, ran.out], [2, ''], argv.join(' '));
    assert.match(ran.err, err);
  }
});

void test('errors of the engine keep their exit code; a fault of ours says so', async () => {
  const table: [Error, number, RegExp][] = [
    [new ParitasError('input', 's.jsonl:3: not JSON; --skip-bad-lines skips it'), 2, /^paritas: s\.jsonl:3: not JSON/],
    [new ParitasError('unreachable', 'kafka-1:9092: connection refused'), 4, /^paritas: kafka-1/],
    [new ParitasError('not-authorised', 'topic t'), 5, /^paritas: topic t/],
    [Object.assign(new Error('gone'), { code: 'ENOENT', path: 'x' }), 2, /^paritas: x: no such file\n$/],
    [new TypeError('x is not a function'), 70, /^paritas: internal error: TypeError: x is not a function/],
  ];
  for (const [fails, code, err] of table) {
    const ran = await runStub(FLAGS, { engine: stubEngine([], 0, { fails }) });
    assert.equal(ran.code, code);
    assert.match(ran.err, err);
  }
});

void test('interrupted: exit 130, no output', async () => {
  const stop = new AbortController();
  const engine = stubEngine(SAMPLE, 0);
  stop.abort();
  const ran = await runStub(FLAGS, { engine, signal: stop.signal });
  assert.deepEqual(ran, { code: 130, out: '', err: '\ninterrupted\n' });
});

void test('what to try next is a command that can be pasted', async () => {
  const engine = stubEngine([...SAMPLE, manifest(1, { key: { id: "it's" } })], 1);
  const { out } = await runStub([...FLAGS, '--complete', '-o', 'table'], { engine });
  const flags = '--source s.jsonl --target t.jsonl --key id --match origin:source.lsn=after.origin_lsn';
  assert.ok(out.endsWith(`Next:
  npx paritas explain id=42 ${flags} --complete   # both histories of one row
  npx paritas manifests ${flags.replace('--key', '--key-columns')} --complete -o jsonl   # every discrepancy as JSON Lines
`), out);
});

void test('warnings go to standard error', async () => {
  const ran = await runStub([...FLAGS, '--mask', 'email'], { engine: stubEngine([], 0, { warnings: ['two sides, two zones'] }) });
  assert.match(ran.err, /^warning: columns are masked without PARITAS_MASK_KEY.*\nwarning: two sides, two zones\n$/);
});
