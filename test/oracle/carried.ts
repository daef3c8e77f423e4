// `columns.carry` (ruling 31): a column that a record does not have is what the row was last known to have, on that side and by position.
import { UNAVAILABLE } from '../simulation/history.ts';
import type { Evidence } from './attribution.ts';
import type { Event } from './reading.ts';
import { byPosition } from './reading.ts';

/** The event as it is compared. A delete ends what was known; without anything known the column stays unknown. */
export function asCarried(e: Event, evidence: Evidence, columns: readonly string[]): Event {
  if (e.image?.v !== UNAVAILABLE || !columns.includes('v')) return e;
  const last = evidence[e.side].findLast((other) => other.key === e.key && byPosition(other, e) < 0 && other.image?.v !== UNAVAILABLE);
  return last === undefined || last.image === null ? e : { ...e, image: { ...e.image, v: last.image.v } };
}
