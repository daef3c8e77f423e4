// The corruption drill in short form: every kind of damage, over a small run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateCapture } from '../support/generate-capture.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { DAMAGES, damageRuns, type DamageRun } from './damage.ts';

void test('a damaged store: the outputs come out byte-equal, and what had to be wiped is said', { timeout: 300_000 }, async (t) => {
  const folder = tempFolder(t);
  const { configFile } = generateCapture({ events: 6_000, out: folder, faultsEvery: 50 });
  const runs: DamageRun[] = [];
  await damageRuns({ configFile, folder, pair: 'orders', damages: DAMAGES, onRun: run => void runs.push(run) });
  assert.deepEqual(runs.map(({ name, differences }) => [name, differences]), DAMAGES.map(({ name }) => [name, []]));
  const wiped = runs.filter(({ notices }) => notices.some(line => line.includes('the local state is wiped and restored from'))).map(({ name }) => name);
  for (const name of ['a table file cut short', 'a table file deleted', 'the store of another task']) assert.ok(wiped.includes(name), `${name} was not said`);
});
