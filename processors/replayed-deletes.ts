// Policy `replay`: a delete that is applied again removes a row of a later version than it did the first time, so the rule of the removed row
// (ruling 8) finds nothing, and the n-th delete without an image is no longer the n-th. What follows tells: a sink that was thrown back to a
// delete applies next what came after it.
//
// Counter-example to ruling 8 alone: create 1, delete 2, create 3; thrown back to the delete, the sink removes row 3 and creates it once more.
// No delete of the source comes after 3: a clean run would be told an out-of-band delete.
import { OP } from '../schemas/change-event.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { CAUSE, evidenceEndUs, findByOrigin, findPast, sortKeyOf, undecided } from './attribution.ts';
import { hexOf, isLive, pastDelete } from './delete-order.ts';
import { keyOf, originOf, positionBytes } from './finding.ts';
import type { Group, Past } from './group.ts';
import type { Shard } from './shard.ts';
import type { Closing } from './window.ts';

/** Gives deletes that have no cause yet, or only one by number, the cause that their neighbours tell. */
export function attributeReplayedDeletes(shard: Shard, group: Group, closing: Closing): void {
  const { op, flags, time } = shard.slots;
  for (let j = 0; j < group.targets.length; j++) {
    const target = group.targets[j];
    if (op[target] !== OP.delete || (flags[target] & FLAG.consumed) !== 0 || time[target] >= closing.targetEvidenceUs) continue;
    if (group.aligned[j]) take(shard, group, j, byNeighbours(shard, group, closing, j), closing);
    else if (group.cause[j] === CAUSE.none || group.cause[j] === CAUSE.wait || leavesOut(shard, group, j)) take(shard, group, j, repeatedDelete(shard, group, closing, j, false), closing);
  }
}

/**
 * The change before the delete that ruling 8 finds was not applied yet. Counter-example: create 1, delete 2, create 3, update 4, delete 5;
 * thrown back to delete 2 after 3, the sink removes row 3, and the first delete after 3 is 5.
 */
function leavesOut(shard: Shard, group: Group, j: number): boolean {
  const { kind } = shard.slots;
  if (group.cause[j] < 0) return false;
  let i = group.place[group.cause[j]] - 1;
  while (i >= 0 && kind[group.sources[i]] === SLOT.read) i--;
  return i >= 0 && !isApplied(shard, group, j, group.sources[i]);
}

/** A source delete: its slot, or what is remembered of it. */
type Deleted = number | Past;

function take(shard: Shard, group: Group, j: number, source: Deleted | undefined, closing: Closing): void {
  if (source === undefined) return;
  const isSlot = typeof source === 'number';
  group.cause[j] = source === CAUSE.none ? undecided(shard, group.targets[j], closing) : isSlot ? source : CAUSE.past;
  group.past[j] = isSlot ? undefined : source;
}

/** The source delete that a delete applies again, as its neighbours tell. */
export function repeatedDelete(shard: Shard, group: Group, closing: Closing, j: number, imageless = true): Deleted | undefined {
  const source = imageless ? byNeighbours(shard, group, closing, j) : before(shard, group, closing, j);
  return source !== undefined && source !== CAUSE.none && isApplied(shard, group, j, source) ? source : undefined;
}

/**
 * Of a delete without an image; CAUSE.none where none is left for it, undefined where nothing tells and its number must do. No effect comes more
 * than ε before its cause. Counter-example: create, an out-of-band delete, and the source's own delete a minute later: the first delete after the
 * create, but no cause of that one.
 */
function byNeighbours(shard: Shard, group: Group, closing: Closing, j: number): Deleted | undefined {
  const latestUs = shard.slots.time[group.targets[j]] + shard.settings.window.skewUs;
  const source = before(shard, group, closing, j);
  const isInTime = source !== undefined && (typeof source !== 'number' || shard.slots.time[source] <= latestUs);
  return isInTime ? source : after(shard, group, closing, j, latestUs);
}

/** The source delete just before what the next target change applies. */
function before(shard: Shard, group: Group, closing: Closing, j: number): Deleted | undefined {
  const { op, kind } = shard.slots;
  for (let k = j + 1; k < group.targets.length; k++) {
    const next = causeOf(shard, group, closing, k);
    if (next === undefined) continue;
    const place = placeOf(shard, next);
    if (isAlone(shard, group, closing, k, place)) return undefined;
    let i = typeof next === 'number' ? group.place[next] - 1 : -1;
    while (i >= 0 && kind[group.sources[i]] === SLOT.read) i--;
    // Behind the last that is live one may lie that is remembered alone: its commit time was the earlier, and its window has closed before.
    const past = shard.history.of(keyOf(shard.slots, group.targets[0])).find(version => !version.isRead && hexOf(version.position) < place);
    if (i >= 0 && (past === undefined || hexOf(past.position) <= placeOf(shard, group.sources[i]))) return op[group.sources[i]] === OP.delete ? group.sources[i] : undefined;
    return past?.op === OP.delete ? pastDelete(shard, keyOf(shard.slots, group.targets[0]), past) : undefined;
  }
  return undefined;
}

/**
 * A stale write: what the target applied behind it does not go on from there. Counter-example: create 1, delete 2, create 3, delete 4; long after,
 * 1 is written again, then 5. Delete 4 is no delete 0 because 1 comes next.
 */
function isAlone(shard: Shard, group: Group, closing: Closing, k: number, place: string): boolean {
  const { op, kind } = shard.slots;
  let next: Deleted | undefined;
  for (let l = k + 1; l < group.targets.length && next === undefined; l++) next = causeOf(shard, group, closing, l);
  if (next === undefined) return false;
  const end = placeOf(shard, next);
  const isBetween = (at: string): boolean => at > place && at < end;
  return group.sources.some(source => kind[source] === SLOT.change && op[source] !== OP.delete && isBetween(placeOf(shard, source)))
    || shard.history.of(keyOf(shard.slots, group.targets[0])).some(version => !version.isRead && version.op !== OP.delete && isBetween(hexOf(version.position)));
}

/**
 * The first source delete after what the target change before this one applies; the next one for each delete between the two. Counter-example
 * to leaving them out: the log has lost the create between two deletes, and the second would be the first again.
 */
function after(shard: Shard, group: Group, closing: Closing, j: number, latestUs: number): Deleted | undefined {
  const { op, link } = shard.slots;
  let between = 0;
  // Behind the last one that applied a source delete: that is remembered, and the last applied where the key had no finding before.
  let unpaired: number | undefined;
  for (let k = j - 1; k >= 0; k--) {
    const target = group.targets[k];
    if (op[target] === OP.delete && link[target] !== -1) unpaired ??= between;
    if (op[target] === OP.delete) between++;
    const previous = causeOf(shard, group, closing, k);
    if (previous !== undefined) return deletesAfter(shard, group, placeOf(shard, previous), latestUs).at(between) ?? CAUSE.none;
  }
  const key = keyOf(shard.slots, group.targets[0]);
  const trail = shard.ghosts.trail(key);
  if (trail !== undefined && trail.named !== '') return deletesAfter(shard, group, trail.named, latestUs).at(trail.deletes.length + between) ?? CAUSE.none;
  const last = lastApplied(shard, group, key, j);
  const gone = trail === undefined ? 0 : trail.deletes.length - 1 - trail.deletes.findLastIndex(({ paired }) => paired);
  return last === undefined ? undefined : deletesAfter(shard, group, last, latestUs).at(unpaired ?? between + gone) ?? CAUSE.none;
}

/** Position of the last source change that was applied, and not by what lies behind the target change `j`. */
function lastApplied(shard: Shard, group: Group, key: Buffer, j: number): string | undefined {
  const { link } = shard.slots;
  const later = new Set(group.sources.filter(source => link[source] >= 0 && group.place[link[source]] > j).map(source => placeOf(shard, source)));
  const applied = shard.history.of(key).filter(version => version.applied).map(version => hexOf(version.position));
  return applied.filter(place => !later.has(place)).sort().at(-1);
}

function deletesAfter(shard: Shard, group: Group, place: string, latestUs: number): Deleted[] {
  const { op, time } = shard.slots;
  const key = keyOf(shard.slots, group.targets[0]);
  const live = group.sources.filter(source => op[source] === OP.delete && time[source] <= latestUs).map(source => ({ at: placeOf(shard, source), source: source as Deleted }));
  const gone = shard.history.of(key).filter(version => version.op === OP.delete && !isLive(shard, group, version.position))
    .map(version => ({ at: hexOf(version.position), source: pastDelete(shard, key, version) as Deleted }));
  return [...live, ...gone].filter(({ at }) => at > place).sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ source }) => source);
}

function placeOf(shard: Shard, of: Deleted): string {
  return typeof of === 'number' ? positionBytes(shard.slots, of).toString('hex') : sortKeyOf(of);
}

/** What a target change that is no delete applies, judged before or not, as far as the closing window's evidence goes. */
function causeOf(shard: Shard, group: Group, closing: Closing, k: number): number | Past | undefined {
  const { op, kind, link, flags, time } = shard.slots;
  const target = group.targets[k];
  if (op[target] === OP.delete || kind[target] === SLOT.read) return undefined;
  const told = (flags[target] & FLAG.consumed) !== 0 || group.cause[k] === CAUSE.wait ? named(shard, group, k) : group.cause[k] >= 0 ? group.cause[k] : group.past[k];
  const cause = link[target] >= 0 ? link[target] : told;
  return typeof cause === 'number' && time[cause] >= closing.sourceEvidenceUs ? undefined : cause;
}

/** What a consumed change named within the evidence of its own window: what lay beyond was no cause of it (ruling 13), and is none later. */
export function named(shard: Shard, group: Group, k: number): number | Past | undefined {
  const { slots } = shard;
  const target = group.targets[k];
  const source = findByOrigin(shard, group, k);
  if (source >= 0) return slots.time[source] < evidenceEndUs(shard, slots.time[target]) ? source : undefined;
  return slots.originLength[target] === 0 ? undefined : findPast(shard, keyOf(slots, target), originOf(slots, target));
}

/**
 * Applied by a target change before `j`, by position. Counter-example to asking whether it was applied: create 1, update 4 ahead of its time, a delete
 * out of band, and then 3, 1, delete 2 and 3 again. Delete 2 was applied, but behind the delete that is asked about.
 */
function isApplied(shard: Shard, group: Group, j: number, source: Deleted): boolean {
  if (typeof source === 'number') {
    const application = shard.slots.link[source];
    const isBefore = application !== -1 && (application < 0 || group.place[application] < j);
    return isBefore || group.cause.slice(0, j).includes(source);
  }
  return source.kind === 'version' ? source.version.applied : source.ghost.kind === 'applied';
}
