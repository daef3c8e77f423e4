// The log is maintained beside the tasks: retention, compaction of changelogs. Not in their way: it works in slices, and one pass at a time.
import type { Clock } from './pacer.ts';

export interface MaintainingParts {
  readonly maintain: () => Promise<void>;
  readonly everyMs: number;
  readonly clock: Clock;
  /** One line for the operator. A pass that fails is tried again: what may not fail is the append, and it says so itself. */
  readonly say: (line: string) => void;
}

/** Begins; the function that is given back ends it, once the pass that runs has come to its end. */
export function startMaintaining({ maintain, everyMs, clock, say }: MaintainingParts): () => Promise<void> {
  const stop = new AbortController();
  const ended = (async () => {
    for (;;) {
      await clock.sleep(everyMs, stop.signal);
      if (stop.signal.aborted) return;
      await maintain().catch((error: unknown) => { say(`the log was not maintained: ${error instanceof Error ? error.message : String(error)}`); });
    }
  })();
  return () => {
    stop.abort();
    return ended;
  };
}
