// A decision: up to where windows close, on which evidence. Everything that is not in the events enters the core through one, and it is
// written to the audit topic before any verdict that uses it. This page uses decisions and takes none (take-decision.ts): all that a verdict
// says of its evidence is read from the record, so one that was read back gives the bytes that it gave when it was taken.
import { SOURCE, TARGET, SIDES } from '../schemas/change-event.ts';
import { hashText } from '../schemas/hash-text.ts';
import type { PairSettings, WindowSettings } from '../schemas/pair.ts';
import type { Claim, DecisionRecord, Evidence, Tier } from '../schemas/records.ts';
import { formatTime, parseTime } from '../schemas/time.ts';
import { horizonUs } from './claims.ts';

/** Overrides: the inputs are declared complete to their ends; and they are declared to begin where they begin, so that nothing is warm-up. */
export const COMPLETE = 'complete';
export const BEGINNING = 'beginning';

export interface Decision {
  /** Windows that end at or before this close, microseconds. */
  readonly closeUpToUs: number;
  /** When it was taken, RFC 3339. In `check` the largest record timestamp below the frontiers (ruling 7). */
  readonly takenAt: string;
  /** The evidence for a window that ends then: a partition's own where that sufficed, else `declared` (ruling 5). */
  evidenceFor(endUs: number): Evidence[];
  readonly watermarks: { readonly source: string; readonly target: string };
  readonly record: DecisionRecord;
}

/** The decision that a record tells of. */
export function decisionOf(pair: Pick<PairSettings, 'window'>, record: DecisionRecord): Decision {
  const { frontiers, claims, takenAt } = record;
  return {
    closeUpToUs: parseTime(record.closeUpTo), takenAt, record,
    evidenceFor: endUs => frontiers.map(({ side, topic, partition, fromOffset, offset }, i) => ({
      side, topic, partition, fromOffset, toOffset: offset, tier: tierFor(pair.window, claims[i], endUs),
    })),
    watermarks: { source: leastWatermark(claims, SOURCE), target: leastWatermark(claims, TARGET) },
  };
}

/** Derived from all that the record says, and from the configuration: another decision has another id. */
export function decisionIdOf(configHash: string, record: Omit<DecisionRecord, 'record' | 'decisionId'>): string {
  const body = Object.entries(record).filter(([name]) => name !== 'record' && name !== 'decisionId');
  return hashText('decision', JSON.stringify([configHash, Object.fromEntries(body)]));
}

/** Where a partition is declared complete, its own evidence may still have sufficed for a window that ends earlier. */
function tierFor(window: WindowSettings, claim: Claim, endUs: number): Tier {
  if (claim.tier !== 'declared') return claim.tier;
  const horizon = horizonUs(claim.side === 'source' ? SOURCE : TARGET, window);
  return parseTime(claim.watermark) - horizon >= endUs ? 'data' : 'declared';
}

/** Of a side; an idle partition is not left out. Empty text where a partition has none. */
function leastWatermark(claims: readonly Claim[], side: number): string {
  const times = claims.filter(claim => claim.side === SIDES[side]).map(claim => (claim.watermark === '' ? -Infinity : parseTime(claim.watermark)));
  return formatTime(Math.min(...times));
}
