// plan -> the two logs: partitioned by key, offsets, shuffled within lateness, then disturbed (records sent again, held back, unreadable).
// Without jitter and disturbances each partition is in position order, as a connector writes it.
import type { Side } from '../../schemas/change-event.ts';
import type { Beat, Content, End, History, LogRecord, RowChange } from './history.ts';
import type { Plan, PlannedBeat } from './plan.ts';
import { prng } from './prng.ts';
import { sourceHistory } from './source-history.ts';
import { targetHistory } from './target-history.ts';

export function realize(plan: Plan): History {
  const [source, target] = [sourceHistory(plan), targetHistory(plan)];
  return {
    plan, source: logOf(plan, 'source', source), target: logOf(plan, 'target', target),
    ...(plan.ends === undefined ? {} : { ends: { source: endsOf(source), target: endsOf(target) } }),
    ...(plan.beats === undefined ? {} : { beats: { source: beatsOf(plan.beats, 'source'), target: beatsOf(plan.beats, 'target') } }),
  };
}

function beatsOf(beats: readonly PlannedBeat[], side: Side): Beat[] {
  return beats.filter((beat) => beat.side === side).map(({ kind, timeUs }) => ({ kind, timeUs, timestampMs: Math.floor(timeUs / 1000) + 7 }));
}

function endsOf(changes: readonly RowChange[]): End[] {
  const rows = changes.filter((change) => change.op !== 'read');
  return [...Map.groupBy(rows, (change) => change.tx).values()].map((own) => {
    const last = own[own.length - 1];
    return { tx: last.tx, lsn: last.lsn, timeUs: last.timeUs - last.timeUs % 1000, rows: own.length };
  });
}

function logOf(plan: Plan, side: Side, changes: readonly RowChange[]): LogRecord[] {
  const count = plan.partitions[side];
  const log: LogRecord[] = [];
  for (let partition = 0; partition < count; partition++) {
    const own = jittered(plan, side, changes.filter((change) => partitionOf(change, count) === partition));
    const contents = own.flatMap((change): Content[] => [
      { kind: 'row', change },
      ...(plan.tombstones && change.op === 'delete' && change.key !== null ? [{ kind: 'tombstone', key: change.key } as const] : []),
    ]);
    let offset = 0;
    for (const content of disturbed(plan, side, partition, contents)) {
      log.push({ side, partition, offset, content });
      offset += plan.holes && log.length % 5 === 0 ? 3 : 1;
    }
  }
  return log;
}

/** A truncate has no key and may land in any partition. */
export function partitionOf(change: RowChange, count: number): number {
  return change.key === null ? change.lsn % count : (change.key * 2_654_435_761 >>> 7) % count;
}

/**
 * Sorted by commit time plus at most `jitterUs`: whatever lies before a record is at most that much younger, so within the lateness the
 * claim of the partition is true. (Sorting by time alone would undo the inversions; by position alone is what `jitterUs: 0` does.)
 */
function jittered(plan: Plan, side: Side, changes: readonly RowChange[]): readonly RowChange[] {
  if (plan.jitterUs === 0) return changes;
  return changes
    .map((change) => ({ change, at: change.timeUs + prng(plan.jitterSeed ^ change.lsn ^ (change.key ?? 0) * 7919 ^ (side === 'source' ? 0 : 1)).int(plan.jitterUs + 1) }))
    .sort((a, b) => a.at - b.at)
    .map((entry) => entry.change);
}

function disturbed(plan: Plan, side: Side, partition: number, contents: readonly Content[]): Content[] {
  const log = [...contents];
  for (const item of plan.disturbances) {
    if (item.side !== side || item.partition !== partition || log.length === 0) continue;
    const at = Math.floor(item.at * log.length);
    switch (item.kind) {
      case 'resend': log.splice(at + item.count, 0, ...log.slice(at, at + item.count)); break;
      case 'delay': log.splice(at + item.count, 0, ...log.splice(at, 1)); break;
      case 'stall': log.splice(Math.max(1, at)); break;
      case 'drop': log.splice(at, item.count); break;
      case 'garbage': log.splice(at, 0, { kind: 'garbage' }); break;
    }
  }
  return log;
}
