// The beginning of a capture line, learned from the line before. Lines of one capture differ there in a few numbers only
// (`{"topic":"t","partition":` 3 `,"offset":` 12 `,"timestamp":` …), so what stands between them is compared four bytes at a time and not read.
//
// Invariant: a head that matches says what reading the line member by member would say. So nothing is learned from a line with an escape
// (reading it has changed its bytes), nor with a key, value or headers before its numbers.
import { wordsOf } from './formats/words.ts';

export interface Head {
  /** How many numbers it has; 0: nothing is learned. */
  numbers: number;
  /** What stands before each number: its length and its words, the last of which overlaps the one before. */
  readonly lengths: Int32Array;
  readonly words: Int32Array[];
  /** The field of each number, and the fields of the line up to it. */
  readonly fields: Int32Array;
  readonly seen: Int32Array;
  /** Span of the topic from the line's first byte; -1 where it is null or not there. */
  topicStart: number;
  topicEnd: number;
  /** Lines that have not matched since it was learned. */
  misses: number;
}

const MAX_NUMBERS = 3;
/** Lines that must differ before another head is learned: where topics change from line to line, learning each would cost more than it saves. */
const MISSES_TO_LEARN = 4;

export function newHead(): Head {
  const numbers = (): Int32Array => new Int32Array(MAX_NUMBERS);
  return { numbers: 0, lengths: numbers(), words: [], fields: numbers(), seen: numbers(), topicStart: -1, topicEnd: -1, misses: MISSES_TO_LEARN };
}

/** The index behind the literal before the i-th number, where it stands at `at`; else -1. */
export function matchLiteral(head: Head, i: number, data: Buffer, at: number): number {
  const to = at + head.lengths[i];
  if (to > data.length) return -1;
  const view = wordsOf(data);
  const words = head.words[i];
  const last = words.length - 1;
  for (let k = 0; k < last; k++) if (view.getInt32(at + 4 * k, true) !== words[k]) return -1;
  return view.getInt32(to - 4, true) === words[last] ? to : -1;
}

/** A line has to be read member by member. Whether it shall be learned: then the head is empty, and each number is to be told to `learnNumber`. */
export function missed(head: Head): boolean {
  if (++head.misses < MISSES_TO_LEARN) return false;
  head.misses = head.numbers = 0;
  head.topicStart = -1;
  return true;
}

/** Learns the literal `data[from, to)` and that a number of `field` follows it. `seen`: the fields of the line before that number. False: the head is full. */
export function learnNumber(head: Head, data: Buffer, from: number, to: number, field: number, seen: number): boolean {
  if (head.numbers === MAX_NUMBERS || to - from < 4) return false;
  const i = head.numbers++;
  const count = Math.ceil((to - from) / 4);
  head.lengths[i] = to - from;
  head.words[i] = Int32Array.from({ length: count }, (_, k) => data.readInt32LE(k === count - 1 ? to - 4 : from + 4 * k));
  head.fields[i] = field;
  head.seen[i] = seen | field;
  return true;
}
