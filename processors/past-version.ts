// The blob that holds the source changes of one closed window, and how one of them is found in it: count · key hashes · places · entries.
// A lookup compares hashes and reads only the entries that match; nothing is made of the others.
import { POSITION_BYTES } from '../schemas/change-event.ts';
import { putWord } from './hash.ts';
import { FLAG, SLOT, type SlotStore } from '../stores/slot-store.ts';
import { compareWords, greaterPosition } from './position.ts';

/** A source change or read row of a closed window. */
export interface PastVersion {
  readonly window: number;
  readonly isRead: boolean;
  readonly op: number;
  /** False where it was reported missing, or a read row was not loaded, when its window closed. */
  readonly applied: boolean;
  /** What was applied was found equal, though the fingerprints may differ: by columns that one side does not know. */
  readonly equal: boolean;
  readonly position: Uint32Array;
  readonly totalOrder: number;
  /** Log coordinates: index of the topic-partition in the shard's table, and offset. */
  readonly partition: number;
  readonly offset: number;
  /** Commit time, microseconds. */
  readonly timeUs: number;
  readonly key: Buffer;
  readonly origin: Buffer;
  /** Fingerprint of the source image, and of the image that was applied; zero for the absent row. */
  readonly print: Int32Array;
  readonly appliedPrint: Int32Array;
}

const OP_BITS = 7;
const HAS_APPLIED_PRINT = 8;
const APPLIED = 16;
const READ = 32;
const EQUAL = 64;

/** Collects the versions of a window that is being closed. */
export interface VersionWriter {
  /** Key hashes of what was added. */
  hashes(): readonly number[];
  /** The greatest position of what was added. */
  readonly greatest: Uint32Array;
  /** The version of `slot`, under the key and origin of `head` (the slot itself, or an alias of it). */
  add(slots: SlotStore, slot: number, head: number, applied: boolean, appliedPrint: Int32Array, appliedAt: number, windowStartUs: number): void;
  take(): Buffer;
}

const WORDS = POSITION_BYTES / 4;
/** Bytes of an entry without its key and origin, at most. */
const ENTRY_BYTES = 26 + POSITION_BYTES + 32;

export function createVersionWriter(): VersionWriter {
  let bytes = Buffer.allocUnsafe(1 << 16);
  let length = 0;
  let hashes: number[] = [];
  let places: number[] = [];
  let greatest: Uint32Array = new Uint32Array(WORDS);

  function room(needed: number): void {
    if (length + needed <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + needed));
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  }

  return {
    hashes: () => hashes,
    get greatest() {
      return greatest;
    },
    add(slots, slot, head, applied, appliedPrint, appliedAt, windowStartUs) {
      const tail = slots.keyLength[head] + slots.originLength[head];
      const { fingerprint } = slots;
      const differs = applied && !samePrint(fingerprint, slot * 4, appliedPrint, appliedAt);
      room(ENTRY_BYTES + tail);
      if (compareWords(slots.position, slot * WORDS, greatest, 0) > 0) for (let i = 0; i < WORDS; i++) greatest[i] = slots.position[slot * WORDS + i];
      hashes.push(slots.keyHash[head]);
      places.push(length);
      let at = length;
      bytes[at++] = slots.op[slot] | (differs ? HAS_APPLIED_PRINT : 0) | (applied ? APPLIED : 0) | (slots.kind[slot] === SLOT.read ? READ : 0)
        | (slots.link[slot] >= 0 && (slots.flags[slots.link[slot]] & FLAG.equal) !== 0 ? EQUAL : 0);
      at = putSize(bytes, at, slots.keyLength[head]);
      at = putSize(bytes, at, slots.originLength[head]);
      at = putWord(bytes, at, slots.totalOrder[slot]);
      bytes[at++] = slots.partition[slot];
      bytes[at++] = slots.partition[slot] >>> 8;
      at = putLong(bytes, at, slots.offset[slot]);
      at = putLong(bytes, at, slots.time[slot] - windowStartUs);
      at = putPosition(bytes, at, slots.position, slot * WORDS);
      for (let i = 0; i < 4; i++) at = putWord(bytes, at, fingerprint[slot * 4 + i]);
      if (differs) for (let i = 0; i < 4; i++) at = putWord(bytes, at, appliedPrint[appliedAt + i]);
      const from = slots.heads.pages[slots.headPage[head]];
      for (let i = 0, j = slots.headAt[head]; i < tail; i++) bytes[at++] = from[j + i];
      length = at;
    },
    take() {
      const count = hashes.length;
      // In memory of its own, for it is kept.
      const blob = Buffer.allocUnsafeSlow(4 + count * 8 + length);
      putWord(blob, 0, count);
      for (let i = 0; i < count; i++) {
        putWord(blob, 4 + i * 4, hashes[i]);
        putWord(blob, 4 + (count + i) * 4, places[i]);
      }
      bytes.copy(blob, 4 + count * 8, 0, length);
      length = 0;
      hashes = [];
      places = [];
      greatest = new Uint32Array(WORDS);
      return blob;
    },
  };
}

/** Up to 2^48. */
function putLong(out: Buffer, at: number, value: number): number {
  const high = Math.floor(value / 4294967296);
  putWord(out, at, value - high * 4294967296);
  out[at + 4] = high;
  out[at + 5] = high >>> 8;
  return at + 6;
}

/** A length: one byte up to 254, else three. */
function putSize(out: Buffer, at: number, size: number): number {
  if (size < 255) {
    out[at] = size;
    return at + 1;
  }
  out[at] = 255;
  out[at + 1] = size;
  out[at + 2] = size >>> 8;
  return at + 3;
}

/** Positions end in zeros: only the words up to the last other one are kept. */
function putPosition(out: Buffer, at: number, words: Uint32Array, from: number): number {
  let count = WORDS;
  while (count > 0 && words[from + count - 1] === 0) count--;
  out[at++] = count;
  for (let i = 0; i < count; i++) at = putWord(out, at, words[from + i]);
  return at;
}

/** The versions of one key in a blob, or of all keys where `hash` is undefined; the caller compares the keys. */
export function readVersions(blob: Buffer, hash: number | undefined, window: number, windowStartUs: number): PastVersion[] {
  const count = blob.readUInt32LE(0);
  const found: PastVersion[] = [];
  for (let i = 0; i < count; i++) {
    if (hash !== undefined && blob.readInt32LE(4 + i * 4) !== hash) continue;
    found.push(readVersion(blob, 4 + count * 8 + blob.readUInt32LE(4 + (count + i) * 4), window, windowStartUs));
  }
  return found;
}

function readVersion(blob: Buffer, place: number, window: number, windowStartUs: number): PastVersion {
  let at = place;
  const size = (): number => {
    const short = blob[at++];
    if (short < 255) return short;
    at += 2;
    return blob.readUInt16LE(at - 2);
  };
  const flags = blob[at++];
  const keyLength = size();
  const originLength = size();
  const totalOrder = blob.readInt32LE(at);
  const partition = blob.readUInt16LE(at + 4);
  const offset = blob.readUIntLE(at + 6, 6);
  const timeUs = windowStartUs + blob.readUIntLE(at + 12, 6);
  const words = blob[at + 18];
  at += 19;
  const position = new Uint32Array(POSITION_BYTES / 4);
  for (let i = 0; i < words; i++, at += 4) position[i] = blob.readUInt32LE(at);
  const print = readPrint(blob, at);
  at += 16;
  const differs = (flags & HAS_APPLIED_PRINT) !== 0;
  const appliedPrint = differs ? readPrint(blob, at) : print;
  if (differs) at += 16;
  return {
    window, isRead: (flags & READ) !== 0, op: flags & OP_BITS, applied: (flags & APPLIED) !== 0, equal: (flags & EQUAL) !== 0,
    position, totalOrder, partition, offset, timeUs, print, appliedPrint,
    key: blob.subarray(at, at + keyLength), origin: blob.subarray(at + keyLength, at + keyLength + originLength),
  };
}

/** The greatest position in a blob. */
export function greatestPositionIn(blob: Buffer): Uint32Array {
  return readVersions(blob, undefined, 0, 0).reduce<Uint32Array>((greatest, { position }) => greaterPosition(greatest, position), new Uint32Array(WORDS));
}

/** By position, then order within the transaction. */
export function comparePast(a: PastVersion, b: PastVersion): number {
  return compareWords(a.position, 0, b.position, 0) || a.totalOrder - b.totalOrder;
}

export function samePrint(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  return a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2] && a[i + 3] === b[j + 3];
}

function readPrint(blob: Buffer, at: number): Int32Array {
  return Int32Array.of(blob.readInt32LE(at), blob.readInt32LE(at + 4), blob.readInt32LE(at + 8), blob.readInt32LE(at + 12));
}
