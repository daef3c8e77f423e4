// Property 2 on the histories worked out by hand: what the oracle is held to, the real check says too, as captures through every layer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { againstOracle } from '../simulation/profiles.ts';
import { historyOf } from './build.ts';
import { CASES } from './cases.ts';

for (const [name, c] of Object.entries(CASES)) {
  test(`property 2: ${name}`, async () => assert.deepEqual(await againstOracle(historyOf(c), c.complete !== false), []));
}
