// Which tasks a worker is to run. Whoever shares the tasks out (a group of workers, or nobody) gives sets of them, one after the other.
import type { TaskId } from './task-id.ts';

/**
 * Each set is all that is to run from now on, not what changed. What it has not and the one before had is committed and closed, and what is new
 * is started. The next set is asked for once nothing runs any more that is not in this one: asking is the acknowledgement of what was taken
 * away, and whoever gets those tasks may open them from then on. What is new need not be restored by then.
 *
 * A task that was taken over by somebody else (`WriterFenced`) ends by itself, and nobody else's tasks with it; it starts again if a later set
 * has it. After the last set nothing changes any more. Once the signal is aborted, the sets end soon; the tasks are closed by then or after.
 */
export type Assignment = (signal: AbortSignal) => AsyncIterable<readonly TaskId[]>;

/** The same tasks for ever: the one worker has them all. */
export function fixed(tasks: readonly TaskId[]): Assignment {
  return async function* () {
    yield await Promise.resolve(tasks);
  };
}
