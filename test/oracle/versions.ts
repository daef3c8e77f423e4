// Versions of a key: when two are equal, and for which keys the two sides disagree at the end of a window (ruling 17).
import { UNAVAILABLE } from '../simulation/history.ts';
import type { Event } from './reading.ts';

/**
 * Equal values in every column that is known on both sides, or no row on both. An origin is never compared, a version column is (ruling 9):
 * `openKeys` does.
 */
export function sameVersion(a: Event, b: Event): boolean {
  if (a.image === null || b.image === null) return a.image === b.image;
  return differingColumns(a, b).length === 0;
}

export function differingColumns(a: Event, b: Event): string[] {
  return (['n', 'v'] as const).filter((name) => a.image?.[name] !== b.image?.[name] && !isUnknown(a, b, name));
}

export function unknownColumns(a: Event, b: Event): number {
  return (['n', 'v'] as const).filter((name) => isUnknown(a, b, name)).length;
}

function isUnknown(a: Event, b: Event, name: 'n' | 'v'): boolean {
  return a.image !== null && b.image !== null && (a.image[name] === UNAVAILABLE || b.image[name] === UNAVAILABLE);
}

/** Ruling 17: equal fingerprints. An unknown column is in none, so a version that has it is not equal to one that has not. */
export function samePrint(a: Event, b: Event): boolean {
  if (a.image === null || b.image === null) return a.image === b.image;
  return a.image.v === b.image.v && a.image.n === b.image.n;
}

/**
 * Keys whose last version differs; both lists in position order. A key that one side has not seen has no row there (ruling 4). The target
 * also has the last source version where it has what that was applied as, and the two were found equal; and has it not where it was found unequal
 * in a column that neither record has.
 */
export function openKeys(source: readonly Event[], target: readonly Event[], matchBy: 'origin' | 'version', applied: ReadonlyMap<Event, Event>, equal: ReadonlySet<Event>): Set<number> {
  const [here, there] = [lastByKey(source), lastByKey(target)];
  const keys = new Set([...here.keys(), ...there.keys()]);
  return new Set([...keys].filter((key) => {
    const [s, t] = [here.get(key), there.get(key)];
    if (s === undefined || t === undefined) return (s ?? t)?.image !== null;
    const first = applied.get(s);
    if (first === t && !equal.has(s)) return true;
    if (first !== undefined && equal.has(s) && samePrint(first, t)) return matchBy === 'version' && first.image?.tag !== t.image?.tag;
    return !samePrint(s, t) || (matchBy === 'version' && s.image?.tag !== t.image?.tag);
  }));
}

function lastByKey(events: readonly Event[]): Map<number, Event> {
  return new Map(events.map((event) => [event.key, event]));
}
