// A growing list of bytes, for the blobs that are written once per window.

export interface ByteList {
  readonly length: number;
  bytes(from: Buffer, start: number, end: number): void;
  /** The bytes, and an empty list again. */
  take(): Buffer;
}

export function createByteList(): ByteList {
  let buffer = Buffer.allocUnsafe(1024);
  let length = 0;
  function room(bytes: number): void {
    if (length + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }
  return {
    get length() {
      return length;
    },
    bytes(from, start, end) {
      room(end - start);
      from.copy(buffer, length, start, end);
      length += end - start;
    },
    take() {
      const taken = Buffer.from(buffer.subarray(0, length));
      length = 0;
      return taken;
    },
  };
}
