// Memory of large answers, used again once all who hold a part of one have stepped through it. Records are views into an answer, and whoever needs
// a byte of a record later copies it (raw-record.ts), so nobody looks at it then.
//
// Counter-example to a buffer for each answer: a megabyte that is garbage a moment later, thousands of them. V8 counts them towards its old
// generation, which is small otherwise: it marked and compacted all of it five times a second, a fifth of the CPU and the longest slices.
import { kafkaAnswersFreeBytes, kafkaSmallMessageBytes } from '../../../schemas/limits.ts';

/** Sizes differ by the last batch of a set: rounded up, they fit each other. */
const STEP_BYTES = 128 << 10;

interface Shared { readonly memory: Buffer; holders: number }

export class AnswerMemory {
  readonly #freeBytesMax: number;
  /** Of answers that nobody holds any more, the one that became free last at the end. */
  readonly #free: Buffer[] = [];
  #freeBytes = 0;
  /** By the answer. One that is lost on its way (a request that failed) is garbage, and does not come back. */
  readonly #shared = new WeakMap<Buffer, Shared>();

  constructor(freeBytesMax: number = kafkaAnswersFreeBytes) {
    this.#freeBytesMax = freeBytesMax;
  }

  /** Of that many bytes, held once. */
  take(bytes: number): Buffer {
    if (bytes < kafkaSmallMessageBytes) return Buffer.allocUnsafeSlow(bytes);
    const memory = this.#takeFree(bytes) ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES);
    const answer = memory.subarray(0, bytes);
    this.#shared.set(answer, { memory, holders: 1 });
    return answer;
  }

  hold(answer: Buffer): void {
    const shared = this.#shared.get(answer);
    if (shared !== undefined) shared.holders++;
  }

  /** As often as it was held. */
  release(answer: Buffer): void {
    const shared = this.#shared.get(answer);
    if (shared === undefined || --shared.holders > 0) return;
    this.#shared.delete(answer);
    this.#free.push(shared.memory);
    this.#freeBytes += shared.memory.length;
    while (this.#freeBytes > this.#freeBytesMax) this.#freeBytes -= (this.#free.shift() as Buffer).length;
  }

  /** The smallest that fits; none that is far too large, for a slow reader may hold it for long. */
  #takeFree(bytes: number): Buffer | undefined {
    let best = -1;
    for (let i = 0; i < this.#free.length; i++) {
      const { length } = this.#free[i];
      if (length >= bytes && length <= 2 * bytes + STEP_BYTES && (best < 0 || length < this.#free[best].length)) best = i;
    }
    if (best < 0) return undefined;
    const [memory] = this.#free.splice(best, 1);
    this.#freeBytes -= memory.length;
    return memory;
  }
}
