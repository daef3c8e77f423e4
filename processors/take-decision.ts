// Taking a decision: the only place where claims become one. What takes decisions is apart from what uses them (decision.ts), so whatever
// is wrong with a clock or with a claim can be seen in a record, and a replay never comes here.
import { SIDES } from '../schemas/change-event.ts';
import type { PairSettings, WindowSettings } from '../schemas/pair.ts';
import { chainOf, type Claim, type DecisionRecord, type Tier } from '../schemas/records.ts';
import { formatTime } from '../schemas/time.ts';
import { beginOffset, watermarkUs, type PartitionClaim } from './claims.ts';
import { decisionIdOf } from './decision.ts';
import { tierFor, type Bound } from './evidence.ts';

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

/** It is the caller's part to have read each partition exactly up to its frontier. `bounds`: of each partition, what its side has beside its rows. */
export function takeDecision(
  pair: PairSettings, claims: readonly PartitionClaim[], bounds: readonly (readonly Bound[])[], { closeUpToUs, from, overrides, takenAtUs }: Taking,
): DecisionRecord {
  const body = {
    pair: pair.name,
    ...chainOf(pair),
    closeUpTo: formatTime(closeUpToUs),
    frontiers: claims.map((claim, i) => ({
      side: SIDES[claim.side], topic: claim.topic, partition: claim.partition,
      fromOffset: String(from?.[i] ?? beginOffset(claim)), offset: String(claim.frontier),
    })),
    claims: claims.flatMap((claim, i) => claimsOf(claim, bounds[i], tierFor(claim, bounds[i], closeUpToUs, pair.window) ?? 'declared', pair.window)),
    overrides: [...overrides],
    takenAt: formatTime(takenAtUs),
  };
  return { record: 'decision', decisionId: decisionIdOf(pair.configHash, body), ...body };
}

/**
 * What a partition's part rests on. Where it is declared, what the side knows stands behind it: it may have sufficed for windows that end
 * earlier, and a verdict's evidence is to be read from the record alone.
 */
function claimsOf(claim: PartitionClaim, bounds: readonly Bound[], tier: Tier, window: WindowSettings): Claim[] {
  const at = { side: SIDES[claim.side], topic: claim.topic, partition: claim.partition };
  const own = { ...at, watermark: formatTime(watermarkUs(claim, window)), tier };
  if (tier === 'data') return [own];
  const beside = bounds.map(bound => ({ ...at, watermark: formatTime(bound.watermarkUs), tier: bound.tier }));
  return tier === 'declared' ? [own, ...(claim.ended ? beside : [])] : beside.filter(bound => bound.tier === tier);
}
