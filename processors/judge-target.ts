// A target change that no due source change accounts for, when its own window closes: a snapshot row's load, a late application, a repeat
// of an earlier one, or an out-of-band write. One whose source change is not due yet waits.
import { OP, TARGET } from '../schemas/change-event.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { CAUSE } from './attribution.ts';
import type { Closing } from './window.ts';
import { withCarried } from './carried.ts';
import { differences } from './columns.ts';
import type { Image } from './comparator.ts';
import { MARKER } from './digest.ts';
import { attributionOf, keyOf, originOf, sideOfPast, sideOfSlot, type FindingSide } from './finding.ts';
import { ghostImage, type Ghost } from './ghosts.ts';
import { samePrint } from './past-version.ts';
import { ABSENT, consume, imageOf, print } from './images.ts';
import type { Group, Past } from './group.ts';
import { duplicate, pair, unexpected } from './judge-source.ts';
import { acceptReplay } from './replay.ts';
import { ghostAddress, ghostOf } from './retire.ts';
import { windowOf, type Shard } from './shard.ts';
import { COUNT } from './tally.ts';

/** True where the change is consumed by this window. */
export function judgeTarget(shard: Shard, group: Group, j: number, closing: Closing): boolean {
  const { slots } = shard;
  const target = group.targets[j];
  const cause = group.cause[j];
  if (slots.kind[target] === SLOT.read) return observe(shard, target);
  if (cause === CAUSE.wait) return false;
  if (cause >= 0 && slots.kind[cause] === SLOT.change && (slots.flags[cause] & FLAG.consumed) === 0) return false;
  consume(shard, target);
  if (cause === CAUSE.none && isHalfOfUpdate(shard, group, j)) closing.count(COUNT.excluded, 1);
  else if (cause === CAUSE.none) {
    closing.count(COUNT.targetEvents, 1);
    unexpected(shard, target, group.aligned[j], closing);
  } else if (cause === CAUSE.past) byPast(shard, group, j, closing);
  else if (slots.kind[cause] === SLOT.read) byRead(shard, group, j, closing);
  else byJudged(shard, group, j, closing);
  slots.dropImage(target);
  return true;
}

/** A snapshot row of the target says what the target holds, and is nobody's application. */
function observe(shard: Shard, target: number): boolean {
  consume(shard, target);
  shard.slots.dropImage(target);
  return true;
}

/** On a target declared `delete-insert` an update is written as a delete and an insert of the key: the delete is no change of its own. */
function isHalfOfUpdate(shard: Shard, group: Group, j: number): boolean {
  const { slots } = shard;
  if (shard.settings.target.updates !== 'delete-insert' || slots.op[group.targets[j]] !== OP.delete) return false;
  return j + 1 < group.targets.length && slots.op[group.targets[j + 1]] !== OP.delete && group.cause[j + 1] >= 0;
}

/** The first change with a read row's position is its load (ruling 14); later ones repeat it or are out of band (ruling 10). */
function byRead(shard: Shard, group: Group, j: number, closing: Closing): void {
  const read = group.cause[j];
  const target = group.targets[j];
  if ((shard.slots.flags[read] & FLAG.loaded) !== 0) return repeat(shard, group, j, closing);
  print(shard, read);
  pair(shard, read, target, load(shard, imageOf(shard, read), sideOfSlot(shard, read), target, closing));
  shard.slots.dropImage(read);
}

/** Answers whether the versions are equal. */
export function load(shard: Shard, image: Image, side: FindingSide, target: number, closing: Closing): boolean {
  closing.count(COUNT.excluded, 1);
  closing.loaded();
  const comparison = withCarried(shard, shard.comparator.compare(image, imageOf(shard, target)), image, side.sortKey, target, closing);
  if (comparison.equal) return true;
  closing.count(COUNT.mismatch, 1);
  closing.element(target, target, MARKER.unattributed, shard.slots.fingerprint, target * 4);
  closing.add(TARGET);
  closing.find({
    class: 'mismatch', window: closing.window, key: keyOf(shard.slots, target), source: side, target: sideOfSlot(shard, target),
    ...differences(shard, image, imageOf(shard, target), comparison), attribution: attributionOf(shard, false),
  });
  return false;
}

/** The source change was judged in an earlier window: missing until now, or applied before (ruling 11). */
function byJudged(shard: Shard, group: Group, j: number, closing: Closing): void {
  const { slots } = shard;
  const source = group.cause[j];
  if ((slots.flags[source] & FLAG.missing) === 0 || slots.link[source] !== -1) return repeat(shard, group, j, closing);
  lateSlot(shard, source, group.targets[j], group.aligned[j], closing);
}

/** A source change that was reported missing and has its slot yet. */
export function lateSlot(shard: Shard, source: number, target: number, aligned: boolean, closing: Closing): void {
  const { slots } = shard;
  const image = imageOf(shard, source);
  const equal = late(shard, windowOf(shard, slots.time[source]), image, sideOfSlot(shard, source), target, aligned, closing);
  pair(shard, source, target, equal);
  settle(shard, keyOf(slots, target), ghostAddress(shard, source), ghostOf(shard, source, 'applied'), target, equal);
  slots.dropImage(source);
}

export function late(shard: Shard, window: number, image: Image, side: FindingSide, target: number, aligned: boolean, closing: Closing): boolean {
  const comparison = withCarried(shard, shard.comparator.compare(image, imageOf(shard, target)), image, side.sortKey, target, closing);
  closing.amend(window);
  closing.find({
    class: 'late_applied', window, key: keyOf(shard.slots, target), source: side, target: sideOfSlot(shard, target),
    ...differences(shard, image, imageOf(shard, target), comparison), attribution: attributionOf(shard, aligned),
  });
  return comparison.equal;
}

function repeat(shard: Shard, group: Group, j: number, closing: Closing): void {
  const { fingerprint, link } = shard.slots;
  const source = group.cause[j];
  const target = group.targets[j];
  const first = link[source];
  const applied = first >= 0 ? first : -1;
  const [words, at] = applied >= 0 ? [fingerprint, applied * 4] : [appliedPrintOf(shard, source), 0];
  const isLoad = shard.slots.kind[source] === SLOT.read;
  const same = samePrint(fingerprint, target * 4, words, at) || (isLoad && samePrint(fingerprint, target * 4, fingerprint, source * 4));
  if (same && acceptReplay(shard, group, j, closing)) return;
  closing.count(COUNT.targetEvents, 1);
  if (same) duplicate(shard, source, target, group.aligned[j], closing);
  else unexpected(shard, target, group.aligned[j], closing);
}

/**
 * What was applied, where the slot that applied it is gone. A delete is applied by a delete alone, and its origin may be that of the row it
 * removed (by version, with a before image): what history knows by that is the row.
 */
function appliedPrintOf(shard: Shard, source: number): Int32Array {
  const { slots } = shard;
  if (slots.op[source] === OP.delete) return ABSENT;
  const version = shard.history.find(keyOf(slots, source), originOf(slots, source));
  return version?.appliedPrint ?? slots.fingerprint.slice(source * 4, source * 4 + 4);
}

function byPast(shard: Shard, group: Group, j: number, closing: Closing): void {
  const past = group.past[j] as Past;
  const target = group.targets[j];
  const aligned = group.aligned[j];
  if (past.kind === 'version') return repeatPast(shard, group, j, sideOfPast(shard, past.version), past.version.isRead ? past.version.print : undefined, past.version.appliedPrint, closing);
  // As it is now: an earlier change of this closing may have been the one it was waiting for.
  const ghost = shard.ghosts.current(keyOf(shard.slots, target), past.origin, past.ghost);
  if (ghost.kind === 'applied') {
    return repeatPast(shard, group, j, ghost.side, ghost.op === OP.read ? Int32Array.from(ghost.print) : undefined, Int32Array.from(ghost.appliedPrint), closing);
  }
  const image = ghostImage(shard.context, ghost);
  const equal = ghost.kind === 'read' ? load(shard, image, ghost.side, target, closing) : late(shard, ghost.window, image, ghost.side, target, aligned, closing);
  settle(shard, keyOf(shard.slots, target), past.origin, ghost, target, equal);
}

/** The ghost is no longer owed; what was applied is kept, to tell a repeat from an out-of-band write. */
export function settle(shard: Shard, key: Buffer, origin: Buffer, ghost: Ghost, target: number, equal: boolean): void {
  const { fingerprint } = shard.slots;
  shard.ghosts.put(key, origin, { ...ghost, kind: 'applied', equal, appliedPrint: Array.from(fingerprint.subarray(target * 4, target * 4 + 4)) });
}

/** `read`: of a repeated load also the read row's own image counts (ruling 10). */
function repeatPast(shard: Shard, group: Group, j: number, side: FindingSide, read: Int32Array | undefined, applied: Int32Array, closing: Closing): void {
  const { fingerprint } = shard.slots;
  const target = group.targets[j];
  const same = samePrint(fingerprint, target * 4, applied, 0) || (read !== undefined && samePrint(fingerprint, target * 4, read, 0));
  if (same && acceptReplay(shard, group, j, closing)) return;
  closing.count(COUNT.targetEvents, 1);
  if (same) repeated(shard, side, target, group.aligned[j], closing);
  else unexpected(shard, target, group.aligned[j], closing);
}

/** A duplicate of a change whose slot is gone. */
export function repeated(shard: Shard, side: FindingSide, target: number, aligned: boolean, closing: Closing): void {
  const { fingerprint } = shard.slots;
  closing.count(COUNT.duplicate, 1);
  closing.element(target, target, MARKER.unattributed, fingerprint, target * 4);
  closing.add(TARGET);
  closing.find({
    class: 'duplicate', window: closing.window, key: keyOf(shard.slots, target), source: side, target: sideOfSlot(shard, target),
    columns: [], hint: undefined, attribution: attributionOf(shard, aligned),
  });
}
