// How the lines of a capture begin and go on, learned from a line before. Lines of one capture differ in a few values only
// (`{"topic":"t","partition":` 3 `,"offset":` 12 `,"key":` "…"), so what stands between those is compared four bytes at a time and not read.
//
// Invariant: a line that matches reads as it would member by member. So nothing is learned of a member whose name or topic has an escape
// (reading it has changed its bytes), nor of a topic behind the first value, where it has no fixed place.
import { wordsOf } from './formats/words.ts';

export interface Template {
  /** How many values it has; 0: nothing is learned. */
  values: number;
  /** What stands before each value: its length and its words, the last of which overlaps the one before. */
  readonly lengths: Int32Array;
  readonly words: Int32Array[];
  /** The field of each value, and the fields of the line up to and with it. */
  readonly fields: Int32Array;
  readonly seen: Int32Array;
  /** Span of the topic from the line's first byte; -1 where it is null or not there. */
  topicStart: number;
  topicEnd: number;
  /** Lines that have not matched since it was learned. */
  misses: number;
}

/** Partition, offset, timestamp, key, value, headers, and one more: all that a line can have, but for Base64 beside null. */
const MAX_VALUES = 7;
/** Lines that must differ before another one is learned: where topics change from line to line, learning each would cost more than it saves. */
const MISSES_TO_LEARN = 4;

export function newTemplate(): Template {
  const numbers = (): Int32Array => new Int32Array(MAX_VALUES);
  return { values: 0, lengths: numbers(), words: [], fields: numbers(), seen: numbers(), topicStart: -1, topicEnd: -1, misses: MISSES_TO_LEARN };
}

/** The index behind the literal before the i-th value, where it stands at `at`; else -1. */
export function matchLiteral(template: Template, i: number, data: Buffer, at: number): number {
  const to = at + template.lengths[i];
  if (to > data.length) return -1;
  const view = wordsOf(data);
  const words = template.words[i];
  const last = words.length - 1;
  for (let k = 0; k < last; k++) if (view.getInt32(at + 4 * k, true) !== words[k]) return -1;
  return view.getInt32(to - 4, true) === words[last] ? to : -1;
}

/** A line begins otherwise. Whether it shall be learned: then the template is empty, and each value is to be told to `learnValue`. */
export function missed(template: Template): boolean {
  if (++template.misses < MISSES_TO_LEARN) return false;
  template.misses = template.values = 0;
  template.topicStart = -1;
  return true;
}

/** Learns the literal `data[from, to)` and that a value of `field` follows. `seen`: the fields of the line before it. False: no more can be learned. */
export function learnValue(template: Template, data: Buffer, from: number, to: number, field: number, seen: number): boolean {
  if (template.values === MAX_VALUES || to - from < 4) return false;
  const i = template.values++;
  const count = Math.ceil((to - from) / 4);
  template.lengths[i] = to - from;
  template.words[i] = Int32Array.from({ length: count }, (_, k) => data.readInt32LE(k === count - 1 ? to - 4 : from + 4 * k));
  template.fields[i] = field;
  template.seen[i] = seen | field;
  return true;
}
