// The picture that the status topic gives: of each task and each partition the last record, how old it is, and what in it an operator has to look at.
import { SIDES } from '../../schemas/change-event.ts';
import { taskSilentMs } from '../../schemas/limits.ts';
import type { HeardTask, OutputRecord, StatusRecord, TaskRecord } from '../../schemas/records.ts';
import { parseTime } from '../../schemas/time.ts';
import { keyOf } from '../runtime/record-collector.ts';

export interface Picture {
  /** Takes records in the order in which they were written. Those of other pairs than these are nobody's any more. */
  take(records: readonly OutputRecord[]): void;
  /** Tasks, then partitions, in the order of the pairs. */
  records(): OutputRecord[];
  /** Tasks that have become stale since this was last asked. */
  turnedStale(nowMs: number): TaskRecord[];
}

export function createPicture(pairs: readonly string[]): Picture {
  const last = new Map<string, OutputRecord>();
  const toldStale = new Set<string>();
  const order = (record: OutputRecord): string => [
    record.record === 'task' ? 0 : 1, String(pairs.indexOf(record.pair)).padStart(4, '0'),
    record.record === 'task' ? record.task : record.record === 'status' ? `${SIDES.indexOf(record.side)} ${record.topic} ${String(record.partition).padStart(6, '0')}` : '',
  ].join(' ');
  /** A task of a chain that a reset has ended runs nowhere, and nobody need look for it: there may be fewer of them now. */
  const dropEnded = ({ pair, chain = 1 }: TaskRecord): void => {
    for (const [key, record] of last) if (record.record === 'task' && record.pair === pair && (record.chain ?? 1) < chain) last.delete(key);
  };
  return {
    take(records) {
      for (const record of records) {
        if (!pairs.includes(record.pair)) continue;
        if (record.record === 'task') dropEnded(record);
        last.set(keyOf(record), record);
      }
    },
    records: () => [...last.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1)),
    turnedStale(nowMs) {
      const turned: TaskRecord[] = [];
      for (const record of last.values()) {
        if (record.record !== 'task') continue;
        if (!heardTask(record, nowMs).stale) toldStale.delete(record.task);
        else if (!toldStale.has(record.task)) turned.push(record);
      }
      for (const { task } of turned) toldStale.add(task);
      return turned;
    },
  };
}

/** Each task's word with its age. `nowMs`: milliseconds since the epoch. */
export function asHeard(records: readonly OutputRecord[], nowMs: number): OutputRecord[] {
  return records.map(record => (record.record === 'task' ? heardTask(record, nowMs) : record));
}

function heardTask(record: TaskRecord, nowMs: number): HeardTask {
  // A clock that is behind the service's makes nothing older than now.
  const ageMs = record.at === undefined ? undefined : Math.max(0, Math.round(nowMs - parseTime(record.at) / 1000));
  return { ...record, ...(ageMs === undefined ? {} : { ageMs: String(ageMs) }), stale: record.state !== 'closed' && (ageMs ?? 0) > taskSilentMs };
}

/** What keeps windows from being closed, one line each: tasks that nobody runs, partitions that are stalled. `nowMs` as above. */
export function problemsOf(records: readonly OutputRecord[], nowMs: number): string[] {
  return records.flatMap(record => (record.record === 'task' ? taskProblems(heardTask(record, nowMs)) : record.record === 'status' ? partitionProblems(record) : []));
}

function taskProblems({ task, state, owner, ageMs, stale }: HeardTask): string[] {
  if (state === 'closed') return [`${task}: nobody runs it; it was closed by ${owner}`];
  if (stale) return [`${task}: not heard of for ${Math.round(Number(ageMs) / 1000)} s; ${owner} is gone or stands still`];
  return state === 'corrupt' ? [`${task}: its state is damaged, and is being made anew by ${owner}`] : [];
}

function partitionProblems({ pair, side, topic, partition, stalled, since, reason }: StatusRecord): string[] {
  return stalled ? [`${pair}: ${side} ${topic}-${partition} holds its windows${since === undefined ? '' : ` since ${since}`}: ${reason}`] : [];
}
