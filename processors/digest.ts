// Digests: per window and side the sum, modulo 2^64 in four lanes, of one keyed hash per change. Additive, so that order and sharding do
// not matter. XOR is banned: two equal changes would cancel, and a duplicate would be invisible.
//
// An element is SHA-256(mask key, position, fingerprint, marker, key length, key). Both sides of a clean pair have the same element, which is
// computed once (semantics.md §8, ruling 18).
import { hash } from 'node:crypto';
import { POSITION_BYTES } from '../schemas/change-event.ts';

export const LANES = 4;
/** What the element says beside the change itself. */
export const MARKER = { applied: 0, unattributed: 1, reordered: 2, unequal: 3, gap: 4 } as const;

/** Sums of both sides: source in lanes 0 to 3, target in 4 to 7. */
export type DigestSums = BigUint64Array;

export interface ElementHasher {
  /** The element of a change, into `lanes`; then `add` it to either side. */
  element(key: Buffer, keyStart: number, keyEnd: number, position: Uint32Array, positionAt: number, marker: number, print: Int32Array, printAt: number): void;
  addTo(sums: DigestSums, side: number): void;
}

export function createElementHasher(maskKey: Buffer): ElementHasher {
  // mask key · position · fingerprint · marker and key length in one word · key: whole words first, so that they are stored as words.
  const start = maskKey.length;
  let scratch = Buffer.alloc(512);
  let scratchWords = new Int32Array(scratch.buffer, scratch.byteOffset, scratch.length / 4);
  const words = new Int32Array(LANES * 2);
  const lanes = new BigUint64Array(words.buffer);
  const views: (Buffer | undefined)[] = [];
  maskKey.copy(scratch);

  function room(length: number): void {
    if (length <= scratch.length) return;
    scratch = Buffer.alloc((length * 2 + 3) & ~3);
    scratchWords = new Int32Array(scratch.buffer, scratch.byteOffset, scratch.length / 4);
    maskKey.copy(scratch);
    views.length = 0;
  }

  return {
    element(key, keyStart, keyEnd, position, positionAt, marker, print, printAt) {
      const keyLength = keyEnd - keyStart;
      let at = start + POSITION_BYTES + 20;
      room(at + keyLength);
      let word = start >> 2;
      for (let i = 0; i < POSITION_BYTES / 4; i++) scratchWords[word++] = position[positionAt + i];
      for (let i = 0; i < 4; i++) scratchWords[word++] = print[printAt + i];
      scratchWords[word] = (keyLength << 3) | marker;
      for (let i = keyStart; i < keyEnd; i++) scratch[at++] = key[i];
      const view = (views[at] ??= scratch.subarray(0, at));
      const text = hash('sha256', view, 'binary');
      for (let i = 0, j = 0; i < LANES * 2; i++, j += 4) {
        words[i] = text.charCodeAt(j) | (text.charCodeAt(j + 1) << 8) | (text.charCodeAt(j + 2) << 16) | (text.charCodeAt(j + 3) << 24);
      }
    },
    addTo(sums, side) {
      const at = side * LANES;
      sums[at] += lanes[0];
      sums[at + 1] += lanes[1];
      sums[at + 2] += lanes[2];
      sums[at + 3] += lanes[3];
    },
  };
}

export function printDigest(sums: DigestSums, side: number): string {
  return Array.from(sums.subarray(side * LANES, side * LANES + LANES), lane => lane.toString(16).padStart(16, '0')).join('');
}
