// The last change of each key whose slots are gone, as far as a later one is held against it: the print of its row, and where it stood. An
// open table over one typed array: no object per key, and a change that continues the last one costs one probe.
//
// What is forgotten depends on the windows alone, never on the order in which their changes came: the table has two generations. When a
// window's changes are in, and the younger generation is large enough, the keys that are in the older one only are forgotten. What a window
// puts in is one blob in the store, and a table is restored by putting in all blobs that are left, in order. Where few keys change all the
// time a generation is long: then its blobs are written anew as one, each key once. Counter-example: a table of 20,000 rows never fills a
// generation; its store grew by a blob a window, and so did its restoration.
import { POSITION_BYTES } from '../schemas/change-event.ts';
import { lastRowsMax, lastRowsRewrittenAt } from '../schemas/limits.ts';
import type { PairSettings } from '../schemas/pair.ts';
import type { Place } from './blind-spots.ts';
import type { KeyValueStore } from './key-value.ts';
import { DOUBLES, packRows, ROW, rowsIn, unpackRows, type RowEntries } from './last-rows-blob.ts';
import { compareWords } from './position.ts';

const WORDS = POSITION_BYTES / 4;

export interface LastRows extends RowEntries {
  /** The side has before images: declared, or by its engine, or one was seen. Else nothing is held against anything, and nothing kept. */
  wanted: boolean;
  /** Place of a key's entry, or -1. The key is told by 64 bits: two hashes of it. */
  find(hash: number, other: number): number;
  /** Place of the key's entry, a new one where it has none; the caller fills it. `known`: what `find` says of the key. */
  put(hash: number, other: number, known: number): number;
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
  return new Rows(identity === 'full', max);
}

/** A class for the same reason as the slots (slot-store.ts): both sides' tables are asked by the same code, once per event. */
class Rows implements LastRows {
  wanted: boolean;
  words = new Int32Array(0);
  unsigned = new Uint32Array(0);
  doubles = new Float64Array(0);
  readonly greatest = new Uint32Array(WORDS);
  readonly #max: number;
  readonly #blobs = createBlobs();
  #places = new Int32Array(0);
  #capacity = 0;
  #count = 0;
  #generation = 0;
  /** Entries of the younger generation. */
  #young = 0;
  #window = 0;
  /** Places that the window puts something in. */
  #touched = new Int32Array(ENTRIES_AT_START);
  #touchedCount = 0;

  constructor(wanted: boolean, max: number) {
    this.wanted = wanted;
    this.#max = max;
  }

  find(hash: number, other: number): number {
    return this.#count === 0 ? -1 : this.#places[this.#slotOf(hash, other)];
  }

  put(hash: number, other: number, known: number): number {
    const place = known >= 0 ? known : this.#add(hash, other);
    const at = place * ROW.words;
    const { words } = this;
    if (known < 0 || words[at + ROW.generation] !== this.#generation) this.#young++;
    words[at + ROW.generation] = this.#generation;
    if (known < 0 || words[at + ROW.window] !== this.#window) this.#touch(place);
    words[at + ROW.window] = this.#window;
    return place;
  }

  placeAt(place: number): Place {
    const at = place * DOUBLES;
    return {
      partition: this.words[place * ROW.words + ROW.partition], offset: this.doubles[at + ROW.offset], timeUs: this.doubles[at + ROW.time],
      position: this.unsigned, positionAt: place * ROW.words + ROW.position,
    };
  }

  endWindow(): void {
    if (this.#touchedCount === 0) return;
    this.#blobs.add(() => packRows(this, this.#touched, this.#touchedCount), this.#touchedCount);
    this.#closeWindow();
  }

  follow(store: KeyValueStore, side: number): void {
    this.#blobs.follow(store, side, bytes => {
      unpackRows(bytes, this, (hash, other) => this.put(hash, other, this.find(hash, other)));
      this.#closeWindow();
    });
  }

  #closeWindow(): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const at = this.#touched[i] * ROW.words + ROW.position;
      if (compareWords(this.unsigned, at, this.greatest, 0) > 0) this.greatest.set(this.unsigned.subarray(at, at + WORDS));
    }
    this.#touchedCount = 0;
    this.#window++;
    if (this.#young < this.#max / 2) {
      if (this.#blobs.rows > lastRowsRewrittenAt * this.#young) this.#blobs.rewrite(() => this.#packYounger(), this.#young);
      return;
    }
    if (this.#count > this.#young) this.#dropOlder();
    this.#generation++;
    this.#young = 0;
    this.#blobs.forget();
  }

  #slotOf(hash: number, other: number): number {
    const places = this.#places;
    const { words } = this;
    const mask = places.length - 1;
    let at = (hash ^ (other >>> 11)) & mask;
    for (let place = places[at]; place >= 0; place = places[at]) {
      if (words[place * ROW.words + ROW.hash] === hash && words[place * ROW.words + ROW.other] === other) break;
      at = (at + 1) & mask;
    }
    return at;
  }

  #add(hash: number, other: number): number {
    if (this.#count === this.#capacity) this.#grow();
    this.#places[this.#slotOf(hash, other)] = this.#count;
    this.words[this.#count * ROW.words + ROW.hash] = hash;
    this.words[this.#count * ROW.words + ROW.other] = other;
    return this.#count++;
  }

  #touch(place: number): void {
    if (this.#touchedCount === this.#touched.length) {
      const touched = new Int32Array(this.#touchedCount * 2);
      touched.set(this.#touched);
      this.#touched = touched;
    }
    this.#touched[this.#touchedCount++] = place;
  }

  #packYounger(): Buffer {
    const places = new Int32Array(this.#young);
    let count = 0;
    for (let place = 0; place < this.#count; place++) if (this.words[place * ROW.words + ROW.generation] === this.#generation) places[count++] = place;
    return packRows(this, places, count);
  }

  /** Keeps the entries of the younger generation. */
  #dropOlder(): void {
    let kept = 0;
    for (let place = 0; place < this.#count; place++) {
      const at = place * ROW.words;
      if (this.words[at + ROW.generation] !== this.#generation) continue;
      if (kept !== place) this.words.copyWithin(kept * ROW.words, at, at + ROW.words);
      kept++;
    }
    this.#count = kept;
    this.#rehash();
  }

  #rehash(): void {
    this.#places.fill(-1);
    for (let place = 0; place < this.#count; place++) {
      const at = place * ROW.words;
      this.#places[this.#slotOf(this.words[at + ROW.hash], this.words[at + ROW.other])] = place;
    }
  }

  #grow(): void {
    this.#capacity = Math.max(ENTRIES_AT_START, this.#capacity * 2);
    const words = new Int32Array(this.#capacity * ROW.words);
    words.set(this.words);
    this.words = words;
    this.unsigned = new Uint32Array(words.buffer);
    this.doubles = new Float64Array(words.buffer);
    this.#places = new Int32Array(this.#capacity * SPREAD);
    this.#rehash();
  }
}

/** The blobs of a side in its store, by number. What is in the generation that ends is the older one's from then on. */
interface Blobs {
  /** Rows in the blobs of the younger generation: a key that changes all the time is in many of them. */
  readonly rows: number;
  add(pack: () => Buffer, rows: number): void;
  /** Puts one blob in the place of those of the younger generation. */
  rewrite(pack: () => Buffer, rows: number): void;
  forget(): void;
  follow(store: KeyValueStore, side: number, restore: (bytes: Buffer) => void): void;
}

function createBlobs(): Blobs {
  let store: KeyValueStore | undefined;
  let side = 0;
  let older: number[] = [];
  let younger: number[] = [];
  let next = 0;
  let rows = 0;
  const drop = (numbers: readonly number[]): void => { for (const number of numbers) store?.delete(blobKey(side, number)); };
  return {
    get rows() {
      return rows;
    },
    add(pack, added) {
      if (store === undefined) return;
      store.put(blobKey(side, next), pack());
      younger.push(next++);
      rows += added;
    },
    rewrite(pack, kept) {
      // While a store of an earlier version is restored, nothing is written: then with the next window.
      if (store === undefined) return;
      const last = younger.pop() ?? next++;
      drop(younger);
      store.put(blobKey(side, last), pack());
      younger = [last];
      rows = kept;
    },
    forget() {
      drop(older);
      [older, younger, rows] = [younger, [], 0];
    },
    follow(from, of, restore) {
      side = of;
      for (const [key, bytes] of [...from.range(Buffer.of(side), Buffer.of(side + 1))]) {
        younger.push(Number(key.readBigUInt64BE(1)));
        rows += rowsIn(bytes);
        restore(bytes);
      }
      next = (younger.at(-1) ?? older.at(-1) ?? -1) + 1;
      store = from;
    },
  };
}

function blobKey(side: number, number: number): Buffer {
  const key = Buffer.alloc(9, side);
  key.writeBigUInt64BE(BigInt(number), 1);
  return key;
}
