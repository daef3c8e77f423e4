// The decisions of a pair, composed of the words of its reconcile tasks as one task over all partitions would take them. That one has one
// gate: the end of the window that is next to close. Each reconcile task has its own, so for each gate of the pair the first word of each that
// has come to it counts; the least of them says up to where the pair's windows close.
//
// That first word speaks of the very frontiers that the one task would have: a partition is read to the least offset at which its claim
// reaches the horizon of a gate, and the word before it had not come to this one.
import type { PairSettings } from '../schemas/pair.ts';
import type { DecisionRecord } from '../schemas/records.ts';
import { hasSpoken, type PartitionClaim } from './claims.ts';
import type { Bound } from './evidence.ts';
import { takeDecision } from './take-decision.ts';
import type { Word } from './word.ts';
import type { ShardWindow } from './window.ts';

/** Where the composition stands. JSON. */
export interface ComposedPlace {
  readonly decisions: number;
  /** End of the window that is next to close; null before the first words. */
  readonly gateUs: number | null;
  /** Offset from which each partition is evidence for the next decision; null before the first. */
  readonly evidenceFrom: readonly number[] | null;
}

export const COMPOSED_NOTHING: ComposedPlace = { decisions: 0, gateUs: null, evidenceFrom: null };

/** A decision, and what the tasks say of the windows that close by it: `shard` is the place of the task. */
export interface Composed { readonly record: DecisionRecord; readonly results: readonly { readonly shard: number; readonly result: ShardWindow }[] }

/** Whether a task's word is the one that counts for the gate; a later one is needed otherwise. */
export function reachesGate({ gateUs }: ComposedPlace, { upToUs }: Word): boolean {
  return gateUs === null || upToUs >= gateUs;
}

/**
 * The gate of the first words: where the one task would begin. A task whose partitions have nothing yet does not say where the pair's windows begin.
 * Counter-example: a partition without a key, proven up to now by its clock, beside one that is read from last week on.
 */
export function firstGateUs(words: readonly Word[]): number {
  const gates = words.filter(({ claims }) => claims.some(hasSpoken)).map(({ gateUs }) => gateUs);
  return Math.min(...(gates.length > 0 ? gates : words.map(({ upToUs }) => upToUs)));
}

/** One word of each task, in the order of the tasks, each having come to the gate. Nothing is decided where no partition has ever had a record. */
export function* composeDecisions(pair: PairSettings, place: ComposedPlace, words: readonly Word[]): Generator<Composed, ComposedPlace> {
  const { sizeUs } = pair.window;
  const upToUs = Math.min(...words.map(word => word.upToUs));
  const closedUpToUs = place.decisions === 0 || place.gateUs === null ? -Infinity : place.gateUs - sizeUs;
  const parts = membersOf(words);
  const claims = parts.map(({ claim }) => claim);
  const bounds = parts.map(part => part.bounds);
  let { decisions, evidenceFrom } = place;

  const decide = (afterUs: number, closeUpToUs: number): Composed => {
    decisions++;
    const record = takeDecision(pair, claims, bounds, { closeUpToUs, overrides: [], from: evidenceFrom ?? undefined, takenAtUs: newestTimestampUs(claims) });
    return { record, results: resultsOf(words, afterUs, closeUpToUs) };
  };

  if (claims.some(hasSpoken)) {
    let closedUs = closedUpToUs;
    for (const endUs of endsOf(words).filter(end => end > closedUpToUs && end <= upToUs)) {
      yield decide(closedUs, endUs);
      evidenceFrom = claims.map(({ frontier }) => frontier);
      closedUs = endUs;
    }
    // Windows in which nothing lies close too: a record that comes for one later is late, and a decision must say so.
    if (closedUs < upToUs) yield decide(closedUs, upToUs);
  }
  return { decisions, gateUs: upToUs + sizeUs, evidenceFrom };
}

/** When it was read last, by the records: what `takenAt` is derived from (ruling 7). Microseconds. */
export function newestTimestampUs(claims: readonly PartitionClaim[]): number {
  return Math.max(...claims.map(claim => claim.maxTimestampMs)) * 1000;
}

/** Source before target, in each task after task. */
function membersOf(words: readonly Word[]): { claim: PartitionClaim; bounds: readonly Bound[] }[] {
  const parts = words.flatMap(({ claims, bounds }) => claims.map(claim => ({ claim, bounds: bounds[claim.side] })));
  return parts.sort((a, b) => a.claim.side - b.claim.side);
}

function endsOf(words: readonly Word[]): number[] {
  return [...new Set(words.flatMap(({ endsUs }) => endsUs))].sort((a, b) => a - b);
}

/** What was said after one end and up to another. */
function resultsOf(words: readonly Word[], afterUs: number, closeUpToUs: number): Composed['results'] {
  return words.flatMap(({ results }, shard) => results.flatMap(said => (said.closeUpToUs > afterUs && said.closeUpToUs <= closeUpToUs ? [{ shard, result: said.result }] : [])));
}
