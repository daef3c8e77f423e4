// Pieces of text that were seen before, compared four bytes at a time.

/** Pieces one behind the other, between which other text stands. All but the last have at least four bytes. */
export interface Literals {
  /** Length in bytes of each piece, and where its words begin. */
  readonly lengths: Int32Array;
  readonly at: Int32Array;
  /** The words of all pieces but the last; of each the last word is its last four bytes, and overlaps the one before. */
  readonly words: Int32Array;
  readonly last: Buffer;
}

export function literalsOf(pieces: readonly Buffer[]): Literals {
  const words = pieces.slice(0, -1).map(wordsIn);
  let at = 0;
  return {
    lengths: Int32Array.from(pieces, (piece) => piece.length),
    at: Int32Array.from(words, ({ length }) => (at += length) - length),
    words: Int32Array.from(words.flat()),
    last: Buffer.from(pieces[pieces.length - 1] ?? []),
  };
}

/** The position behind the k-th piece, not the last one, where it stands at `p`; else 0. */
export function matchLiteral({ lengths, at, words }: Literals, k: number, view: DataView, p: number, end: number): number {
  const to = p + lengths[k];
  if (to > end) return 0;
  let w = at[k];
  for (; p < to - 4; p += 4) if (view.getInt32(p, true) !== words[w++]) return 0;
  return view.getInt32(to - 4, true) === words[w] ? to : 0;
}

/** The position behind the last piece, where it stands at `p`; else 0. */
export function matchLast({ last }: Literals, b: Buffer, p: number, end: number): number {
  if (p + last.length > end) return 0;
  for (let i = 0; i < last.length; i++) if (b[p + i] !== last[i]) return 0;
  return p + last.length;
}

/** The words of at least four bytes, the last one being its last four. */
export function wordsIn(bytes: Buffer): number[] {
  const count = Math.ceil(bytes.length / 4);
  return Array.from({ length: count }, (_, i) => bytes.readInt32LE(i === count - 1 ? bytes.length - 4 : 4 * i));
}
