// The last change of each key whose slots are gone, as far as a later one is held against it: the print of its row, and where it stood. An
// open table in typed arrays: no object per key, and a change that continues the last one costs one probe.
import { POSITION_BYTES, PRINT } from '../schemas/change-event.ts';
import { lastRowsMax } from '../schemas/limits.ts';
import type { PairSettings } from '../schemas/pair.ts';
import type { Place } from './blind-spots.ts';

const WORDS = POSITION_BYTES / 4;
const PRINT_WORDS = PRINT.before - PRINT.after;

export interface LastRows {
  /** The side has before images: declared, or by its engine, or one was seen. Else nothing is held against anything, and nothing kept. */
  wanted: boolean;
  /** Place of a key's entry, or -1. The key is told by 64 bits: two hashes of it. */
  find(hash: number, other: number): number;
  /** Place of the key's entry, a new one where it has none; the caller fills it. */
  put(hash: number, other: number): number;
  placeAt(place: number): Place;
  /** Three words an entry; PRINT.none: nothing is known of the key. */
  prints: Int32Array;
  positions: Uint32Array;
  partitions: Int32Array;
  offsets: Float64Array;
  /** Microseconds. */
  times: Float64Array;
}

/** Twice the entries, so that probes are short. */
const SPREAD = 2;
const ENTRIES_AT_START = 512;

export function createLastRows(identity: PairSettings['source']['replicaIdentity']): LastRows {
  let capacity = 0;
  let count = 0;
  let hashes = new Int32Array(0);
  let others = new Int32Array(0);
  let places = new Int32Array(0);

  const rows: LastRows = {
    wanted: identity === 'full',
    prints: new Int32Array(0), positions: new Uint32Array(0), partitions: new Int32Array(0), offsets: new Float64Array(0), times: new Float64Array(0),
    find(hash, other) {
      return count === 0 ? -1 : places[slotOf(hash, other)];
    },
    placeAt: place => ({ partition: rows.partitions[place], offset: rows.offsets[place], timeUs: rows.times[place], position: rows.positions, positionAt: place * WORDS }),
    put(hash, other) {
      const known = count === 0 ? -1 : places[slotOf(hash, other)];
      if (known >= 0) return known;
      // Full: the keys are forgotten, and learned again.
      if (count === lastRowsMax) clear();
      if (count === capacity) grow();
      places[slotOf(hash, other)] = count;
      hashes[count] = hash;
      others[count] = other;
      return count++;
    },
  };

  function slotOf(hash: number, other: number): number {
    const mask = places.length - 1;
    let at = (hash ^ (other >>> 11)) & mask;
    while (places[at] >= 0 && (hashes[places[at]] !== hash || others[places[at]] !== other)) at = (at + 1) & mask;
    return at;
  }

  function clear(): void {
    places.fill(-1);
    count = 0;
  }

  function grow(): void {
    capacity = Math.max(ENTRIES_AT_START, capacity * 2);
    hashes = larger(hashes, capacity);
    others = larger(others, capacity);
    rows.prints = larger(rows.prints, capacity * PRINT_WORDS);
    rows.positions = larger(rows.positions, capacity * WORDS);
    rows.partitions = larger(rows.partitions, capacity);
    rows.offsets = larger(rows.offsets, capacity);
    rows.times = larger(rows.times, capacity);
    places = new Int32Array(capacity * SPREAD).fill(-1);
    for (let place = 0; place < count; place++) places[slotOf(hashes[place], others[place])] = place;
  }

  return rows;
}

function larger<T extends Int32Array | Uint32Array | Float64Array>(array: T, length: number): T {
  const grown = new (array.constructor as new (n: number) => T)(length);
  grown.set(array);
  return grown;
}
