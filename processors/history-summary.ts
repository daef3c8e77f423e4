// What is kept in memory of the versions of a closed window, so that who looks for one reads hardly any window but its own: the least and the
// greatest origin, a small filter over the keys, and the greatest position so far.
import { ownBytes } from '../schemas/own-bytes.ts';

/** `[least origin][greatest origin][filter]`, the first two behind a length each. */
export interface Summary {
  readonly window: number;
  readonly least: Buffer;
  readonly greatest: Buffer;
  readonly filter: Buffer;
  readonly sizeBytes: number;
  /** The greatest position of the versions of the window and of all before it; of one that was read back undefined until somebody asks. */
  reach: Uint32Array | undefined;
}

export function packSummary(least: Buffer, greatest: Buffer, filter: Buffer): Buffer {
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(least.length, 0);
  lengths.writeUInt16LE(greatest.length, 2);
  // The summaries stay in memory, one by one.
  return ownBytes(Buffer.concat([lengths, least, greatest, filter]));
}

export function unpackSummary(window: number, bytes: Buffer): Summary {
  const least = 4 + bytes.readUInt16LE(0);
  const greatest = least + bytes.readUInt16LE(2);
  return { window, least: bytes.subarray(4, least), greatest: bytes.subarray(least, greatest), filter: bytes.subarray(greatest), sizeBytes: bytes.length, reach: undefined };
}

/** The least and the greatest origin of a window, kept without a view or a copy per version. */
export function createOriginRange(): { add(page: Buffer, at: number, length: number): void; take(): { least: Buffer; greatest: Buffer } } {
  let least = Buffer.alloc(64);
  let greatest = Buffer.alloc(64);
  let leastLength = -1;
  let greatestLength = -1;
  return {
    add(page, at, length) {
      if (greatestLength < 0 || isAfter(page, at, length, greatest, greatestLength)) {
        if (length > greatest.length) greatest = Buffer.alloc(length);
        for (let i = 0; i < length; i++) greatest[i] = page[at + i];
        greatestLength = length;
      }
      if (leastLength < 0 || isAfter(least, 0, leastLength, page, length, at)) {
        if (length > least.length) least = Buffer.alloc(length);
        for (let i = 0; i < length; i++) least[i] = page[at + i];
        leastLength = length;
      }
    },
    take() {
      const taken = { least: Buffer.from(least.subarray(0, leastLength)), greatest: Buffer.from(greatest.subarray(0, greatestLength)) };
      leastLength = greatestLength = -1;
      return taken;
    },
  };
}

/** In the order of `compareOrigins`. */
function isAfter(a: Buffer, aAt: number, aLength: number, b: Buffer, bLength: number, bAt = 0): boolean {
  if (aLength !== bLength) return aLength > bLength;
  for (let i = 0; i < aLength; i++) if (a[aAt + i] !== b[bAt + i]) return a[aAt + i] > b[bAt + i];
  return false;
}

/** Shorter before longer, then by bytes: numbers in decimal text are in their own order, and any order serves for the rest. */
export function compareOrigins(bytes: Buffer, start: number, end: number, other: Buffer): number {
  return end - start - other.length || bytes.compare(other, 0, other.length, start, end);
}

/** Twelve bits and four probes a key: one false hit in some three hundred windows. */
export function buildFilter(hashes: readonly number[]): Buffer {
  const bits = Buffer.alloc(Math.max(8, Math.ceil((hashes.length * 12) / 8)));
  for (const hash of hashes) {
    for (let i = 0; i < 4; i++) {
      const at = probe(hash, i, bits.length * 8);
      bits[at >>> 3] |= 1 << (at & 7);
    }
  }
  return bits;
}

export function mayHold(bits: Buffer, hash: number): boolean {
  for (let i = 0; i < 4; i++) {
    const at = probe(hash, i, bits.length * 8);
    if ((bits[at >>> 3] & (1 << (at & 7))) === 0) return false;
  }
  return true;
}

const probe = (hash: number, i: number, size: number): number => (Math.imul(hash ^ (i * 0x9e3779b1), 0x85ebca6b) >>> 0) % size;
