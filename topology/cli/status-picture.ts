// The picture that the status topic gives: of each task and each partition the last record, and what in it an operator has to look at.
import { SIDES } from '../../schemas/change-event.ts';
import { statusEveryMs } from '../../schemas/limits.ts';
import type { OutputRecord, StatusRecord, TaskRecord } from '../../schemas/records.ts';
import { parseTime } from '../../schemas/time.ts';
import { keyOf } from '../runtime/record-collector.ts';

export interface Picture {
  /** Takes records in the order in which they were written. Those of other pairs than these are nobody's any more. */
  take(records: readonly OutputRecord[]): void;
  /** Tasks, then partitions, in the order of the pairs. */
  records(): OutputRecord[];
}

export function createPicture(pairs: readonly string[]): Picture {
  const last = new Map<string, OutputRecord>();
  const order = (record: OutputRecord): string => [
    record.record === 'task' ? 0 : 1, String(pairs.indexOf(record.pair)).padStart(4, '0'),
    record.record === 'task' ? record.task : record.record === 'status' ? `${SIDES.indexOf(record.side)} ${record.topic} ${String(record.partition).padStart(6, '0')}` : '',
  ].join(' ');
  return {
    take(records) {
      for (const record of records) if (pairs.includes(record.pair)) last.set(keyOf(record), record);
    },
    records: () => [...last.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1)),
  };
}

/** A running service writes again every `statusEveryMs`; after three times that it is not heard of. */
const SILENT_MS = 3 * statusEveryMs;

/** What keeps windows from being closed, one line each: tasks that nobody runs, partitions that are stalled. `nowMs`: milliseconds since the epoch. */
export function problemsOf(records: readonly OutputRecord[], nowMs: number): string[] {
  return records.flatMap(record => (record.record === 'task' ? taskProblems(record, nowMs) : record.record === 'status' ? partitionProblems(record) : []));
}

function taskProblems({ task, state, owner, at }: TaskRecord, nowMs: number): string[] {
  if (state === 'closed') return [`${task}: nobody runs it; it was closed by ${owner}`];
  if (state === 'corrupt') return [`${task}: its state is damaged, and is being made anew by ${owner}`];
  const silentMs = at === undefined ? 0 : nowMs - parseTime(at) / 1000;
  return silentMs > SILENT_MS ? [`${task}: not heard of for ${Math.round(silentMs / 1000)} s; ${owner} is gone or stands still`] : [];
}

function partitionProblems({ pair, side, topic, partition, stalled, since, reason }: StatusRecord): string[] {
  return stalled ? [`${pair}: ${side} ${topic}-${partition} holds its windows${since === undefined ? '' : ` since ${since}`}: ${reason}`] : [];
}
