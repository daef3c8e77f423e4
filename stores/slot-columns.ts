// The fields of a slot that are durable, as columns: which there are, how each is taken from the slots and put back. What is not here is
// found again (chains, `mark`, `cause`) or is bytes (slot-segments.ts).
import { OP, POSITION_BYTES, PRINT_WORDS } from '../schemas/change-event.ts';
import { FLAG, SLOT, UNLINKED, type SlotStore } from './slot-store.ts';

/** A column of `values`, for the slots in `list`. */
export interface SlotColumn {
  readonly name: string;
  readonly read: (slots: SlotStore, list: Int32Array, count: number, values: Float64Array) => void;
  readonly write: (slots: SlotStore, list: Int32Array, count: number, values: Float64Array) => void;
}

const WORDS = POSITION_BYTES / 4;

/** A page of memory that nobody has written to takes none: what is there already (most often 0) is left alone. */
function put(array: Uint8Array | Int32Array | Uint32Array | Float64Array, at: number, value: number): void {
  if (array[at] !== value) array[at] = value;
}

const FIELDS = [
  'time', 'offset', 'partition', 'totalOrder', 'tableOrder', 'keyId', 'keyHash', 'originHash', 'idHash', 'keyLength', 'originLength', 'transactionLength', 'traceLength',
  'imageLength', 'side', 'kind', 'op',
] as const;

function field(name: (typeof FIELDS)[number] | 'flags' | 'fingerprinted'): SlotColumn {
  return {
    name,
    read(slots, list, count, values) {
      const array = slots[name];
      for (let i = 0; i < count; i++) values[i] = array[list[i]];
    },
    write(slots, list, count, values) {
      const array = slots[name];
      for (let i = 0; i < count; i++) put(array, list[i], values[i]);
    },
  };
}

/** The words of a field that has several a slot. */
function wordColumns(name: 'position' | 'printsAfter' | 'printsBefore', words: number): SlotColumn[] {
  return Array.from({ length: words }, (_, word) => ({
    name: `${name} ${word}`,
    read(slots, list, count, values) {
      const array = slots[name];
      for (let i = 0; i < count; i++) values[i] = array[list[i] * words + word];
    },
    write(slots, list, count, values) {
      const array = slots[name];
      for (let i = 0; i < count; i++) put(array, list[i] * words + word, values[i]);
    },
  }));
}

function printWord(word: number): SlotColumn {
  return {
    name: `fingerprint ${word}`,
    read(slots, list, count, values) {
      const { fingerprint, fingerprinted } = slots;
      for (let i = 0; i < count; i++) values[i] = fingerprinted[list[i]] === 0 ? 0 : fingerprint[list[i] * 4 + word];
    },
    write(slots, list, count, values) {
      for (let i = 0; i < count; i++) put(slots.fingerprint, list[i] * 4 + word, values[i]);
    },
  };
}

/** Names the slot. */
export const SERIAL: SlotColumn = {
  name: 'serial',
  read(slots, list, count, values) {
    const { serial } = slots.changes;
    for (let i = 0; i < count; i++) values[i] = serial[list[i]];
  },
  write(slots, list, count, values) {
    for (let i = 0; i < count; i++) slots.changes.serial[list[i]] = values[i];
  },
};

/** Which chains the slot is in: one bit each. They are linked when all slots are there, in the order of their serials. */
export const CHAIN = { id: 1, origin: 2, key: 4 } as const;

const CHAINS: SlotColumn = {
  name: 'chains',
  read({ nextId, nextOrigin, nextKey }, list, count, values) {
    for (let i = 0; i < count; i++) {
      const slot = list[i];
      values[i] = (nextId[slot] === UNLINKED ? 0 : CHAIN.id) | (nextOrigin[slot] === UNLINKED ? 0 : CHAIN.origin) | (nextKey[slot] === UNLINKED ? 0 : CHAIN.key);
    }
  },
  /** Kept where the link of the key will be. */
  write({ nextKey }, list, count, values) {
    for (let i = 0; i < count; i++) nextKey[list[i]] = values[i];
  },
};

/** No link, or the other slot is gone (a link below -1), or a slot. */
export const LINKED = { none: 0, gone: 1, slot: 2 } as const;

const LINKED_COLUMN: SlotColumn = {
  name: 'linked',
  read({ link }, list, count, values) {
    for (let i = 0; i < count; i++) values[i] = link[list[i]] >= 0 ? LINKED.slot : link[list[i]] === -1 ? LINKED.none : LINKED.gone;
  },
  /** It and the distance stay as they are until all slots are there (slot-restore.ts). */
  write({ link }, list, count, values) {
    for (let i = 0; i < count; i++) link[list[i]] = values[i];
  },
};

/** The other slot by the distance of its serial: small for a pair, whose slots come soon after each other. */
const DISTANCE: SlotColumn = {
  name: 'link',
  read({ link, changes: { serial } }, list, count, values) {
    for (let i = 0; i < count; i++) values[i] = link[list[i]] >= 0 ? serial[link[list[i]]] - serial[list[i]] : 0;
  },
  write({ cause }, list, count, values) {
    for (let i = 0; i < count; i++) cause[list[i]] = values[i];
  },
};

/**
 * The source delete that a waiting delete was given, by the distance of its serial; 0: none. Any other cause is looked for again, and that of a
 * delete that was judged never: what it names is freed before it is.
 */
const CAUSE: SlotColumn = {
  name: 'cause',
  read({ cause, op, kind, flags, changes: { serial } }, list, count, values) {
    for (let i = 0; i < count; i++) {
      const kept = (flags[list[i]] & FLAG.consumed) === 0 ? cause[list[i]] : -1;
      values[i] = kept >= 0 && op[list[i]] === OP.delete && op[kept] === OP.delete && kind[kept] !== SLOT.free ? serial[kept] - serial[list[i]] : 0;
    }
  },
  /** In a place that is free until the chains are linked. */
  write({ previousKey }, list, count, values) {
    for (let i = 0; i < count; i++) put(previousKey, list[i], values[i]);
  },
};

/** What is written of a slot once, with its bytes. The serial comes first. */
export const MADE_COLUMNS: readonly SlotColumn[] = [
  SERIAL, CHAINS, ...FIELDS.map(field), ...wordColumns('position', WORDS), ...wordColumns('printsAfter', PRINT_WORDS), ...wordColumns('printsBefore', PRINT_WORDS),
];

/** What may change after it was written: of a new slot behind the others, of an old one all there is. */
export const TOUCHED_COLUMNS: readonly SlotColumn[] = [
  field('flags'), field('fingerprinted'), ...Array.from({ length: 4 }, (_, word) => printWord(word)), LINKED_COLUMN, DISTANCE, CAUSE,
];
