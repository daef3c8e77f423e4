// What an alignment is made from: everything of one key that is still known, as plain arrays, so that it can be tested without a shard.
// The lists hold consumed events too: they say what the pairs of earlier windows forbid, what may be repeated and what the target held.
//
// Invariants
// - Both lists are sorted by position, so an index is a position: nothing else of it is needed.
// - A source change that was reported missing and is still owed is a ghost, wherever it is kept; it is not `consumed`.
import { assert } from '../schemas/assert.ts';
import type { Policy } from '../schemas/pair.ts';

/** Bits of an event. Those after `absent` say what earlier closings made of it. */
export const IS = {
  /** A snapshot row. */
  read: 1,
  /** Source: reported missing, not applied yet. */
  ghost: 2,
  /** Source: the target elides no-ops and this fully known image equals its predecessor's. */
  noop: 4,
  /** After this event there is no row. */
  absent: 8,
  /** Judged at an earlier closing. A snapshot row of the target is given as consumed: it says what the target held. */
  consumed: 16,
  /** Source, consumed: its pair crossed another one, or it was a ghost when it was applied. */
  outOfOrder: 32,
  /** Source, consumed: reported as reordered, or late applied, which says as much: not to be named (again). */
  reordered: 64,
  /** Source, consumed: the target has applied it. */
  applied: 128,
} as const;

/** How versions compare (rulings 29 and 30). Asked by index, never of two absent rows nor of a row and an absent one, except `equalsBase`. */
export interface Versions {
  /** The source change and the target change have equal images. */
  equal(source: number, target: number): boolean;
  /** Two target changes have equal images. */
  same(target: number, other: number): boolean;
  /** The target held the version of this source change before the first of its changes in the list; false where that is not known. */
  equalsBase(source: number): boolean;
  /** Versions that the target has applied and that are no longer in the list, by position: of each how many of the listed source changes lie below it. */
  gone(): readonly number[];
  /** It was a snapshot row. */
  isGoneRead(place: number): boolean;
  /** The target change has the image with which that one was applied, or its own; also where both are absent. */
  isGone(place: number, target: number): boolean;
}

export interface AlignInput {
  readonly versions: Versions;
  /** The window: up to its start is closed already, what is below its end W is due. L and ε. Microseconds. */
  startUs: number;
  endUs: number;
  lagUs: number;
  skewUs: number;
  /** The target does not log no-op updates. */
  elides: boolean;
  policy: Policy;
  /** Pairs of a source and a target change that may be looked at, in the search and again after it. */
  workMax: number;
  sourceCount: number;
  targetCount: number;
  sourceTimeUs: Float64Array;
  targetTimeUs: Float64Array;
  sourceIs: Uint8Array;
  targetIs: Uint8Array;
  /** Of a consumed source change: the index of its application, -1 where it has none or that is no longer in the list. */
  sourcePair: Int32Array;
  clear(): void;
  addSource(timeUs: number, is: number, pair: number): void;
  addTarget(timeUs: number, is: number): void;
}

export function createAlignInput(versions: Versions): AlignInput {
  const input: AlignInput = {
    versions, startUs: 0, endUs: 0, lagUs: 0, skewUs: 0, elides: false, policy: 'exact', workMax: 0, sourceCount: 0, targetCount: 0,
    sourceTimeUs: new Float64Array(16), targetTimeUs: new Float64Array(16), sourceIs: new Uint8Array(16), targetIs: new Uint8Array(16),
    sourcePair: new Int32Array(16),
    clear() {
      input.sourceCount = input.targetCount = 0;
    },
    addSource(timeUs, is, pair) {
      assert(pair < 0 || (is & IS.consumed) !== 0, 'an alignment is given a pair that no closing has consumed');
      const i = input.sourceCount++;
      if (i === input.sourceIs.length) {
        input.sourceTimeUs = doubled(input.sourceTimeUs);
        input.sourceIs = doubled(input.sourceIs);
        input.sourcePair = doubled(input.sourcePair);
      }
      input.sourceTimeUs[i] = timeUs;
      input.sourceIs[i] = is;
      input.sourcePair[i] = pair;
    },
    addTarget(timeUs, is) {
      const j = input.targetCount++;
      if (j === input.targetIs.length) {
        input.targetTimeUs = doubled(input.targetTimeUs);
        input.targetIs = doubled(input.targetIs);
      }
      input.targetTimeUs[j] = timeUs;
      input.targetIs[j] = is;
    },
  };
  return input;
}

function doubled<T extends Float64Array | Uint8Array | Int32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}

/** `-ε <= time(t) - time(s) <= L`; a ghost has no upper bound. */
export function isNear(input: AlignInput, i: number, j: number): boolean {
  const lagUs = input.targetTimeUs[j] - input.sourceTimeUs[i];
  return lagUs >= -input.skewUs && (lagUs <= input.lagUs || (input.sourceIs[i] & IS.ghost) !== 0);
}

/** Versions are equal: two absent rows are. */
export function isEqual(input: AlignInput, i: number, j: number): boolean {
  if (!isAlike(input, i, j)) return false;
  return (input.sourceIs[i] & IS.absent) !== 0 || input.versions.equal(i, j);
}

/** Both images are present, or both absent. */
export function isAlike(input: AlignInput, i: number, j: number): boolean {
  return ((input.sourceIs[i] ^ input.targetIs[j]) & IS.absent) === 0;
}

export function isSameTarget(input: AlignInput, j: number, other: number): boolean {
  if (((input.targetIs[j] ^ input.targetIs[other]) & IS.absent) !== 0) return false;
  return (input.targetIs[j] & IS.absent) !== 0 || input.versions.same(j, other);
}

export function isDue(input: AlignInput, i: number): boolean {
  return input.sourceTimeUs[i] < input.endUs;
}

/** Its being unpaired is no finding. */
export function isOptional(input: AlignInput, i: number): boolean {
  return (input.sourceIs[i] & (IS.read | IS.ghost | IS.noop)) !== 0;
}

/** By policy `collapse` it may be merged into a later change of the key (collapse.ts). A delete may not. */
export function isMergeable(input: AlignInput, i: number): boolean {
  return input.policy === 'collapse' && (input.sourceIs[i] & (IS.read | IS.ghost | IS.noop | IS.absent)) === 0;
}
