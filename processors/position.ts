// Positions as words, one behind the other in an array: how they compare.
import { POSITION_BYTES } from '../schemas/change-event.ts';

const WORDS = POSITION_BYTES / 4;

/** Below 0 where the position at word `i` of `a` comes before that at word `j` of `b`, 0 where they are the same. */
export function compareWords(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  for (let n = 0; n < WORDS; n++) if (a[i + n] !== b[j + n]) return a[i + n] < b[j + n] ? -1 : 1;
  return 0;
}

export function greaterPosition(a: Uint32Array, b: Uint32Array): Uint32Array {
  return compareWords(a, 0, b, 0) < 0 ? b : a;
}

/** Of a position in hex. */
export function wordsOf(hex: string): Uint32Array {
  return Uint32Array.from({ length: WORDS }, (_, n) => parseInt(hex.slice(n * 8, n * 8 + 8), 16));
}
