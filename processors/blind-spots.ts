// What was in a side's log and could not be looked at: records that could not be read, of any key, and late ones, of a known key. A change
// is not held against the one before it where such a record may lie between them (ruling 24).
import { POSITION_BYTES } from '../schemas/change-event.ts';
import { blindSpotsMax } from '../schemas/limits.ts';
import { keyOf } from './finding.ts';
import { compareWords } from './position.ts';
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

/** A late record of a key. */
export interface Late { readonly key: string; readonly timeUs: number; readonly position: Uint32Array }

export interface BlindSpots {
  readonly unread: Blind[];
  readonly late: Late[];
  /** Time of the last spot that is not kept singly any more, microseconds. */
  untilUs: number;
}

const WORDS = POSITION_BYTES / 4;

export function createBlindSpots(): BlindSpots {
  return { unread: [], late: [], untilUs: -Infinity };
}

export function noteBlind(shard: Shard, side: number, spot: Blind): void {
  shard.blindSpots[side].unread.push(spot);
}

/** `key`: its bytes as latin1. */
export function noteLate(shard: Shard, side: number, key: string, timeUs: number, position: Uint32Array): void {
  shard.blindSpots[side].late.push({ key, timeUs, position: position.slice() });
}

/** At a window's close, so that what is kept does not depend on the order in which partitions were read: the newest of each, by time. */
export function trimBlindSpots(spots: BlindSpots): void {
  const { unread, late } = spots;
  if (unread.length > blindSpotsMax) {
    unread.sort((a, b) => byTime(a, b) || a.partition - b.partition || a.offset - b.offset);
    forget(spots, unread.splice(0, unread.length - blindSpotsMax));
  }
  if (late.length > blindSpotsMax) {
    late.sort((a, b) => byTime(a, b) || compareWords(a.position, 0, b.position, 0) || Number(a.key > b.key) - Number(a.key < b.key));
    forget(spots, late.splice(0, late.length - blindSpotsMax));
  }
}

/** A spot without a time has nothing before it, and is forgotten first. */
function byTime(a: { readonly timeUs: number }, b: { readonly timeUs: number }): number {
  return Number(Number.isNaN(b.timeUs)) - Number(Number.isNaN(a.timeUs)) || a.timeUs - b.timeUs || 0;
}

function forget(spots: BlindSpots, gone: readonly { readonly timeUs: number }[]): void {
  for (const { timeUs } of gone) if (timeUs > spots.untilUs) spots.untilUs = timeUs;
}

/** Whether a record that nobody has seen may lie between an earlier change of the slot's key and the slot. */
export function isBlindBetween(shard: Shard, slot: number, before: Place): boolean {
  const { slots, settings } = shard;
  const { unread, untilUs, late } = shard.blindSpots[slots.side[slot]];
  const { latenessUs, skewUs } = settings.window;
  if (before.timeUs <= untilUs + latenessUs + skewUs) return true;
  for (const { partition, offset, timeUs } of unread) {
    if (partition === before.partition && partition === slots.partition[slot]) {
      if (offset > before.offset && offset < slots.offset[slot]) return true;
    } else if (timeUs >= before.timeUs - latenessUs && timeUs <= slots.time[slot] + latenessUs) return true;
  }
  if (late.length === 0) return false;
  const key = keyOf(slots, slot).toString('latin1');
  const { position } = slots;
  return late.some(own => own.key === key && compareWords(own.position, 0, before.position, before.positionAt) > 0 && compareWords(own.position, 0, position, slot * WORDS) < 0);
}
