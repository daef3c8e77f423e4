// When a long-running task commits, waits and stops. Time comes in here and nowhere below: it decides when something is written, never what.
import { positionsRenewedMs } from '../../schemas/limits.ts';
import type { Commit } from './commit.ts';
import { createTurns, type Turns } from './turns.ts';

/** Milliseconds of some clock that only goes forward, and a wait that a signal ends. */
export interface Clock {
  nowMs(): number;
  /** Resolves after so long, or at once when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Pacer {
  commit(): Promise<void>;
  /** Commits if it is time, or if what waits for it has grown large. */
  commitIfDue(): Promise<void>;
  /** Between two slices of records: commits if it is due, lets the event loop turn, and who is further behind go first. `atUs`: how far the task is. Throws `Stopping` once the service is to stop. */
  turn(atUs: number): Promise<void>;
  /** Until there may be something to read, or it is time to commit. False: stop. */
  more(): Promise<boolean>;
  /** There may be something to read. */
  wake(): void;
}

/** The service is to stop: what was read is committed, and no more is read. */
export class Stopping extends Error {
  override name = 'Stopping';
}

export interface PacerParts {
  readonly commit: Commit;
  readonly intervalMs: number;
  /** What waits for the next commit is beyond its bound. */
  readonly isFull: () => boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told at every turn and before every wait; it may have something to tell about the task. */
  readonly turned?: () => void;
  /** Shared with the other tasks of the pair. */
  readonly turns?: Turns;
}

export function createPacer({ commit, intervalMs, isFull, clock, signal, turned = () => undefined, turns = createTurns() }: PacerParts): Pacer {
  let lastMs = clock.nowMs();
  /** When something was committed; a commit that finds nothing to do does not count. */
  let committedMs = lastMs;
  let woken = false;
  let waiting: AbortController | undefined;

  async function commitNow(): Promise<void> {
    const isOld = clock.nowMs() - committedMs >= positionsRenewedMs;
    const isCommitted = await commit(isOld);
    lastMs = clock.nowMs();
    if (isCommitted) committedMs = lastMs;
  }

  async function commitIfDue(): Promise<void> {
    if (clock.nowMs() - lastMs >= intervalMs || isFull()) await commitNow();
  }

  return {
    commit: commitNow,
    commitIfDue,
    async turn(atUs) {
      turned();
      await commitIfDue();
      await turns.take(atUs);
      if (signal.aborted) throw new Stopping();
    },
    async more() {
      turned();
      if (!woken) {
        waiting = new AbortController();
        await clock.sleep(Math.max(0, lastMs + intervalMs - clock.nowMs()), AbortSignal.any([signal, waiting.signal]));
        waiting = undefined;
      }
      woken = false;
      await commitIfDue();
      return !signal.aborted;
    },
    wake() {
      woken = true;
      waiting?.abort();
    },
  };
}
