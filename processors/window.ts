// A window that is being closed, and what a shard then says of it.
import type { Side } from '../schemas/change-event.ts';
import type { DigestSums, ElementHasher } from './digest.ts';
import type { Finding, Resolution } from './finding.ts';
import type { Tally } from './tally.ts';
import type { TransactionPart } from './torn.ts';

/** What one shard says of a window. */
export interface ShardWindow {
  readonly window: number;
  readonly tally: Tally;
  readonly sums: DigestSums;
  readonly findings: readonly Finding[];
  readonly resolved: readonly Resolution[];
  /** Windows given out before that this closing amends, with the number of late applications. */
  readonly amended: ReadonlyMap<number, number>;
  readonly schema: readonly { readonly side: Side; readonly column: string }[];
  readonly undecidable: boolean;
  /** Target changes consumed that are no changes of their own: loads of snapshot rows. */
  readonly loads: number;
  readonly openDivergences: number;
  readonly targetElides: boolean;
  /** Source transactions of which something is missing; of a shard that is not alone, all that have a change in the window. */
  readonly transactions: readonly TransactionPart[];
}

export interface Closing {
  readonly number: number;
  readonly window: number;
  readonly startUs: number;
  /** W: the end of the window, microseconds. */
  readonly endUs: number;
  /** W + L and W + L + ε: up to where events of each side are evidence, even if later ones are here. */
  readonly targetEvidenceUs: number;
  readonly sourceEvidenceUs: number;
  readonly resolved: Resolution[];
  count(name: number, by: number): void;
  /** Computes the digest element of `slot`'s key with the position of `at`; `add` puts it into a side's sum. */
  element(slot: number, at: number, marker: number, print: Int32Array, printAt: number): void;
  /** The element of what is no slot. */
  digest: ElementHasher['element'];
  add(side: number): void;
  find(finding: Finding): void;
  /** The findings of the key being judged, if it has any. */
  findingsOfKey(): readonly Finding[];
  /** A snapshot row's load is consumed: not counted as a change, but the window has something to say. */
  loaded(): void;
  /** A late application amends an earlier window. */
  amend(window: number): void;
  /** A column that one side lacks without a declaration: the window cannot be judged (ruling 29). */
  undeclared(side: Side, column: string): void;
}
