// Which source change a target change says it applies (semantics.md §4, §5; rulings 8, 14), on the evidence of one window.
import type { Event } from './reading.ts';
import { byPosition } from './reading.ts';

/** What a window's verdict may look at: events cut by time and by what had been read. In position order. */
export interface Evidence { readonly source: readonly Event[]; readonly target: readonly Event[] }

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
