// When a task commits: after its interval, or when what waits is beyond its bound, whichever comes first; and when it stops.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionsRenewedMs } from '../../../schemas/limits.ts';
import { createPacer, Stopping, type Pacer } from '../../../topology/runtime/pacer.ts';

const INTERVAL_MS = 500;

interface Paced { readonly pacer: Pacer; readonly stop: AbortController; readonly at: { ms: number; full: boolean; commits: number; slept: number[] } }

function paced(): Paced {
  const at: Paced['at'] = { ms: 0, full: false, commits: 0, slept: [] };
  const stop = new AbortController();
  const pacer = createPacer({
    commit: () => {
      at.commits++;
      at.full = false;
      return Promise.resolve(true);
    },
    intervalMs: INTERVAL_MS, isFull: () => at.full, signal: stop.signal,
    clock: {
      nowMs: () => at.ms,
      sleep: (ms) => {
        at.slept.push(ms);
        at.ms += ms;
        return Promise.resolve();
      },
    },
  });
  return { pacer, stop, at };
}

const DUE: readonly (readonly [what: string, ms: number, full: boolean, commits: number])[] = [
  ['before the interval is over', INTERVAL_MS - 1, false, 0],
  ['when it is over', INTERVAL_MS, false, 1],
  ['before that, where what waits is beyond its bound', 1, true, 1],
  ['once where both', INTERVAL_MS, true, 1],
];
for (const [what, ms, full, commits] of DUE) {
  const steps = { commitIfDue: (pacer: Pacer) => pacer.commitIfDue(), turn: (pacer: Pacer) => pacer.turn(0) };
  for (const [name, step] of Object.entries(steps)) {
    test(`${name}, ${what}: ${commits === 0 ? 'no commit' : 'a commit'}`, async () => {
      const { pacer, at } = paced();
      [at.ms, at.full] = [ms, full];
      await step(pacer);
      assert.equal(at.commits, commits);
      await step(pacer);
      assert.equal(at.commits, commits, 'and not once more');
    });
  }
}

test('with nothing to read it waits for the rest of the interval, so that no commit is older', async () => {
  const { pacer, at } = paced();
  at.ms = 100;
  assert.equal(await pacer.more(), true);
  assert.deepEqual([at.slept, at.commits], [[INTERVAL_MS - 100], 1]);
  pacer.wake();
  assert.equal(await pacer.more(), true);
  assert.deepEqual([at.slept.length, at.commits], [1, 1], 'woken, it does not wait');
});

test('stopped, it reads no more', async () => {
  const { pacer, stop } = paced();
  stop.abort();
  await assert.rejects(pacer.turn(0), Stopping);
  assert.equal(await pacer.more(), false);
});

test('a task without anything to commit is asked to commit its positions anew once an hour, counted from what was committed last', async () => {
  const anew: number[] = [];
  let [ms, isBusy] = [0, false];
  const pacer = createPacer({
    commit: evenIdle => {
      if (evenIdle === true) anew.push(ms);
      return Promise.resolve(evenIdle === true || isBusy);
    },
    intervalMs: INTERVAL_MS, isFull: () => false, signal: new AbortController().signal,
    clock: { nowMs: () => ms, sleep: wait => { ms += wait; return Promise.resolve(); } },
  });
  const until = async (untilMs: number): Promise<void> => { while (ms < untilMs) await pacer.more(); };
  await until(positionsRenewedMs - INTERVAL_MS);
  assert.deepEqual(anew, []);
  await until(2 * positionsRenewedMs + INTERVAL_MS);
  assert.deepEqual(anew, [positionsRenewedMs, 2 * positionsRenewedMs]);
  isBusy = true;
  await until(2.5 * positionsRenewedMs);
  isBusy = false;
  await until(3.5 * positionsRenewedMs);
  assert.deepEqual(anew.slice(2), [3.5 * positionsRenewedMs]);
});
