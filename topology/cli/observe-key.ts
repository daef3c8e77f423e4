// Translates what a shard tells of its matches, by slot, for whoever asks about one row key.
import type { MatchObserver, Shard } from '../../processors/shard.ts';
import type { KeyObserver } from '../check-types.ts';

export function observe(shard: Shard, observer: KeyObserver): void {
  const isIt = (slot: number): boolean => {
    const { slots } = shard;
    const at = slots.headAt[slot];
    return slots.keyLength[slot] === observer.key.length
      && observer.key.compare(slots.heads.pages[slots.headPage[slot]], at, at + observer.key.length) === 0;
  };
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
