// The way back: segments of the live windows become slots, in the order in which they were once taken, so that every chain stands as it did
// when the last of them was written. Links are serials until all slots are there.
import { crc32 } from 'node:zlib';
import { CHAIN, LINKED, MADE_COLUMNS, TOUCHED_COLUMNS, type SlotColumn } from './slot-columns.ts';
import { unpackColumn, type ByteReader } from './column-codec.ts';
import { CHANGE } from './slot-changes.ts';
import { SEGMENT_FORMAT, SEGMENT_HEAD_BYTES, type LayoutNames } from './slot-segments.ts';
import { StoreError } from './store-error.ts';
import { LINK_GONE, type SlotStore } from './slot-store.ts';

export interface SlotRestore {
  /** The segments of one window come in the order of their commits, and no window comes twice. Throws StoreError: `wrong-format`, `corrupt`. */
  apply(window: number, segment: Buffer): void;
  /** Chains and links. Throws StoreError (`corrupt`) where a slot is missing. Afterwards nothing is to be written. */
  finish(): void;
}

/** `slots`: empty, with `followChanges` called. */
export function createSlotRestore(slots: SlotStore, layouts: LayoutNames): SlotRestore {
  const { changes } = slots;
  /** Slots of the window that is being restored, by serial. */
  let window = NaN;
  let own: number[] = [];
  const windows: number[][] = [];
  let list = new Int32Array(1024);
  let values = new Float64Array(1024);

  function fit(count: number): void {
    if (count <= list.length) return;
    list = new Int32Array(count * 2);
    values = new Float64Array(count * 2);
  }

  function readColumns(from: ByteReader, columns: readonly SlotColumn[], count: number): void {
    for (const column of columns) {
      unpackColumn(from, values, count);
      column.write(slots, list, count, values);
    }
  }

  function readMade(from: ByteReader): void {
    const count = readCount(from);
    if (count === 0) return;
    fit(count);
    for (let i = 0; i < count; i++) own.push(list[i] = slots.take(window));
    readColumns(from, MADE_COLUMNS, count);
    readColumns(from, TOUCHED_COLUMNS, count);
    readLayouts(from, count);
    for (let i = 0; i < count; i++) readHead(from, slots, list[i]);
    for (let i = 0; i < count; i++) readImage(from, slots, list[i], values[i] === 1);
  }

  /** Leaves in `values` which slots have an image. */
  function readLayouts(from: ByteReader, count: number): void {
    const ids = [-1];
    for (let n = readCount(from); n > 0; n--) ids.push(layouts.idOf(readText(from)));
    unpackColumn(from, values, count);
    for (let i = 0; i < count; i++) slots.layout[list[i]] = ids[values[i]];
    unpackColumn(from, values, count);
  }

  function readTouched(from: ByteReader): void {
    const count = readCount(from);
    if (count === 0) return;
    fit(count);
    unpackColumn(from, values, count);
    for (let i = 0; i < count; i++) list[i] = bySerial(changes.serial, own, values[i]);
    readColumns(from, TOUCHED_COLUMNS, count);
    unpackColumn(from, values, count);
    for (let i = 0; i < count; i++) if (values[i] === 0) slots.dropImage(list[i]);
  }

  return {
    apply(of, segment) {
      const from = open(segment);
      if (of !== window) {
        window = of;
        windows.push(own = []);
      }
      try {
        readMade(from);
        readTouched(from);
      } catch (thrown) {
        throw thrown instanceof RangeError ? damaged('it ends too early', thrown) : thrown;
      }
    },
    finish() {
      const order = mergeBySerial(changes.serial, windows);
      for (const slot of order) resolveLink(slots, order, slot);
      for (const slot of order) linkChains(slots, slot);
      changes.state.fill(CHANGE.none);
      changes.clear();
      changes.nextSerial = order.length === 0 ? 0 : changes.serial[order[order.length - 1]] + 1;
    },
  };
}

function open(segment: Buffer): ByteReader {
  if (segment.length < SEGMENT_HEAD_BYTES) throw damaged('it has no head');
  if (segment[0] !== SEGMENT_FORMAT) {
    throw new StoreError('wrong-format', `a window segment is of format ${segment[0]}, and this version reads format ${SEGMENT_FORMAT}: start the `
      + 'version that wrote it, or drop the state and its changelog and read the logs again');
  }
  if (crc32(segment.subarray(SEGMENT_HEAD_BYTES)) !== segment.readUInt32LE(1)) throw damaged('its checksum does not match');
  return { bytes: segment, at: SEGMENT_HEAD_BYTES };
}

function damaged(what: string, cause?: unknown): StoreError {
  return new StoreError('corrupt', `a window segment is damaged (${what}): delete this directory, the state is restored from the changelog`, cause);
}

function readCount(from: ByteReader): number {
  const count = from.bytes.readUInt32LE(from.at);
  from.at += 4;
  return count;
}

function readText(from: ByteReader): string {
  const length = readCount(from);
  from.at += length;
  return from.bytes.toString('utf8', from.at - length, from.at);
}

function readHead(from: ByteReader, slots: SlotStore, slot: number): void {
  const length = slots.keyLength[slot] + slots.originLength[slot] + slots.transactionLength[slot] + slots.traceLength[slot];
  slots.heads.put(from.bytes, from.at, length);
  slots.headPage[slot] = slots.heads.page;
  slots.headAt[slot] = slots.heads.at;
  from.at += length;
}

function readImage(from: ByteReader, slots: SlotStore, slot: number, has: boolean): void {
  if (!has) return;
  slots.images.put(from.bytes, from.at, slots.imageLength[slot]);
  slots.imagePage[slot] = slots.images.page;
  slots.imageAt[slot] = slots.images.at;
  from.at += slots.imageLength[slot];
}

/** The slot of that serial among `slots`, which are in the order of their serials. */
function bySerial(serial: Float64Array, slots: ArrayLike<number>, wanted: number): number {
  let low = 0;
  for (let high = slots.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (serial[slots[middle]] < wanted) low = middle + 1;
    else high = middle;
  }
  if (low === slots.length || serial[slots[low]] !== wanted) throw damaged('it names a slot that is in no segment');
  return slots[low];
}

/** Each window is in order; neighbours are merged, two by two. */
function mergeBySerial(serial: Float64Array, windows: readonly (readonly number[])[]): Int32Array {
  let runs = windows.map(run => Int32Array.from(run));
  while (runs.length > 1) {
    const merged: Int32Array<ArrayBuffer>[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(i + 1 < runs.length ? mergeTwo(serial, runs[i], runs[i + 1]) : runs[i]);
    runs = merged;
  }
  return runs.at(0) ?? new Int32Array(0);
}

function mergeTwo(serial: Float64Array, a: Int32Array, b: Int32Array): Int32Array<ArrayBuffer> {
  const merged = new Int32Array(a.length + b.length);
  for (let i = 0, j = 0, at = 0; at < merged.length; at++) {
    merged[at] = j === b.length || (i < a.length && serial[a[i]] < serial[b[j]]) ? a[i++] : b[j++];
  }
  return merged;
}

function linkChains(slots: SlotStore, slot: number): void {
  const chains = slots.mark[slot];
  slots.mark[slot] = -1;
  if ((chains & CHAIN.id) !== 0) slots.linkId(slot);
  if ((chains & CHAIN.origin) !== 0) slots.linkOrigin(slot);
  if ((chains & CHAIN.key) !== 0) slots.linkKey(slot);
}

/** Until here `link` has what kind of link it is and `cause` the distance, and `previousKey` that of the kept cause (slot-columns.ts). */
function resolveLink(slots: SlotStore, order: Int32Array, slot: number): void {
  const { link, cause, previousKey, changes: { serial } } = slots;
  const kind = link[slot];
  link[slot] = kind === LINKED.slot ? bySerial(serial, order, serial[slot] + cause[slot]) : kind === LINKED.none ? -1 : LINK_GONE;
  cause[slot] = previousKey[slot] === 0 ? -1 : bySerial(serial, order, serial[slot] + previousKey[slot]);
}
