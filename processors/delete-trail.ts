// Policy `replay`: what a delete without an image is told by once its neighbours are gone (replayed-deletes.ts). Of a key with findings the last target
// change that named a source change is kept, by position, and the deletes behind it. A key without any was applied in order, and the last of its
// source changes that was applied tells the same.
//
// Counter-example to the last source change that was applied: 1, 3 before its delete 2, and 1 once more; long after, a delete. The row was left as by
// 1, and the first delete after that is 2.
import { OP, TARGET } from '../schemas/change-event.ts';
import { deleteTrailMax } from '../schemas/limits.ts';
import { SLOT } from '../stores/slot-store.ts';
import { evidenceEndUs, findPast, sortKeyOf } from './attribution.ts';
import { keyOf, originOf, positionBytes } from './finding.ts';
import type { Shard } from './shard.ts';

export interface Trail {
  /** Position of the last change that named one, and of what it named, in hex; '' where none was kept. */
  readonly at: string;
  readonly named: string;
  /** The deletes behind it, by position; `paired`: it applied a source delete first. */
  readonly deletes: readonly { readonly at: string; readonly paired: boolean }[];
}

const NONE: Trail = { at: '', named: '', deletes: [] };

/** The window's slots are about to be freed. They are not in the order of their positions, and commit times may be equal. */
export function noteTrails(shard: Shard, window: number): void {
  const { slots } = shard;
  const byKey = new Map<number, number[]>();
  for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) {
    if (slots.side[slot] !== TARGET || slots.kind[slot] !== SLOT.change || !shard.troubled.has(slot)) continue;
    const known = byKey.get(slots.keyId[slot]);
    if (known === undefined) byKey.set(slots.keyId[slot], [slot]);
    else known.push(slot);
  }
  for (const targets of byKey.values()) {
    const key = keyOf(slots, targets[0]);
    const before = shard.ghosts.trail(key) ?? NONE;
    const trail = targets.reduce((sum, target) => behind(shard, key, sum, target), before);
    if (trail !== before) shard.ghosts.putTrail(key, trail);
  }
}

function behind(shard: Shard, key: Buffer, trail: Trail, target: number): Trail {
  const { slots } = shard;
  const at = positionBytes(slots, target).toString('hex');
  if (at <= trail.at) return trail;
  if (slots.op[target] === OP.delete) {
    const deletes = [...trail.deletes, { at, paired: slots.link[target] !== -1 }].sort((a, b) => (a.at < b.at ? -1 : 1));
    return { ...trail, deletes: deletes.slice(-deleteTrailMax) };
  }
  const named = namedBy(shard, key, target);
  return named === undefined ? trail : { at, named, deletes: trail.deletes.filter(other => other.at > at) };
}

/** Position of the source change that a judged target change names, of those that its own window's evidence had. */
function namedBy(shard: Shard, key: Buffer, target: number): string | undefined {
  if (shard.slots.originLength[target] === 0) return undefined;
  const past = findPast(shard, key, originOf(shard.slots, target));
  const timeUs = past?.kind === 'ghost' ? past.ghost.timeUs : past?.version.timeUs;
  return past !== undefined && timeUs !== undefined && timeUs < evidenceEndUs(shard, shard.slots.time[target]) ? sortKeyOf(past) : undefined;
}
