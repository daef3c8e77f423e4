// What a side knows beside a partition's own records: for a partition that was read to its end and has nothing to say. Idle is not caught up,
// so such a partition is never left out of the minimum: it takes a bound from evidence, of the tier that semantics.md §3 gives it, or it holds
// every window.
//
// A marker inside the partition (CockroachDB's `resolved`, TiCDC's watermark, a punctuation of our own) would be a claim of the partition, before
// `data` in `tierFor`; no format that is read today has one. A logical message among the rows is none: it stands at its commit like a row, and
// promises nothing of what is still to come. So it is `data`, and where it was not transactional nothing, for it has no commit time (ruling 6).
import { SIDES } from '../schemas/change-event.ts';
import { sideOf, type PairSettings, type WindowSettings } from '../schemas/pair.ts';
import type { Tier } from '../schemas/records.ts';
import { beatWatermarkUs, type Beats } from './beats.ts';
import { horizonUs, reaches, watermarkUs, type PartitionClaim } from './claims.ts';

/** A time below which no change of an idle partition is still to come, and what says so. */
export interface Bound { readonly tier: Tier; readonly watermarkUs: number }

/** What one side has beside its rows. */
export interface SideEvidence {
  readonly beats: readonly Beats[];
  /** Of the beats: `heartbeat-grace` where a record may still appear behind a later one. */
  readonly beatTier: Tier;
  /** From the end of the partitions alone: read at a time of the log's own clock, less the declared capture delay and the skew of clocks. -Infinity where it is not known. Grows where the log is followed. */
  endUs: number;
}
/** By side. */
export type PairEvidence = readonly [SideEvidence, SideEvidence];

/** `readUpToUs`: a time of the log at which the side's partitions had not more than was read of them; NaN where it is not known. In `check` the greatest timestamp of the partitions' last records (ruling 7). */
export function sideEvidence(pair: PairSettings, side: number, beats: readonly Beats[], readUpToUs: number): SideEvidence {
  return { beats, beatTier: sideOf(pair, SIDES[side]).delivery === 'exactly-once' ? 'heartbeat-action' : 'heartbeat-grace', endUs: endEvidenceUs(pair, side, readUpToUs) };
}

/** `endUs` of a side that was read up to then. */
export function endEvidenceUs(pair: PairSettings, side: number, readUpToUs: number): number {
  const { captureDelayUs } = sideOf(pair, SIDES[side]);
  return captureDelayUs === undefined || Number.isNaN(readUpToUs) ? -Infinity : readUpToUs - captureDelayUs - pair.window.skewUs;
}

export const NO_EVIDENCE: SideEvidence = { beats: [], beatTier: 'heartbeat-grace', endUs: -Infinity };

/** A side's bounds now, strongest first. */
export function boundsOf({ beats, beatTier, endUs }: SideEvidence, window: WindowSettings): readonly Bound[] {
  const beatUs = beats.reduce((most, one) => Math.max(most, beatWatermarkUs(one, window)), -Infinity);
  const bounds: Bound[] = [{ tier: beatTier, watermarkUs: beatUs }, { tier: 'end-offset', watermarkUs: endUs }];
  return bounds.filter(bound => bound.watermarkUs > -Infinity);
}

/** What lets a window that ends at `endUs` close as far as this partition goes; undefined: nothing does, the partition holds it. Its own records count first, for they say up to which of them it was read. */
export function tierFor(claim: PartitionClaim, bounds: readonly Bound[], endUs: number, window: WindowSettings): Tier | undefined {
  if (reaches(claim, endUs, window)) return 'data';
  if (!claim.ended) return undefined;
  return bounds.find(bound => bound.watermarkUs >= endUs + horizonUs(claim.side, window))?.tier;
}

/** The greatest time that anything lets one claim of the partition. */
export function provenUs(claim: PartitionClaim, bounds: readonly Bound[], window: WindowSettings): number {
  return claim.ended ? bounds.reduce((most, bound) => Math.max(most, bound.watermarkUs), watermarkUs(claim, window)) : watermarkUs(claim, window);
}

/** The end of the last window that the partition lets close. */
export function closableUpToUs(claim: PartitionClaim, bounds: readonly Bound[], window: WindowSettings): number {
  return Math.floor((provenUs(claim, bounds, window) - horizonUs(claim.side, window)) / window.sizeUs) * window.sizeUs;
}
