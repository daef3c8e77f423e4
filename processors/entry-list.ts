// A growing list of entries of one size, for the blobs that are written once per window. A class for its fields at fixed places: it is asked
// once per event (see slot-store.ts).

import { ownBytes } from '../schemas/own-bytes.ts';

export class EntryList {
  readonly #entryBytes: number;
  /** The bytes; an entry's place in them is what `extend` answered. Another buffer after the next `extend`. */
  buffer: Buffer;
  count = 0;

  constructor(entryBytes: number) {
    this.#entryBytes = entryBytes;
    this.buffer = Buffer.allocUnsafe(entryBytes * 256);
  }

  /** Adds an entry for the caller to write; answers where. */
  extend(): number {
    const at = this.count++ * this.#entryBytes;
    if (at + this.#entryBytes > this.buffer.length) {
      const larger = Buffer.allocUnsafe(this.buffer.length * 2);
      this.buffer.copy(larger);
      this.buffer = larger;
    }
    return at;
  }

  /** A copy of the entries, in memory of its own, for it is kept; and an empty list again. */
  take(): Buffer {
    const taken = ownBytes(this.buffer.subarray(0, this.count * this.#entryBytes));
    this.count = 0;
    return taken;
  }
}
