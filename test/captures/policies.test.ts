// The policies on real captures: a sink that was killed and applied a suffix again is clean under `replay`, and stays told under `exact`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SummaryRecord } from '../../schemas/records.ts';
import { checkCapture } from '../support/captures.ts';

/** The killed worker was away for a minute: what waited is late, not missing, only under an L that allows for it. */
const LONG_LAG = { size: '1s', lateness: '5s', lag: '2m', skew: '1s' };

for (const table of ['orders', 'customers']) {
  test(`crash-redelivery: ${table} by origin under replay: the suffix that the killed sink applied again is no discrepancy`, async () => {
    const replay = await checkCapture('crash-redelivery', table, 'tgt', pair => ({ ...pair, window: LONG_LAG, policy: 'replay' }));
    assert.deepEqual(replay.records.filter(record => record.record === 'manifest'), []);
    assert.equal(replay.exitCode, 0);
    const exact = await checkCapture('crash-redelivery', table, 'tgt', pair => ({ ...pair, window: LONG_LAG }));
    const [allowed, told] = [replay, exact].map(({ records }) => (records.at(-1) as SummaryRecord).counts);
    assert.ok(Number(told.duplicate) > 0);
    assert.equal(Number(allowed.excluded) - Number(told.excluded), Number(told.duplicate), 'what is told under exact is excluded, one by one');
    assert.deepEqual([allowed.matched, allowed.sourceEvents, allowed.duplicate, allowed.openDivergences], [told.matched, told.sourceEvents, '0', '0']);
  });
}
