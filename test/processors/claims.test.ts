// What a partition lets one claim: by its greatest commit time, never going back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';

import { beginOffset, beginsLate, createClaim, horizonUs, isFromFuture, noteRecord, reaches, warmUpUntilUs, watermarkUs } from '../../processors/claims.ts';
import type { PartitionClaim } from '../../processors/claims.ts';
import { closableUpToUs } from '../../processors/evidence.ts';
import { SOURCE, TARGET } from '../../schemas/change-event.ts';

const WINDOW = { sizeUs: 10, latenessUs: 2, lagUs: 5, skewUs: 1, retainUs: 0 };

/** A claim after records with these commit times, at every second offset from 7 on; timestamps count from 1000. */
function claimOf(side: number, ...timesUs: number[]): PartitionClaim {
  const claim = createClaim(side, 't', 0);
  timesUs.forEach((timeUs, i) => noteRecord(claim, 7 + 2 * i, 1000 + i, timeUs));
  return claim;
}

const NOTED: readonly (readonly [what: string, timesUs: readonly number[], claim: Partial<PartitionClaim>])[] = [
  ['nothing read', [], { firstOffset: NaN, frontier: 0, maxTimeUs: -Infinity, minTimeUs: Infinity, lastTimeUs: NaN, maxTimestampMs: -Infinity }],
  ['one record', [50], { firstOffset: 7, frontier: 8, maxTimeUs: 50, minTimeUs: 50, lastTimeUs: 50, maxTimestampMs: 1000 }],
  ['times that go back', [50, 40, 45], { firstOffset: 7, frontier: 12, maxTimeUs: 50, minTimeUs: 40, lastTimeUs: 45, maxTimestampMs: 1002 }],
  ['a record without a commit time', [50, NaN], { frontier: 10, maxTimeUs: 50, minTimeUs: 50, lastTimeUs: 50, maxTimestampMs: 1001 }],
  ['only records without one', [NaN, NaN], { firstOffset: 7, frontier: 10, maxTimeUs: -Infinity, minTimeUs: Infinity, lastTimeUs: NaN }],
  ['before the epoch', [-50, -60], { maxTimeUs: -50, minTimeUs: -60, lastTimeUs: -60 }],
];

for (const [what, timesUs, expected] of NOTED) {
  void test(`noted: ${what}`, () => {
    const claim = claimOf(SOURCE, ...timesUs);
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, claim[name as keyof PartitionClaim]])), expected);
  });
}

// [W-10, W) needs source commit times up to W + lag + skew + lateness, target ones up to W + lag + lateness.
const REACH: readonly (readonly [side: number, maxTimeUs: number, reaches110: boolean, closable: number])[] = [
  [SOURCE, 117, false, 100], [SOURCE, 118, true, 110], [SOURCE, 127, true, 110], [SOURCE, 128, true, 120],
  [TARGET, 116, false, 100], [TARGET, 117, true, 110], [TARGET, 126, true, 110], [TARGET, 127, true, 120],
  [SOURCE, -Infinity, false, -Infinity], [TARGET, 0, false, -10],
];

for (const [side, maxTimeUs, reached, closable] of REACH) {
  void test(`${side === SOURCE ? 'source' : 'target'} read up to ${maxTimeUs}: windows up to ${closable} may close`, () => {
    const claim = claimOf(side, ...(maxTimeUs === -Infinity ? [] : [maxTimeUs, maxTimeUs - 30]));
    assert.equal(reaches(claim, 110, WINDOW), reached);
    assert.equal(closableUpToUs(claim, [], WINDOW), closable);
  });
}

void test('horizons: the source is known further, by the skew', () => assert.deepEqual([horizonUs(SOURCE, WINDOW), horizonUs(TARGET, WINDOW)], [6, 5]));

void test('warm-up ends L + ε + lateness after every partition has begun; one without a record has not begun, and one from offset 0 needs none', () => {
  const fromZero = createClaim(TARGET, 't', 1);
  noteRecord(fromZero, 0, 0, 90);
  assert.equal(warmUpUntilUs([fromZero, claimOf(SOURCE)], WINDOW), -Infinity);
  assert.equal(warmUpUntilUs([fromZero, claimOf(SOURCE, 100), claimOf(SOURCE)], WINDOW), 108);
  const emptied = createClaim(SOURCE, 't', 2, 50);
  assert.deepEqual([beginsLate(fromZero), beginsLate(emptied), beginOffset(emptied), emptied.frontier], [false, true, 50, 50]);
  assert.equal(warmUpUntilUs([fromZero, emptied], WINDOW), 98, 'retention has taken all that was in it, and nobody knows what');
});

void test('a watermark and a frontier never go back, and a window that may close may always close', () => {
  fc.assert(fc.property(fc.array(fc.oneof(fc.integer({ min: -100, max: 100 }), fc.constant(NaN)), { maxLength: 30 }), fc.constantFrom(SOURCE, TARGET), (timesUs, side) => {
    const claim = createClaim(side, 't', 0);
    let [watermark, frontier, closable] = [-Infinity, 0, -Infinity];
    timesUs.forEach((timeUs, offset) => {
      noteRecord(claim, offset, offset, timeUs);
      assert.ok(watermarkUs(claim, WINDOW) >= watermark && claim.frontier > frontier && closableUpToUs(claim, [], WINDOW) >= closable);
      [watermark, frontier, closable] = [watermarkUs(claim, WINDOW), claim.frontier, closableUpToUs(claim, [], WINDOW)];
      if (Number.isFinite(closable)) assert.ok(reaches(claim, closable, WINDOW) && !reaches(claim, closable + WINDOW.sizeUs, WINDOW));
    });
  }), { numRuns: 200 });
});

// The bound is an hour after the record's own timestamp, and the declared skew.
const HOUR_US = 3_600_000_000;
const FUTURE: readonly (readonly [what: string, commitTimeUs: number, timestampMs: number, is: boolean])[] = [
  ['at its timestamp', 5_000_000, 5000, false],
  ['at the bound', 5_000_000 + HOUR_US + WINDOW.skewUs, 5000, false],
  ['a microsecond beyond', 5_000_000 + HOUR_US + WINDOW.skewUs + 1, 5000, true],
  ['history that is read today', 5_000_000, 1_700_000_000_000, false],
  ['before the epoch', -HOUR_US, 5000, false],
  ['no commit time', NaN, 5000, false],
  ['a record without a timestamp', 9e15, -1, false],
  ['a timestamp that a tool made up', 9e15, 0, false],
];
for (const [what, commitTimeUs, timestampMs, is] of FUTURE) {
  void test(`${is ? 'from the future' : 'believed'}: ${what}`, () => assert.equal(isFromFuture(commitTimeUs, timestampMs, WINDOW), is));
}
