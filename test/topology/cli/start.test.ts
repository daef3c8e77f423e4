// `npm start`, whole: the real engine over the shipped captures, and what it says where an engine finds too little.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { CLASSES, type OutputRecord } from '../../../schemas/records.ts';
import { StoreError } from '../../../stores/store-error.ts';
import type { Engine } from '../../../topology/check-types.ts';
import { explainKey, runCheck, runReplay } from '../../../topology/cli/check-engine.ts';
import { SAMPLE } from '../../support/sample-records.ts';
import { runStub, stubEngine } from '../../support/stub-cli.ts';

const engine: Engine = { runCheck, runReplay, explainKey };
const faults = JSON.parse(readFileSync(new URL('../../../deploy/demo/faults.json', import.meta.url), 'utf8')) as { observable?: boolean }[];
const observable = faults.filter((fault) => fault.observable !== false).length;

void test('every observable fault of the demonstration is found, and nothing else: exit 0', async () => {
  const { code, out, err } = await runStub(['start'], { engine });
  assert.equal(code, 0, err);
  assert.match(err, new RegExp(`^paritas: a real capture .*\\n {2}${faults.length} faults were injected`));
  assert.match(out, /^Windows\n/);
  assert.doesNotMatch(err, /Ground truth/);
  assert.match(out, new RegExp(`\\nGround truth\\n[^]*\\n${observable} of ${observable} observable faults found, nothing else\\.\\n`));
  assert.equal(out.match(/^ {2}duplicate orders-mariadb id=10\d\d: applied a second time/gm)?.length, faults.length - observable);
  assert.match(out, /\nNext:\n {2}npx paritas explain id=1007 --config deploy\/demo\/paritas\.yaml --pair orders --complete {3}#/);
});

void test('discrepancies stand by pair, window and class, in the table as in the records', async () => {
  const { out } = await runStub(['start', '-o', 'jsonl'], { engine });
  const records = out.trimEnd().split('\n').map((line) => JSON.parse(line) as OutputRecord);
  const manifests = records.filter((record) => record.record === 'manifest');
  const pairs = [...new Set(records.map(({ pair }) => pair))];
  assert.deepEqual(pairs, ['orders', 'customers', 'orders-mariadb', 'customers-mariadb']);
  const places = manifests.map((record) => `${pairs.indexOf(record.pair)} ${record.window.start} ${CLASSES.indexOf(record.class)}`);
  assert.ok(manifests.length >= observable);
  assert.deepEqual(places, [...places].sort());
  const table = (await runStub(['start'], { engine })).out.split('Discrepancies\n')[1].split('\n\n')[0].split('\n').slice(1);
  assert.deepEqual(table.map((line) => line.split(/ +/).slice(0, 2)), manifests.map((record) => [record.class, record.pair]));
});

void test('where the records are data, the ground truth goes to standard error', async () => {
  const { code, out, err } = await runStub(['start', '-o', 'jsonl'], { engine });
  assert.equal(code, 0);
  assert.doesNotMatch(out, /Ground truth/);
  assert.match(err, /observable faults found, nothing else\./);
});

void test('an engine that finds something else: exit 1, and what differs', async () => {
  const stub = stubEngine(SAMPLE, 1);
  const { code, out } = await runStub(['start'], { engine: stub });
  assert.equal(code, 1);
  assert.match(out, new RegExp(`0 of ${observable} observable faults found, and 2 findings beyond them`));
  assert.match(out, /\nNot found:\n {2}oob-update orders id=1007: expected unexpected; /);
  assert.match(out, /\nFound beyond the injected faults:\n {2}mismatch orders id=42\n/);
  assert.deepEqual([stub.calls[0].pairs[0].name, stub.calls[0].options.store], ['orders', 'rocksdb']);
});

void test('no RocksDB on this platform: the state is in memory, and it says so', async () => {
  const stub = stubEngine(SAMPLE, 1);
  const stores: (string | undefined)[] = [];
  const { err } = await runStub(['start'], { engine: { ...stub, runCheck(pairs, options) {
    stores.push(options.store);
    return options.store === 'rocksdb' ? Promise.reject(new StoreError('no-binary', 'RocksDB has no binary')) : stub.runCheck(pairs, options);
  } } });
  assert.deepEqual(stores, ['rocksdb', undefined]);
  assert.match(err, /warning: RocksDB has no binary; the demonstration keeps its state in memory\n/);
});

void test('--follow is not there yet', async () => assert.equal((await runStub(['start', '--follow'])).code, 2));

void test('the README shows what is really printed', async () => {
  const { out, err } = await runStub(['start'], { engine });
  const blocks = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').split('```\n');
  const shown = blocks.find((block) => block.startsWith('paritas: a real capture'))?.trimEnd().split('\n').filter((line) => line !== '…') ?? [];
  assert.ok(shown.length > 30);
  const printed = new Set((err + out).split('\n'));
  assert.deepEqual(shown.filter((line) => !printed.has(line)), []);
});
