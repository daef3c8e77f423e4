// A growing list of bytes, for the blobs that are written once per window.

export interface ByteList {
  readonly length: number;
  u8(value: number): void;
  u16(value: number): void;
  i32(value: number): void;
  /** An offset or a time within a window: up to 2^48. */
  u48(value: number): void;
  /** A length: one byte up to 254, else three. */
  size(value: number): void;
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
  const list: ByteList = {
    get length() {
      return length;
    },
    u8(value) {
      room(1);
      buffer[length++] = value;
    },
    u16(value) {
      room(2);
      length = buffer.writeUInt16LE(value, length);
    },
    i32(value) {
      room(4);
      length = buffer.writeInt32LE(value, length);
    },
    u48(value) {
      room(6);
      length = buffer.writeUIntLE(value, length, 6);
    },
    size(value) {
      list.u8(Math.min(value, 255));
      if (value >= 255) list.u16(value);
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
  return list;
}
