// Which rows of a window do not continue the row before them (§7, §13, ruling 24), on what had been read when it closed.
import type { Event, Reading } from './reading.ts';
import { byPosition, windowEnd } from './reading.ts';
import { sameVersion } from './versions.ts';

/** Both sides' changes of the window that ends at `endUs` whose before image is not what the change before left behind; a read row says what is there itself. */
export function broken(reading: Reading, endUs: number, window: { readonly sizeUs: number; readonly latenessUs: number }, matchBy: 'origin' | 'version'): Event[] {
  return [...reading.source, ...reading.target].filter((e) => {
    if (windowEnd(e.timeUs, window.sizeUs) !== endUs || !reading.seen(e, endUs)) return false;
    const expects = e.op === 'read' && e.side === 'source' ? e.image : e.before;
    const before = reading[e.side].findLast((other) => other.key === e.key && reading.seen(other, endUs) && byPosition(other, e) < 0);
    if (expects === null || before === undefined || before.op === 'read' || before.truncated) return false;
    const continues = sameVersion({ ...e, image: expects }, before) && (matchBy === 'origin' || expects.tag === before.image?.tag);
    return !continues && !blind(reading, before, e, endUs, window.latenessUs);
  });
}

function blind(reading: Reading, before: Event, after: Event, endUs: number, latenessUs: number): boolean {
  return reading.blind.some((spot) => {
    if (spot.side !== after.side || !reading.seen(spot, endUs)) return false;
    if (spot.late !== undefined) return spot.late.key === after.key && order(spot.late, before) > 0 && order(spot.late, after) < 0;
    if (spot.partition === before.partition && spot.partition === after.partition) return spot.offset > before.offset && spot.offset < after.offset;
    return spot.timeUs >= before.timeUs - latenessUs && spot.timeUs <= after.timeUs + latenessUs;
  });
}

function order(a: { readonly seq: number; readonly lsn: number }, b: Event): number {
  return a.seq - b.seq || a.lsn - b.lsn;
}
