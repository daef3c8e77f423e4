// The fingerprint of a row image: 128 bits of SHA-256 over key, layout and image. The key stands in front of the message, so that who has
// only fingerprints cannot try values; SHA-256's weakness to lengthening does not matter, as nobody verifies a message by it.
import crypto from 'node:crypto';
import type { Layout } from '../change-event.ts';

let message = Buffer.allocUnsafeSlow(1 << 14);
/** Views of `message` by length: making one costs more than hashing a short row. */
let views: (Buffer | undefined)[] = [];
const VIEWS = 8192;
/** One character a byte. Node documents any buffer encoding here; its types name fewer. */
const LATIN1 = 'latin1' as crypto.BinaryToTextEncoding;

/** Writes four 32-bit words to `out`. `key`: 32 bytes, or empty where nothing is masked. The image is bytes[start, end). */
export function fingerprintInto(layout: Layout, key: Buffer, bytes: Buffer, start: number, end: number, out: Int32Array): void {
  const head = key.length + layout.hash.length;
  const length = head + end - start;
  if (length > message.length) {
    message = Buffer.allocUnsafeSlow(2 * length);
    views = [];
  }
  for (let i = 0; i < key.length; i++) message[i] = key[i];
  for (let i = 0; i < layout.hash.length; i++) message[key.length + i] = layout.hash[i];
  bytes.copy(message, head, start, end);
  const view = length < VIEWS ? (views[length] ??= message.subarray(0, length)) : message.subarray(0, length);
  const hash: string = crypto.hash('sha256', view, LATIN1);
  for (let i = 0; i < 4; i++) {
    out[i] = hash.charCodeAt(4 * i) | (hash.charCodeAt(4 * i + 1) << 8) | (hash.charCodeAt(4 * i + 2) << 16) | (hash.charCodeAt(4 * i + 3) << 24);
  }
}
