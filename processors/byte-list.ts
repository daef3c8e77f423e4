// A growing list of entries of one size, for the blobs that are written once per window.

export interface EntryList {
  readonly count: number;
  /** The bytes; an entry's place in them is what `extend` answered. Another buffer after the next `extend`. */
  readonly buffer: Buffer;
  /** Adds an entry for the caller to write; answers where. */
  extend(): number;
  /** A copy of the entries, and an empty list again. */
  take(): Buffer;
}

export function createEntryList(entryBytes: number): EntryList {
  let buffer = Buffer.allocUnsafe(entryBytes * 256);
  let count = 0;
  return {
    get count() {
      return count;
    },
    get buffer() {
      return buffer;
    },
    extend() {
      const at = count++ * entryBytes;
      if (at + entryBytes > buffer.length) {
        const larger = Buffer.allocUnsafe(buffer.length * 2);
        buffer.copy(larger);
        buffer = larger;
      }
      return at;
    },
    take() {
      const taken = Buffer.from(buffer.subarray(0, count * entryBytes));
      count = 0;
      return taken;
    },
  };
}
