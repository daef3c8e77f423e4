// Trap 15. One task's store is damaged: it alone is made anew from its changelog, the healthy one goes on as it is, and what both say is what they
// would have said. The damage is found when the store is opened, or in the middle of the run, where a block is read or written first.
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { StoreError } from '../../stores/store-error.ts';
import type { StoreEngine } from '../../stores/store.ts';
import { taskName, type TaskId } from '../../topology/runtime/task-id.ts';
import { altered, databaseOf, live, liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write, type Place } from './place.ts';

const PAIRS = ['orders', 'customers'];

void test('trap 15: the store of one of two tasks has lost a file', async (t) => {
  const expected = await undisturbed(t, [...rows(20), ...rows(10, 20)], PAIRS);
  const place = await halfWay(t);
  const db = databaseOf(place, 'customers');
  for (const name of readdirSync(db)) if (name.startsWith('MANIFEST-') || name.endsWith('.log')) rmSync(join(db, name));
  const said = wiped(await liveOn(place));
  assert.equal(said.length, 1);
  assert.match(said[0], /^customers/);
  assert.deepEqual(await outputsOf(place), expected);
});

/** What a task asks of its store, and where it asks that. */
const CALLS = [['get', 'running'], ['range', 'opening'], ['write', 'running']] as const;
/** Found at the n-th call of its kind, and once again at the first one after the store was made anew. */
interface Hurt { readonly call: (typeof CALLS)[number][0]; left: number; again: boolean }

for (const [call, when] of CALLS) {
  void test(`trap 15: the store of one of two tasks turns out to be damaged at a ${call}, while the task is ${when}`, async (t) => {
    const expected = await undisturbed(t, [...rows(20), ...rows(10, 20)], PAIRS);
    const found = new Set<string>();
    for (let at = 1; ; at *= 2) {
      const place = await halfWay(t);
      const hurt: Hurt = { call, left: at, again: false };
      const said = await liveOn(place, { harm: harmOf(hurt) });
      assert.deepEqual(await outputsOf(place), expected, `at ${call} ${at}`);
      if (hurt.left > 0) break;
      assert.deepEqual(wiped(said).map(line => line.split(':')[0]), ['customers/reconcile/0'], `at ${call} ${at}`);
      const steps = said.flatMap(line => /^customers.reconcile.0: ([a-z]+)$/.exec(line)?.[1] ?? []);
      found.add(steps[1] === 'running' ? 'running' : 'opening');
      assert.deepEqual(steps.slice(steps.indexOf('corrupt')), ['corrupt', 'closed', 'restoring', 'running', 'suspended', 'closed']);
      // It was restored from nothing, and the healthy one was begun once and needed nothing.
      assert.ok(said.some(line => line.startsWith('customers/reconcile/0: restoring: offset')));
      assert.ok(!said.some(line => line.startsWith('orders/reconcile/0: restoring: offset')));
      assert.equal(said.filter(line => line === 'orders/reconcile/0: running').length, 1);
    }
    assert.ok(found.has(when), `no ${call} while the task was ${when}`);
  });
}

void test('trap 15: a store that is damaged again as soon as it is made anew ends the service, which says so', async (t) => {
  const place = await halfWay(t);
  await assert.rejects(liveOn(place, { harm: harmOf({ call: 'write', left: 1, again: true }) }), { reason: 'corrupt', message: /a block is damaged/ });
});

/** Both tasks have read a part of the input, and there is more. */
async function halfWay(t: TestContext): Promise<Place> {
  const place = placeOf(t, { pairs: PAIRS });
  const log = await openLog(place);
  await write(log, rows(20));
  await live(place, { log });
  await write(log, rows(10, 20));
  await log.close();
  return place;
}

function harmOf(hurt: Hurt): (engine: StoreEngine, task: TaskId) => StoreEngine {
  return (engine, task) => (taskName(task) === 'customers/reconcile/0' ? damaged(engine, hurt) : engine);
}

function damaged(engine: StoreEngine, hurt: Hurt): StoreEngine {
  const called = (call: Hurt['call']): void => {
    if (call !== hurt.call || --hurt.left !== 0) return;
    if (hurt.again) hurt.left = 1;
    throw new StoreError('corrupt', 'a block is damaged');
  };
  return altered(engine, {
    get(family, key) {
      called('get');
      return engine.get(family, key);
    },
    range(family, options) {
      called('range');
      return engine.range(family, options);
    },
    write(ops) {
      called('write');
      engine.write(ops);
    },
  });
}
