// Writes slots packed: per window and commit one segment, with the slots taken since the last commit (all their fields and bytes) and those
// changed since (what may change of them). A window's segments, replayed in the order of the commits, are its slots (slot-restore.ts).
//
// Form: `[format][CRC-32 of what follows][layouts][new slots][changed slots]`. Numbers stand in columns (column-codec.ts); layouts by their
// content, for their ids are those of one process.
import { crc32 } from 'node:zlib';
import { CHANGE } from './slot-changes.ts';
import { MADE_COLUMNS, SERIAL, TOUCHED_COLUMNS, type SlotColumn } from './slot-columns.ts';
import { packColumn, room, type ByteWriter } from './column-codec.ts';
import type { SlotStore } from './slot-store.ts';

export const SEGMENT_FORMAT = 2;
/** Bytes of the format and the checksum. */
export const SEGMENT_HEAD_BYTES = 5;

/** Layouts of images, by the id that they have in this process and by content. */
export interface LayoutNames {
  nameOf(id: number): string;
  idOf(name: string): number;
}

export interface SegmentPacker {
  /** Gives each window's segment, windows in no order; afterwards nothing is left to be written. The bytes are the receiver's. */
  pack(slots: SlotStore, give: (window: number, segment: Buffer) => void): void;
}

export function createSegmentPacker(windowUs: number, layouts: LayoutNames): SegmentPacker {
  const out: ByteWriter = { bytes: Buffer.allocUnsafe(1 << 16), at: 0 };
  let list = new Int32Array(1024);
  let values = new Float64Array(1024);

  function fit(count: number): void {
    if (count <= list.length) return;
    const larger = new Int32Array(count * 2);
    larger.set(list);
    list = larger;
    values = new Float64Array(count * 2);
  }

  /** The window's new slots, oldest first; they stand before its older ones. */
  function listMade(slots: SlotStore, window: number): number {
    const { changes: { state }, nextInWindow } = slots;
    let count = 0;
    for (let slot = slots.window(window); slot >= 0 && state[slot] === CHANGE.made; slot = nextInWindow[slot]) {
      fit(count + 1);
      list[count++] = slot;
      state[slot] = CHANGE.none;
    }
    list.subarray(0, count).reverse();
    return count;
  }

  function listTouched(slots: SlotStore, touched: readonly number[]): number {
    fit(touched.length);
    touched.forEach((slot, i) => {
      list[i] = slot;
      slots.changes.state[slot] = CHANGE.none;
    });
    return touched.length;
  }

  function putColumns(slots: SlotStore, columns: readonly SlotColumn[], count: number): void {
    for (const column of columns) {
      column.read(slots, list, count, values);
      packColumn(out, values, count);
    }
  }

  function putMade(slots: SlotStore, count: number): void {
    putCount(out, count);
    if (count === 0) return;
    putColumns(slots, MADE_COLUMNS, count);
    putColumns(slots, TOUCHED_COLUMNS, count);
    putLayouts(slots, count);
    for (let i = 0; i < count; i++) putHead(out, slots, list[i]);
    for (let i = 0; i < count; i++) putImage(out, slots, list[i]);
  }

  /** The layouts there are, then each slot's by its place among them; place 0: none. */
  function putLayouts(slots: SlotStore, count: number): void {
    const places = new Map<number, number>([[-1, 0]]);
    for (let i = 0; i < count; i++) {
      const layout = slots.layout[list[i]];
      let place = places.get(layout);
      if (place === undefined) places.set(layout, (place = places.size));
      values[i] = place;
    }
    putCount(out, places.size - 1);
    for (const id of places.keys()) if (id >= 0) putText(out, layouts.nameOf(id));
    packColumn(out, values, count);
    for (let i = 0; i < count; i++) values[i] = slots.imagePage[list[i]] < 0 ? 0 : 1;
    packColumn(out, values, count);
  }

  function putTouched(slots: SlotStore, count: number): void {
    putCount(out, count);
    if (count === 0) return;
    putColumns(slots, [SERIAL], count);
    putColumns(slots, TOUCHED_COLUMNS, count);
    for (let i = 0; i < count; i++) values[i] = slots.imagePage[list[i]] < 0 ? 0 : 1;
    packColumn(out, values, count);
  }

  return {
    pack(slots, give) {
      const touched = touchedByWindow(slots, windowUs);
      for (const window of slots.windows()) {
        out.at = SEGMENT_HEAD_BYTES;
        const made = listMade(slots, window);
        const old = touched.get(window) ?? NONE;
        if (made === 0 && old.length === 0) continue;
        putMade(slots, made);
        putTouched(slots, listTouched(slots, old));
        give(window, finish(out));
      }
      slots.changes.clear();
    },
  };
}

const NONE: readonly number[] = [];

function touchedByWindow(slots: SlotStore, windowUs: number): Map<number, number[]> {
  const { changes, time } = slots;
  const windows = new Map<number, number[]>();
  let lastWindow = NaN;
  let last: number[] = [];
  for (let i = 0; i < changes.touchedCount; i++) {
    const slot = changes.touched[i];
    if (changes.state[slot] !== CHANGE.touched) continue;
    const window = Math.floor(time[slot] / windowUs);
    if (window !== lastWindow) {
      lastWindow = window;
      last = windows.get(window) ?? [];
      windows.set(window, last);
    }
    last.push(slot);
  }
  return windows;
}

function finish(out: ByteWriter): Buffer {
  const segment = Buffer.from(out.bytes.subarray(0, out.at));
  segment[0] = SEGMENT_FORMAT;
  segment.writeUInt32LE(crc32(segment.subarray(SEGMENT_HEAD_BYTES)), 1);
  return segment;
}

function putCount(out: ByteWriter, count: number): void {
  room(out, 4);
  out.at = out.bytes.writeUInt32LE(count, out.at);
}

function putText(out: ByteWriter, text: string): void {
  const bytes = Buffer.from(text);
  putCount(out, bytes.length);
  room(out, bytes.length);
  out.at += bytes.copy(out.bytes, out.at);
}

function putHead(out: ByteWriter, slots: SlotStore, slot: number): void {
  const length = slots.keyLength[slot] + slots.originLength[slot] + slots.transactionLength[slot] + slots.traceLength[slot];
  put(out, slots.heads.pages[slots.headPage[slot]], slots.headAt[slot], length);
}

function putImage(out: ByteWriter, slots: SlotStore, slot: number): void {
  if (slots.imagePage[slot] >= 0) put(out, slots.images.pages[slots.imagePage[slot]], slots.imageAt[slot], slots.imageLength[slot]);
}

function put(out: ByteWriter, from: Buffer, start: number, length: number): void {
  room(out, length);
  from.copy(out.bytes, out.at, start, start + length);
  out.at += length;
}
