// Images and fingerprints of slots. A fingerprint is computed when an event is judged, not when it is read: the clean pair is compared by
// its bytes, and hashed once.
import { fingerprintInto } from '../schemas/canonical/fingerprint.ts';
import { FLAG } from '../stores/slot-store.ts';
import { columnStarts, type Image } from './comparator.ts';
import type { Shard } from './shard.ts';

const NO_BYTES = Buffer.alloc(0);

/** The image of a slot, as a view; the absent row where it has none. Valid until the image is dropped. */
export function imageOf(shard: Shard, slot: number): Image {
  const { slots } = shard;
  if (slots.layout[slot] < 0) return { layout: undefined, bytes: NO_BYTES, start: 0, end: 0 };
  const start = slots.imageAt[slot];
  return {
    layout: shard.context.layoutById(slots.layout[slot]),
    bytes: slots.images.pages[slots.imagePage[slot]], start, end: start + slots.imageLength[slot],
  };
}

/** Whether two events leave the row in the same state, as far as their bytes alone can tell: equal layouts with nothing unknown, equal bytes. */
export function isSameImage(shard: Shard, a: number, b: number): boolean {
  const { slots } = shard;
  const layout = slots.layout[a];
  if (layout !== slots.layout[b]) return false;
  if (layout < 0) return true;
  const length = slots.imageLength[a];
  if (length !== slots.imageLength[b] || !shard.context.layoutById(layout).plain) return false;
  return slots.images.isSame(slots.imagePage[a], slots.imageAt[a], slots.imagePage[b], slots.imageAt[b], length);
}

const words = new Int32Array(4);

/** Makes sure that the slot has its fingerprint; that of the absent row is zero. */
export function print(shard: Shard, slot: number): void {
  const { slots } = shard;
  if (slots.fingerprinted[slot] !== 0) return;
  slots.fingerprinted[slot] = 1;
  words.fill(0);
  if (slots.layout[slot] >= 0) {
    const start = slots.imageAt[slot];
    const page = slots.images.pages[slots.imagePage[slot]];
    fingerprintInto(shard.context.layoutById(slots.layout[slot]), shard.maskKey, page, start, start + slots.imageLength[slot], words);
  }
  slots.fingerprint.set(words, slot * 4);
}

/** The closing window takes the event as its own: its fingerprint is kept when its image goes. */
export function consume(shard: Shard, slot: number): void {
  print(shard, slot);
  shard.slots.addFlags(slot, FLAG.consumed);
}

/** Fingerprint of the row that is not there. */
export const ABSENT: Int32Array = new Int32Array(4);

/** Fingerprint over the columns known on both sides of a pair (ruling 18), taken from the source's image. Overwritten by the next call. */
export function takeCommonPrint(shard: Shard, source: number, target: number): Int32Array {
  const from = imageOf(shard, source);
  const other = imageOf(shard, target);
  if (from.layout === undefined || other.layout === undefined) return words.fill(0);
  const known = other.layout.known;
  const starts = columnStarts(from);
  const common = from.layout.known.map((name, i) => ({ name, i })).filter(({ name }) => known.includes(name));
  const parts = common.map(({ i }) => from.bytes.subarray(starts[i], starts[i + 1] ?? from.end));
  const bytes = Buffer.concat(parts);
  fingerprintInto(shard.context.layout(common.map(({ name }) => name), [], []), shard.maskKey, bytes, 0, bytes.length, words);
  return words;
}
