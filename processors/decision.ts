// A decision: up to where windows close, on which evidence. Everything that is not in the events enters the core through one, and it is
// written to the audit topic before any verdict that uses it, so that a replay reads decisions and never takes them again.
import { SIDES, SOURCE, TARGET } from '../schemas/change-event.ts';
import { hashText } from '../schemas/hash-text.ts';
import type { DecisionRecord, Evidence, Tier } from '../schemas/records.ts';
import type { PairSettings } from '../schemas/pair.ts';
import { formatTime } from '../schemas/time.ts';
import { horizonUs, sideWatermarkUs, watermarkUs, type PartitionClaim } from './claims.ts';

export interface Decision {
  /** Windows that end at or before this close, microseconds. */
  readonly closeUpToUs: number;
  /** Largest record timestamp below the frontiers (ruling 7), RFC 3339. */
  readonly takenAt: string;
  /** The evidence for a window that ends then: a partition's own where that sufficed, else `declared` (ruling 5). */
  evidenceFor(endUs: number): Evidence[];
  readonly watermarks: { readonly source: string; readonly target: string };
  readonly record: DecisionRecord;
  /** Offset from which a side's partition was evidence, for the next decision. */
  readonly frontiers: readonly number[];
}

/**
 * Takes a decision on what has been read: it is the caller's part to have read each partition exactly up to its frontier.
 * `declared`: the inputs are declared complete (`--complete`), for partitions whose own claim does not suffice.
 */
export function takeDecision(
  pair: PairSettings, claims: readonly PartitionClaim[], previous: readonly number[] | undefined, closeUpToUs: number, declared: boolean,
): Decision {
  const reach = claims.map(claim => watermarkUs(claim, pair.window) - horizonUs(claim.side, pair.window));
  const tierOf = (i: number, endUs: number): Tier => (!declared || reach[i] >= endUs ? 'data' : 'declared');
  const ranges = claims.map((claim, i) => ({
    side: SIDES[claim.side], topic: claim.topic, partition: claim.partition,
    fromOffset: String(previous?.[i] ?? (Number.isNaN(claim.firstOffset) ? 0 : claim.firstOffset)),
    toOffset: String(claim.frontier),
  }));
  const body = {
    pair: pair.name,
    closeUpTo: formatTime(closeUpToUs),
    frontiers: claims.map(claim => ({ side: SIDES[claim.side], topic: claim.topic, partition: claim.partition, offset: String(claim.frontier) })),
    claims: claims.map((claim, i) => ({
      side: SIDES[claim.side], topic: claim.topic, partition: claim.partition, watermark: formatTime(watermarkUs(claim, pair.window)), tier: tierOf(i, closeUpToUs),
    })),
    overrides: declared ? ['complete'] : [],
    takenAt: formatTime(Math.max(...claims.map(claim => claim.maxTimestampMs)) * 1000),
  };
  return {
    closeUpToUs, takenAt: body.takenAt,
    evidenceFor: endUs => ranges.map((range, i) => ({ ...range, tier: tierOf(i, endUs) })),
    frontiers: claims.map(claim => claim.frontier),
    watermarks: { source: formatTime(sideWatermarkUs(claims, SOURCE, pair.window)), target: formatTime(sideWatermarkUs(claims, TARGET, pair.window)) },
    record: { record: 'decision', decisionId: hashText('decision', JSON.stringify([pair.configHash, body])), ...body },
  };
}
