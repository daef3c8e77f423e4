// The report against golden files. After a wanted change: UPDATE_GOLDEN=1 node --test test/topology/cli/format-records.test.ts
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { parseAllDocuments } from 'yaml';

import { formatRecords, type OutputFormat } from '../../../topology/cli/format-records.ts';
import { createStyle } from '../../../topology/cli/text.ts';
import { manifest, SAMPLE, verdict, windowAt } from '../../support/sample-records.ts';

const PLAIN = createStyle({ isTerminal: false, noColor: false, env: {} });

function golden(name: string, text: string): void {
  const file = new URL(`../../golden/cli/${name}`, import.meta.url);
  if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'));
}

async function rendered(format: OutputFormat, records = SAMPLE, style = PLAIN): Promise<string> {
  let text = '';
  for await (const piece of formatRecords(records, format, { style })) text += piece;
  return text;
}

void test('table', async () => golden('table.txt', await rendered('table')));
void test('wide', async () => golden('wide.txt', await rendered('wide')));

void test('a terminal never gets what a value would tell it', async () => {
  const styled = await rendered('table', SAMPLE, createStyle({ isTerminal: true, noColor: false, env: {} }));
  assert.ok(!styled.includes('red \u001b[31m'));
  assert.ok(styled.includes('red \\u{1b}[31m'));
  assert.ok(styled.includes('\u001b[31mmismatch\u001b[39m'));
});

void test('JSON Lines, JSON and YAML hold the same records', async () => {
  assert.deepEqual((await rendered('jsonl')).trimEnd().split('\n').map((line) => JSON.parse(line) as unknown), JSON.parse(await rendered('json')));
  assert.deepEqual(parseAllDocuments(await rendered('yaml')).map((document) => document.toJS() as unknown), JSON.parse(await rendered('json')));
  assert.equal(await rendered('json', []), '[]\n');
  assert.equal(await rendered('jsonl', []), '');
});

void test('a long run of windows in parity is one line; what diverged stands alone', async () => {
  const verdicts = Array.from({ length: 100 }, (_, i) => verdict(i, i === 50 ? { change: 'diverged' } : {}));
  const lines = (await rendered('table', verdicts)).trimEnd().split('\n').slice(2);
  assert.deepEqual(lines.map((line) => line.replace(/ {2,}/g, '  ')), [
    'orders  2026-11-30T12:00:00Z … 50 windows  parity  parity  final  sourceEvents 100, targetEvents 100, matched 100',
    'orders  2026-11-30T12:00:50Z  diverged  parity  final  sourceEvents 2, targetEvents 2, matched 2',
    'orders  2026-11-30T12:00:51Z … 49 windows  parity  parity  final  sourceEvents 98, targetEvents 98, matched 98',
  ]);
  assert.equal((await rendered('wide', verdicts)).trimEnd().split('\n').length, 102);
});

void test('a narrow table says how many rows it left out', async () => {
  const many = Array.from({ length: 70 }, (_, i) => manifest(i, { window: windowAt(i) }));
  assert.match(await rendered('table', many), /… and 20 more rows; -o wide shows all\n$/);
  assert.doesNotMatch(await rendered('wide', many), /more rows/);
});

void test('colour: a terminal that did not ask for none', () => {
  const table: [boolean, boolean, Record<string, string>, boolean][] = [
    [true, false, {}, true], [false, false, {}, false], [true, true, {}, false], [true, false, { NO_COLOR: '1' }, false],
    [true, false, { NO_COLOR: '' }, true], [true, false, { TERM: 'dumb' }, false],
  ];
  for (const [isTerminal, noColor, env, colour] of table) assert.equal(createStyle({ isTerminal, noColor, env }).colour, colour);
});
