// Policy `replay`: a delete that is applied again removes a row of a later version than it did the first time, so the rule of the removed row
// (ruling 8) finds nothing, and the n-th delete without an image is no longer the n-th. What follows tells: a sink that was thrown back to a
// delete applies next what came after it.
//
// Counter-example to ruling 8 alone: create 1, delete 2, create 3; thrown back to the delete, the sink removes row 3 and creates it once more.
// No delete of the source comes after 3: a clean run would be told an out-of-band delete.
import { OP } from '../schemas/change-event.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { CAUSE, findByOrigin, sortKeyOf } from './attribution.ts';
import { hexOf, pastDelete } from './delete-order.ts';
import { keyOf, positionBytes } from './finding.ts';
import type { Group, Past } from './group.ts';
import type { Shard } from './shard.ts';
import type { Closing } from './window.ts';

/** Gives deletes that have no cause yet, or only one by number, the cause that their neighbours tell. */
export function attributeReplayedDeletes(shard: Shard, group: Group, closing: Closing): void {
  const { op, flags, time } = shard.slots;
  for (let j = 0; j < group.targets.length; j++) {
    const target = group.targets[j];
    if (op[target] !== OP.delete || (flags[target] & FLAG.consumed) !== 0 || time[target] >= closing.targetEvidenceUs) continue;
    if (group.aligned[j]) take(group, j, before(shard, group, j) ?? after(shard, group, j));
    else if (group.cause[j] === CAUSE.none || group.cause[j] === CAUSE.wait || leavesOut(shard, group, j)) take(group, j, repeatedDelete(shard, group, j, false));
  }
}

/**
 * The change before the delete that ruling 8 finds was not applied yet. Counter-example: create 1, delete 2, create 3, update 4, delete 5;
 * thrown back to delete 2 after 3, the sink removes row 3, and the first delete after 3 is 5.
 */
function leavesOut(shard: Shard, group: Group, j: number): boolean {
  const { kind, link } = shard.slots;
  if (group.cause[j] < 0) return false;
  let i = group.place[group.cause[j]] - 1;
  while (i >= 0 && kind[group.sources[i]] === SLOT.read) i--;
  if (i < 0) return false;
  const source = group.sources[i];
  const isGone = link[source] !== -1 && (link[source] < 0 || group.place[link[source]] < j);
  return !isGone && !group.cause.slice(0, j).includes(source);
}

/** A source delete: its slot, or what is remembered of it. */
type Deleted = number | Past;

function take(group: Group, j: number, source: Deleted | undefined): void {
  if (source === undefined) return;
  group.cause[j] = typeof source === 'number' ? source : CAUSE.past;
  group.past[j] = typeof source === 'number' ? undefined : source;
}

/** The source delete that a delete applies again, as its neighbours tell. */
export function repeatedDelete(shard: Shard, group: Group, j: number, fromBefore = true): Deleted | undefined {
  const source = before(shard, group, j) ?? (fromBefore ? after(shard, group, j) : undefined);
  return source !== undefined && isApplied(shard, group, j, source) ? source : undefined;
}

/** The source delete just before what the next target change applies. */
function before(shard: Shard, group: Group, j: number): Deleted | undefined {
  const { op, kind } = shard.slots;
  for (let k = j + 1; k < group.targets.length; k++) {
    const next = causeOf(shard, group, k);
    const past = next < 0 ? group.past[k] : undefined;
    if (next < 0 && past === undefined) continue;
    let i = next < 0 ? -1 : group.place[next] - 1;
    while (i >= 0 && kind[group.sources[i]] === SLOT.read) i--;
    if (i >= 0) return op[group.sources[i]] === OP.delete ? group.sources[i] : undefined;
    return rememberedBefore(shard, group, past === undefined ? positionBytes(shard.slots, next).toString('hex') : sortKeyOf(past));
  }
  return undefined;
}

function rememberedBefore(shard: Shard, group: Group, place: string): Past | undefined {
  const key = keyOf(shard.slots, group.targets[0]);
  const last = shard.history.of(key).find(version => !version.isRead && hexOf(version.position) < place);
  return last?.op === OP.delete ? pastDelete(shard, key, last) : undefined;
}

/** The first source delete after what the target change before this one applies. */
function after(shard: Shard, group: Group, j: number): Deleted | undefined {
  const { op } = shard.slots;
  for (let k = j - 1; k >= 0; k--) {
    const previous = causeOf(shard, group, k);
    const past = previous < 0 ? group.past[k] : undefined;
    if (previous >= 0) return group.sources.find((source, i) => i > group.place[previous] && op[source] === OP.delete);
    if (past !== undefined) return afterRemembered(shard, group, sortKeyOf(past));
  }
  return undefined;
}

function afterRemembered(shard: Shard, group: Group, place: string): Deleted | undefined {
  const key = keyOf(shard.slots, group.targets[0]);
  const first = shard.history.of(key).findLast(version => version.op === OP.delete && hexOf(version.position) > place);
  const live = group.sources.find(source => shard.slots.op[source] === OP.delete && positionBytes(shard.slots, source).toString('hex') > place);
  const isLive = live !== undefined && (first === undefined || positionBytes(shard.slots, live).toString('hex') <= hexOf(first.position));
  return isLive || first === undefined ? live : pastDelete(shard, key, first);
}

/** What a target change that is no delete applies, judged before or not; -1 where that is nothing live. */
function causeOf(shard: Shard, group: Group, k: number): number {
  const { op, kind, link } = shard.slots;
  const target = group.targets[k];
  if (op[target] === OP.delete || kind[target] === SLOT.read) return -1;
  if (link[target] >= 0) return link[target];
  return (shard.slots.flags[target] & FLAG.consumed) === 0 ? group.cause[k] : findByOrigin(shard, group, k);
}

function isApplied(shard: Shard, group: Group, j: number, source: Deleted): boolean {
  if (typeof source === 'number') return shard.slots.link[source] !== -1 || group.cause.slice(0, j).includes(source);
  return source.kind === 'version' ? source.version.applied : source.ghost.kind === 'applied';
}
