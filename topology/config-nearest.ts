// The nearest name to one that is not known, for "did you mean". Optimal string alignment distance, so a swapped pair of letters counts once.

/** The candidate within a third of the name's length (at least 2 edits), or undefined. Ties go to the first candidate. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    // Three letters with two edits are another word.
    if (edits < least && edits < Math.max(name.length, candidate.length) - 1) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

/** ` (did you mean "x"?)` or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const best = nearest(name, candidates);
  return best === undefined ? '' : `; did you mean "${best}"?`;
}

/** Edits (insert, delete, replace, swap of neighbours) between two short names. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 12) return 99;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}
