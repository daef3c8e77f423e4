// What `npm run sim` does, on a few seeds of its own; and that a failure is told so that anybody can repeat it.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Plan } from './plan.ts';
import { PROFILES, type Profile } from './profiles.ts';
import { parseRegression } from './regressions.ts';
import { describeFailure, type Failure, noTotals, told, trySeed } from './sweep.ts';

const FIRST = 60_000;
const COUNT = 200;

test(`seeds ${FIRST} to ${FIRST + COUNT - 1}, the profiles in turn: nothing fails`, async () => {
  const totals = noTotals();
  const failures: Failure[] = [];
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) failures.push(...await trySeed(Object.keys(PROFILES), false, seed, totals));
  if (failures.length > 0) assert.fail(await describeFailure(failures[0]));
  assert.equal(totals.runs, COUNT);
  assert.ok(totals.sourceEvents > 50 * COUNT, `only ${totals.sourceEvents} source events`);
});

/** Fails where key 1 is deleted, whatever else happens. */
const BROKEN: Profile = {
  about: 'fails on purpose',
  planOf: seed => PROFILES['rough'].planOf(seed),
  trial: (plan: Plan) => Promise.resolve({ lines: plan.changes.some(change => change.key === 1 && change.kind === 'delete') ? ['key 1 is deleted'] : [], sourceEvents: 0, targetEvents: 0 }),
};

test('a failure names its seed, what is wrong, a smaller plan and the commands that repeat both', async () => {
  const text = await describeFailure({ profile: 'rough', seed: 3, events: undefined, complete: true, lines: ['key 1 is deleted'] }, BROKEN);
  const file = join(tmpdir(), 'paritas-rough-3.json');
  try {
    assert.match(text, /seed 3 fails in profile rough/);
    assert.match(text, /npm run sim -- --profile rough --seed 3 --count 1/);
    assert.ok(text.includes(`npm run sim -- --plan ${file}`));
    const { plan, profile, complete } = parseRegression(file, readFileSync(file, 'utf8'));
    assert.deepEqual([plan.changes.length, plan.faults.length, plan.disturbances.length, profile, complete], [1, 0, 0, 'rough', true]);
  } finally {
    rmSync(file, { force: true });
  }
});

test('a crash is a failure, not the end of the run', async () => {
  const crashing: Profile = { ...BROKEN, trial: () => Promise.reject(new Error('out of order')) };
  assert.match((await told(crashing, BROKEN.planOf(1), true))[0], /threw Error: out of order/);
});
