// Which source change does a target change apply? By its origin (or version), exactly; a hard delete, which carries none of its own, by
// the origin of the row it removed (ruling 8), and without that image by order among the deletes of its key.
import { OP } from '../schemas/change-event.ts';
import { FLAG, LINK_GONE, SLOT } from '../stores/slot-store.ts';
import type { Closing } from './window.ts';
import { hexOf, isLive, nthOf, numberDeletes, pastDelete, type SourceDelete } from './delete-order.ts';
import { keyOf, originOf, positionBytes } from './finding.ts';
import type { Group, Past } from './group.ts';
import { sameOrigin } from './enter.ts';
import { wordsOf } from './position.ts';
import { isMidStream, type Shard } from './shard.ts';

/** Causes that are not a slot. */
export const CAUSE = {
  /** No source change: an out-of-band write. */
  none: -1,
  /** Cannot be told yet: decided at a later closing. */
  wait: -2,
  /** A source change whose slot is gone: `group.past` has it. */
  past: -3,
  /** Committed after what the closing window may look at. */
  unseen: -4,
} as const;

export function attribute(shard: Shard, group: Group, closing: Closing): void {
  const { slots } = shard;
  let imageless = false;
  let deletes = false;
  for (let j = 0; j < group.targets.length; j++) {
    const target = group.targets[j];
    group.past[j] = undefined;
    group.aligned[j] = false;
    if (slots.time[target] >= closing.targetEvidenceUs) group.cause[j] = CAUSE.unseen;
    else if ((slots.flags[target] & FLAG.consumed) !== 0 || slots.kind[target] === SLOT.read) group.cause[j] = CAUSE.wait;
    else if (slots.op[target] !== OP.delete || shard.originsNameDeletes) group.cause[j] = byOrigin(shard, group, j, closing);
    else {
      group.cause[j] = byRemovedRow(shard, group, j, closing);
      deletes = true;
      if (group.aligned[j]) imageless = true;
    }
  }
  if (imageless) pairDeletes(shard, group, closing);
  if (deletes) keepCauses(shard, group, closing);
}

/**
 * What a target change applies is told by the evidence of its own window, and stays so (ruling 13). Counter-example: a delete waits for the
 * source delete it was given; meanwhile the change that it names, applied long before its time, comes into sight.
 */
function keepCauses(shard: Shard, group: Group, closing: Closing): void {
  const { cause, flags, op, time } = shard.slots;
  for (let j = 0; j < group.targets.length; j++) {
    const target = group.targets[j];
    if (op[target] !== OP.delete || (flags[target] & FLAG.consumed) !== 0) continue;
    if (time[target] >= closing.startUs) {
      if (time[target] < closing.endUs && group.cause[j] >= 0) shard.slots.keepCause(target, group.cause[j]);
    } else if (cause[target] >= 0 && op[cause[target]] === OP.delete) group.cause[j] = cause[target];
  }
}

function byOrigin(shard: Shard, group: Group, j: number, closing: Closing): number {
  const { slots } = shard;
  const target = group.targets[j];
  if (slots.originLength[target] === 0) return CAUSE.none;
  const source = findByOrigin(shard, group, j);
  if (source >= 0) {
    // Beyond the evidence of the target change's own window nothing is a cause of it (ruling 13).
    if (slots.time[source] >= evidenceEndUs(shard, slots.time[target])) return CAUSE.none;
    return source;
  }
  if (slots.time[target] >= closing.endUs) return CAUSE.wait;
  return pastOf(shard, group, j, originOf(slots, target));
}

export function evidenceEndUs(shard: Shard, timeUs: number): number {
  const { sizeUs, lagUs, skewUs } = shard.settings.window;
  return (Math.floor(timeUs / sizeUs) + 1) * sizeUs + lagUs + skewUs;
}

/**
 * The live source change or read row with the target's origin, or -1. Where several changes of a key share one origin (a transaction's
 * GTID), applications go to them in order, the last one taking what is left.
 */
export function findByOrigin(shard: Shard, group: Group, j: number): number {
  const { slots } = shard;
  const target = group.targets[j];
  const page = slots.heads.pages[slots.headPage[target]];
  const originAt = slots.headAt[target] + slots.keyLength[target];
  const originLength = slots.originLength[target];
  const hash = slots.originHash[target];
  const known = slots.cause[target];
  if (known >= 0 && slots.op[known] !== OP.delete && slots.kind[known] !== SLOT.free && slots.originHash[known] === hash && slots.keyId[known] === slots.keyId[target]) return known;
  let found = -1;
  let shared: number[] | undefined;
  for (let slot = slots.firstByOrigin(hash); slot >= 0; slot = slots.nextOrigin[slot]) {
    if (slots.originHash[slot] !== hash || slots.keyId[slot] !== slots.keyId[target]) continue;
    if (!sameOrigin(slots, slot, page, originAt, originLength)) continue;
    const source = slots.kind[slot] === SLOT.alias ? slots.link[slot] : slot;
    // No row carries the origin of a delete; that it shares its transaction with a create is no reason to take it for one. Where the engine
    // carries it, a delete applies a delete.
    if ((slots.op[source] === OP.delete) !== (shard.originsNameDeletes && slots.op[target] === OP.delete)) continue;
    if (found >= 0 && found !== source) (shared ??= [found]).push(source);
    found = source;
  }
  if (shared !== undefined) return nextOfShared(shard, group, j, shared);
  // Remembered only where no other change can come to share the origin: a log sequence number is one change's, a transaction's id is not.
  // A delete that waits has its cause there already (keepCauses).
  const isKept = known >= 0 && slots.op[known] === OP.delete;
  if (found >= 0 && !isKept && shard.originsAreUnique && slots.originHash[found] === hash) slots.cause[target] = found;
  return found;
}

function nextOfShared(shard: Shard, group: Group, j: number, shared: number[]): number {
  // A version that several changes of the key have is no longer exact: they pair in order.
  if (shard.settings.match.by === 'version' && shard.slots.op[group.targets[j]] !== OP.delete) group.aligned[j] = true;
  shared.sort((a, b) => shard.slots.comparePositions(a, b));
  const taken = new Set(group.cause.slice(0, j));
  return shared.find(slot => shard.slots.link[slot] === -1 && !taken.has(slot)) ?? shared[shared.length - 1];
}

/** A source change of that origin whose slot is gone: still owed, or applied in a window closed long ago. */
function pastOf(shard: Shard, group: Group, j: number, origin: Buffer): number {
  const key = keyOf(shard.slots, group.targets[j]);
  const past = shard.slots.op[group.targets[j]] === OP.delete ? findPastDelete(shard, key, origin) : findPast(shard, key, origin);
  group.past[j] = past;
  return past === undefined ? CAUSE.none : CAUSE.past;
}

/** Only where an origin names deletes too: they are remembered by their position. */
function findPastDelete(shard: Shard, key: Buffer, origin: Buffer): Past | undefined {
  const version = shard.history.of(key).find(old => old.op === OP.delete && old.origin.equals(origin));
  return version === undefined ? undefined : pastDelete(shard, key, version);
}

export function findPast(shard: Shard, key: Buffer, origin: Buffer): Past | undefined {
  const ghost = shard.ghosts.get(key, origin);
  if (ghost !== undefined) return { kind: 'ghost', origin, ghost };
  const version = shard.history.find(key, origin);
  return version === undefined ? undefined : { kind: 'version', version };
}

/** The first source delete after the version that the target's before image shows, at most ε later than the target's delete. */
function byRemovedRow(shard: Shard, group: Group, j: number, closing: Closing): number {
  const { slots } = shard;
  const target = group.targets[j];
  const named = slots.originLength[target] > 0 ? findByOrigin(shard, group, j) : -1;
  const removed = named >= 0 && slots.time[named] < closing.sourceEvidenceUs ? named : -1;
  if (removed >= 0) {
    const first = firstDelete(shard, group, slots.time[target], s => slots.comparePositions(s, removed) > 0);
    return retiredBetween(shard, group, j, removed, first) ?? first ?? undecided(shard, target, closing);
  }
  if (named < 0 && removesLastApplied(shard, group, j)) return firstDelete(shard, group, slots.time[target], s => slots.link[s] === -1) ?? undecided(shard, target, closing);
  const past = named < 0 && slots.originLength[target] > 0 ? findPast(shard, keyOf(slots, target), originOf(slots, target)) : undefined;
  if (past === undefined) {
    group.aligned[j] = true;
    return CAUSE.wait;
  }
  const removedAt = sortKeyOf(past);
  const isLater = (s: number): boolean => positionBytes(slots, s).toString('hex') > removedAt;
  return afterPast(shard, group, j, removedAt) ?? firstDelete(shard, group, slots.time[target], isLater) ?? undecided(shard, target, closing);
}

/**
 * Whether the removed row is surely the last version that both sides had before what is live: the target's before images are real (declared
 * `replicaIdentity: full`), the key has no finding to its name and both logs were read from their beginning, so its row was written by a
 * change that applied this origin, and no source delete lies between.
 * Rows are mostly deleted long after they were written; looking each up in history would make a clean run pay for its past.
 */
function removesLastApplied(shard: Shard, group: Group, j: number): boolean {
  const { slots } = shard;
  const target = group.targets[j];
  if (shard.settings.target.replicaIdentity !== 'full' || slots.originLength[target] === 0) return false;
  if (shard.troubled.has(target) || isMidStream(shard)) return false;
  if (j === 0) return true;
  const page = slots.heads.pages[slots.headPage[target]];
  const previous = group.targets[j - 1];
  if ((slots.flags[previous] & FLAG.consumed) === 0 || slots.op[previous] === OP.delete) return false;
  return sameOrigin(slots, previous, page, slots.headAt[target] + slots.keyLength[target], slots.originLength[target]);
}

/**
 * A delete behind the removed version whose window has closed before that of the version: its commit time was the earlier. Looked for where the
 * delete that is live will not do: there is none, it is applied already, or the key has a finding to its name.
 */
function retiredBetween(shard: Shard, group: Group, j: number, removed: number, first: number | undefined): number | undefined {
  const { slots } = shard;
  const isFree = first !== undefined && slots.link[first] === -1 && !group.cause.slice(0, j).includes(first);
  if (isFree && !shard.troubled.has(group.targets[j])) return undefined;
  return afterPast(shard, group, j, positionBytes(slots, removed).toString('hex'), first);
}

/** A delete of a closed window that came after the removed version, and before the live delete `before`: the target has repeated it, or was late with it. */
function afterPast(shard: Shard, group: Group, j: number, removedAt: string, before?: number): number | undefined {
  const key = keyOf(shard.slots, group.targets[j]);
  const later = shard.history.after(key, wordsOf(removedAt)).filter(v => v.op === OP.delete).at(-1);
  if (later === undefined || isLive(shard, group, later.position)) return undefined;
  if (before !== undefined && hexOf(later.position) > positionBytes(shard.slots, before).toString('hex')) return undefined;
  group.past[j] = pastDelete(shard, key, later);
  return CAUSE.past;
}

/** Its position in hex. */
export function sortKeyOf(past: Past): string {
  return past.kind === 'ghost' ? past.ghost.side.sortKey : hexOf(past.version.position);
}

function firstDelete(shard: Shard, group: Group, timeUs: number, where: (slot: number) => boolean): number | undefined {
  const { slots } = shard;
  const latestUs = timeUs + shard.settings.window.skewUs;
  return group.sources.find(s => slots.op[s] === OP.delete && slots.time[s] <= latestUs && where(s));
}

/** Until its own window closes, its source delete may still come. */
export function undecided(shard: Shard, target: number, closing: Closing): number {
  return shard.slots.time[target] < closing.endUs ? CAUSE.none : CAUSE.wait;
}

/**
 * The n-th delete of the key on the target, where it has no image of what it removed, goes with the n-th on the source (ruling 8), of those
 * that can have caused it: no effect comes more than ε before its cause. A delete out of band uses up a number, and so does the source
 * delete that then finds no row on the target: the ones after them pair rightly.
 */
function pairDeletes(shard: Shard, group: Group, closing: Closing): void {
  const { slots } = shard;
  const key = keyOf(slots, group.targets[0]);
  const numbered = numberDeletes(shard, group, key);
  let n = numbered.targetsBefore;
  for (let j = 0; j < group.targets.length; j++) {
    const target = group.targets[j];
    if (slots.op[target] !== OP.delete || (numbered.inPairs && slots.link[target] === LINK_GONE)) continue;
    n++;
    if (group.aligned[j]) group.cause[j] = nthDelete(shard, group, j, nthOf(numbered.sources, n, slots.time[target] + shard.settings.window.skewUs), closing);
  }
}

function nthDelete(shard: Shard, group: Group, j: number, source: SourceDelete | undefined, closing: Closing): number {
  const { slots } = shard;
  const target = group.targets[j];
  if (source === undefined) return undecided(shard, target, closing);
  if ('slot' in source) return source.slot;
  if (slots.time[target] >= closing.endUs) return CAUSE.wait;
  group.past[j] = source.past;
  return CAUSE.past;
}
