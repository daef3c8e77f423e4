// What is remembered of closed windows. Two blobs a window, written once and never changed: the identities of its events (is a record
// below the closed frontier a redelivery?) and the versions of its source changes (was this origin applied? what was the row before?).
// A record and a put per event would cost more than everything else together, so they are packed, and looked up by scanning the small
// key filters of the windows, newest first. Only findings look back, so the scan is rare.
//
// Bytes per event: 16 for the identity, and per source change 63 with a PostgreSQL position, and its key and origin.
import { POSITION_BYTES } from '../schemas/change-event.ts';
import { SLOT, type SlotStore } from '../stores/slot-store.ts';
import { hashBytes, IDENTITY_BYTES } from './hash.ts';
import type { KeyValueStore } from './key-value.ts';

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
  readonly origin: Buffer;
  /** Fingerprint of the source image, and of the image that was applied; zero for the absent row. */
  readonly print: Int32Array;
  readonly appliedPrint: Int32Array;
}

export interface History {
  addIdentity(side: number, identity: Buffer): void;
  /** The version of `slot`, under the key and origin of `head` (the slot itself, or an alias of it). */
  addVersion(slots: SlotStore, slot: number, head: number, applied: boolean, appliedPrint: Int32Array, appliedAt: number): void;
  /** Writes what was added as the window's blobs. */
  seal(window: number): void;
  seen(side: number, window: number, identity: Buffer): boolean;
  /** A late record's identity is remembered too (ruling 22). */
  addLate(side: number, window: number, identity: Buffer): void;
  /** The versions of a key in closed windows, newest first. */
  of(key: Buffer): readonly PastVersion[];
  /** Every key with its newest version: for a truncate, which speaks of all rows. */
  newest(): Map<string, { readonly key: Buffer; readonly version: PastVersion }>;
}

const PREFIX = { filter: 0x66, versions: 0x76, identities: 0x69, late: 0x6c } as const;
const HAS_APPLIED_PRINT = 1;
const APPLIED = 2;
const READ = 4;

export function createHistory(store: KeyValueStore): History {
  let identities: [ByteList, ByteList] = [createByteList(), createByteList()];
  let versions = createByteList();
  let keyHashes: number[] = [];
  /** Filters as of now; scanned once between two seals. */
  let filters: { readonly window: number; readonly bits: Buffer }[] | undefined;

  function addVersion(slots: SlotStore, slot: number, head: number, applied: boolean, appliedPrint: Int32Array, appliedAt: number): void {
    const differs = applied && !samePrint(slots.fingerprint, slot * 4, appliedPrint, appliedAt);
    const page = slots.heads.pages[slots.headPage[head]];
    const keyStart = slots.headAt[head];
    const keyLength = slots.keyLength[head];
    const originLength = slots.originLength[head];
    versions.u16(keyLength);
    versions.u16(originLength);
    versions.u8((differs ? HAS_APPLIED_PRINT : 0) | (applied ? APPLIED : 0) | (slots.kind[slot] === SLOT.read ? READ : 0));
    versions.u8(slots.op[slot]);
    versions.i32(slots.totalOrder[slot]);
    versions.u16(slots.partition[slot]);
    versions.u48(slots.offset[slot]);
    versions.f64(slots.time[slot]);
    writePosition(versions, slots.position, slot * (POSITION_BYTES / 4));
    for (let i = 0; i < 4; i++) versions.i32(slots.fingerprint[slot * 4 + i]);
    if (differs) for (let i = 0; i < 4; i++) versions.i32(appliedPrint[appliedAt + i]);
    versions.bytes(page, keyStart, keyStart + keyLength + originLength);
    keyHashes.push(slots.keyHash[slot]);
  }

  function seal(window: number): void {
    for (const side of [0, 1]) {
      if (identities[side].length > 0) store.put(windowKey(PREFIX.identities, window, side), identities[side].take());
    }
    if (versions.length > 0) {
      store.put(windowKey(PREFIX.versions, window), versions.take());
      store.put(windowKey(PREFIX.filter, window), buildFilter(keyHashes));
    }
    identities = [createByteList(), createByteList()];
    versions = createByteList();
    keyHashes = [];
    filters = undefined;
  }

  function seen(side: number, window: number, identity: Buffer): boolean {
    const blob = store.get(windowKey(PREFIX.identities, window, side));
    if (blob !== undefined) {
      for (let at = 0; at < blob.length; at += IDENTITY_BYTES) {
        if (blob.compare(identity, 0, IDENTITY_BYTES, at, at + IDENTITY_BYTES) === 0) return true;
      }
    }
    return store.get(Buffer.concat([windowKey(PREFIX.late, window, side), identity])) !== undefined;
  }

  function of(key: Buffer): PastVersion[] {
    const hash = hashBytes(key, 0, key.length, 0);
    const found: PastVersion[] = [];
    filters ??= [...store.range(Buffer.from([PREFIX.filter]), Buffer.from([PREFIX.filter + 1]))].map(([at, bits]) => ({ window: windowOf(at), bits }));
    for (let i = filters.length - 1; i >= 0; i--) {
      if (!mayHold(filters[i].bits, hash)) continue;
      const blob = store.get(windowKey(PREFIX.versions, filters[i].window));
      if (blob === undefined) continue;
      const here: PastVersion[] = [];
      eachVersion(blob, filters[i].window, (k, version) => {
        if (k.equals(key)) here.push(version);
      });
      found.push(...here);
    }
    return found.sort((a, b) => comparePast(b, a));
  }

  function newest(): Map<string, { key: Buffer; version: PastVersion }> {
    const rows = new Map<string, { key: Buffer; version: PastVersion }>();
    for (const [at, blob] of store.range(Buffer.from([PREFIX.versions]), Buffer.from([PREFIX.versions + 1]))) {
      eachVersion(blob, windowOf(at), (key, version) => {
        const name = key.toString('latin1');
        const known = rows.get(name);
        if (known === undefined || comparePast(known.version, version) < 0) rows.set(name, { key: Buffer.from(key), version });
      });
    }
    return rows;
  }

  return {
    addIdentity: (side, identity) => identities[side].bytes(identity, 0, IDENTITY_BYTES),
    addVersion, seal, seen, of, newest,
    addLate: (side, window, identity) => store.put(Buffer.concat([windowKey(PREFIX.late, window, side), identity]), Buffer.alloc(0)),
  };
}

function eachVersion(blob: Buffer, window: number, visit: (key: Buffer, version: PastVersion) => void): void {
  for (let at = 0; at < blob.length;) {
    const keyLength = blob.readUInt16LE(at);
    const originLength = blob.readUInt16LE(at + 2);
    const flags = blob[at + 4];
    const op = blob[at + 5];
    const totalOrder = blob.readInt32LE(at + 6);
    const partition = blob.readUInt16LE(at + 10);
    const offset = blob.readUIntLE(at + 12, 6);
    const timeUs = blob.readDoubleLE(at + 18);
    const words = blob[at + 26];
    at += 27;
    const position = new Uint32Array(POSITION_BYTES / 4);
    for (let i = 0; i < words; i++, at += 4) position[i] = blob.readUInt32LE(at);
    const print = readPrint(blob, at);
    at += 16;
    const appliedPrint = (flags & HAS_APPLIED_PRINT) !== 0 ? readPrint(blob, at) : print;
    if ((flags & HAS_APPLIED_PRINT) !== 0) at += 16;
    const key = blob.subarray(at, at + keyLength);
    const origin = blob.subarray(at + keyLength, at + keyLength + originLength);
    at += keyLength + originLength;
    visit(key, { window, isRead: (flags & READ) !== 0, op, applied: (flags & APPLIED) !== 0, position, totalOrder, partition, offset, timeUs, origin, print, appliedPrint });
  }
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

/** Twelve bits and four probes a key: one false hit in some three hundred windows. */
function buildFilter(hashes: readonly number[]): Buffer {
  const bits = Buffer.alloc(Math.max(8, Math.ceil((hashes.length * 12) / 8)));
  for (const hash of hashes) for (let i = 0; i < 4; i++) set(bits, probe(hash, i, bits.length * 8));
  return bits;
}

function mayHold(bits: Buffer, hash: number): boolean {
  for (let i = 0; i < 4; i++) {
    const at = probe(hash, i, bits.length * 8);
    if ((bits[at >>> 3] & (1 << (at & 7))) === 0) return false;
  }
  return true;
}

const set = (bits: Buffer, at: number): void => {
  bits[at >>> 3] |= 1 << (at & 7);
};
const probe = (hash: number, i: number, size: number): number => (Math.imul(hash ^ (i * 0x9e3779b1), 0x85ebca6b) >>> 0) % size;

/** `[prefix][window, sign-flipped big-endian][side]`: sorts by window, also before 1970. */
function windowKey(prefix: number, window: number, side = 0): Buffer {
  const key = Buffer.alloc(10);
  key[0] = prefix;
  key.writeBigUInt64BE(BigInt.asUintN(64, BigInt(window)) ^ (1n << 63n), 1);
  key[9] = side;
  return key;
}

function windowOf(key: Buffer): number {
  return Number(BigInt.asIntN(64, key.readBigUInt64BE(1) ^ (1n << 63n)));
}

/** A growing list of bytes. */
interface ByteList {
  readonly length: number;
  u8(value: number): void;
  u16(value: number): void;
  i32(value: number): void;
  /** An offset: up to 2^48. */
  u48(value: number): void;
  f64(value: number): void;
  bytes(from: Buffer, start: number, end: number): void;
  take(): Buffer;
}

function createByteList(): ByteList {
  let buffer = Buffer.allocUnsafe(1024);
  let length = 0;
  function room(bytes: number): void {
    if (length + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }
  return {
    get length() {
      return length;
    },
    u8(value) {
      room(1);
      buffer[length++] = value;
    },
    u16(value) {
      room(2);
      length = buffer.writeUInt16LE(value, length);
    },
    i32(value) {
      room(4);
      length = buffer.writeInt32LE(value, length);
    },
    u48(value) {
      room(6);
      length = buffer.writeUIntLE(value, length, 6);
    },
    f64(value) {
      room(8);
      length = buffer.writeDoubleLE(value, length);
    },
    bytes(from, start, end) {
      room(end - start);
      from.copy(buffer, length, start, end);
      length += end - start;
    },
    take: () => buffer.subarray(0, length),
  };
}
