// Maintenance beside the tasks: one pass at a time, a failure is said and the next one comes, the end waits for the pass that runs.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';

import { startMaintaining } from '../../../topology/runtime/maintaining.ts';

void test('pass after pass; a failure is said; the end waits for the pass that runs', async () => {
  const said: string[] = [];
  const sleeps: number[] = [];
  let passes = 0;
  let finish = (): void => undefined;
  const end = startMaintaining({
    everyMs: 700, say: line => void said.push(line),
    clock: { nowMs: () => 0, sleep: ms => Promise.resolve(void sleeps.push(ms)) },
    maintain() {
      passes++;
      if (passes === 1) return Promise.reject(new Error('disk full'));
      return new Promise(resolve => { finish = resolve; });
    },
  });
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  assert.deepEqual([passes, sleeps, said], [2, [700, 700], ['the log was not maintained: disk full']]);
  let ended = false;
  const ending = end().then(() => { ended = true; });
  await setImmediate();
  assert.equal(ended, false);
  finish();
  await ending;
  assert.equal(passes, 2);
});
