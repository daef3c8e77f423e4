// The hot state of a shard: one slot per live event, in typed arrays, with three hash chains (identity, origin, key) and one list per
// window over the slot numbers. No object per event. A slot keeps its number until it is freed, hence chains instead of probing.
//
// Invariants
// - A slot is in exactly one window list, that of its own commit time, and is freed only through `freeWindow`.
// - Slots of kind `change` and `read` on the source side, and aliases, are found by origin; every other live slot is not.
// - What a slot is later (flags, link, image) changes through `addFlags`, `setLink` and `dropImage` only: a commit writes what they note. Its
//   fingerprint needs no note: while the image is there it can be computed again, and with the image it is written.
// - `key`, origin, transaction and trace context lie one behind the other in `heads`; the row image in `images`, until `dropImage`.
import { OP, POSITION_BYTES, PRINT_WORDS } from '../schemas/change-event.ts';
import { slotsAtStart } from '../schemas/limits.ts';
import { createByteArena, type ByteArena } from './byte-arena.ts';
import { SlotChanges } from './slot-changes.ts';

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
  /** Match mode `alignment`, of a source change: later pairs may cross its own. */
  outOfOrder: 32,
  /** Match mode `alignment`, of a source change: reported as reordered, or as applied late. */
  named: 64,
  /** What the policy allows. Source: merged into a later change (`collapse`). Target: on the way of a re-applied suffix, not at its end (`replay`). */
  allowed: 128,
} as const;

/** A link whose other slot is gone: applied, but by a change too old to be looked at. */
export const LINK_GONE = -2;

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
  /** Order among its transaction's changes of the table; -1: not known. */
  tableOrder: Int32Array;
  /** The same number for all live slots of one key, and for no other. */
  keyId: Int32Array;
  keyHash: Int32Array; originHash: Int32Array; idHash: Int32Array;
  headPage: Int16Array; headAt: Int32Array;
  keyLength: Int32Array; originLength: Int32Array; transactionLength: Int32Array; traceLength: Int32Array;
  imagePage: Int16Array; imageAt: Int32Array; imageLength: Int32Array;
  /** Layout id of the image; -1 where there is none (the row is absent after this event). */
  layout: Int32Array;
  /** 128 bits of the image's fingerprint, four words a slot; valid once `fingerprinted`. */
  fingerprint: Int32Array;
  fingerprinted: Uint8Array;
  /**
   * Prints of the row after and before the change, PRINT_WORDS a slot; whoever takes a slot of kind `change` or `read` sets them. Apart, for
   * memory that nobody writes to takes none, and of most rows before a change nothing is known.
   */
  printsAfter: Int32Array; printsBefore: Int32Array;
  /** Target: the source slot it applies. Source: its first application. Alias: its slot. -1: none. */
  link: Int32Array;
  nextId: Int32Array; nextOrigin: Int32Array; nextKey: Int32Array; previousKey: Int32Array; nextInWindow: Int32Array;
  /** Number of the last closing that has looked at the slot; 0: none has. */
  mark: Int32Array;
  /** Target: the source slot found for its origin, to be checked before it is believed; -1: not looked for yet. */
  cause: Int32Array;

  take(window: number): number;
  /** Room for so many at once: what grows step by step has the old arrays beside the new ones. */
  reserve(slots: number): void;
  /** First slot of the window's list, or -1. */
  window(index: number): number;
  windows(): IterableIterator<number>;
  linkId(slot: number): void;
  linkOrigin(slot: number): void;
  linkKey(slot: number): void;
  /** Sets flags of a slot, beside those it has. */
  addFlags(slot: number, flags: number): void;
  setLink(slot: number, other: number): void;
  /** A cause that stays as it is: unlike one that can be found again it is written. */
  keepCause(slot: number, cause: number): void;
  /** What is to be written at the next commit. */
  readonly changes: SlotChanges;
  firstById(hash: number): number;
  firstByOrigin(hash: number): number;
  firstByKey(hash: number): number;
  dropImage(slot: number): void;
  freeWindow(index: number): void;
  /** Notes from here on what a commit has to write. Before the first slot is taken. */
  followChanges(): void;
  /** By position, then order within the transaction; a delete before what it shares both with (a key change is a delete, then a create). */
  comparePositions(a: number, b: number): number;
  /** The same without the last: of changes of several keys, none of which is before the other then. */
  comparePlaces(a: number, b: number): number;
  sizeBytes(): number;
}

/**
 * A class, because every access of the hot path goes through this object: fields that a constructor makes one by one are found at a fixed
 * place, while an object to which they are added by name (or that has a getter) becomes a dictionary, and each access a look-up (measured:
 * a third of the whole run).
 */
class Slots implements SlotStore {
  readonly heads: ByteArena = createByteArena();
  readonly images: ByteArena = createByteArena();
  readonly changes: SlotChanges = new SlotChanges();
  capacity = 0;
  live = 0;
  side = new Uint8Array(0);
  kind = new Uint8Array(0);
  op = new Uint8Array(0);
  flags = new Uint8Array(0);
  fingerprinted = new Uint8Array(0);
  time = new Float64Array(0);
  offset = new Float64Array(0);
  partition = new Int32Array(0);
  totalOrder = new Int32Array(0);
  tableOrder = new Int32Array(0);
  position = new Uint32Array(0);
  keyId = new Int32Array(0);
  keyHash = new Int32Array(0);
  originHash = new Int32Array(0);
  idHash = new Int32Array(0);
  headPage = new Int16Array(0);
  headAt = new Int32Array(0);
  keyLength = new Int32Array(0);
  originLength = new Int32Array(0);
  transactionLength = new Int32Array(0);
  traceLength = new Int32Array(0);
  imagePage = new Int16Array(0);
  imageAt = new Int32Array(0);
  imageLength = new Int32Array(0);
  layout = new Int32Array(0);
  fingerprint = new Int32Array(0);
  printsAfter = new Int32Array(0);
  printsBefore = new Int32Array(0);
  link = new Int32Array(0);
  nextId = new Int32Array(0);
  nextOrigin = new Int32Array(0);
  nextKey = new Int32Array(0);
  previousKey = new Int32Array(0);
  nextInWindow = new Int32Array(0);
  mark = new Int32Array(0);
  cause = new Int32Array(0);

  #idHeads: Int32Array = new Int32Array(0);
  #originHeads: Int32Array = new Int32Array(0);
  #keyHeads: Int32Array = new Int32Array(0);
  #mask = 0;
  #freeHead = -1;
  readonly #windows = new Map<number, number>();

  constructor() {
    this.#grow(slotsAtStart);
  }

  sizeBytes(): number {
    return this.heads.sizeBytes() + this.images.sizeBytes() + this.capacity * SLOT_BYTES;
  }

  window(index: number): number {
    return this.#windows.get(index) ?? -1;
  }

  windows(): IterableIterator<number> {
    return this.#windows.keys();
  }

  firstById(hash: number): number {
    return this.#idHeads[hash & this.#mask];
  }

  firstByOrigin(hash: number): number {
    return this.#originHeads[hash & this.#mask];
  }

  firstByKey(hash: number): number {
    return this.#keyHeads[hash & this.#mask];
  }

  /** A free slot in the window's list, with every reference cleared; the caller fills the rest. */
  take(window: number): number {
    if (this.#freeHead < 0) this.#grow(this.capacity * 2);
    const slot = this.#freeHead;
    this.#freeHead = this.nextInWindow[slot];
    this.nextInWindow[slot] = this.#windows.get(window) ?? -1;
    this.#windows.set(window, slot);
    this.flags[slot] = 0;
    this.fingerprinted[slot] = 0;
    this.link[slot] = -1;
    if (this.mark[slot] !== 0) this.mark[slot] = 0;
    this.cause[slot] = -1;
    this.layout[slot] = -1;
    this.imagePage[slot] = -1;
    this.imageLength[slot] = 0;
    this.nextId[slot] = this.nextOrigin[slot] = this.nextKey[slot] = UNLINKED;
    this.live++;
    if (this.changes.following) this.changes.make(slot);
    return slot;
  }

  reserve(slots: number): void {
    let { capacity } = this;
    while (capacity < slots) capacity *= 2;
    if (capacity > this.capacity) this.#grow(capacity);
  }

  followChanges(): void {
    this.changes.follow(this.capacity);
  }

  addFlags(slot: number, flags: number): void {
    this.flags[slot] |= flags;
    if (this.changes.following) this.changes.touch(slot);
  }

  keepCause(slot: number, cause: number): void {
    this.cause[slot] = cause;
    if (this.changes.following) this.changes.touch(slot);
  }

  setLink(slot: number, other: number): void {
    this.link[slot] = other;
    if (this.changes.following) this.changes.touch(slot);
  }

  linkId(slot: number): void {
    const h = this.idHash[slot] & this.#mask;
    this.nextId[slot] = this.#idHeads[h];
    this.#idHeads[h] = slot;
  }

  linkOrigin(slot: number): void {
    const h = this.originHash[slot] & this.#mask;
    this.nextOrigin[slot] = this.#originHeads[h];
    this.#originHeads[h] = slot;
  }

  linkKey(slot: number): void {
    const h = this.keyHash[slot] & this.#mask;
    const next = this.#keyHeads[h];
    this.nextKey[slot] = next;
    this.previousKey[slot] = -1;
    if (next >= 0) this.previousKey[next] = slot;
    this.#keyHeads[h] = slot;
  }

  dropImage(slot: number): void {
    if (this.imagePage[slot] < 0) return;
    this.images.release(this.imagePage[slot]);
    this.imagePage[slot] = -1;
    if (this.changes.following) this.changes.touch(slot);
  }

  freeWindow(index: number): void {
    for (let slot = this.window(index), next; slot >= 0; slot = next) {
      next = this.nextInWindow[slot];
      this.#free(slot);
    }
    this.#windows.delete(index);
  }

  #free(slot: number): void {
    if (this.nextId[slot] !== UNLINKED) unlink(this.#idHeads, this.nextId, this.idHash[slot] & this.#mask, slot);
    if (this.nextOrigin[slot] !== UNLINKED) unlink(this.#originHeads, this.nextOrigin, this.originHash[slot] & this.#mask, slot);
    if (this.nextKey[slot] !== UNLINKED) this.#unlinkKey(slot);
    this.dropImage(slot);
    this.heads.release(this.headPage[slot]);
    this.kind[slot] = SLOT.free;
    if (this.changes.following) this.changes.free(slot);
    this.nextInWindow[slot] = this.#freeHead;
    this.#freeHead = slot;
    this.live--;
  }

  comparePositions(a: number, b: number): number {
    return this.comparePlaces(a, b) || Number(this.op[b] === OP.delete) - Number(this.op[a] === OP.delete);
  }

  comparePlaces(a: number, b: number): number {
    const { position, totalOrder } = this;
    for (let i = a * WORDS, j = b * WORDS, end = i + WORDS; i < end; i++, j++) {
      if (position[i] !== position[j]) return position[i] < position[j] ? -1 : 1;
    }
    return totalOrder[a] - totalOrder[b];
  }

  /** A hot key's chain is long and its oldest slot leaves first, so this one is linked both ways. */
  #unlinkKey(slot: number): void {
    const previous = this.previousKey[slot];
    const next = this.nextKey[slot];
    if (previous >= 0) this.nextKey[previous] = next;
    else this.#keyHeads[this.keyHash[slot] & this.#mask] = next;
    if (next >= 0) this.previousKey[next] = previous;
  }

  #grow(capacity: number): void {
    const before = this.capacity;
    for (const name of BYTES) this[name] = larger(this[name], capacity);
    for (const name of PAGES) this[name] = larger(this[name], capacity);
    for (const name of DOUBLES) this[name] = larger(this[name], capacity);
    for (const name of INTEGERS) this[name] = larger(this[name], capacity);
    this.position = larger(this.position, capacity * WORDS);
    this.fingerprint = larger(this.fingerprint, capacity * 4);
    this.printsAfter = larger(this.printsAfter, capacity * PRINT_WORDS);
    this.printsBefore = larger(this.printsBefore, capacity * PRINT_WORDS);
    for (let slot = capacity - 1; slot >= before; slot--) {
      this.nextInWindow[slot] = this.#freeHead;
      this.#freeHead = slot;
    }
    this.capacity = capacity;
    if (this.changes.following) this.changes.grow(capacity);
    this.#rehash(capacity < MANY_SLOTS ? capacity * 2 : capacity < VERY_MANY_SLOTS ? capacity : capacity / 2);
  }

  /** A chain keeps its order, newest first: what it is read for (attribution, judging) relies on it, and slot numbers do not tell it. */
  #rehash(size: number): void {
    this.#mask = size - 1;
    this.#idHeads = rehashed(this.#idHeads, this.nextId, this.idHash, size);
    this.#originHeads = rehashed(this.#originHeads, this.nextOrigin, this.originHash, size);
    this.#keyHeads = rehashed(this.#keyHeads, this.nextKey, this.keyHash, size);
    for (const head of this.#keyHeads) {
      let before = -1;
      for (let slot = head; slot >= 0; before = slot, slot = this.nextKey[slot]) this.previousKey[slot] = before;
    }
  }
}

/** The slots of an old chain go to new chains that get slots from no other, so taking them oldest first keeps each in order. */
function rehashed(heads: Int32Array, next: Int32Array, hashes: Int32Array, size: number): Int32Array {
  const larger = new Int32Array(size).fill(-1);
  const chain: number[] = [];
  for (const head of heads) {
    for (let slot = head; slot >= 0; slot = next[slot]) chain.push(slot);
    for (let slot = chain.pop(); slot !== undefined; slot = chain.pop()) {
      const h = hashes[slot] & (size - 1);
      next[slot] = larger[h];
      larger[h] = slot;
    }
  }
  return larger;
}

const BYTES = ['side', 'kind', 'op', 'flags', 'fingerprinted'] as const;
const PAGES = ['headPage', 'imagePage'] as const;
const DOUBLES = ['time', 'offset'] as const;
const INTEGERS = [
  'partition', 'totalOrder', 'tableOrder', 'keyId', 'keyHash', 'originHash', 'idHash', 'headAt', 'keyLength', 'originLength', 'transactionLength',
  'traceLength', 'imageAt', 'imageLength', 'layout', 'link', 'nextId', 'nextOrigin', 'nextKey', 'previousKey', 'nextInWindow', 'mark', 'cause',
] as const;

/** Of all its columns; beside them heads of chains, 12 to 24 bytes a slot. */
const SLOT_BYTES = BYTES.length + 2 * PAGES.length + 8 * DOUBLES.length + 4 * (INTEGERS.length + WORDS + 4 + 2 * PRINT_WORDS);

export function createSlotStore(): SlotStore {
  return new Slots();
}

/** From so many on, chains that are one longer cost less than heads for twice as many. */
const MANY_SLOTS = 1 << 18;
const VERY_MANY_SLOTS = 1 << 20;

/** Marks a chain link of a slot that is not in that chain; -1 ends a chain. */
export const UNLINKED = -2;

/** A copy with room for more. */
export function larger<T extends Uint8Array | Int16Array | Float64Array | Int32Array | Uint32Array>(array: T, length: number): T {
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
