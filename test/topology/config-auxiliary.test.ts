// Transaction and heartbeat topics in paritas.yaml: what is understood, and what a slip is told.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import type { SideSettings } from '../../schemas/pair.ts';
import { loadConfig } from '../../topology/config.ts';
import type { Config } from '../../topology/config.ts';
import { tempFolder } from '../support/temp-folder.ts';

function load(t: TestContext, source: string, target = '{ file: t.jsonl }'): { config: Config; folder: string } {
  const folder = tempFolder(t, { 'paritas.yaml': `application: a\npairs:\n  - name: p\n    source: ${source}\n    target: ${target}\n    match: { by: alignment }\n` });
  return { config: loadConfig(join(folder, 'paritas.yaml')), folder };
}
const sourceOf = (t: TestContext, source: string, target?: string): SideSettings => load(t, source, target).config.pairs[0].source;

void test('topics beside the rows, with files of their own or in the captures of the rows', (t) => {
  const { config, folder } = load(t, '{ file: s.jsonl, transactionTopic: src.transaction, transactionFile: tx.jsonl, heartbeat: { topic: src.public.heartbeat } }');
  const { transactions, heartbeat, delivery, deliveryGraceUs } = config.pairs[0].source;
  assert.deepEqual(transactions, { topic: 'src.transaction', files: [join(folder, 'tx.jsonl')] });
  assert.deepEqual(heartbeat, { topic: 'src.public.heartbeat', files: [] });
  assert.deepEqual([delivery, deliveryGraceUs], ['at-least-once', 120_000_000]);
  assert.equal(config.pairs[0].target.transactions, undefined);
});

void test('a file alone names its topic itself, as the rows\' file does', (t) => {
  assert.deepEqual(sourceOf(t, '{ file: s.jsonl, heartbeat: { file: [a.jsonl, b.jsonl] } }').heartbeat?.topic, '');
});

void test('each value is shown with its place', (t) => {
  const { config } = load(t, '{ file: s.jsonl, delivery: exactly-once, heartbeat: { topic: h } }');
  const shown = config.effective.filter(({ path }) => /source\.(delivery|heartbeat)/.test(path)).map(({ path, value, from }) => `${path}=${value} ${from.replace(/.*paritas/, 'paritas')}`);
  assert.deepEqual(shown, [
    'pairs[0].source.heartbeat.topic="h" paritas.yaml:4:74', 'pairs[0].source.delivery="exactly-once" paritas.yaml:4:40', 'pairs[0].source.deliveryGrace="2m" default',
  ]);
});

const SLIPS: readonly (readonly [string, RegExp])[] = [
  ['{ file: s.jsonl, hartbeat: { topic: h } }', /paritas\.yaml:4:30: .*"hartbeat".*did you mean "heartbeat"/],
  ['{ file: s.jsonl, heartbeat: { topik: h } }', /"topik".*did you mean "topic"/],
  ['{ file: s.jsonl, heartbeat: {} }', /source\.heartbeat: needs a topic or a file/],
  ['{ file: s.jsonl, delivery: at-most-once }', /expected one of exactly-once, at-least-once/],
  ['{ file: s.jsonl, deliveryGrace: soon }', /expected a duration/],
  ['{ file: s.jsonl, topic: x, transactionTopic: x }', /transactionTopic: x is the topic of the rows/],
  ['{ file: s.jsonl, transactionTopic: x, heartbeat: { topic: x } }', /heartbeat\.topic: x is the transaction topic/],
  ['{ file: s.jsonl, heartbeat: { file: \'-\' } }', /standard input \(-\) can be read once only/],
];
for (const [source, message] of SLIPS) {
  void test(`a slip: ${source}`, (t) => assert.throws(() => load(t, source, source.includes("'-'") ? "{ file: '-' }" : undefined), message));
}

void test('rows of a topic want their other topics to be topics', (t) => {
  assert.throws(() => load(t, '{ topic: s, heartbeat: { file: h.jsonl } }', '{ topic: t }'), /heartbeat\.topic: is missing[^]*has a file for its heartbeat\.topic and none for its rows/);
});

void test('where they lie does not change the hash, that they are there does', (t) => {
  const hash = (source: string): string => load(t, source).config.pairs[0].configHash;
  const plain = hash('{ file: s.jsonl }');
  assert.equal(hash('{ file: s.jsonl, delivery: exactly-once }'), plain, 'a promise that nothing is read for');
  const beside = hash('{ file: s.jsonl, heartbeat: { topic: a } }');
  assert.equal(hash('{ file: s.jsonl, heartbeat: { topic: b, file: x } }'), beside);
  const others = ['{ file: s.jsonl, heartbeat: { topic: a }, delivery: exactly-once }', '{ file: s.jsonl, heartbeat: { topic: a }, deliveryGrace: 1m }', '{ file: s.jsonl, transactionTopic: a }'];
  assert.equal(new Set([plain, beside, ...others.map(hash)]).size, 5);
});
