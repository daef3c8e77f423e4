// The rows of tasks and partitions in the report.
import type { HeardTask, Restoring, StatusRecord, TaskRecord } from '../../schemas/records.ts';
import { grouped, shortTime, visible } from './text.ts';
import type { Style } from './text.ts';

export const TASK_HEAD: readonly string[] = ['task', 'state', 'owner', 'since', 'heard', 'read', 'open windows', 'open divergences'];

export function taskRow(style: Style): (record: TaskRecord & Partial<HeardTask>) => string[] {
  return ({ task, state, stale, ageMs, owner, since, recordsRead, openWindows, openDivergences, restoring }) => [
    task, (stale === true ? style.paint('red', `stale, was ${state}`) : style.paint(state === 'running' ? 'green' : 'yellow', state)) + (restoring === undefined ? '' : `: ${restoringText(restoring)}`),
    owner, since === undefined ? '-' : shortTime(since), ageMs === undefined ? '-' : `${secondsText(ageMs)} ago`,
    grouped(recordsRead ?? '-'), grouped(openWindows ?? '-'), grouped(openDivergences ?? '-'),
  ];
}

function restoringText({ done, total, remainingMs }: Restoring): string {
  return `offset ${grouped(done)} of ${grouped(total)}, ${Math.ceil(Number(remainingMs) / 1000)} s left`;
}

/** A check has no clock, so no lag. */
export interface PartitionForm { readonly wide: boolean; readonly lag: boolean }

export function partitionHead({ wide, lag }: PartitionForm): string[] {
  return ['pair', 'side', ...(wide ? ['topic'] : []), 'partition', 'watermark', ...(lag ? ['lag'] : []), 'stalled', 'reason'];
}

export function partitionRow({ wide, lag }: PartitionForm): (record: StatusRecord) => string[] {
  return ({ pair, side, topic, partition, watermark, lagMs, stalled, since, reason }) => [
    pair, side, ...(wide ? [visible(topic)] : []), String(partition), watermark ?? '-', ...(lag ? [lagText(lagMs)] : []),
    !stalled ? 'no' : since === undefined ? 'yes' : `since ${shortTime(since)}`, visible(reason),
  ];
}

function lagText(lagMs: string | undefined): string {
  return lagMs === undefined ? '-' : secondsText(lagMs);
}

/** Below ten seconds with a digit behind the point. */
function secondsText(ms: string): string {
  const seconds = Number(ms) / 1000;
  return Math.abs(seconds) < 10 ? `${seconds.toFixed(1)} s` : `${grouped(String(Math.round(seconds)))} s`;
}
