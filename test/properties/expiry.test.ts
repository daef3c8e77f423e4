// What is remembered of closed windows is forgotten after `window.retain`: the store stays bounded, no clean run is alarmed for it, and what
// is found within the retention is found as before; over crashes too.
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createHistory } from '../../processors/history.ts';
import { randomCrashes, runWithCrashes, undisturbed } from '../simulation/crash.ts';
import { realize } from '../simulation/logs.ts';
import { prng, seeds } from '../simulation/prng.ts';
import { forSeeds } from '../simulation/property.ts';
import { CLEAN, ROUGH, workload } from '../simulation/workload.ts';

test('a clean run that forgets says what one that remembers says', async () => {
  await forSeeds(seeds(9_001, 20), (seed) => workload(seed, CLEAN), async (plan) => {
    const history = realize(plan);
    const [forEver, retained] = [await undisturbed(history, 1, true), await undisturbed(history, 1, true, 'window.retain')];
    const at = retained.lines.findIndex((line, i) => line !== forEver.lines[i]);
    return at < 0 ? [] : [`line ${at + 1}`, retained.lines[at], forEver.lines[at]];
  });
});

test('crashes change no byte of a run that forgets', async () => {
  await forSeeds(seeds(9_101, 20), (seed) => workload(seed, ROUGH), async (plan) => {
    const history = realize(plan);
    const expected = await undisturbed(history, 2, true, 'window.retain');
    const run = await runWithCrashes(history, { ...randomCrashes(prng(plan.seed), 2, true, 10, 20), memory: 'window.retain' });
    const at = run.lines.findIndex((line, i) => line !== expected.lines[i]);
    return at < 0 ? [] : [`line ${at + 1}`, run.lines[at], expected.lines[at]];
  });
});

test('of the windows before the retention nothing is left, of the others everything', () => {
  const rows = new Map<string, Buffer>();
  const store = {
    get: (key: Buffer) => rows.get(key.toString('hex')), put: (key: Buffer, value: Buffer) => void rows.set(key.toString('hex'), value),
    delete: (key: Buffer) => void rows.delete(key.toString('hex')),
    range: (gte: Buffer, lt: Buffer) => [...rows].filter(([key]) => key >= gte.toString('hex') && key < lt.toString('hex')).sort().map(([key, value]) => [Buffer.from(key, 'hex'), value] as const),
  };
  const identity = (n: number): Buffer => Buffer.alloc(16, n);
  const fill = (history: ReturnType<typeof createHistory>, window: number): void => {
    identity(window).copy(history.identityBuffer(0), history.addIdentity(0));
    history.seal(window);
  };
  const history = createHistory(store, 1_000, true);
  for (let window = -2; window < 5; window++) fill(history, window);
  history.addLate(1, -1, identity(99));
  ok(!history.forgetful && history.seen(0, -2, identity(-2)));
  history.expire(3_000);
  deepEqual([-2, -1, 0, 1, 2, 3, 4].map(window => history.seen(0, window, identity(window))), [false, false, false, false, false, true, true]);
  ok(history.forgetful && !history.seen(1, -1, identity(99)));
  const again = createHistory(store, 1_000, true);
  ok(again.forgetful);
  again.expire(5_000);
  deepEqual(rows.size, 1, 'only that something was forgotten is remembered');
});
