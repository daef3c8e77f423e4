import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import type { OutputRecord } from '../../../schemas/records.ts';
import { parseMoment } from '../../../topology/cli/record-filter.ts';
import { appendTo } from '../../support/append.ts';
import { SAMPLE } from '../../support/sample-records.ts';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import { runStub, stubEngine } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const LINES = SAMPLE.map((record) => JSON.stringify(record)).join('\n');

void test('each output gives its records, filtered', async () => {
  const table: [argv: string, ids: string[]][] = [
    ['verdicts', ['v0', 'v1', 'v2']],
    ['verdicts --change diverged', ['v1']],
    ['verdicts --since 2026-11-30T12:00:01Z', ['v1', 'v2']],
    ['verdicts --since 2026-11-30T13:00:01+01:00 --until 2026-11-30T12:00:02Z', ['v1']],
    ['verdicts --until 2026-11-30', []],
    ['verdicts -n 1', ['v2']],
    ['verdicts -n 0', []],
    ['verdicts --pair items', []],
    ['manifests', ['m1', 'm1b']],
    ['manifests --class missing,gap', ['m1b']],
    ['manifests --key 43', ['m1b']],
    ['manifests --key id=42', ['m1']],
    ['audit', ['d1']],
  ];
  for (const [argv, ids] of table) {
    const ran = await runStub([...argv.split(' '), '--from', '-'], { stdin: LINES });
    const records = ran.out.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as OutputRecord);
    assert.equal(ran.code, 0, ran.err);
    assert.deepEqual(records.map((record) => ('manifestId' in record ? record.manifestId : 'verdictId' in record ? record.verdictId : 'decisionId' in record ? record.decisionId : '')), ids, argv);
  }
  const dead = await runStub(['dead-letters', '--from', '-', '-o', 'table'], { stdin: LINES });
  assert.match(dead.out, /^Dead letters\nPAIR {4}SIDE {4}RECORD/);
});

void test('from a file, and from the check of a configuration', async (t) => {
  const cwd = tempFolder(t, { 'out.jsonl': `${LINES}\n\n` });
  assert.equal((await runStub(['verdicts', '--from', 'out.jsonl'], { cwd })).out.split('\n').length, 4);
  const engine = stubEngine(SAMPLE, 1);
  const ran = await runStub(['manifests', '--source', 'a', '--target', 'b', '--match', 'alignment', '--key-columns', 'id', '--key', '43'], { engine });
  assert.deepEqual([ran.code, ran.out.split('\n').length], [0, 2]);
  await runStub(['manifests', '--source', 'a', '--target', 'b', '--match', 'alignment', '--key', '43'], { engine });
  assert.deepEqual(engine.calls.map(({ pairs }) => pairs[0].key), [['id'], undefined]);
});

void test('from the log of a configuration where it has one, and on from there while another process writes', async (t) => {
  const pair = { name: 'orders', source: { file: 'a.jsonl' }, target: { file: 'b.jsonl' }, match: { by: 'alignment' }, key: ['id'] };
  const cwd = tempFolder(t, { 'paritas.yaml': JSON.stringify({ application: 'shop', log: { embedded: { directory: './log', fsync: 'never' } }, pairs: [pair] }) });
  const log = await openDurableLog({ directory: join(cwd, 'log'), fsync: 'never' });
  const verdicts = SAMPLE.filter((record) => record.record === 'verdict');
  const append = async (records: readonly OutputRecord[]): Promise<void> => {
    await appendTo(log, { records: records.map((record) => ({ topic: 'paritas.verdicts', partition: 0, key: null, value: Buffer.from(JSON.stringify(record)) })), positions: [], group: '' });
  };
  assert.equal((await runStub(['verdicts'], { cwd })).out, '', 'no topic yet, no record yet');
  await log.createTopic('paritas.verdicts', { partitions: 1, cleanup: 'delete' });
  await append(verdicts.slice(0, 2));
  assert.deepEqual(idsOf((await runStub(['verdicts'], { cwd })).out), ['v0', 'v1']);
  assert.deepEqual(idsOf((await runStub(['verdicts', '--change', 'diverged'], { cwd })).out), ['v1']);
  assert.equal((await runStub(['manifests'], { cwd })).out, '');
  const engine = stubEngine(SAMPLE, 0);
  await runStub(['verdicts', '--complete'], { cwd, engine });
  assert.equal(engine.calls.length, 1, '--complete asks for a check');

  const interrupt = new AbortController();
  const following = runStub(['verdicts', '--follow', '-n', '1'], { cwd, signal: interrupt.signal });
  await new Promise((resolve) => { setTimeout(resolve, 300); });
  await append(verdicts.slice(2));
  await new Promise((resolve) => { setTimeout(resolve, 600); });
  interrupt.abort();
  const ran = await following;
  assert.deepEqual([ran.code, idsOf(ran.out)], [130, ['v1', 'v2']]);
  await append([{ broken: true } as never]);
  await appendTo(log, { records: [{ topic: 'paritas.verdicts', partition: 0, key: null, value: Buffer.from('{') }], positions: [], group: '' });
  const broken = await runStub(['verdicts'], { cwd });
  assert.equal(broken.code, 2);
  assert.match(broken.err, /paritas\.verdicts-0@4: not an output record as JSON/);
  await log.close();
});

function idsOf(out: string): string[] {
  return out.split('\n').filter((line) => line !== '').map((line) => (JSON.parse(line) as { verdictId: string }).verdictId);
}

void test('what cannot be read or asked', async () => {
  const table: [argv: string[], stdin: string, err: RegExp][] = [
    [['verdicts', '--from', '-'], '{"record":"verdict"', /^paritas: -:1: not JSON; expected the output of "paritas check -o jsonl"/],
    [['verdicts', '--from', '-'], '{}\n', /^paritas: -:1: no "record" field/],
    [['verdicts', '--from', '-'], '[]\n', /not -o json\n$/],
    [['verdicts', '--from', 'none.jsonl'], '', /none\.jsonl: no such file/],
    [['verdicts', '--from', '-', '--follow'], '', /--follow waits for records of a running log, and --from reads a file/],
    [['verdicts', '--source', 'a', '--target', 'b', '--match', 'alignment', '--follow', '-o', 'json'], '', /-o json is one array that ends; use -o jsonl/],
    [['verdicts', '--source', 'a', '--target', 'b', '--match', 'alignment', '--follow'], '', /data\/log: there is no log\. Start "paritas run" first, or check log\.embedded\.directory/],
    [['manifests', '--from', '-', '--class', 'mising'], '', /^paritas: --class mising: no such class; did you mean "missing"\?/],
    [['verdicts', '--from', '-', '--change', 'diverge'], '', /did you mean "diverged"\?/],
    [['verdicts', '--from', '-', '--since', 'yesterday'], '', /expected a time, e\.g\. 2026-11-30T12:00:00Z, or a duration/],
    [['verdicts', '--from', '-', '-n', 'x'], '', /^paritas: -n x: expected a number/],
  ];
  for (const [argv, stdin, err] of table) {
    const ran = await runStub(argv, { stdin });
    assert.deepEqual([ran.code, ran.out], [2, ''], argv.join(' '));
    assert.match(ran.err, err);
  }
});

void test('moments', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  const table: [string, string][] = [
    ['1h', '2026-11-30T11:00:00.000000Z'], ['2026-11-30', '2026-11-30T00:00:00.000000Z'], ['2026-11-30 10:05', '2026-11-30T10:05:00.000000Z'],
    ['2026-11-30T10:05:06.1234567Z', ''], ['2026-11-30T10:05:06.5Z', '2026-11-30T10:05:06.500000Z'], ['2026-13-01', ''],
  ];
  for (const [text, moment] of table) {
    if (moment === '') assert.throws(() => parseMoment('--since', text, now));
    else assert.equal(parseMoment('--since', text, now), moment);
  }
});
