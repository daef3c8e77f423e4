// A partition that holds a window is stalled only where it holds one window for longer than evidence takes to come.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { StatusRecord } from '../../../schemas/records.ts';
import { createStalls } from '../../../topology/runtime/stalls.ts';

const WINDOW = { sizeUs: 1_000_000, latenessUs: 5_000_000, lagUs: 10_000_000, skewUs: 1_000_000, retainUs: 0 };
/** Lag, skew and lateness, and half a minute. */
const BOUND_MS = 46_000;
const holding: StatusRecord = { record: 'status', pair: 'orders', side: 'target', topic: 't', partition: 1, stalled: true, reason: 'no record' };
const quiet = { ...holding, stalled: false, reason: '' };

/** What is said at each moment, by the window that is held then; undefined: the partition holds none. */
function said(moments: readonly (readonly [atMs: number, heldUs: number | undefined])[]): boolean[] {
  let now = 0;
  const stalls = createStalls(() => now, undefined);
  return moments.map(([atMs, heldUs]) => {
    now = atMs;
    return stalls.judge(heldUs === undefined ? quiet : holding, quiet, heldUs, WINDOW).stalled;
  });
}

const SEQUENCES: readonly (readonly [what: string, moments: Parameters<typeof said>[0], stalled: boolean[]])[] = [
  ['below the bound', [[0, 5], [BOUND_MS - 1, 5]], [false, false]],
  ['at the bound', [[0, 5], [BOUND_MS, 5]], [false, true]],
  ['another window each time: it moves on', [[0, 5], [BOUND_MS, 6], [2 * BOUND_MS, 7]], [false, false, false]],
  ['a hold that ended in between begins anew', [[0, 5], [20_000, undefined], [BOUND_MS, 5]], [false, false, false]],
  ['and ends with the window', [[0, 5], [BOUND_MS, 5], [BOUND_MS + 1, 6], [BOUND_MS + 2, undefined]], [false, true, false, false]],
];
for (const [what, moments, stalled] of SEQUENCES) void test(what, () => assert.deepEqual(said(moments), stalled));

void test('it says since when the window is held, and keeps the reason', () => {
  let now = 0;
  const stalls = createStalls(() => now, () => 1_700_000_000_000 + now);
  assert.deepEqual(stalls.judge(holding, quiet, 5, WINDOW), quiet);
  now = BOUND_MS;
  assert.deepEqual(stalls.judge(holding, quiet, 5, WINDOW), { ...holding, since: '2023-11-14T22:13:20.000000Z' });
  const other = { ...quiet, partition: 2 };
  assert.deepEqual(stalls.judge({ ...holding, partition: 2 }, other, 5, WINDOW), other, 'each partition by itself');
});
