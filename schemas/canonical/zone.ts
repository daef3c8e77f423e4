// Time zones from the full database, as the engine has them built in (Intl). The only file that may use Intl: with a fixed locale, asked
// only for offsets, and its answers are kept. Which database is used is part of the run time's version.
//
// A wall clock that occurs twice (the hour set back) is taken the first time; one that never occurs (the hour skipped) with the offset
// before the change. Both are fixed choices, so that a replay decides alike.

/** Offset of a zone at an instant: seconds to add to UTC for the wall clock. */
export interface Zone {
  readonly name: string;
  offsetAt(utcSeconds: number): number;
}

const zones = new Map<string, Zone>();

/** A zone by its name in the time zone database, `UTC`, or a fixed offset `+08:00`. Throws RangeError for another. */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) zones.set(name, (zone = makeZone(name)));
  return zone;
}

/** The instant (seconds since the epoch) at which the zone's wall clock shows `wallSeconds` (its reading counted as if it were UTC). */
export function wallToUtc(zone: Zone, wallSeconds: number): number {
  const before = zone.offsetAt(wallSeconds - 86400);
  const after = zone.offsetAt(wallSeconds + 86400);
  if (before === after) {
    // Two changes within two days cancel (Morocco's Ramadan does not; some of 1940 did): ask once more.
    const at = zone.offsetAt(wallSeconds - before);
    return at === before ? wallSeconds - before : wallSeconds - at;
  }
  const early = wallSeconds - Math.max(before, after);
  const late = wallSeconds - Math.min(before, after);
  if (zone.offsetAt(early) === wallSeconds - early) return early;
  if (zone.offsetAt(late) === wallSeconds - late) return late;
  return wallSeconds - before;
}

function makeZone(name: string): Zone {
  const fixed = /^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(name);
  if (fixed !== null) {
    const seconds = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60 + Number(fixed[4] ?? 0);
    const offset = fixed[1] === '-' ? -seconds : seconds;
    return { name, offsetAt: () => offset };
  }
  if (name === 'UTC' || name === 'Z') return { name, offsetAt: () => 0 };
  return databaseZone(name);
}

/** Before it the database knows local mean time only, and calendars differ; the offset then is that of this instant (1800-01-01). */
const FIRST_SECONDS = -5364662400;
const LAST_SECONDS = 64060588800; // 4000-01-01: rules repeat
const BUCKET_SECONDS = 900;

function databaseZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', era: 'short',
    year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  });
  const buckets = new Map<number, number>();

  function ask(utcSeconds: number): number {
    const at: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(utcSeconds * 1000)) at[type] = Number(value);
    return Date.UTC(at['year'], at['month'] - 1, at['day'], at['hour'], at['minute'], at['second']) / 1000 - utcSeconds;
  }

  function offsetAt(utcSeconds: number): number {
    const seconds = Math.min(Math.max(utcSeconds, FIRST_SECONDS), LAST_SECONDS);
    const bucket = Math.floor(seconds / BUCKET_SECONDS);
    const known = buckets.get(bucket);
    if (known !== undefined) return known;
    const offset = ask(bucket * BUCKET_SECONDS);
    // A change inside the quarter of an hour: such a bucket is not kept.
    if (ask(bucket * BUCKET_SECONDS + BUCKET_SECONDS - 1) !== offset) return ask(seconds);
    if (buckets.size >= 65536) buckets.clear();
    buckets.set(bucket, offset);
    return offset;
  }
  return { name, offsetAt };
}
