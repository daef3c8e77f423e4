/** Bytes longer than this are never in V8's heap; and asking a shorter Buffer for its memory would move it out of there. */
const IN_HEAP_BYTES = 64;

/**
 * Gives the memory of bytes back that nobody reads any more, where they have it for themselves. The collector waits until there is much of it: a
 * restoration had 60 MB of segments in memory that were slots already.
 */
export function freeBytes(bytes: Buffer): void {
  const { buffer } = bytes;
  if (bytes.length > IN_HEAP_BYTES && buffer.byteLength === bytes.length && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

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
