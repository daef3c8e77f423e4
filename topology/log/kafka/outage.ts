// Tells the operator of what has been tried for longer than a moment, and of its end: one line each, however many requests wait for it.
import { kafkaOutageMs } from '../../../schemas/limits.ts';

interface Wait { readonly sinceMs: number; readonly boundMs: number; readonly error: unknown }

export class Outage {
  readonly #say: (line: string) => void;
  /** Who waits; the first has waited longest. */
  readonly #waiting = new Map<object, Wait>();
  /** Not at the next failure: an attempt that hangs must not put off the line about it. */
  #timer: NodeJS.Timeout | undefined;
  /** Since when there is what was told. */
  #toldSinceMs: number | undefined;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** An attempt has failed with this, and is tried again for `boundMs` from the first on. */
  waits(who: object, error: unknown, boundMs: number): void {
    this.#waiting.set(who, { sinceMs: this.#waiting.get(who)?.sinceMs ?? performance.now(), boundMs, error });
    if (this.#toldSinceMs === undefined) this.#timer ??= setTimeout(() => this.#look(), kafkaOutageMs).unref();
  }

  /** It has an answer, or has given up: then the error itself tells. */
  ends(who: object, isMended: boolean): void {
    if (!this.#waiting.delete(who) || this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#toldSinceMs !== undefined && isMended) this.#say(`Kafka: mended after ${inSeconds(performance.now() - this.#toldSinceMs)}, it goes on`);
    this.#toldSinceMs = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    const [{ sinceMs, boundMs, error }] = this.#waiting.values();
    const leftMs = sinceMs + kafkaOutageMs - performance.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.#look(), leftMs).unref();
      return;
    }
    this.#toldSinceMs = sinceMs;
    this.#say(`Kafka: ${error instanceof Error ? error.message : String(error)}; it is tried again for ${inSeconds(boundMs)}, and goes on when it is mended`);
  }
}

export function inSeconds(ms: number): string {
  return `${ms < 1000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
}
