import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sideBySide } from '../../../topology/cli/explain.ts';
import type { ExplainRow } from '../../../topology/check-types.ts';
import { runStub, stubEngine } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function source(offset: number, second: number, findings: string[] = []): ExplainRow {
  return { side: 'source', op: 'update', position: `0:${offset}`, origin: '', commitTime: time(second), topic: 's', partition: 0, offset: String(offset), findings };
}
function target(offset: number, second: number, match: number | undefined, findings: string[] = [], lagMs = '1000'): ExplainRow {
  const row: ExplainRow = { side: 'target', op: 'update', position: `0:${offset}`, origin: '99', commitTime: time(second), topic: 't', partition: 1, offset: String(offset), findings };
  return match === undefined ? { ...row, reason: 'nothing names it' } : { ...row, match: `s-0@${match}`, lagMs };
}
const time = (second: number): string => `2026-11-30T12:00:${String(second).padStart(2, '0')}.000000Z`;

const ROWS = [
  source(1, 10), source(2, 20, ['missing']), source(3, 30),
  target(1, 11, 1), target(2, 12, 1, ['duplicate']), target(3, 25, undefined, ['unexpected']), target(4, 31, 3, ['mismatch: note']), target(5, 40, 77),
];
const FLAGS = ['--source', 'a', '--target', 'b', '--match', 'alignment'];

void test('matched changes share a line, the others stand where their time puts them', () => {
  assert.deepEqual(sideBySide(ROWS).map(({ source: s, target: t }) => [s?.offset, t?.offset]), [
    ['1', '1'], [undefined, '2'], ['2', undefined], [undefined, '3'], ['3', '4'], [undefined, '5'],
  ]);
});

void test('the table', async () => {
  const { code, out } = await runStub(['explain', '42', ...FLAGS, '-o', 'table'], { engine: stubEngine([], 0, { rows: ROWS }) });
  assert.equal(code, 0);
  assert.equal(out, `\
SOURCE  COMMIT TIME           RECORD     TARGET  COMMIT TIME           RECORD  LAG      ORIGIN  FINDINGS
update  2026-11-30T12:00:10Z  s-0@1   =  update  2026-11-30T12:00:11Z  t-1@1   1000 ms  99
                                      >  update  2026-11-30T12:00:12Z  t-1@2   1000 ms  99      duplicate
update  2026-11-30T12:00:20Z  s-0@2   <                                                         missing
                                      >  update  2026-11-30T12:00:25Z  t-1@3            99      unexpected
                                                                                                nothing names it
update  2026-11-30T12:00:30Z  s-0@3   =  update  2026-11-30T12:00:31Z  t-1@4   1000 ms  99      mismatch: note
                                      >  update  2026-11-30T12:00:40Z  t-1@5   1000 ms  99

3 source changes, 5 target changes. = matched, < only on the source, > only on the target.
`);
  const lines = await runStub(['explain', '42', ...FLAGS], { engine: stubEngine([], 0, { rows: ROWS }) });
  assert.deepEqual(lines.out.trimEnd().split('\n').map((line) => JSON.parse(line) as unknown), ROWS);
});

void test('the key reaches the engine as JSON where its columns are known', async () => {
  const engine = stubEngine([], 0, { rows: ROWS });
  for (const argv of [['42', '--key', 'id'], ['id=42'], ['{"id":42}', '--key', 'id'], ['42']]) await runStub(['explain', ...argv, ...FLAGS], { engine });
  assert.deepEqual(engine.keys, ['{"id":"42"}', '{"id":"42"}', '{"id":"42"}', '42']);
});

void test('one pair, and a key that is there', async (t) => {
  const pair = (name: string): string => `  - { name: ${name}, source: { file: s }, target: { file: t }, match: { by: alignment } }\n`;
  const cwd = tempFolder(t, { 'paritas.yaml': `application: shop\npairs:\n${pair('orders')}${pair('items')}` });
  const several = await runStub(['explain', '42'], { cwd });
  assert.deepEqual([several.code, several.err], [2, 'paritas: explain is about one pair: add --pair orders or --pair items\n']);
  const none = await runStub(['explain', '42', '--pair', 'items'], { cwd });
  assert.deepEqual([none.code, none.err], [2, 'paritas: pair "items": neither side has a change of 42\n']);
});
