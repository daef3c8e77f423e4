// What of a log may go: of topics of `cleanup: delete` whole stretches, a partition's part of one full segment at a time, oldest first. The
// time is an argument; the age of a stretch is that of its youngest record, by the records' own timestamps.
import type { Retention } from '../log.ts';
import type { Journal, Segment } from './journal.ts';
import type { LogState, PartitionState } from './log-state.ts';

/** Where each partition is to begin that begins later from now on. */
export function retentionTrims({ state, segments }: Journal, fallback: Retention | undefined, nowMs: number): [id: number, beginOffset: number][] {
  const trims: [number, number][] = [];
  for (const { settings, partitions } of state.topics.values()) {
    const retention = settings.retention ?? fallback;
    if (settings.cleanup !== 'delete' || retention === undefined) continue;
    for (const partition of partitions) {
      const begin = beginOf(partition, segments, retention, nowMs);
      if (begin > partition.beginOffset) trims.push([partition.id, begin]);
    }
  }
  return trims;
}

function beginOf({ id, beginOffset }: PartitionState, segments: readonly Segment[], { ageMs, sizeBytes }: Retention, nowMs: number): number {
  const held = segments.flatMap((segment) => segment.index.get(id) ?? []).filter(({ endOffset }) => endOffset > beginOffset);
  const full = segments.slice(0, -1).flatMap((segment) => segment.index.get(id) ?? []).filter(({ endOffset }) => endOffset > beginOffset);
  let leftBytes = held.reduce((sum, index) => sum + index.sizeBytes, 0);
  let begin = beginOffset;
  for (const index of full) {
    leftBytes -= index.sizeBytes;
    const tooOld = ageMs !== undefined && index.maxTimestampMs < nowMs - ageMs;
    const tooMuch = sizeBytes !== undefined && leftBytes >= sizeBytes;
    if (!tooOld && !tooMuch) break;
    begin = index.endOffset;
  }
  return begin;
}

/** Bytes of records in a segment that readers can still come to. */
export function liveBytes(segment: Segment, state: LogState): number {
  let sum = 0;
  for (const [id, { sizeBytes, endOffset }] of segment.index) if (endOffset > state.partitions[id].beginOffset) sum += sizeBytes;
  return sum;
}

export function recordBytes(segment: Segment): number {
  let sum = 0;
  for (const { sizeBytes } of segment.index.values()) sum += sizeBytes;
  return sum;
}

export function isCompacted(state: LogState, id: number): boolean {
  const partition = state.partitions[id];
  const topic = state.topics.get(partition.topic);
  // One that was made anew under the name has other partitions.
  return topic?.partitions[partition.partition] === partition && topic.settings.cleanup === 'compact';
}
