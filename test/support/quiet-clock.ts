// A clock for a service over a log that nobody else writes: it goes on as the tasks wait, and ends the service when they have nothing left to do.
import type { Log } from '../../topology/log/log.ts';
import type { Clock } from '../../topology/runtime/pacer.ts';
import { withAppends } from './append.ts';

export interface Quiet {
  /** To be handed to the service in place of the log. */
  readonly log: Log;
  readonly clock: Clock;
  /** Aborted when all tasks wait, and nothing was appended since they waited before. */
  readonly signal: AbortSignal;
  /** Whether that has come. */
  readonly isQuiet: () => boolean;
  /** Ends it before. */
  stop(): void;
}

export interface QuietOptions {
  /** How many tasks the service runs. */
  readonly tasks: number;
  readonly commitIntervalMs: number;
  /** Milliseconds that the clock goes on each time that it is asked. */
  readonly tick?: () => number;
  /** Asked when nothing is left to do. True: something was written meanwhile, and it goes on. */
  readonly more?: () => Promise<boolean>;
}

/** Rounds of waiting that nothing came of: a task that is woken may need a turn of the event loop before it wakes another. */
const QUIET_ROUNDS = 2;

export function untilQuiet(log: Log, { tasks, commitIntervalMs, tick = () => 1, more = () => Promise.resolve(false) }: QuietOptions): Quiet {
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  let [ms, appends, seen, rounds, isQuiet] = [0, 0, 0, 0, false];

  /** All wait: so it is time for whatever is to be committed. */
  async function goOn(): Promise<void> {
    rounds = appends === seen ? rounds + 1 : 0;
    if (rounds >= QUIET_ROUNDS && await more()) rounds = 0;
    seen = appends;
    ms += commitIntervalMs;
    isQuiet = rounds >= QUIET_ROUNDS && !stop.signal.aborted;
    if (isQuiet) stop.abort();
    else for (const wake of [...waiting]) wake();
  }

  return {
    signal: stop.signal, isQuiet: () => isQuiet, stop: () => { stop.abort(); },
    log: withAppends(log, (writer, batch) => {
      // The status is written as time passes, whatever happens.
      if (batch.positions.length > 0) appends++;
      return writer.append(batch);
    }),
    clock: {
      nowMs: () => (ms += tick()),
      sleep: (_, signal) => new Promise(resolve => {
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        if (signal.aborted) return void resolve();
        signal.addEventListener('abort', wake);
        waiting.add(wake);
        // Not at once: somebody may have been woken and not have come to it.
        if (waiting.size >= tasks) setImmediate(() => { if (waiting.size >= tasks) void goOn(); });
      }),
    },
  };
}
