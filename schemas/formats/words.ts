// Four bytes at a time. A DataView reads a word anywhere in a buffer, and a few operations on it tell whether one of its bytes ends a string
// or a number: 2.5 times as fast as byte by byte (20 against 50 ns for a string of 20 bytes). Making a view is not cheap, so the views of the
// buffers read last are kept; they keep no more than that many buffers alive.

interface Kept { readonly bytes: Buffer; readonly view: DataView }

function keep(bytes: Buffer): Kept {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

const NONE = keep(Buffer.alloc(0));
const kept: Kept[] = [NONE, NONE, NONE, NONE];
let oldest = 0;
let current = NONE;

/** The view of a buffer: the same bytes at the same places. */
export function wordsOf(b: Buffer): DataView {
  return b === current.bytes ? current.view : change(b);
}

function change(b: Buffer): DataView {
  for (let i = 0; i < kept.length; i++) {
    if (kept[i].bytes !== b) continue;
    current = kept[i];
    return current.view;
  }
  current = keep(b);
  kept[oldest] = current;
  oldest = (oldest + 1) % kept.length;
  return current.view;
}

/** Marks (highest bit of each byte) a quote, a backslash, a control character and a byte above 127. The lowest mark is exact. */
export function stringMarks(word: number): number {
  const quote = word ^ 0x22222222;
  const slash = word ^ 0x5c5c5c5c;
  return (((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash) | ((word - 0x20202020) & ~word) | word) & 0x80808080;
}

/** Marks every byte that is no decimal digit. The lowest mark is exact. */
export function digitMarks(word: number): number {
  return ((word + 0x46464646) | (word - 0x30303030) | word) & 0x80808080;
}

/** The number of a word of four decimal digits: first each pair of neighbours becomes one number, then the two pairs. */
export function numberOf(word: number): number {
  const digits = word & 0x0f0f0f0f;
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff;
  return (Math.imul(pairs, 100) + (pairs >>> 16)) & 0xffff;
}

/** Index, from 0 to 3, of the byte with the lowest mark. */
export function firstMark(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}
