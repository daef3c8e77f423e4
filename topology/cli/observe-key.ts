// Translates what a shard tells of its matches, by slot, for whoever asks about one row key.
import { sameKey } from '../../processors/enter.ts';
import type { MatchObserver, Shard } from '../../processors/shard.ts';
import type { KeyObserver } from '../check-types.ts';

export function observe(shard: Shard, observer: KeyObserver): void {
  const isIt = (slot: number): boolean => sameKey(shard.slots, slot, observer.key, 0, observer.key.length);
  const place = (slot: number): string => {
    const { topic, partition } = shard.partitions[shard.slots.partition[slot]];
    return `${topic}-${partition}@${shard.slots.offset[slot]}`;
  };
  shard.observer = {
    paired(source, target) {
      if (isIt(source)) observer.paired(place(source), place(target));
    },
    elided(source) {
      if (isIt(source)) observer.elided(place(source));
    },
  } satisfies MatchObserver;
}
