// Columns of numbers, as short as their values allow: what most slots of a commit have in common (partition, flags, the upper words of a
// position) is written once, and what differs is written as the distance to the least value in 1, 2 or 4 bytes.
//
// Form: `[width | base kind << 4][base][values]`; width 0: all are the base, 8: the doubles as they are.

/** A growing buffer with the place behind what was written. */
export interface ByteWriter { bytes: Buffer; at: number }

/** Where a segment is read, and up to where it has bytes. */
export interface ByteReader { readonly bytes: Buffer; at: number }

export function room(out: ByteWriter, length: number): void {
  if (out.at + length <= out.bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(out.bytes.length * 2, out.at + length));
  out.bytes.copy(larger, 0, 0, out.at);
  out.bytes = larger;
}

const BASE = { zero: 0, integer: 1, double: 2 } as const;

/** Appends the first `count` of `values`. */
export function packColumn(out: ByteWriter, values: Float64Array, count: number): void {
  room(out, 9 + count * 8);
  let least = values[0];
  let greatest = values[0];
  let whole = Number.isSafeInteger(values[0]);
  for (let i = 1; i < count; i++) {
    const value = values[i];
    if (value < least) least = value;
    else if (value > greatest) greatest = value;
    // The distance of two safe integers may not be one, and a fraction or NaN has no distance at all.
    whole &&= Number.isSafeInteger(value);
  }
  const width = !whole ? 8 : widthOf(greatest - least);
  const base = width === 8 || least === 0 ? BASE.zero : least === (least | 0) ? BASE.integer : BASE.double;
  out.bytes[out.at++] = width | (base << 4);
  if (base === BASE.integer) out.at = out.bytes.writeInt32LE(least, out.at);
  else if (base === BASE.double) out.at = out.bytes.writeDoubleLE(least, out.at);
  out.at = putValues(out.bytes, out.at, values, count, width, least);
}

function widthOf(distance: number): number {
  if (distance === 0) return 0;
  if (distance <= 0xff) return 1;
  if (distance <= 0xffff) return 2;
  return distance <= 0xffffffff ? 4 : 8;
}

function putValues(bytes: Buffer, start: number, values: Float64Array, count: number, width: number, least: number): number {
  let at = start;
  if (width === 1) for (let i = 0; i < count; i++) bytes[at++] = values[i] - least;
  else if (width === 2) {
    for (let i = 0; i < count; i++, at += 2) {
      const value = values[i] - least;
      bytes[at] = value;
      bytes[at + 1] = value >>> 8;
    }
  } else if (width === 4) {
    for (let i = 0; i < count; i++, at += 4) {
      const value = values[i] - least;
      bytes[at] = value;
      bytes[at + 1] = value >>> 8;
      bytes[at + 2] = value >>> 16;
      bytes[at + 3] = value >>> 24;
    }
  } else if (width === 8) for (let i = 0; i < count; i++) at = bytes.writeDoubleLE(values[i], at);
  return at;
}

/** Reads `count` values into `values`. Throws RangeError where the bytes end before. */
export function unpackColumn(from: ByteReader, values: Float64Array, count: number): void {
  const { bytes } = from;
  const tag = bytes.readUInt8(from.at++);
  const width = tag & 15;
  let base = 0;
  if (tag >>> 4 === BASE.integer) {
    base = bytes.readInt32LE(from.at);
    from.at += 4;
  } else if (tag >>> 4 === BASE.double) {
    base = bytes.readDoubleLE(from.at);
    from.at += 8;
  }
  const end = from.at + count * width;
  if (end > bytes.length) throw new RangeError('a column ends beyond its segment');
  if (width === 0) values.fill(base, 0, count);
  else for (let i = 0, at = from.at; i < count; i++, at += width) values[i] = base + valueAt(bytes, at, width);
  from.at = end;
}

function valueAt(bytes: Buffer, at: number, width: number): number {
  if (width === 1) return bytes[at];
  if (width === 2) return bytes[at] | (bytes[at + 1] << 8);
  if (width === 4) return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
  return bytes.readDoubleLE(at);
}
