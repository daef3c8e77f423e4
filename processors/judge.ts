// Judges one key at the closing of a window: which target change applied which source change, and what is wrong with it (semantics.md §5
// and rulings 8 to 17). It looks at all live events of the key at once, sorted by position, so nothing depends on the order of arrival.
//
// The steps: gather the key's slots · attribute each target change to a source change · judge the source changes that are due · judge the
// target changes that are left · compare the states (divergences.ts).
import { SOURCE } from '../schemas/change-event.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { attribute } from './attribution.ts';
import { findCollapsed } from './collapse.ts';
import { createAligner, judgeAligned } from './judge-aligned.ts';
import { judgeSource } from './judge-source.ts';
import { judgeTarget } from './judge-target.ts';
import { attributeReplayedDeletes } from './replayed-deletes.ts';
import { judgeState } from './divergences.ts';
import type { Group } from './group.ts';
import type { Shard } from './shard.ts';
import type { Closing } from './window.ts';

const NONE = new Int32Array(0);

export function createGroup(shard: Shard): Group {
  const group: Group = {
    sources: [], targets: [], cause: NONE, past: [], aligned: [], first: NONE, next: NONE, reordered: new Uint8Array(0), collapsed: [], replays: undefined, place: NONE, aligner: undefined,
  };
  if (shard.settings.match.by === 'alignment') group.aligner = createAligner(shard, group);
  return group;
}

export function judgeKey(shard: Shard, group: Group, slot: number, closing: Closing): void {
  gather(shard, group, slot, closing);
  const touched = group.aligner === undefined ? judgeAttributed(shard, group, closing) : judgeAligned(shard, group, group.aligner, closing);
  // What consumed nothing changed no state: the versions are those of the last close.
  if (touched) judgeState(shard, group, closing);
}

/** True where the closing window has an event of the key, or consumes one. */
function judgeAttributed(shard: Shard, group: Group, closing: Closing): boolean {
  attribute(shard, group, closing);
  if (shard.settings.policy === 'replay') attributeReplayedDeletes(shard, group, closing);
  chainApplications(shard, group);
  findReordered(shard, group, closing);
  if (shard.settings.policy === 'collapse') findCollapsed(shard, group, closing);
  const { time, kind, flags } = shard.slots;
  const { endUs, startUs } = closing;
  let touched = false;
  for (let i = 0; i < group.sources.length; i++) {
    const source = group.sources[i];
    if (time[source] >= endUs) continue;
    if (time[source] >= startUs) touched = true;
    if (kind[source] === SLOT.change && (flags[source] & FLAG.consumed) === 0) judgeSource(shard, group, i, closing);
  }
  for (let j = 0; j < group.targets.length; j++) {
    const target = group.targets[j];
    if ((flags[target] & FLAG.consumed) === 0 && time[target] < endUs) touched = judgeTarget(shard, group, j, closing) || touched;
  }
  return touched;
}

function gather(shard: Shard, group: Group, slot: number, closing: Closing): void {
  const { slots } = shard;
  const { keyId, nextKey, mark, side } = slots;
  const { sources, targets } = group;
  const key = keyId[slot];
  let sourceCount = 0;
  let targetCount = 0;
  group.replays = undefined;
  for (let s = slots.firstByKey(slots.keyHash[slot]); s >= 0; s = nextKey[s]) {
    if (keyId[s] !== key) continue;
    mark[s] = closing.number;
    if (side[s] === SOURCE) sources[sourceCount++] = s;
    else targets[targetCount++] = s;
  }
  settle(shard, sources, sourceCount, key, shard.settings.source.order === 'timestamp');
  settle(shard, targets, targetCount, key, shard.settings.target.order === 'timestamp');
  if (group.place.length < slots.capacity) grow(group, slots.capacity);
  for (let i = 0; i < sourceCount; i++) group.place[sources[i]] = i;
  for (let j = 0; j < targetCount; j++) group.place[targets[j]] = j;
}

function grow(group: Group, capacity: number): void {
  for (const name of ['cause', 'first', 'next', 'place'] as const) group[name] = new Int32Array(capacity);
  group.reordered = new Uint8Array(capacity);
}

/** Cuts the list to what was gathered, and sorts it: by position; only an engine where the last write wins by its time is sorted by time first. */
function settle(shard: Shard, list: number[], count: number, key: number, byTime: boolean): void {
  if (list.length > count) list.length = count;
  if (count < 2) return;
  // The chain has the newest first, and a key's events mostly come in the order of their positions.
  list.reverse();
  const { slots } = shard;
  if (byTime) list.sort((a, b) => slots.time[a] - slots.time[b] || slots.comparePositions(a, b));
  else if (shard.disordered.has(key)) list.sort((a, b) => slots.comparePositions(a, b));
}

function chainApplications(shard: Shard, group: Group): void {
  const { sources, targets, first, next, cause, place } = group;
  for (let i = 0; i < sources.length; i++) first[i] = -1;
  for (let j = targets.length - 1; j >= 0; j--) {
    next[j] = -1;
    if (cause[j] < 0 || (shard.slots.flags[targets[j]] & FLAG.consumed) !== 0) continue;
    const i = place[cause[j]];
    next[j] = first[i];
    first[i] = j;
  }
}

/** Some applied change of the key with a later origin lies before the first application of this one. */
function findReordered(shard: Shard, group: Group, closing: Closing): void {
  const { kind, time, link } = shard.slots;
  const { sources, first, reordered, place } = group;
  let least = Infinity;
  for (let i = sources.length - 1; i >= 0; i--) {
    const source = sources[i];
    reordered[i] = 0;
    if (kind[source] !== SLOT.change || time[source] >= closing.sourceEvidenceUs) continue;
    // Places among the targets are in the order of their positions.
    const application = link[source] >= 0 ? place[link[source]] : first[i];
    if (application < 0) continue;
    reordered[i] = least < application ? 1 : 0;
    if (application < least) least = application;
  }
}
