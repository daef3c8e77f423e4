// Which source change a target change says it applies (semantics.md §4, §5; rulings 8, 14), on the evidence of one window.
import type { Event } from './reading.ts';
import { byPosition } from './reading.ts';

/** What a window's verdict may look at: events cut by time and by what had been read. In position order. */
export interface Evidence { readonly source: readonly Event[]; readonly target: readonly Event[] }

/**
 * Policy `replay`: a sink that is thrown back to a delete removes a later version than the first time, and then applies what came after the
 * delete. So a delete without a cause, or whose cause would come before its turn, is the one before what the key's next target change names, if
 * that was applied before.
 */
export function causeOfRepeat(t: Event, evidence: Evidence, byName: (t: Event) => Event | undefined, known: Map<Event, Event | undefined>): Event | undefined {
  if (!known.has(t)) known.set(t, repeatOf(t, evidence, byName, known));
  return known.get(t);
}

function repeatOf(t: Event, evidence: Evidence, byName: (t: Event) => Event | undefined, known: Map<Event, Event | undefined>): Event | undefined {
  const cause = byName(t);
  if (t.op !== 'delete') return cause;
  const earlier = evidence.target.filter((u) => u.key === t.key && byPosition(u, t) < 0);
  const isApplied = (s: Event): boolean => earlier.some((u) => causeOfRepeat(u, evidence, byName, known) === s);
  const before = (s: Event): Event | undefined => evidence.source.findLast((other) => other.key === t.key && other.op !== 'read' && byPosition(other, s) < 0);
  const turn = cause === undefined ? undefined : before(cause);
  if (cause !== undefined && (turn === undefined || isApplied(turn))) return cause;
  const named = evidence.target.filter((u) => u.key === t.key && u.op !== 'delete' && byPosition(u, t) > 0).map((u) => byName(u)).find((s) => s !== undefined);
  const again = named === undefined ? undefined : before(named);
  return again?.op === 'delete' && isApplied(again) ? again : cause;
}

/** The source change or read row behind a target change; undefined where the evidence has none. */
export function causeOf(t: Event, evidence: Evidence, skewUs: number): Event | undefined {
  const named = t.stamp === null ? undefined : evidence.source.find((s) => s.key === t.key && s.stamp === t.stamp);
  if (t.op !== 'delete') return named;
  const candidates = evidence.source.filter((s) => s.key === t.key && s.op === 'delete' && s.timeUs <= t.timeUs + skewUs);
  if (named !== undefined) return candidates.find((d) => byPosition(d, named) > 0);
  // No image (ruling 8): the n-th delete of the key there goes with the n-th here. No cause comes more than the skew after its effect.
  const nth = evidence.target.filter((u) => u.key === t.key && u.op === 'delete').indexOf(t);
  return candidates[nth];
}
