// The tasks of a pair take turns, whoever is furthest behind in event time first. A window's verdict waits for the slowest of them, so what the others
// do before it is of no use to anybody yet; and tasks that are in step read the same stretches of a log. Counter-example: equal turns for
// partitions of unequal size; the small ones were a third of the log ahead, and every stretch was read once for each task.
import { setImmediate } from 'node:timers';
import { turnsPassedMax } from '../../schemas/limits.ts';

export interface Turns {
  /** Waits for a turn, of which there is one in each turn of the event loop. `atUs`: how far the caller is. */
  take(atUs: number): Promise<void>;
}

interface Waiting { readonly atUs: number; passed: number; readonly go: () => void }

export function createTurns(): Turns {
  const waiting: Waiting[] = [];

  function give(): void {
    const next = waiting.reduce((first, one) => (isBefore(one, first) ? one : first));
    waiting.splice(waiting.indexOf(next), 1);
    for (const one of waiting) one.passed++;
    if (waiting.length > 0) setImmediate(give);
    next.go();
  }

  return {
    take: atUs => new Promise(resolve => {
      waiting.push({ atUs, passed: 0, go: resolve });
      if (waiting.length === 1) setImmediate(give);
    }),
  };
}

/** Who was passed over for too long goes first, however far it is: it has something to commit, and may be told to stop. */
function isBefore(a: Waiting, b: Waiting): boolean {
  const [aIsDue, bIsDue] = [a.passed >= turnsPassedMax, b.passed >= turnsPassedMax];
  return aIsDue === bIsDue ? a.atUs < b.atUs : aIsDue;
}
