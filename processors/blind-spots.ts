// What was in a side's log and could not be looked at: records that could not be read, of any key, and late ones, of a known key. A change
// is not held against the one before it where such a record may lie between them (ruling 24).
import { POSITION_BYTES } from '../schemas/change-event.ts';
import { blindSpotsMax } from '../schemas/limits.ts';
import { keyOf } from './finding.ts';
import type { Shard } from './shard.ts';

/** Where a record stood that could not be read. */
export interface Blind {
  /** Index of the topic-partition in the pair's table, and offset. */
  readonly partition: number;
  readonly offset: number;
  /** Commit time of the last record before it that had one, microseconds; NaN where there was none. */
  readonly timeUs: number;
}

/** A change of a key, in its log. */
export interface Place extends Blind { readonly position: Uint32Array; readonly positionAt: number }

export interface BlindSpots {
  readonly unread: Blind[];
  /** Time of the last spot that is not kept singly any more. */
  untilUs: number;
  /** Positions of late records, as words, by key. */
  readonly late: Map<string, Uint32Array[]>;
}

const WORDS = POSITION_BYTES / 4;

export function createBlindSpots(): BlindSpots {
  return { unread: [], untilUs: -Infinity, late: new Map() };
}

export function noteBlind(shard: Shard, side: number, spot: Blind): void {
  const spots = shard.blindSpots[side];
  spots.unread.push(spot);
  if (spots.unread.length <= blindSpotsMax) return;
  const oldest = spots.unread.shift() as Blind;
  if (!(oldest.timeUs <= spots.untilUs)) spots.untilUs = Number.isNaN(oldest.timeUs) ? spots.untilUs : oldest.timeUs;
}

export function noteLate(shard: Shard, side: number, key: string, position: Uint32Array): void {
  const { late } = shard.blindSpots[side];
  const known = late.get(key);
  if (known === undefined) late.set(key, [position.slice()]);
  else known.push(position.slice());
}

export interface Place extends Blind { readonly position: Uint32Array; readonly positionAt: number }

/** Whether a record that nobody has seen may lie between an earlier change of the slot's key and the slot. */
export function isBlindBetween(shard: Shard, slot: number, before: Place): boolean {
  const { slots, settings } = shard;
  const { unread, untilUs, late } = shard.blindSpots[slots.side[slot]];
  const { latenessUs } = settings.window;
  if (before.timeUs <= untilUs + latenessUs) return true;
  for (const { partition, offset, timeUs } of unread) {
    if (partition === before.partition && partition === slots.partition[slot]) {
      if (offset > before.offset && offset < slots.offset[slot]) return true;
    } else if (timeUs >= before.timeUs - latenessUs && timeUs <= slots.time[slot] + latenessUs) return true;
  }
  const own = late.size === 0 ? undefined : late.get(keyOf(slots, slot).toString('latin1'));
  return own !== undefined && own.some(at => compareWords(at, 0, before.position, before.positionAt) > 0 && compareWords(at, 0, slots.position, slot * WORDS) < 0);
}

export function compareWords(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  for (let n = 0; n < WORDS; n++) if (a[i + n] !== b[j + n]) return a[i + n] < b[j + n] ? -1 : 1;
  return 0;
}
