// What is known of the key that is being judged: its live events, and what the steps of judging make of them (judge.ts).
import type { AlignInput } from './alignment-input.ts';
import type { Alignment } from './alignment-pairs.ts';
import type { FindingSide } from './finding.ts';
import type { Ghost } from './ghosts.ts';
import type { PastVersion } from './past-version.ts';

/**
 * The live events of one key, by side and position; reused for every key. Only `sources` and `targets` have the length of the key: the lists
 * beside them are as long as they ever had to be. (An array that is emptied gives its memory back, and the next key would ask for it again.)
 */
export interface Group {
  /** Source changes and read rows. */
  readonly sources: number[];
  readonly targets: number[];
  /** Per target: a source slot, or one of CAUSE. */
  cause: Int32Array;
  /** Per target: what its slot-less cause is, where `cause` is CAUSE.past. */
  readonly past: (Past | undefined)[];
  /** Per target: attributed by order rather than by an origin. */
  readonly aligned: boolean[];
  /** Per source: its first application among `targets` (an index), or -1. */
  first: Int32Array;
  /** Per target: the next application of the same source change, or -1. */
  next: Int32Array;
  /** Per source: 1 where it was applied after a later change of the key. */
  reordered: Uint8Array;
  /** Per source, policy `collapse` only: not applied, but merged into a later change that was. */
  readonly collapsed: boolean[];
  /** Per target, policy `replay` only, once it is asked for: one of REPLAY (replay.ts). */
  replays: readonly number[] | undefined;
  /** Place of a slot in `sources` or `targets`. */
  place: Int32Array;
  /** Match mode `alignment` only. */
  aligner: Aligner | undefined;
}

export type Past =
  | { readonly kind: 'ghost'; readonly origin: Buffer; readonly ghost: Ghost }
  | { readonly kind: 'version'; readonly version: PastVersion };

/** Match mode `alignment`: what the aligner is given, and what it says. */
export interface Aligner {
  readonly input: AlignInput;
  readonly alignment: Alignment;
  /** By index of the aligner's source changes: a slot, or -1 - place among `ghosts`. */
  readonly at: number[];
  ghosts: readonly Ghost[];
  /** Looked up once a closing, when it is wanted: a hot key has thousands of changes that ask. */
  held: { readonly print: Int32Array | undefined } | undefined;
  applied: AppliedVersions | undefined;
  /** Versions that the target has applied and whose slots are gone, by position, and how many of the aligner's source changes lie below each. */
  gone: { readonly versions: readonly PastVersion[]; readonly below: readonly number[] } | undefined;
}

/** By the print of what was applied, as text: the newest version that the target was once given so. */
export type AppliedVersions = ReadonlyMap<string, () => FindingSide>;
