// Taking a decision: the only place where claims become one. What takes decisions is apart from what uses them (decision.ts), so whatever
// is wrong with a clock or with a claim can be seen in a record, and a replay never comes here.
import { SIDES } from '../schemas/change-event.ts';
import type { PairSettings } from '../schemas/pair.ts';
import type { DecisionRecord, Tier } from '../schemas/records.ts';
import { formatTime } from '../schemas/time.ts';
import { horizonUs, watermarkUs, type PartitionClaim } from './claims.ts';
import { COMPLETE, decisionIdOf } from './decision.ts';

export interface Taking {
  /** Windows that end at or before this close, microseconds. */
  readonly closeUpToUs: number;
  /** Offset from which each partition is evidence: the frontiers of the last decision that closed a window with anything in it. */
  readonly from: readonly number[] | undefined;
  /** COMPLETE and BEGINNING of decision.ts. */
  readonly overrides: readonly string[];
  /** Microseconds. */
  readonly takenAtUs: number;
}

/** It is the caller's part to have read each partition exactly up to its frontier. */
export function takeDecision(pair: PairSettings, claims: readonly PartitionClaim[], { closeUpToUs, from, overrides, takenAtUs }: Taking): DecisionRecord {
  const declared = overrides.includes(COMPLETE);
  const tierOf = (claim: PartitionClaim): Tier =>
    (!declared || watermarkUs(claim, pair.window) - horizonUs(claim.side, pair.window) >= closeUpToUs ? 'data' : 'declared');
  const body = {
    pair: pair.name,
    closeUpTo: formatTime(closeUpToUs),
    frontiers: claims.map((claim, i) => ({
      side: SIDES[claim.side], topic: claim.topic, partition: claim.partition,
      fromOffset: String(from?.[i] ?? (Number.isNaN(claim.firstOffset) ? 0 : claim.firstOffset)), offset: String(claim.frontier),
    })),
    claims: claims.map(claim => ({
      side: SIDES[claim.side], topic: claim.topic, partition: claim.partition, watermark: formatTime(watermarkUs(claim, pair.window)), tier: tierOf(claim),
    })),
    overrides: [...overrides],
    takenAt: formatTime(takenAtUs),
  };
  return { record: 'decision', decisionId: decisionIdOf(pair.configHash, body), ...body };
}
