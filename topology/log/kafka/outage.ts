// Tells the operator of what has been tried for longer than a moment, and of its end: one line each, however many requests wait for it.
import { kafkaOutageMs } from '../../../schemas/limits.ts';

export class Outage {
  readonly #say: (line: string) => void;
  /** Who waits. */
  readonly #waiting = new Set<object>();
  #sinceMs = 0;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** `forMs`: so long it has failed with this; `boundMs`: so long it will be tried. */
  waits(who: object, error: unknown, forMs: number, boundMs: number): void {
    if (forMs < kafkaOutageMs || this.#waiting.has(who)) return;
    this.#waiting.add(who);
    if (this.#waiting.size > 1) return;
    this.#sinceMs = performance.now() - forMs;
    this.#say(`Kafka: ${error instanceof Error ? error.message : String(error)}; it is tried again for ${seconds(boundMs)}, and goes on when it is mended`);
  }

  /** It has an answer, or has given up: then the error itself tells. */
  ends(who: object, isMended: boolean): void {
    if (!this.#waiting.delete(who) || this.#waiting.size > 0 || !isMended) return;
    this.#say(`Kafka: mended after ${seconds(performance.now() - this.#sinceMs)}, it goes on`);
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
