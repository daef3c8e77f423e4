// The last change of each key whose slots are gone, as far as a later one is held against it: the print of its row, and where it stood. An
// open table in typed arrays: no object per key, and a change that continues the last one costs one probe.
//
// What is forgotten depends on the windows alone, never on the order in which their changes came: the table has two generations. When a
// window's changes are in, and the younger generation is large enough, the keys that are in the older one only are forgotten. What a window
// puts in is one blob in the store, and a table is restored by putting in all blobs that are left, in order.
import { POSITION_BYTES, PRINT } from '../schemas/change-event.ts';
import { lastRowsMax } from '../schemas/limits.ts';
import type { PairSettings } from '../schemas/pair.ts';
import type { Place } from './blind-spots.ts';
import type { KeyValueStore } from './key-value.ts';
import { createRowColumns, packRows, unpackRows, type RowColumns } from './last-rows-blob.ts';
import { compareWords } from './position.ts';

const WORDS = POSITION_BYTES / 4;

export interface LastRows extends RowColumns {
  /** The side has before images: declared, or by its engine, or one was seen. Else nothing is held against anything, and nothing kept. */
  wanted: boolean;
  /** Place of a key's entry, or -1. The key is told by 64 bits: two hashes of it. */
  find(hash: number, other: number): number;
  /** Place of the key's entry, a new one where it has none; the caller fills it. */
  put(hash: number, other: number): number;
  placeAt(place: number): Place;
  /** The greatest position that was ever put in, as words: nothing in the table lies above it. */
  readonly greatest: Uint32Array;
  /** All that a window puts in is in. */
  endWindow(): void;
  /** Takes up what the store has of the side, and writes what is put in from now on. */
  follow(store: KeyValueStore, side: number): void;
}

/** Twice the entries, so that probes are short. */
const SPREAD = 2;
const ENTRIES_AT_START = 512;

/** `max`: keys; what one window puts in may exceed it. */
export function createLastRows(identity: PairSettings['source']['replicaIdentity'], max: number = lastRowsMax): LastRows {
  let capacity = 0;
  let count = 0;
  let places = new Int32Array(0);
  /** Of each entry the generation in which it was put in last, and the window. */
  let generations = new Int32Array(0);
  let putIn = new Int32Array(0);
  let generation = 0;
  /** Entries of the younger generation. */
  let young = 0;
  let window = 0;
  let touched = new Int32Array(ENTRIES_AT_START);
  let touchedCount = 0;
  const blobs = createBlobs();

  const rows: LastRows = {
    ...createRowColumns(),
    wanted: identity === 'full',
    greatest: new Uint32Array(WORDS),
    find: (hash, other) => (count === 0 ? -1 : places[slotOf(hash, other)]),
    placeAt: place => ({ partition: rows.partitions[place], offset: rows.offsets[place], timeUs: rows.times[place], position: rows.positions, positionAt: place * WORDS }),
    put(hash, other) {
      const known = rows.find(hash, other);
      const place = known >= 0 ? known : add(hash, other);
      if (known < 0 || generations[place] !== generation) young++;
      generations[place] = generation;
      if (known < 0 || putIn[place] !== window) touch(place);
      putIn[place] = window;
      return place;
    },
    endWindow() {
      if (touchedCount === 0) return;
      blobs.add(() => packRows(rows, touched, touchedCount));
      endWindow();
    },
    follow(store, side) {
      blobs.follow(store, side, bytes => {
        unpackRows(bytes, rows, (hash, other) => rows.put(hash, other));
        endWindow();
      });
    },
  };

  function endWindow(): void {
    for (let i = 0; i < touchedCount; i++) {
      const at = touched[i] * WORDS;
      if (compareWords(rows.positions, at, rows.greatest, 0) > 0) rows.greatest.set(rows.positions.subarray(at, at + WORDS));
    }
    touchedCount = 0;
    window++;
    if (young < max / 2) return;
    if (count > young) dropOlder();
    generation++;
    young = 0;
    blobs.forget();
  }

  function slotOf(hash: number, other: number): number {
    const mask = places.length - 1;
    let at = (hash ^ (other >>> 11)) & mask;
    while (places[at] >= 0 && (rows.hashes[places[at]] !== hash || rows.others[places[at]] !== other)) at = (at + 1) & mask;
    return at;
  }

  function add(hash: number, other: number): number {
    if (count === capacity) grow();
    places[slotOf(hash, other)] = count;
    rows.hashes[count] = hash;
    rows.others[count] = other;
    return count++;
  }

  function touch(place: number): void {
    if (touchedCount === touched.length) touched = larger(touched, touchedCount * 2);
    touched[touchedCount++] = place;
  }

  /** Keeps the entries of the younger generation. */
  function dropOlder(): void {
    let kept = 0;
    for (let place = 0; place < count; place++) {
      if (generations[place] !== generation) continue;
      if (kept !== place) move(place, kept);
      kept++;
    }
    count = kept;
    rehash();
  }

  function move(from: number, to: number): void {
    for (const array of [rows.hashes, rows.others, rows.partitions, rows.orders, rows.offsets, rows.times, generations, putIn]) array[to] = array[from];
    rows.prints.copyWithin(to * PRINT_WORDS, from * PRINT_WORDS, (from + 1) * PRINT_WORDS);
    rows.positions.copyWithin(to * WORDS, from * WORDS, (from + 1) * WORDS);
  }

  function rehash(): void {
    places.fill(-1);
    for (let place = 0; place < count; place++) places[slotOf(rows.hashes[place], rows.others[place])] = place;
  }

  function grow(): void {
    capacity = Math.max(ENTRIES_AT_START, capacity * 2);
    rows.hashes = larger(rows.hashes, capacity);
    rows.others = larger(rows.others, capacity);
    rows.prints = larger(rows.prints, capacity * PRINT_WORDS);
    rows.positions = larger(rows.positions, capacity * WORDS);
    rows.partitions = larger(rows.partitions, capacity);
    rows.orders = larger(rows.orders, capacity);
    rows.offsets = larger(rows.offsets, capacity);
    rows.times = larger(rows.times, capacity);
    generations = larger(generations, capacity);
    putIn = larger(putIn, capacity);
    places = new Int32Array(capacity * SPREAD);
    rehash();
  }

  return rows;
}

const PRINT_WORDS = PRINT.before - PRINT.after;

/** The blobs of a side in its store, by number. What is in the generation that ends is the older one's from then on. */
interface Blobs { add(pack: () => Buffer): void; forget(): void; follow(store: KeyValueStore, side: number, restore: (bytes: Buffer) => void): void }

function createBlobs(): Blobs {
  let store: KeyValueStore | undefined;
  let side = 0;
  /** First of the older generation, first of the younger, the next one. */
  let older = 0;
  let younger = 0;
  let next = 0;
  return {
    add(pack) {
      if (store !== undefined) store.put(blobKey(side, next), pack());
      next++;
    },
    forget() {
      for (let number = older; number < younger; number++) store?.delete(blobKey(side, number));
      older = younger;
      younger = next;
    },
    follow(from, of, restore) {
      side = of;
      const found = [...from.range(Buffer.of(side), Buffer.of(side + 1))];
      if (found.length > 0) older = younger = next = Number(found[0][0].readBigUInt64BE(1));
      for (const [key, bytes] of found) {
        next = Number(key.readBigUInt64BE(1)) + 1;
        restore(bytes);
      }
      store = from;
    },
  };
}

function blobKey(side: number, number: number): Buffer {
  const key = Buffer.alloc(9, side);
  key.writeBigUInt64BE(BigInt(number), 1);
  return key;
}

function larger<T extends Int32Array | Uint32Array | Float64Array>(array: T, length: number): T {
  const grown = new (array.constructor as new (n: number) => T)(length);
  grown.set(array);
  return grown;
}
