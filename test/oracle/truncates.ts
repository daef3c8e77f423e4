// What a truncate stands for (rulings 8, 15): one delete per key that has a row on its side at its position. The first decision that has the
// truncate as evidence takes it so, for the rows read by then; with one its side's earlier ones, whose rows are gone with it.
import type { Event } from './reading.ts';
import { byPosition } from './reading.ts';

export interface Truncate {
  readonly event: Omit<Event, 'op' | 'key' | 'image'>;
  /** End of the window whose decision has it as evidence; Infinity: none has. */
  readonly decisionUs: number;
}

export interface Expanded {
  /** The rows' events and the deletes, in position order. */
  readonly events: readonly Event[];
  /** Truncates of no row at all. */
  readonly empty: readonly Truncate[];
}

/** Both lists are of one side. `seen`: whether a decision had read the event. */
export function expand(rows: readonly Event[], truncates: readonly Truncate[], seen: (event: Event, endUs: number) => boolean): Expanded {
  const events = [...rows];
  const empty: Truncate[] = [];
  for (const truncate of withLaterOnes(truncates.toSorted((a, b) => place(a, b)))) {
    const below = events.toSorted(byPosition).filter((e) => place({ event: e }, truncate) < 0 && seen(e, truncate.decisionUs));
    const there = [...new Map(below.map((e) => [e.key, e])).values()].filter((e) => e.image !== null);
    if (there.length === 0) empty.push(truncate);
    // A row that a target truncate removes has the origin of its last version.
    for (const last of there) events.push({ ...truncate.event, op: 'delete', key: last.key, image: null, stamp: last.side === 'target' ? last.stamp : truncate.event.stamp });
  }
  return { events: events.sort(byPosition), empty };
}

type At = { readonly event: Pick<Event, 'seq' | 'lsn'> };

function place(a: At, b: At): number {
  return a.event.seq - b.event.seq || a.event.lsn - b.event.lsn;
}

function withLaterOnes(truncates: readonly Truncate[]): Truncate[] {
  return truncates.map((t, i) => ({ ...t, decisionUs: Math.min(...truncates.slice(i).map((later) => later.decisionUs)) }));
}
