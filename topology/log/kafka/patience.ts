// How long what fails is tried again. While a service runs, each request for its own time; where the cluster has answered nobody for that long, none
// of them any longer. Once it is to stop, for a moment only: it is ended by force soon, and what is not committed is read again.
import { kafkaStopMs } from '../../../schemas/limits.ts';
import { ConnectionLost, GivenUp, isNamed } from './kafka-error.ts';

/** Since when something fails, milliseconds of `performance.now`: with no answer, with a refusal that passes, with a transaction that is not over yet. */
export class Failing {
  readonly #sinceMs = new Map<string, number>();

  /** The time of one is none of the other: a broker that was away for long may still hold an election when it is back. */
  since(error: unknown, nowMs: number): number {
    const kind = error instanceof ConnectionLost ? 'lost' : isBusy(error) ? 'busy' : 'refused';
    const sinceMs = this.#sinceMs.get(kind) ?? nowMs;
    this.#sinceMs.set(kind, sinceMs);
    return sinceMs;
  }
}

export function isBusy(error: unknown): boolean {
  return isNamed(error, 'CONCURRENT_TRANSACTIONS', 'UNSTABLE_OFFSET_COMMIT');
}

export class Patience {
  #stoppedMs: number | undefined;
  /** What no broker has answered anything since. */
  #lost: { readonly sinceMs: number; readonly error: ConnectionLost } | undefined;

  /** `stop`: aborted, the service is to stop. */
  constructor(stop: AbortSignal | undefined) {
    const begin = (): void => { this.#stoppedMs = performance.now(); };
    if (stop?.aborted === true) begin();
    else stop?.addEventListener('abort', begin, { once: true });
  }

  answered(): void {
    this.#lost = undefined;
  }

  failed(error: unknown, nowMs: number): void {
    // A broker that refuses has answered.
    if (!(error instanceof ConnectionLost)) this.#lost = undefined;
    else this.#lost ??= { sinceMs: nowMs, error };
  }

  /** Whether what has failed since then is to be given up. What has failed just now for the first time is not. */
  isOver(sinceMs: number, boundMs: number, nowMs: number = performance.now()): boolean {
    return this.#isOver(sinceMs, boundMs, nowMs) || (this.#lost !== undefined && this.#isOver(this.#lost.sinceMs, boundMs, nowMs));
  }

  /** Throws where the service is to stop, and no broker has answered for too long to ask once more. */
  check(): void {
    if (this.#stoppedMs !== undefined && this.#lost !== undefined && this.#isOver(this.#lost.sinceMs, kafkaStopMs, performance.now())) throw this.gaveUp(this.#lost.error, this.#lost.sinceMs);
  }

  gaveUp(last: Error, sinceMs: number): GivenUp {
    return new GivenUp(last, performance.now() - sinceMs, this.#stoppedMs !== undefined);
  }

  #isOver(sinceMs: number, boundMs: number, nowMs: number): boolean {
    if (nowMs - sinceMs > boundMs) return true;
    return this.#stoppedMs !== undefined && nowMs - Math.max(sinceMs, this.#stoppedMs) > kafkaStopMs;
  }
}

export function sleepMs(ms: number): Promise<void> {
  return new Promise(resolve => { setTimeout(resolve, ms); });
}

/** Rejects with `late` where the promise has not settled by then; what becomes of it nobody waits for. */
export async function within<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
