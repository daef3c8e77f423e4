/** Bytes longer than this are never in V8's heap; and asking a shorter Buffer for its memory would move it out of there. */
const IN_HEAP_BYTES = 64;

/**
 * The bytes in memory of their own, for what is kept. A Buffer below 32 KiB is as a rule a piece of a pool (64 KiB in Node 24), or a view of what
 * was read; kept, it keeps all of that. Counter-example: a store cache of keys of ten bytes, within its bound of 8 MiB, held 800 MB of pools.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length > IN_HEAP_BYTES && bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
