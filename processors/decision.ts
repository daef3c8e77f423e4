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
  /** The evidence for a window that ends then: a partition's own where that sufficed, else its side's, else `declared` (ruling 5). */
  evidenceFor(endUs: number): Evidence[];
  readonly watermarks: { readonly source: string; readonly target: string };
  readonly record: DecisionRecord;
}

/** The decision that a record tells of. */
export function decisionOf(pair: Pick<PairSettings, 'window'>, record: DecisionRecord): Decision {
  const { frontiers, takenAt } = record;
  const claims = Map.groupBy(record.claims, nameOf);
  return {
    closeUpToUs: parseTime(record.closeUpTo), takenAt, record,
    evidenceFor: endUs => frontiers.map(frontier => {
      const { side, topic, partition, fromOffset, offset } = frontier;
      return { side, topic, partition, fromOffset, toOffset: offset, tier: tierOf(pair.window, claims.get(nameOf(frontier)) ?? [], endUs) };
    }),
    watermarks: { source: leastWatermark(claims, SOURCE), target: leastWatermark(claims, TARGET) },
  };
}

function nameOf({ side, topic, partition }: Pick<Claim, 'side' | 'topic' | 'partition'>): string {
  return `${side} ${partition} ${topic}`;
}

/** Derived from all that the record says, and from the configuration: another decision has another id. */
export function decisionIdOf(configHash: string, record: Omit<DecisionRecord, 'record' | 'decisionId'>): string {
  const body = Object.entries(record).filter(([name]) => name !== 'record' && name !== 'decisionId');
  return hashText('decision', JSON.stringify([configHash, Object.fromEntries(body)]));
}

/**
 * Of a partition's claims in their order. Where it is declared complete, its own evidence or its side's may still have sufficed for a window
 * that ends earlier: the claim that says `declared` has the watermark of its own records.
 */
function tierOf(window: WindowSettings, claims: readonly Claim[], endUs: number): Tier {
  const [first] = claims;
  if (first === undefined || first.tier !== 'declared') return first?.tier ?? 'declared';
  const horizon = horizonUs(first.side === 'source' ? SOURCE : TARGET, window);
  const sufficient = claims.find(claim => timeOf(claim) - horizon >= endUs);
  return sufficient === undefined ? 'declared' : sufficient === first ? 'data' : sufficient.tier;
}

/** Of a side: the greatest claim of each partition, the least of them. An idle one is not left out; empty text where a partition has none. */
function leastWatermark(claims: ReadonlyMap<string, readonly Claim[]>, side: number): string {
  const own = [...claims.values()].filter(([first]) => first.side === SIDES[side]);
  return formatTime(Math.min(...own.map(of => Math.max(...of.map(timeOf)))));
}

function timeOf({ watermark }: Claim): number {
  return watermark === '' ? -Infinity : parseTime(watermark);
}
