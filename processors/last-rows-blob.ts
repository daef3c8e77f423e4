// The last rows that one window put in, as a blob: columns, each as short as its values allow.
import { POSITION_BYTES, PRINT } from '../schemas/change-event.ts';
import { packColumn, room, unpackColumn } from '../stores/column-codec.ts';

const WORDS = POSITION_BYTES / 4;
const PRINT_WORDS = PRINT.before - PRINT.after;

/** What is kept of a key's last change, by place. */
export interface RowColumns {
  hashes: Int32Array;
  others: Int32Array;
  /** PRINT_WORDS words a place; PRINT.none: nothing is known of the key. */
  prints: Int32Array;
  positions: Uint32Array;
  /** Tells changes at one position apart. */
  orders: Int32Array;
  partitions: Int32Array;
  offsets: Float64Array;
  /** Microseconds. */
  times: Float64Array;
}

export function createRowColumns(): RowColumns {
  const none = (): Int32Array => new Int32Array(0);
  return {
    hashes: none(), others: none(), prints: none(), positions: new Uint32Array(0), orders: none(), partitions: none(),
    offsets: new Float64Array(0), times: new Float64Array(0),
  };
}

type Column = readonly [name: keyof RowColumns, stride: number, word: number];

const words = (name: keyof RowColumns, stride: number): Column[] => Array.from({ length: stride }, (_, word) => [name, stride, word] as const);
const KEYS: readonly Column[] = [...words('hashes', 1), ...words('others', 1)];
const REST: readonly Column[] = [
  ...words('prints', PRINT_WORDS), ...words('positions', WORDS), ...words('orders', 1), ...words('partitions', 1), ...words('offsets', 1), ...words('times', 1),
];

let values = new Float64Array(1024);

/** The rows at the first `count` of `places`. */
export function packRows(rows: RowColumns, places: Int32Array, count: number): Buffer {
  if (values.length < count) values = new Float64Array(count * 2);
  const out = { bytes: Buffer.allocUnsafe(64 + count * 48), at: 0 };
  room(out, 4);
  out.at = out.bytes.writeUInt32LE(count, out.at);
  for (const [name, stride, word] of [...KEYS, ...REST]) {
    const column = rows[name];
    for (let i = 0; i < count; i++) values[i] = column[places[i] * stride + word];
    packColumn(out, values, count);
  }
  return Buffer.from(out.bytes.subarray(0, out.at));
}

/** Puts the rows of a blob in: `put` answers the place of a key. */
export function unpackRows(bytes: Buffer, rows: RowColumns, put: (hash: number, other: number) => number): void {
  const count = bytes.readUInt32LE(0);
  if (values.length < count) values = new Float64Array(count * 2);
  const from = { bytes, at: 4 };
  const [hashes, others] = KEYS.map(() => {
    unpackColumn(from, values, count);
    return values.slice(0, count);
  });
  const places = Int32Array.from(hashes, (hash, i) => put(hash, others[i]));
  for (const [name, stride, word] of REST) {
    unpackColumn(from, values, count);
    const column = rows[name];
    for (let i = 0; i < count; i++) column[places[i] * stride + word] = values[i];
  }
}
