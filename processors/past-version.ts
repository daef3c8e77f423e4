// The blob that holds the source changes of one closed window, and how one of them is found in it: count · key hashes · places · entries.
// A lookup compares hashes and reads only the entries that match; nothing is made of the others.
import { POSITION_BYTES } from '../schemas/change-event.ts';
import { SLOT, type SlotStore } from '../stores/slot-store.ts';
import { createByteList, type ByteList } from './byte-list.ts';

/** A source change or read row of a closed window. */
export interface PastVersion {
  readonly window: number;
  readonly isRead: boolean;
  readonly op: number;
  /** False where it was reported missing, or a read row was not loaded, when its window closed. */
  readonly applied: boolean;
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

/** Collects the versions of a window that is being closed. */
export interface VersionWriter {
  readonly hashes: readonly number[];
  /** The version of `slot`, under the key and origin of `head` (the slot itself, or an alias of it). */
  add(slots: SlotStore, slot: number, head: number, applied: boolean, appliedPrint: Int32Array, appliedAt: number, windowStartUs: number): void;
  take(): Buffer;
}

export function createVersionWriter(): VersionWriter {
  const entries = createByteList();
  let hashes: number[] = [];
  let places: number[] = [];
  return {
    get hashes() {
      return hashes;
    },
    add(slots, slot, head, applied, appliedPrint, appliedAt, windowStartUs) {
      const differs = applied && !samePrint(slots.fingerprint, slot * 4, appliedPrint, appliedAt);
      const at = slots.headAt[head];
      hashes.push(slots.keyHash[head]);
      places.push(entries.length);
      entries.u8(slots.op[slot] | (differs ? HAS_APPLIED_PRINT : 0) | (applied ? APPLIED : 0) | (slots.kind[slot] === SLOT.read ? READ : 0));
      entries.size(slots.keyLength[head]);
      entries.size(slots.originLength[head]);
      entries.i32(slots.totalOrder[slot]);
      entries.u16(slots.partition[slot]);
      entries.u48(slots.offset[slot]);
      entries.u48(slots.time[slot] - windowStartUs);
      writePosition(entries, slots.position, slot * (POSITION_BYTES / 4));
      for (let i = 0; i < 4; i++) entries.i32(slots.fingerprint[slot * 4 + i]);
      if (differs) for (let i = 0; i < 4; i++) entries.i32(appliedPrint[appliedAt + i]);
      entries.bytes(slots.heads.pages[slots.headPage[head]], at, at + slots.keyLength[head] + slots.originLength[head]);
    },
    take() {
      const index = Buffer.alloc(4 + hashes.length * 8);
      index.writeUInt32LE(hashes.length, 0);
      hashes.forEach((hash, i) => index.writeInt32LE(hash, 4 + i * 4));
      places.forEach((place, i) => index.writeUInt32LE(place, 4 + (hashes.length + i) * 4));
      hashes = [];
      places = [];
      return Buffer.concat([index, entries.take()]);
    },
  };
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
    window, isRead: (flags & READ) !== 0, op: flags & OP_BITS, applied: (flags & APPLIED) !== 0,
    position, totalOrder, partition, offset, timeUs, print, appliedPrint,
    key: blob.subarray(at, at + keyLength), origin: blob.subarray(at + keyLength, at + keyLength + originLength),
  };
}

/** By position, then order within the transaction. */
export function comparePast(a: PastVersion, b: PastVersion): number {
  for (let i = 0; i < a.position.length; i++) if (a.position[i] !== b.position[i]) return a.position[i] < b.position[i] ? -1 : 1;
  return a.totalOrder - b.totalOrder;
}

export function samePrint(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  return a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2] && a[i + 3] === b[j + 3];
}

function readPrint(blob: Buffer, at: number): Int32Array {
  return Int32Array.of(blob.readInt32LE(at), blob.readInt32LE(at + 4), blob.readInt32LE(at + 8), blob.readInt32LE(at + 12));
}

/** Positions end in zeros: only the words up to the last other one are kept. */
function writePosition(out: ByteList, words: Uint32Array, at: number): void {
  let count = POSITION_BYTES / 4;
  while (count > 0 && words[at + count - 1] === 0) count--;
  out.u8(count);
  for (let i = 0; i < count; i++) out.i32(words[at + i] | 0);
}
