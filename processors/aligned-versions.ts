// How the aligner compares the versions of a key (rulings 29 and 30): by their images while both are there, else by their fingerprints. What
// an earlier closing has consumed has lost its image and kept its fingerprint.
import type { Versions } from './alignment-input.ts';
import type { Image } from './comparator.ts';
import { hexOf } from './delete-order.ts';
import { keyOf, sideOfPast, type FindingSide } from './finding.ts';
import { ghostImage } from './ghosts.ts';
import type { Aligner, AppliedVersions, Group } from './group.ts';
import { ABSENT, imageOf, isSameImage, print } from './images.ts';
import { samePrint, type PastVersion } from './past-version.ts';
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
      return source >= 0 && isHeld(shard, group, aligner(), source);
    },
    gone: () => (aligner().gone ??= goneVersions(shard, group, aligner())).below,
    isGoneRead: place => aligner().gone?.versions[place].isRead === true,
    isGone(place, j) {
      const { print: own, appliedPrint } = aligner().gone?.versions[place] as PastVersion;
      const target = group.targets[j];
      print(shard, target);
      return samePrint(appliedPrint, 0, slots.fingerprint, target * 4) || samePrint(own, 0, slots.fingerprint, target * 4);
    },
  };
}

function hasImage(shard: Shard, slot: number): boolean {
  return shard.slots.imagePage[slot] >= 0;
}

export function samePrints(shard: Shard, a: number, b: number): boolean {
  print(shard, a);
  print(shard, b);
  return samePrint(shard.slots.fingerprint, a * 4, shard.slots.fingerprint, b * 4);
}

/** Two events of one side have equal images, as far as is surely known. */
export function isKnownSame(shard: Shard, a: number, b: number): boolean {
  if (hasImage(shard, a) && hasImage(shard, b)) return isSameImage(shard, a, b);
  return shard.slots.layout[a] === shard.slots.layout[b] && samePrints(shard, a, b);
}

/** The image of `source` is what both sides held before the first of the key's live source events. */
export function isHeld(shard: Shard, group: Group, aligner: Aligner, source: number): boolean {
  aligner.held ??= { print: targetHeld(shard, group.sources[0]) };
  if (aligner.held.print === undefined) return false;
  print(shard, source);
  return samePrint(shard.slots.fingerprint, source * 4, aligner.held.print, 0);
}

/** A snapshot row whose load came in a later window is not known as applied. */
function goneVersions(shard: Shard, group: Group, { ghosts, at }: Aligner): NonNullable<Aligner['gone']> {
  const remembered = shard.history.of(keyOf(shard.slots, group.sources.at(0) ?? group.targets[0])).filter(({ applied, isRead }) => applied || isRead).reverse();
  const versions = remembered.filter(({ position }) => !group.sources.some(source => compareWords(position, 0, shard.slots.position, source * position.length) === 0));
  const isBelow = (source: number, { position }: PastVersion): boolean => (source < 0
    ? ghosts[-1 - source].side.sortKey < hexOf(position) : compareWords(shard.slots.position, source * position.length, position, 0) < 0);
  return { versions, below: versions.map(version => at.filter(source => isBelow(source, version)).length) };
}

/** What was applied long ago: its slots are gone. */
export function appliedVersions(shard: Shard, key: Buffer): AppliedVersions {
  const found = new Map<string, () => FindingSide>();
  for (const version of shard.history.of(key)) {
    const at = version.appliedPrint.join();
    if (version.applied && !found.has(at)) found.set(at, () => sideOfPast(shard, version));
  }
  for (const ghost of shard.ghosts.of(key)) {
    const at = ghost.appliedPrint.join();
    if (ghost.kind === 'applied' && !found.has(at)) found.set(at, () => ghost.side);
  }
  return found;
}

/**
 * Fingerprint of the version that both sides held before `first`, the key's oldest live source event: that of the newest source version
 * before it, the absent row where both logs were read from their beginning. Undefined where it is not known, or where the sides differ.
 */
function targetHeld(shard: Shard, first: number): Int32Array | undefined {
  const key = keyOf(shard.slots, first);
  if (shard.openDivergences > 0 && shard.stores.divergences.get(key) !== undefined) return undefined;
  const older = shard.history.of(key).find(version => isBefore(shard, version.position, first));
  if (older !== undefined) return older.print;
  return isMidStream(shard) || shard.history.forgetful ? undefined : ABSENT;
}

function isBefore(shard: Shard, position: Uint32Array, slot: number): boolean {
  return compareWords(position, 0, shard.slots.position, slot * position.length) < 0;
}
