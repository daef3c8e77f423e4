// Versions of a key: when two are equal, and for which keys the two sides disagree at the end of a window (ruling 17).
import type { Event } from './reading.ts';

/** Equal values in every compared column, or no row on both. An origin is never compared, a version column is (ruling 9): `openKeys` does. */
export function sameVersion(a: Event, b: Event): boolean {
  if (a.image === null || b.image === null) return a.image === b.image;
  return a.image.v === b.image.v && a.image.n === b.image.n;
}

export function differingColumns(a: Event, b: Event): string[] {
  return (['n', 'v'] as const).filter((name) => a.image?.[name] !== b.image?.[name]);
}

/** Keys whose last version differs; both lists in position order. A key that one side has not seen has no row there (ruling 4). */
export function openKeys(source: readonly Event[], target: readonly Event[], matchBy: 'origin' | 'version'): Set<number> {
  const [here, there] = [lastByKey(source), lastByKey(target)];
  const keys = new Set([...here.keys(), ...there.keys()]);
  return new Set([...keys].filter((key) => {
    const [s, t] = [here.get(key), there.get(key)];
    if (s === undefined || t === undefined) return (s ?? t)?.image !== null;
    return !sameVersion(s, t) || (matchBy === 'version' && s.image?.tag !== t.image?.tag);
  }));
}

function lastByKey(events: readonly Event[]): Map<number, Event> {
  return new Map(events.map((event) => [event.key, event]));
}
