// Policy `replay`: an at-least-once sink that is thrown back applies again, in order, what it has applied since (semantics.md §10). Which of the
// repeats of a key belong to such a suffix? From each the target changes that follow must lead back, without leaving out a change, to the last
// change applied before it: the sink may be thrown back again on the way, it may not stop, or skip.
//
// Counter-example to counting repeats: 1 2 3 4, then 2 and nothing else. One repeat, and the row is left at a version long overwritten.
import { OP } from '../schemas/change-event.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { CAUSE } from './attribution.ts';
import { hexOf } from './delete-order.ts';
import { keyOf, positionBytes } from './finding.ts';
import type { Group, Past } from './group.ts';
import { print } from './images.ts';
import { samePrint } from './past-version.ts';
import { named, repeatedDelete } from './replayed-deletes.ts';
import type { Shard } from './shard.ts';
import type { Closing } from './window.ts';
import { COUNT } from './tally.ts';

/** What a repeat is: no part of a suffix; on the way to its end; the last version again. */
export const REPLAY = { no: 0, passing: 1, ends: 2 } as const;

/** True where the policy allows the repeat: it is excluded, and a finding no more. The row's state is that of the suffix's end. */
export function acceptReplay(shard: Shard, group: Group, j: number, closing: Closing): boolean {
  if (shard.settings.policy !== 'replay') return false;
  group.replays ??= findReplays(traceOf(shard, group, closing));
  const how = group.replays[j];
  if (how === REPLAY.no) return false;
  if (how === REPLAY.passing) shard.slots.addFlags(group.targets[j], FLAG.allowed);
  closing.count(COUNT.excluded, 1);
  closing.loaded();
  return true;
}

/** A key's target changes by the places of what they apply: places are compared as text, in the order of the source's positions. */
export interface Trace {
  /** Per target change; '' for one that applies nothing, or other values: it is told by itself, and passed over here. */
  readonly steps: readonly string[];
  /**
   * Places of the source changes that were applied, and by which of these target changes first; -1: before them. One that was not applied when the
   * sink was thrown back cannot be missing from a suffix.
   */
  readonly applied: ReadonlyMap<string, number>;
  /** The last place applied before these target changes; '' for none. */
  readonly frontier: string;
}

export function findReplays({ steps, applied, frontier }: Trace): number[] {
  const before: string[] = [];
  for (let last = frontier, j = 0; j < steps.length; j++) {
    before.push(last);
    if (steps[j] > last) last = steps[j];
  }
  const how = steps.map((): number => REPLAY.no);
  let next = -1;
  for (let j = steps.length - 1; j >= 0; j--) {
    if (steps[j] === '') continue;
    if (steps[j] >= before[j]) how[j] = REPLAY.ends;
    else if (next >= 0 && how[next] !== REPLAY.no && leadsTo(applied, j, steps[j], steps[next])) how[j] = REPLAY.passing;
    next = j;
  }
  return how;
}

/** To an earlier change, to itself, or to the one applied next. */
function leadsTo(applied: Trace['applied'], j: number, place: string, next: string): boolean {
  return next <= place || !applied.entries().some(([other, first]) => first < j && other > place && other < next);
}

function traceOf(shard: Shard, group: Group, closing: Closing): Trace {
  const { link, time } = shard.slots;
  const applied = new Map<string, number>();
  const gone: string[] = [];
  group.sources.forEach((source, i) => {
    if (time[source] >= closing.sourceEvidenceUs || (link[source] === -1 && group.first[i] < 0)) return;
    const isGone = link[source] !== -1 && !group.targets.includes(link[source]);
    if (isGone) gone.push(placeOf(shard, source));
    applied.set(placeOf(shard, source), isGone ? -1 : link[source] === -1 ? group.first[i] : group.place[link[source]]);
  });
  // What is remembered alone was applied before what is live. Counter-example: 1, 2; long after, 1: without 2 the stale write would be the end.
  for (const place of needsHistory(shard, group) ? rememberedPlaces(shard, group) : []) {
    if (applied.has(place)) continue;
    gone.push(place);
    applied.set(place, -1);
  }
  return {
    steps: group.targets.map((_, j) => stepOf(shard, group, closing, j)), applied,
    frontier: gone.reduce((last, place) => (place > last ? place : last), ''),
  };
}

/** A target change applies what is no longer live, or nothing that was applied is: else the last of it is among what is live. */
function needsHistory(shard: Shard, group: Group): boolean {
  return group.targets.some((_, j) => group.past[j] !== undefined) || !group.sources.some(source => shard.slots.link[source] !== -1);
}

function rememberedPlaces(shard: Shard, group: Group): string[] {
  const versions = shard.history.of(keyOf(shard.slots, group.targets[0])).filter(version => version.applied);
  return versions.map(version => placeOfPast({ kind: 'version', version }));
}

/** The place of what target change `j` applies, where its image is that of the change, or of the change's first application. */
function stepOf(shard: Shard, group: Group, closing: Closing, j: number): string {
  const { slots } = shard;
  const target = group.targets[j];
  if (slots.kind[target] === SLOT.read) return '';
  if (slots.link[target] >= 0) return placeOf(shard, slots.link[target]);
  const cause = group.cause[j] === CAUSE.wait && (slots.flags[target] & FLAG.consumed) !== 0 ? causeOfConsumed(shard, group, closing, j) : group.past[j] ?? group.cause[j];
  if (typeof cause !== 'number') return isFaithfulToPast(shard, target, cause) ? placeOfPast(cause) : '';
  if (cause < 0 || slots.time[cause] >= closing.sourceEvidenceUs) return '';
  const i = group.place[cause];
  const first = slots.link[cause] >= 0 ? slots.link[cause] : group.first[i] >= 0 ? group.targets[group.first[i]] : -1;
  return first === target || isSame(shard, target, cause) || (first >= 0 && isSame(shard, target, first)) ? placeOf(shard, cause) : '';
}

/** A repeat that an earlier closing has consumed: only first applications are linked to what they apply. */
function causeOfConsumed(shard: Shard, group: Group, closing: Closing, j: number): number | Past {
  const isDelete = shard.slots.op[group.targets[j]] === OP.delete;
  return (isDelete ? repeatedDelete(shard, group, closing, j) : named(shard, group, j)) ?? CAUSE.none;
}

function isFaithfulToPast(shard: Shard, target: number, past: Past): boolean {
  if (past.kind === 'ghost' && past.ghost.kind !== 'applied') return true;
  const of = past.kind === 'ghost' ? past.ghost : past.version;
  print(shard, target);
  const isPrint = (words: ArrayLike<number>): boolean => samePrint(Int32Array.from(words), 0, shard.slots.fingerprint, target * 4);
  return isPrint(of.appliedPrint) || (of.op === OP.read && isPrint(of.print));
}

function isSame(shard: Shard, a: number, b: number): boolean {
  print(shard, a);
  print(shard, b);
  return samePrint(shard.slots.fingerprint, a * 4, shard.slots.fingerprint, b * 4);
}

/** By position; a delete before a create that has it too (a key change). */
function placeOf(shard: Shard, slot: number): string {
  return positionBytes(shard.slots, slot).toString('hex') + (shard.slots.op[slot] === OP.delete ? '0' : '1');
}

function placeOfPast(past: Past): string {
  if (past.kind === 'ghost') return past.ghost.side.sortKey + (past.ghost.op === OP.delete ? '0' : '1');
  return hexOf(past.version.position) + (past.version.op === OP.delete ? '0' : '1');
}
