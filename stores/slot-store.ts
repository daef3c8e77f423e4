// The hot state of a shard: one slot per live event, in typed arrays, with three hash chains (identity, origin, key) and one list per
// window over the slot numbers. No object per event. A slot keeps its number until it is freed, hence chains instead of probing.
//
// Invariants
// - A slot is in exactly one window list, that of its own commit time, and is freed only through `freeWindow`.
// - Slots of kind `change` and `read` on the source side, and aliases, are found by origin; every other live slot is not.
// - `key`, origin, transaction and trace context lie one behind the other in `heads`; the row image in `images`, until `dropImage`.
import { OP, POSITION_BYTES } from '../schemas/change-event.ts';
import { slotsAtStart } from '../schemas/limits.ts';
import { createByteArena, type ByteArena } from './byte-arena.ts';

export const SLOT = {
  free: 0,
  change: 1,
  /** A snapshot row: a state observation. */
  read: 2,
  truncate: 3,
  /** Another origin under which a source change is known (a connector sent it again); `link` names its slot. */
  alias: 4,
} as const;

export const FLAG = {
  /** Judged: part of a closed window's verdict; kept only to be looked back at. */
  consumed: 1,
  /** A source change that was reported missing. */
  missing: 2,
  /** A pair (source change and its first application) found equal; set on the target's slot. */
  equal: 4,
  /** Stands for a row that a truncate removed. */
  truncated: 8,
  /** Has its snapshot load (on a read row). */
  loaded: 16,
} as const;

const WORDS = POSITION_BYTES / 4;

export interface SlotStore {
  readonly heads: ByteArena;
  readonly images: ByteArena;
  capacity: number;
  live: number;
  side: Uint8Array; kind: Uint8Array; op: Uint8Array; flags: Uint8Array;
  /** Commit time, microseconds. */
  time: Float64Array;
  offset: Float64Array;
  /** Index of the topic-partition in the shard's table. */
  partition: Int32Array;
  /** Position as big-endian words, WORDS a slot. */
  position: Uint32Array;
  totalOrder: Int32Array;
  /** The same number for all live slots of one key, and for no other. */
  keyId: Int32Array;
  keyHash: Int32Array; originHash: Int32Array; idHash: Int32Array;
  headPage: Int32Array; headAt: Int32Array;
  keyLength: Int32Array; originLength: Int32Array; transactionLength: Int32Array; traceLength: Int32Array;
  imagePage: Int32Array; imageAt: Int32Array; imageLength: Int32Array;
  /** Layout id of the image; -1 where there is none (the row is absent after this event). */
  layout: Int32Array;
  /** 128 bits of the image's fingerprint, four words a slot; valid once `fingerprinted`. */
  fingerprint: Int32Array;
  fingerprinted: Uint8Array;
  /** Target: the source slot it applies. Source: its first application. Alias: its slot. -1: none. */
  link: Int32Array;
  nextId: Int32Array; nextOrigin: Int32Array; nextKey: Int32Array; previousKey: Int32Array; nextInWindow: Int32Array;
  /** Number of the last closing that has looked at the slot. */
  mark: Int32Array;

  take(window: number): number;
  /** First slot of the window's list, or -1. */
  window(index: number): number;
  windows(): IterableIterator<number>;
  linkId(slot: number): void;
  linkOrigin(slot: number): void;
  linkKey(slot: number): void;
  firstById(hash: number): number;
  firstByOrigin(hash: number): number;
  firstByKey(hash: number): number;
  dropImage(slot: number): void;
  freeWindow(index: number): void;
  /** By position, then order within the transaction; a delete before what it shares both with (a key change is a delete, then a create). */
  comparePositions(a: number, b: number): number;
  readonly sizeBytes: number;
}

const columns = {
  side: Uint8Array, kind: Uint8Array, op: Uint8Array, flags: Uint8Array, fingerprinted: Uint8Array,
  time: Float64Array, offset: Float64Array,
  partition: Int32Array, totalOrder: Int32Array, keyId: Int32Array, keyHash: Int32Array, originHash: Int32Array, idHash: Int32Array,
  headPage: Int32Array, headAt: Int32Array,
  keyLength: Int32Array, originLength: Int32Array, transactionLength: Int32Array, traceLength: Int32Array,
  imagePage: Int32Array, imageAt: Int32Array, imageLength: Int32Array, layout: Int32Array, link: Int32Array,
  nextId: Int32Array, nextOrigin: Int32Array, nextKey: Int32Array, previousKey: Int32Array, nextInWindow: Int32Array, mark: Int32Array,
} as const;
type Column = keyof typeof columns;

export function createSlotStore(): SlotStore {
  const heads = createByteArena();
  const images = createByteArena();
  const windows = new Map<number, number>();
  let idHeads: Int32Array = new Int32Array(0);
  let originHeads: Int32Array = new Int32Array(0);
  let keyHeads: Int32Array = new Int32Array(0);
  let mask = 0;
  let freeHead = -1;

  const store = {
    heads, images, capacity: 0, live: 0,
    take, linkId, linkOrigin, linkKey, dropImage, freeWindow, comparePositions,
    window: (index: number) => windows.get(index) ?? -1,
    windows: () => windows.keys(),
    firstById: (hash: number) => idHeads[hash & mask],
    firstByOrigin: (hash: number) => originHeads[hash & mask],
    firstByKey: (hash: number) => keyHeads[hash & mask],
    get sizeBytes() {
      return heads.sizeBytes + images.sizeBytes + store.capacity * 190;
    },
  } as unknown as SlotStore;
  for (const name in columns) store[name as Column] = new columns[name as Column](0) as never;
  store.position = new Uint32Array(0);
  store.fingerprint = new Int32Array(0);
  grow(slotsAtStart);
  return store;

  /** A free slot in the window's list, with every reference cleared; the caller fills the rest. */
  function take(window: number): number {
    if (freeHead < 0) grow(store.capacity * 2);
    const slot = freeHead;
    freeHead = store.nextInWindow[slot];
    store.nextInWindow[slot] = windows.get(window) ?? -1;
    windows.set(window, slot);
    store.flags[slot] = 0;
    store.fingerprinted[slot] = 0;
    store.link[slot] = -1;
    store.mark[slot] = -1;
    store.layout[slot] = -1;
    store.imagePage[slot] = -1;
    store.imageLength[slot] = 0;
    store.nextId[slot] = store.nextOrigin[slot] = store.nextKey[slot] = UNLINKED;
    store.live++;
    return slot;
  }

  function grow(capacity: number): void {
    const before = store.capacity;
    for (const name in columns) store[name as Column] = larger(store[name as Column], capacity) as never;
    store.position = larger(store.position, capacity * WORDS);
    store.fingerprint = larger(store.fingerprint, capacity * 4);
    for (let slot = capacity - 1; slot >= before; slot--) {
      store.nextInWindow[slot] = freeHead;
      freeHead = slot;
    }
    store.capacity = capacity;
    rehash(capacity * 2);
  }

  function rehash(size: number): void {
    const linked = Array.from([store.nextId, store.nextOrigin, store.nextKey], next => next.map(n => (n === UNLINKED ? 0 : 1)));
    mask = size - 1;
    idHeads = new Int32Array(size).fill(-1);
    originHeads = new Int32Array(size).fill(-1);
    keyHeads = new Int32Array(size).fill(-1);
    for (let slot = 0; slot < store.capacity; slot++) {
      if (store.kind[slot] === SLOT.free) continue;
      if (linked[0][slot] === 1) linkId(slot);
      if (linked[1][slot] === 1) linkOrigin(slot);
      if (linked[2][slot] === 1) linkKey(slot);
    }
  }

  function linkId(slot: number): void {
    const h = store.idHash[slot] & mask;
    store.nextId[slot] = idHeads[h];
    idHeads[h] = slot;
  }

  function linkOrigin(slot: number): void {
    const h = store.originHash[slot] & mask;
    store.nextOrigin[slot] = originHeads[h];
    originHeads[h] = slot;
  }

  function linkKey(slot: number): void {
    const h = store.keyHash[slot] & mask;
    const next = keyHeads[h];
    store.nextKey[slot] = next;
    store.previousKey[slot] = -1;
    if (next >= 0) store.previousKey[next] = slot;
    keyHeads[h] = slot;
  }

  /** A hot key's chain is long and its oldest slot leaves first, so this one is linked both ways. */
  function unlinkKey(slot: number): void {
    const previous = store.previousKey[slot];
    const next = store.nextKey[slot];
    if (previous >= 0) store.nextKey[previous] = next;
    else keyHeads[store.keyHash[slot] & mask] = next;
    if (next >= 0) store.previousKey[next] = previous;
  }

  function dropImage(slot: number): void {
    if (store.imagePage[slot] < 0) return;
    images.release(store.imagePage[slot]);
    store.imagePage[slot] = -1;
  }

  function freeWindow(index: number): void {
    for (let slot = windows.get(index) ?? -1, next; slot >= 0; slot = next) {
      next = store.nextInWindow[slot];
      if (store.nextId[slot] !== UNLINKED) unlink(idHeads, store.nextId, store.idHash[slot] & mask, slot);
      if (store.nextOrigin[slot] !== UNLINKED) unlink(originHeads, store.nextOrigin, store.originHash[slot] & mask, slot);
      if (store.nextKey[slot] !== UNLINKED) unlinkKey(slot);
      dropImage(slot);
      heads.release(store.headPage[slot]);
      store.kind[slot] = SLOT.free;
      store.nextInWindow[slot] = freeHead;
      freeHead = slot;
      store.live--;
    }
    windows.delete(index);
  }

  function comparePositions(a: number, b: number): number {
    const { position, totalOrder } = store;
    for (let i = a * WORDS, j = b * WORDS, end = i + WORDS; i < end; i++, j++) {
      if (position[i] !== position[j]) return position[i] < position[j] ? -1 : 1;
    }
    return totalOrder[a] - totalOrder[b] || Number(store.op[b] === OP.delete) - Number(store.op[a] === OP.delete);
  }
}

/** Marks a chain link of a slot that is not in that chain; -1 ends a chain. */
const UNLINKED = -2;

function larger<T extends Uint8Array | Float64Array | Int32Array | Uint32Array>(array: T, length: number): T {
  const grown = new (array.constructor as new (n: number) => T)(length);
  grown.set(array);
  return grown;
}

function unlink(heads: Int32Array, next: Int32Array, hash: number, slot: number): void {
  let at = heads[hash];
  if (at === slot) {
    heads[hash] = next[slot];
    return;
  }
  while (next[at] !== slot) at = next[at];
  next[at] = next[slot];
}
