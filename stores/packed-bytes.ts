// Many byte strings in one piece of memory, for a crossing between threads: it is handed over as it is, where each Buffer by itself would be
// copied with all the memory that it shares.

export interface PackedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each string ends; it begins where the one before ends. */
  readonly ends: Float64Array<ArrayBuffer>;
}

/** `prefixes`: a byte to stand in front of each string. */
export function packBytes(strings: readonly Uint8Array[], prefixes?: readonly number[]): PackedBytes {
  let length = prefixes === undefined ? 0 : strings.length;
  for (const string of strings) length += string.length;
  const bytes = new Uint8Array(length);
  const ends = new Float64Array(strings.length);
  let at = 0;
  for (let i = 0; i < strings.length; i++) {
    if (prefixes !== undefined) bytes[at++] = prefixes[i];
    bytes.set(strings[i], at);
    ends[i] = at += strings[i].length;
  }
  return { bytes, ends };
}

/** Views of the packed memory: it lives as long as any of them. */
export function unpackBytes({ bytes, ends }: PackedBytes): Buffer[] {
  const strings: Buffer[] = [];
  for (let i = 0, at = 0; i < ends.length; at = ends[i++]) strings.push(Buffer.from(bytes.buffer, bytes.byteOffset + at, ends[i] - at));
  return strings;
}

/** What to hand over with a message that holds them. */
export function memoryOf(...packed: readonly PackedBytes[]): ArrayBuffer[] {
  return packed.flatMap(({ bytes, ends }) => [bytes.buffer, ends.buffer]);
}
