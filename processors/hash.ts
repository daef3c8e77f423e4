// Hashes of the hot path: 32-bit mixes for chains, and the 128-bit identity that is remembered of each event when its slot is gone.
// None of them decides a verdict: chains compare the bytes, and an identity only tells a redelivered record from a late one.

/** FNV-1a, finalised so that the low bits can index a table. */
export function hashBytes(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let h = seed ^ 0x811c9dc5;
  for (let i = start; i < end; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
  return finish(h);
}

export function mix(a: number, b: number): number {
  return finish(Math.imul(a, 0x9e3779b1) ^ b);
}

function finish(h: number): number {
  h ^= h >>> 15;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Little-endian, byte by byte: a call of a Buffer method costs more than the word. Returns the place behind it. */
export function putWord(out: Buffer, at: number, word: number): number {
  out[at] = word;
  out[at + 1] = word >>> 8;
  out[at + 2] = word >>> 16;
  out[at + 3] = word >>> 24;
  return at + 4;
}

/** Bytes of a remembered identity. */
export const IDENTITY_BYTES = 16;

/** Writes the identity of (position, key, order within the transaction, snapshot?) to `out` at `at`. */
export function writeIdentity(
  position: Uint32Array, positionAt: number, words: number, key: Uint8Array, keyStart: number, keyEnd: number, tie: number, out: Buffer, at: number,
): void {
  let a = tie ^ 0x243f6a88;
  let b = 0x85a308d3;
  let c = 0x13198a2e;
  for (let i = 0; i < words; i++) {
    const word = position[positionAt + i] | 0;
    a = Math.imul(a ^ word, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b + word, 0x85ebca6b) ^ a;
    b = (b << 13) | (b >>> 19);
  }
  for (let i = keyStart; i < keyEnd; i++) {
    c = Math.imul(c ^ key[i], 0x01000193);
    b = Math.imul(b ^ (key[i] + i - keyStart), 0xcc9e2d51);
    b ^= b >>> 16;
  }
  putWord(out, at, finish(a ^ b));
  putWord(out, at + 4, finish(b ^ c));
  putWord(out, at + 8, finish(c ^ a));
  putWord(out, at + 12, finish(a + b + c));
}
