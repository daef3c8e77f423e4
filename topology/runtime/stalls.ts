// When a partition that holds a window is stalled. In a service the first open window is held nearly always: what closes it has not been committed
// yet. News is that one window is held for longer than its evidence takes to come.
import { stalledAfterMs } from '../../schemas/limits.ts';
import type { WindowSettings } from '../../schemas/pair.ts';
import type { StatusRecord } from '../../schemas/records.ts';
import { formatTime } from '../../schemas/time.ts';
import { keyOf } from './record-collector.ts';

export interface Stalls {
  /** Which of a partition's records is to be told: `holding` the window that ends at `heldUs` if it does, or `quiet`, as if no window were open. */
  judge(holding: StatusRecord, quiet: StatusRecord, heldUs: number | undefined, window: WindowSettings): StatusRecord;
}

interface Hold { readonly windowUs: number | undefined; readonly sinceMs: number; readonly since: string | undefined }

/** `nowMs`: a clock that goes forward. `wallMs`: the time of day, where one is known; a hold begins when it is first seen. */
export function createStalls(nowMs: () => number, wallMs: (() => number) | undefined): Stalls {
  const holds = new Map<string, Hold>();
  return {
    judge(holding, quiet, windowUs, window) {
      const key = keyOf(holding);
      if (!holding.stalled) {
        holds.delete(key);
        return quiet;
      }
      let hold = holds.get(key);
      if (hold?.windowUs !== windowUs || hold === undefined) {
        hold = { windowUs, sinceMs: nowMs(), since: wallMs === undefined ? undefined : formatTime(wallMs() * 1000) };
        holds.set(key, hold);
      }
      if (nowMs() - hold.sinceMs < boundMs(window)) return quiet;
      return { ...holding, ...(hold.since === undefined ? {} : { since: hold.since }) };
    },
  };
}

function boundMs({ lagUs, skewUs, latenessUs }: WindowSettings): number {
  return (lagUs + skewUs + latenessUs) / 1000 + stalledAfterMs;
}
