// Prints of the row before and after a change, by which it is told whether a change continues the one before it: 64 bits over the canonical
// image, behind a tag of its columns. They decide only whether a stream has a hole, never whether two sides agree.
import type { Layout } from '../change-event.ts';
import type { Sink } from '../canonical/sink.ts';

/** Two 32-bit words over the bytes [from, to) of a sink, read four bytes at a time. */
export function hashSpan({ bytes, words }: Sink, from: number, to: number, seed: number, out: Int32Array, at: number): void {
  let x = seed ^ 0x243f6a88;
  let y = (to - from) ^ 0x85a308d3;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const word = words.getInt32(i, true);
    x = Math.imul(x ^ word, 0x9e3779b1);
    x ^= x >>> 15;
    y = Math.imul(y + word, 0x85ebca6b) ^ x;
    y = (y << 13) | (y >>> 19);
  }
  for (; i < to; i++) {
    x = Math.imul(x ^ bytes[i], 0x01000193);
    y = Math.imul(y + bytes[i], 0xcc9e2d51) ^ x;
  }
  x ^= y >>> 16;
  out[at] = Math.imul(x, 0xc2b2ae35);
  out[at + 1] = Math.imul(y ^ (x >>> 13), 0x9e3779b1);
}

/** The print of an image, the bytes [from, to) of a sink, into three words at `at`; none where some column is unknown. */
export function printImage(layout: Layout, sink: Sink, from: number, to: number, out: Int32Array, at: number): void {
  if (!layout.plain) return;
  out[at] = layout.tag;
  hashSpan(sink, from, to, layout.tag, out, at + 1);
}
