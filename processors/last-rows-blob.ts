// The last rows that one window put in, as a blob: columns, each as short as its values allow.
import { POSITION_BYTES, PRINT } from '../schemas/change-event.ts';
import { ownBytes } from '../schemas/own-bytes.ts';
import { packColumn, room, unpackColumn } from '../stores/column-codec.ts';

const WORDS = POSITION_BYTES / 4;
const PRINT_WORDS = PRINT.before - PRINT.after;

/**
 * An entry: what is kept of a key's last change, in one stretch of words. Keys are hit at random, so an entry costs one or two lines of the
 * cache; a column for each field cost nine (measured: a tenth of what the core does with an event).
 */
export const ROW = {
  words: 22,
  /** The two hashes by which a key is told. */
  hash: 0, other: 1,
  /** PRINT_WORDS words; PRINT.none: nothing is known of the key. */
  print: 2,
  /** Tells changes at one position apart. */
  order: 5,
  partition: 6,
  /** The generation and the window in which it was put in last. */
  generation: 7, window: 8,
  /** Unsigned, POSITION_BYTES / 4 words. */
  position: 9,
  /** Doubles: by words of 8 bytes, DOUBLES of them an entry. The time in microseconds. */
  offset: 9, time: 10,
} as const;
export const DOUBLES: number = ROW.words / 2;

/** Entries one behind the other: the same memory as signed words, as unsigned words and as doubles. */
export interface RowEntries { words: Int32Array; unsigned: Uint32Array; doubles: Float64Array }

type Column = readonly [view: keyof RowEntries, field: number];

const KEYS: readonly Column[] = [['words', ROW.hash], ['words', ROW.other]];
const REST: readonly Column[] = [
  ...Array.from({ length: PRINT_WORDS }, (_, word) => ['words', ROW.print + word] as const),
  ...Array.from({ length: WORDS }, (_, word) => ['unsigned', ROW.position + word] as const),
  ['words', ROW.order], ['words', ROW.partition], ['doubles', ROW.offset], ['doubles', ROW.time],
];

const strideOf = (view: keyof RowEntries): number => (view === 'doubles' ? DOUBLES : ROW.words);

let values = new Float64Array(1024);
const packed = { bytes: Buffer.alloc(1 << 14), at: 0 };

/** The rows at the first `count` of `places`. */
export function packRows(rows: RowEntries, places: Int32Array, count: number): Buffer {
  if (values.length < count) values = new Float64Array(count * 2);
  packed.at = 0;
  room(packed, 4);
  packed.at = packed.bytes.writeUInt32LE(count, packed.at);
  for (const [view, field] of [...KEYS, ...REST]) {
    const [entries, stride] = [rows[view], strideOf(view)];
    for (let i = 0; i < count; i++) values[i] = entries[places[i] * stride + field];
    packColumn(packed, values, count);
  }
  return ownBytes(packed.bytes.subarray(0, packed.at));
}

export function rowsIn(bytes: Buffer): number {
  return bytes.readUInt32LE(0);
}

/** Puts the rows of a blob in: `put` answers the place of a key. */
export function unpackRows(bytes: Buffer, rows: RowEntries, put: (hash: number, other: number) => number): void {
  const count = rowsIn(bytes);
  if (values.length < count) values = new Float64Array(count * 2);
  const from = { bytes, at: 4 };
  const [hashes, others] = KEYS.map(() => {
    unpackColumn(from, values, count);
    return values.slice(0, count);
  });
  const places = Int32Array.from(hashes, (hash, i) => put(hash, others[i]));
  for (const [view, field] of REST) {
    unpackColumn(from, values, count);
    const [entries, stride] = [rows[view], strideOf(view)];
    for (let i = 0; i < count; i++) entries[places[i] * stride + field] = values[i];
  }
}
