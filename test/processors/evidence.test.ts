// What lets a window close as far as one partition goes: its own records, else, at its end, what its side knows; and how a decision says it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createBeats, noteBeat } from '../../processors/beats.ts';
import { createClaim, noteRecord, type PartitionClaim } from '../../processors/claims.ts';
import { decisionOf, type Decision } from '../../processors/decision.ts';
import { boundsOf, closableUpToUs, NO_EVIDENCE, provenUs, sideEvidence, tierFor, type Bound, type SideEvidence } from '../../processors/evidence.ts';
import { takeDecision } from '../../processors/take-decision.ts';
import { SOURCE, TARGET } from '../../schemas/change-event.ts';
import type { PairSettings, SideSettings } from '../../schemas/pair.ts';
import { settingsOf } from '../schemas/formats/records.ts';

// [W-10, W) needs source evidence up to W + 6, target evidence up to W + 5; data less the lateness of 2.
const WINDOW = { sizeUs: 10, latenessUs: 2, lagUs: 5, skewUs: 1, retainUs: 0 };
const pairOf = (source: Partial<SideSettings>): PairSettings => ({ ...settingsOf({ source }), window: WINDOW });

function claimOf(ended: boolean, ...timesUs: number[]): PartitionClaim {
  const claim = createClaim(SOURCE, 't', 0);
  timesUs.forEach((timeUs, offset) => noteRecord(claim, offset, 0, timeUs));
  claim.ended = ended;
  return claim;
}

function evidenceOf(source: Partial<SideSettings>, beatsUs: readonly number[], readUpToUs = NaN): SideEvidence {
  const pair = pairOf(source);
  const beats = createBeats(pair, SOURCE, 'b', 0, readUpToUs);
  for (const timeUs of beatsUs) noteBeat(beats, timeUs, Math.floor(timeUs / 1000));
  return sideEvidence(pair, SOURCE, [beats], readUpToUs);
}

const BOUNDS: readonly (readonly [what: string, evidence: SideEvidence, bounds: readonly Bound[]])[] = [
  ['nothing', NO_EVIDENCE, []],
  ['one beat', evidenceOf({ delivery: 'exactly-once' }, [100]), []],
  ['exactly once', evidenceOf({ delivery: 'exactly-once' }, [100, 120]), [{ tier: 'heartbeat-action', watermarkUs: 98 }]],
  ['at least once, read a grace later', evidenceOf({ deliveryGraceUs: 5000 }, [100, 120], 9000), [{ tier: 'heartbeat-grace', watermarkUs: 98 }]],
  ['at least once, read too early', evidenceOf({ deliveryGraceUs: 5000 }, [100, 120], 4000), []],
  ['a capture delay', evidenceOf({ captureDelayUs: 30 }, [], 200), [{ tier: 'end-offset', watermarkUs: 169 }]],
  ['a capture delay, and nothing says when the end was read', evidenceOf({ captureDelayUs: 30 }, []), []],
  ['both, the strongest first, whichever reaches further', evidenceOf({ delivery: 'exactly-once', captureDelayUs: 30 }, [100, 120], 200), [{ tier: 'heartbeat-action', watermarkUs: 98 }, { tier: 'end-offset', watermarkUs: 169 }]],
];
for (const [what, evidence, bounds] of BOUNDS) void test(`bounds: ${what}`, () => assert.deepEqual(boundsOf(evidence, WINDOW), bounds));

const BOTH: readonly Bound[] = [{ tier: 'heartbeat-action', watermarkUs: 116 }, { tier: 'end-offset', watermarkUs: 126 }];
const TIERS: readonly (readonly [what: string, claim: PartitionClaim, bounds: readonly Bound[], endUs: number, tier: string | undefined])[] = [
  ['its own records reach: they count, for they say up to where it was read', claimOf(true, 118), BOTH, 110, 'data'],
  ['its own do not, and it has ended: the strongest that reaches', claimOf(true, 100), BOTH, 110, 'heartbeat-action'],
  ['the strongest does not reach: the next', claimOf(true, 100), BOTH, 120, 'end-offset'],
  ['none reaches', claimOf(true, 100), BOTH, 121, undefined],
  ['not at its end: what its side knows does not speak of what is still to be read', claimOf(false, 100), BOTH, 110, undefined],
  ['without any record, at its end', claimOf(true), BOTH, 110, 'heartbeat-action'],
  ['without any evidence', claimOf(true, 100), [], 110, undefined],
];
for (const [what, claim, bounds, endUs, tier] of TIERS) {
  void test(`tier: ${what}`, () => {
    assert.equal(tierFor(claim, bounds, endUs, WINDOW), tier);
    assert.equal(closableUpToUs(claim, bounds, WINDOW) >= endUs, tier !== undefined, 'and it lets exactly those windows close');
  });
}

void test('an idle partition is proven as far as anything says, a busy one by its records alone', () => {
  assert.deepEqual([provenUs(claimOf(true, 100), BOTH, WINDOW), provenUs(claimOf(false, 100), BOTH, WINDOW), provenUs(claimOf(true, 300), BOTH, WINDOW)], [126, 98, 298]);
});

function decisionAt(endUs: number, declared: boolean): Decision {
  const busy = Object.assign(createClaim(SOURCE, 't', 1), { firstOffset: 0, frontier: 9, maxTimeUs: 500, ended: true });
  const target = Object.assign(createClaim(TARGET, 'u', 0), { firstOffset: 0, frontier: 9, maxTimeUs: 500, ended: true });
  const evidence = evidenceOf({ delivery: 'exactly-once', captureDelayUs: 30 }, [118, 120], 157);
  const bounds = boundsOf(evidence, WINDOW);
  const record = takeDecision(pairOf({}), [claimOf(true, 100), busy, target], [bounds, bounds, []], { closeUpToUs: endUs, from: undefined, overrides: declared ? ['complete'] : [], takenAtUs: 0 });
  return decisionOf(pairOf({}), record);
}

void test('a decision says of each partition what it rests on', () => {
  const byBeat = decisionAt(110, false);
  assert.deepEqual(byBeat.record.claims.map(({ partition, watermark, tier }) => [partition, watermark.slice(-7), tier]), [[0, '000116Z', 'heartbeat-action'], [1, '000498Z', 'data'], [0, '000498Z', 'data']]);
  assert.deepEqual(byBeat.evidenceFor(110).map(({ tier }) => tier), ['heartbeat-action', 'data', 'data']);
  assert.equal(byBeat.watermarks.source.slice(-7), '000116Z', 'the least of the side');
  assert.deepEqual(decisionAt(120, false).record.claims.map(({ tier }) => tier), ['end-offset', 'data', 'data']);
});

void test('where the end is declared, each window has the tier of what sufficed for it, and the record says it all', () => {
  const declared = decisionAt(200, true);
  assert.deepEqual([90, 110, 120, 130].map(endUs => declared.evidenceFor(endUs)[0].tier), ['data', 'heartbeat-action', 'end-offset', 'declared']);
  assert.deepEqual(declared.record.claims.filter(({ side, partition }) => side === 'source' && partition === 0).map(({ watermark, tier }) => [watermark.slice(-7), tier]),
    [['000098Z', 'declared'], ['000116Z', 'heartbeat-action'], ['000126Z', 'end-offset']]);
});
