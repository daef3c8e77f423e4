// How the aligner compares the versions of a key (rulings 29 and 30): by their images while both are there, else by their fingerprints. What
// an earlier closing has consumed has lost its image and kept its fingerprint.
import type { Versions } from './alignment-input.ts';
import type { Image } from './comparator.ts';
import { keyOf } from './finding.ts';
import { ghostImage } from './ghosts.ts';
import type { Aligner, Group } from './group.ts';
import { ABSENT, imageOf, isSameImage, print } from './images.ts';
import { samePrint } from './past-version.ts';
import { compareWords } from './position.ts';
import { isMidStream, type Shard } from './shard.ts';

export function versionsOf(shard: Shard, group: Group, aligner: () => Aligner): Versions {
  const { slots } = shard;
  const imageAt = (source: number): Image => (source >= 0 ? imageOf(shard, source) : ghostImage(shard.context, aligner().ghosts[-1 - source]));
  return {
    equal(i, j) {
      const source = aligner().at[i];
      const target = group.targets[j];
      if (source >= 0 && (!hasImage(shard, source) || !hasImage(shard, target))) return samePrints(shard, source, target);
      if (!hasImage(shard, target)) return samePrint(Int32Array.from(aligner().ghosts[-1 - source].print), 0, slots.fingerprint, target * 4);
      return (source >= 0 && isSameImage(shard, source, target)) || shard.comparator.compare(imageAt(source), imageOf(shard, target)).equal;
    },
    same: (j, other) => isKnownSame(shard, group.targets[j], group.targets[other]),
    equalsBase(i) {
      const source = aligner().at[i];
      const first = group.sources.at(0);
      const held = source < 0 || first === undefined ? undefined : targetHeld(shard, first);
      if (held === undefined) return false;
      print(shard, source);
      return samePrint(slots.fingerprint, source * 4, held, 0);
    },
  };
}

function hasImage(shard: Shard, slot: number): boolean {
  return shard.slots.imagePage[slot] >= 0;
}

function samePrints(shard: Shard, a: number, b: number): boolean {
  print(shard, a);
  print(shard, b);
  return samePrint(shard.slots.fingerprint, a * 4, shard.slots.fingerprint, b * 4);
}

/** Two events of one side have equal images, as far as is surely known. */
export function isKnownSame(shard: Shard, a: number, b: number): boolean {
  if (hasImage(shard, a) && hasImage(shard, b)) return isSameImage(shard, a, b);
  return shard.slots.layout[a] === shard.slots.layout[b] && samePrints(shard, a, b);
}

/**
 * Fingerprint of the version that both sides held before `first`, the key's oldest live source event: that of the newest source version
 * before it, the absent row where both logs were read from their beginning. Undefined where it is not known, or where the sides differ.
 */
export function targetHeld(shard: Shard, first: number): Int32Array | undefined {
  const key = keyOf(shard.slots, first);
  if (shard.openDivergences > 0 && shard.stores.divergences.get(key) !== undefined) return undefined;
  const older = shard.history.of(key).find(version => isBefore(shard, version.position, first));
  if (older !== undefined) return older.print;
  return isMidStream(shard) || shard.history.forgetful ? undefined : ABSENT;
}

function isBefore(shard: Shard, position: Uint32Array, slot: number): boolean {
  return compareWords(position, 0, shard.slots.position, slot * position.length) < 0;
}
