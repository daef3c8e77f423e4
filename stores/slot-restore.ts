// The way back: segments of the live windows become slots, in the order in which they were once taken, so that every chain stands as it did
// when the last of them was written. Links are serials until all slots are there.
import { crc32 } from 'node:zlib';
import { CHAIN, LINKED, MADE_COLUMNS, TOUCHED_COLUMNS, type SlotColumn } from './slot-columns.ts';
import { unpackColumn, type ByteReader } from './column-codec.ts';
import { CHANGE } from './slot-changes.ts';
import { SEGMENT_FORMAT, SEGMENT_HEAD_BYTES, type LayoutNames } from './slot-segments.ts';
import { StoreError } from './store-error.ts';
import { LINK_GONE, larger, UNLINKED, type SlotStore } from './slot-store.ts';

export interface SlotRestore {
  /** The segments of one window come in the order of their commits, and no window comes twice. Throws StoreError: `wrong-format`, `corrupt`. */
  apply(window: number, segment: Buffer): void;
  /** Chains and links. Throws StoreError (`corrupt`) where a slot is missing. Afterwards nothing is to be written. */
  finish(): void;
}

/** `slots`: empty, with `followChanges` called. */
export function createSlotRestore(slots: SlotStore, layouts: LayoutNames): SlotRestore {
  const { changes } = slots;
  /** The slots restored so far, window by window, in each by serial; where each window ends. */
  let all = new Int32Array(slots.capacity);
  let taken = 0;
  const ends: number[] = [];
  /** The window that is being restored, and where it begins. */
  let window = NaN;
  let begin = 0;
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
    for (let i = 0; i < count; i++) list[i] = slots.take(window);
    if (all.length < slots.capacity) all = larger(all, slots.capacity);
    all.set(list.subarray(0, count), taken);
    taken += count;
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
    const own = all.subarray(begin, taken);
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
        if (taken > begin) ends.push(taken);
        begin = taken;
      }
      try {
        readMade(from);
        readTouched(from);
      } catch (thrown) {
        throw thrown instanceof RangeError ? damaged('it ends too early', thrown) : thrown;
      }
    },
    finish() {
      if (taken > begin) ends.push(taken);
      const order = mergeBySerial(changes.serial, all.subarray(0, taken), ends);
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

/** The slots of all windows by serial. Each window is in order; neighbours are merged, two by two, from one list into the other. */
function mergeBySerial(serial: Float64Array, slots: Int32Array<ArrayBuffer>, windowEnds: readonly number[]): Int32Array {
  // As a rule nothing came late, and one window's slots were taken before the next one's.
  if (isInOrder(serial, slots)) return slots;
  let [from, to, ends] = [slots, new Int32Array(slots.length), windowEnds];
  while (ends.length > 1) {
    for (let i = 0; i < ends.length; i += 2) mergeTwo(serial, from, to, ends[i - 1] ?? 0, ends[i], ends[i + 1] ?? ends[i]);
    ends = ends.filter((_, i) => i % 2 === 1 || i === ends.length - 1);
    [from, to] = [to, from];
  }
  return from;
}

function isInOrder(serial: Float64Array, slots: Int32Array): boolean {
  for (let i = 1; i < slots.length; i++) if (serial[slots[i]] < serial[slots[i - 1]]) return false;
  return true;
}

/** [begin, middle) and [middle, end) of the one become [begin, end) of the other. */
function mergeTwo(serial: Float64Array, from: Int32Array, to: Int32Array, begin: number, middle: number, end: number): void {
  for (let i = begin, j = middle, at = begin; at < end; at++) {
    to[at] = j === end || (i < middle && serial[from[i]] < serial[from[j]]) ? from[i++] : from[j++];
  }
}

function linkChains(slots: SlotStore, slot: number): void {
  const chains = slots.nextKey[slot];
  slots.nextKey[slot] = UNLINKED;
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
