// A reconcile task's word: what it says to the merge task of its pair each time it has closed windows. It holds all that a decision and the
// verdicts under it need of this task's partitions, so the merge task never looks at them.
import type { PartitionClaim } from './claims.ts';
import { packClaims, unpackClaims } from './claims-state.ts';
import type { Bound } from './evidence.ts';
import { pack, unpack, wholeWindow } from './window-bytes.ts';
import type { ShardWindow } from './window.ts';

export interface Word {
  /** End of the window that was next to close. */
  readonly gateUs: number;
  /** Windows that end at or before this are closed; not before `gateUs`. */
  readonly upToUs: number;
  /** Of each of its partitions, source before target: read exactly up to its frontier when the windows closed. */
  readonly claims: readonly PartitionClaim[];
  /** What each side had beside its rows, by side. */
  readonly bounds: readonly [source: readonly Bound[], target: readonly Bound[]];
  /** Ends of the windows that held anything, in order. */
  readonly endsUs: readonly number[];
  /** What there is to say of windows, and up to where they had been closed when it was said; in order. */
  readonly results: readonly { readonly closeUpToUs: number; readonly result: ShardWindow }[];
}

export const WORD_FORMAT = 2;

export function packWord(word: Word): Buffer {
  return pack({ ...word, claims: packClaims(word.claims) });
}

export function unpackWord(bytes: Buffer): Word {
  const word = unpack(bytes) as Omit<Word, 'claims'> & { claims: Parameters<typeof unpackClaims>[0] };
  return {
    ...word, claims: unpackClaims(word.claims) as unknown as PartitionClaim[],
    results: word.results.map(({ closeUpToUs, result }) => ({ closeUpToUs, result: wholeWindow(result) })),
  };
}
