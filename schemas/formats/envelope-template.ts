// The order of an envelope's fields, with what stands between their values, learned from an envelope that was read name by name.
import { literalsOf, type Literals } from './literals.ts';

export interface EnvelopeTemplate {
  /** The fields in their order; empty: nothing is learned. */
  fields: Int32Array;
  /** What stands before the value of each, and behind the last. */
  literals: Literals;
  /** The fields of the envelope being read, with the spans of their values. */
  readonly noted: Int32Array;
  /** Envelopes that did not match. */
  misses: number;
}

/** An envelope has eight fields; one of more is not learned. */
const FIELDS_MAX = 16;

export function createEnvelopeTemplate(): EnvelopeTemplate {
  return { fields: new Int32Array(0), literals: literalsOf([]), noted: new Int32Array(3 * FIELDS_MAX), misses: 0 };
}

/** Notes that the i-th field is `field` and its value stands at [from, to). */
export function noteField({ noted }: EnvelopeTemplate, i: number, field: number, from: number, to: number): void {
  if (i >= FIELDS_MAX) return;
  noted[3 * i] = field;
  noted[3 * i + 1] = from;
  noted[3 * i + 2] = to;
}

/** Learns the envelope b[from, to) from what was noted of its fields: at the first misses, and then ever more rarely. */
export function learnEnvelope(template: EnvelopeTemplate, b: Buffer, from: number, to: number, count: number): void {
  const misses = template.misses++;
  if ((misses & (misses - 1)) !== 0 || count === 0 || count > FIELDS_MAX) return;
  const { noted } = template;
  const places = Array.from({ length: count }, (_, i) => 3 * i);
  const begins = [from, ...places.map((i) => noted[i + 2])];
  const ends = [...places.map((i) => noted[i + 1]), to];
  template.fields = Int32Array.from(places, (i) => noted[i]);
  template.literals = literalsOf(begins.map((begin, k) => b.subarray(begin, ends[k])));
}
