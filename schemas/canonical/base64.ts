// Base64 on the bytes. Strict: standard or URL-safe alphabet, whole groups of four, padding only at the end.
import { reserve } from './sink.ts';
import type { Sink } from './sink.ts';

const VALUE = new Uint8Array(256).fill(255);
'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.split('').forEach((c, i) => { VALUE[c.charCodeAt(0)] = i; });
VALUE[45] = 62;
VALUE[95] = 63;

/** Decodes b[from, to) to the sink. False (and nothing written) where it is not base64. */
export function writeBase64(sink: Sink, b: Buffer, from: number, to: number): boolean {
  if ((to - from) % 4 !== 0) return false;
  let padding = 0;
  if (to > from && b[to - 1] === 61) padding = b[to - 2] === 61 ? 2 : 1;
  reserve(sink, to - from);
  const out = sink.bytes;
  let w = sink.at;
  const whole = padding > 0 ? to - 4 : to;
  for (let p = from; p < whole; p += 4) {
    const v0 = VALUE[b[p]];
    const v1 = VALUE[b[p + 1]];
    const v2 = VALUE[b[p + 2]];
    const v3 = VALUE[b[p + 3]];
    if ((v0 | v1 | v2 | v3) > 63) return false;
    out[w++] = (v0 << 2) | (v1 >> 4);
    out[w++] = ((v1 & 15) << 4) | (v2 >> 2);
    out[w++] = ((v2 & 3) << 6) | v3;
  }
  if (padding > 0) {
    const v0 = VALUE[b[whole]];
    const v1 = VALUE[b[whole + 1]];
    const v2 = padding === 2 ? 0 : VALUE[b[whole + 2]];
    if ((v0 | v1 | v2) > 63) return false;
    out[w++] = (v0 << 2) | (v1 >> 4);
    if (padding === 1) out[w++] = ((v1 & 15) << 4) | (v2 >> 2);
  }
  sink.at = w;
  return true;
}
