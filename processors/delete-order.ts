// The deletes of a key in order: those of the source by position, live or remembered, and how many of the target's came before the live ones.
// Where a target delete has no image of what it removed, the n-th there goes with the n-th here (attribution.ts).
import { OP } from '../schemas/change-event.ts';
import { LINK_GONE } from '../stores/slot-store.ts';
import { positionBytes } from './finding.ts';
import type { Group, Past } from './group.ts';
import type { PastVersion } from './past-version.ts';
import type { Shard } from './shard.ts';

export type SourceDelete = { readonly timeUs: number } & ({ readonly slot: number } | { readonly past: Past });

export interface Numbered {
  /** The key's source deletes by position. */
  readonly sources: readonly SourceDelete[];
  /** Target deletes that are no longer live: their numbers come first. */
  readonly targetsBefore: number;
  /** A pair of which one slot is gone is left out on both sides: its number was the same. */
  readonly inPairs: boolean;
}

export function numberDeletes(shard: Shard, group: Group, key: Buffer): Numbered {
  // Without a finding to the key's name its deletes that are gone went in pairs: then those that are live are numbered alone.
  return shard.troubled.has(group.targets[0]) ? numberAll(shard, group, key) : numberLive(shard, group);
}

function numberLive(shard: Shard, group: Group): Numbered {
  const { slots } = shard;
  const sources = group.sources.filter(s => slots.op[s] === OP.delete && slots.link[s] !== LINK_GONE).map(slot => ({ slot, timeUs: slots.time[slot] }));
  return { sources, targetsBefore: 0, inPairs: true };
}

function numberAll(shard: Shard, group: Group, key: Buffer): Numbered {
  const { slots } = shard;
  const live = group.sources.filter(s => slots.op[s] === OP.delete);
  const retired = shard.history.of(key).filter(version => version.op === OP.delete && !isLive(shard, group, version.position));
  const entries = [
    ...live.map(slot => ({ at: positionBytes(slots, slot).toString('hex'), source: { slot, timeUs: slots.time[slot] } as SourceDelete })),
    ...retired.map(version => ({ at: hexOf(version.position), source: { past: pastDelete(shard, key, version), timeUs: version.timeUs } as SourceDelete })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  // A target delete that is gone was the partner of one of these, or had none and was counted then.
  const partners = live.filter(s => slots.link[s] === LINK_GONE).length + entries.filter(({ source }) => 'past' in source && isPaired(source.past)).length;
  const stillLive = group.targets.filter(t => slots.op[t] === OP.delete && slots.link[t] === LINK_GONE).length;
  return { sources: entries.map(({ source }) => source), targetsBefore: shard.ghosts.deletesAhead(key) + partners - stillLive, inPairs: false };
}

/** The n-th of those committed not later than `latestUs`. */
export function nthOf(sources: readonly SourceDelete[], n: number, latestUs: number): SourceDelete | undefined {
  let left = n;
  return sources.find(source => source.timeUs <= latestUs && --left === 0);
}

export function pastDelete(shard: Shard, key: Buffer, version: PastVersion): Past {
  const ghost = shard.ghosts.getDelete(key, hexOf(version.position));
  return ghost === undefined ? { kind: 'version', version } : { kind: 'ghost', origin: version.origin, ghost };
}

function isPaired(past: Past): boolean {
  return past.kind === 'version' ? past.version.applied : past.ghost.paired;
}

/** Whether a change of that position has its slot yet. */
export function isLive(shard: Shard, group: Group, position: Uint32Array): boolean {
  const words = position.length;
  return group.sources.some(s => position.every((word, i) => shard.slots.position[s * words + i] === word));
}

export function hexOf(words: Uint32Array): string {
  return Array.from(words, word => word.toString(16).padStart(8, '0')).join('');
}
