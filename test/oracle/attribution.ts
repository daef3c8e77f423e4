// Which source change a target change says it applies (semantics.md §4, §5; rulings 8, 14), on the evidence of one window.
import type { Event } from './reading.ts';
import { byPosition } from './reading.ts';

/** What a window's verdict may look at: events cut by time and by what had been read. In position order. */
export interface Evidence { readonly source: readonly Event[]; readonly target: readonly Event[] }

/** What the window that a target change was committed in has as evidence, or the closing one's where that is earlier. */
export type OwnEvidence = (t: Event) => Evidence;

/**
 * Policy `replay`: a sink that is thrown back to a delete removes a later version than the first time, and then applies what came after the
 * delete; and the n-th delete is no longer the n-th. So a delete that shows what it removed, and has no cause or one that would come before its
 * turn, is the one before what the key's next target change names, if that was applied before. One that does not show it is told by its
 * neighbours first: the one before what the next change names, else the first after what the previous
 * one names (the next one for each delete between the two); where nothing was named before it, by its number.
 */
export function causeOfRepeat(t: Event, evidence: Evidence, own: OwnEvidence, skewUs: number, known: Map<Event, Event | undefined>): Event | undefined {
  if (!known.has(t)) known.set(t, repeatOf(t, evidence, own, skewUs, known));
  return known.get(t);
}

function repeatOf(t: Event, evidence: Evidence, own: OwnEvidence, skewUs: number, known: Map<Event, Event | undefined>): Event | undefined {
  const cause = causeOf(t, own(t), skewUs);
  if (t.op !== 'delete') return cause;
  const ofKey = evidence.source.filter((s) => s.key === t.key && s.op !== 'read');
  const before = (s: Event): Event | undefined => ofKey.findLast((other) => byPosition(other, s) < 0);
  const others = evidence.target.filter((u) => u.key === t.key && u !== t);
  const named = (u: Event): Event | undefined => (u.op === 'delete' ? undefined : causeOf(u, own(u), skewUs));
  const [next, afterNext] = others.filter((u) => byPosition(u, t) > 0).map(named).filter((s) => s !== undefined);
  // A stale write stands alone: what follows it does not go on from there.
  const isAlone = afterNext !== undefined && ofKey.some((s) => s.op !== 'delete' && byPosition(s, next) > 0 && byPosition(s, afterNext) < 0);
  const turn = next === undefined || isAlone ? undefined : before(next);
  const again = turn?.op === 'delete' ? turn : undefined;
  if (shownBy(t, own(t)) === undefined) {
    const earlier = others.filter((u) => byPosition(u, t) < 0);
    const at = earlier.findLastIndex((u) => named(u) !== undefined);
    const between = earlier.slice(at + 1).filter((u) => u.op === 'delete').length;
    const previous = at < 0 ? undefined : named(earlier[at]);
    const inTime = (s: Event): boolean => s.timeUs <= t.timeUs + skewUs;
    if (again !== undefined && inTime(again)) return again;
    return previous === undefined ? cause : ofKey.filter((s) => s.op === 'delete' && byPosition(s, previous) > 0 && inTime(s)).at(between);
  }
  const isApplied = (s: Event): boolean => others.some((u) => byPosition(u, t) < 0 && causeOfRepeat(u, evidence, own, skewUs, known) === s);
  const ahead = cause === undefined ? undefined : before(cause);
  if (cause !== undefined && (ahead === undefined || isApplied(ahead))) return cause;
  return again !== undefined && isApplied(again) ? again : cause;
}

/** The change or read row that the tag names: of a delete, the version that it removed. */
function shownBy(t: Event, evidence: Evidence): Event | undefined {
  return t.stamp === null ? undefined : evidence.source.find((s) => s.key === t.key && s.stamp === t.stamp);
}

/** The source change or read row behind a target change; undefined where the evidence has none. */
export function causeOf(t: Event, evidence: Evidence, skewUs: number): Event | undefined {
  const named = shownBy(t, evidence);
  if (t.op !== 'delete') return named;
  const candidates = evidence.source.filter((s) => s.key === t.key && s.op === 'delete' && s.timeUs <= t.timeUs + skewUs);
  if (named !== undefined) return candidates.find((d) => byPosition(d, named) > 0);
  // No image (ruling 8): the n-th delete of the key there goes with the n-th here. No cause comes more than the skew after its effect.
  const nth = evidence.target.filter((u) => u.key === t.key && u.op === 'delete').indexOf(t);
  return candidates[nth];
}
