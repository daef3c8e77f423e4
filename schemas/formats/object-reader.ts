// Reads one JSON object into spans: where each member's value stands and what kind it is. The order of members seen last is expected
// again, name by name, so that the common case looks nothing up and makes nothing.
import { compiledSchemas, maxColumns } from '../limits.ts';
import { fail, next, scan, scanColon, scanNext, scanString, scanValue, skipSpace, TOKEN } from './json-scan.ts';
import { wordsIn } from './literals.ts';
import { createTemplate, learn, readByTemplate, type Spans, type Template } from './object-template.ts';
import { wordsOf } from './words.ts';
import { unescape } from '../canonical/text.ts';
import { createSink } from '../canonical/sink.ts';

/** A member's name: as it mostly stands in the bytes, with its quotes and the colon, and what the reader's user made of it. */
export interface Member<F> extends QuotedName { readonly name: string; readonly field: F }
/** An order of members that was seen, and what the reader's user made of it. */
export interface Shape<F, P> { readonly members: readonly Member<F>[]; readonly plan: P; readonly template: Template }

/** Spans of the values (strings with their quotes) and their kinds, in the order of the members. */
export interface ObjectReader<F, P> extends Spans {
  /** The shape of the object read last. */
  shape: Shape<F, P>;
  readonly compile: (name: string) => F;
  readonly plan: (fields: readonly F[], at: number) => P;
  readonly isRead: (field: F) => boolean;
  readonly members: Map<string, Member<F>>;
  readonly shapes: Shape<F, P>[];
  seen: Member<F>[];
}

/**
 * `compile` is called once for a name, `plan` once for an order of names (`at`: where the object stands, to blame it). The spans of a member
 * that is not read may be those of another object.
 */
export function createObjectReader<F, P>(compile: (name: string) => F, plan: (fields: readonly F[], at: number) => P, isRead: (field: F) => boolean = () => true): ObjectReader<F, P> {
  const empty: Shape<F, P> = { members: [], plan: plan([], -1), template: createTemplate([]) };
  return {
    starts: new Int32Array(32), ends: new Int32Array(32), tokens: new Uint8Array(32),
    shape: empty, compile, plan, isRead, members: new Map(), shapes: [empty], seen: [],
  };
}

/** Reads the object at `p`; returns the position behind it. */
export function readObject<F, P>(reader: ObjectReader<F, P>, b: Buffer, p: number, end: number): number {
  const words = wordsOf(b);
  const { template } = reader.shape;
  const q = template.literals.lengths.length > 0 ? readByTemplate(template, reader, b, words, p, end) : 0;
  return q > 0 ? q : readMembers(reader, b, words, p, end);
}

function readMembers<F, P>(reader: ObjectReader<F, P>, b: Buffer, words: DataView, p: number, end: number): number {
  const at = p;
  const expected = reader.shape.members;
  let { starts, ends, tokens } = reader;
  let matched = true;
  let i = 0;
  p = skipSpace(b, p + 1, end);
  if (p < end && b[p] === 125) {
    p++;
  } else {
    for (;;) {
      let q = matched && i < expected.length ? matchName(words, p, end, expected[i]) : 0;
      if (q === 0) {
        if (matched) copyMembers(reader.seen, expected, i);
        matched = false;
        q = readName(reader, b, p, end, i);
      }
      if (q >= end || b[q] <= 32) q = skipSpace(b, q, end);
      if (i === starts.length) {
        grow(reader, at);
        ({ starts, ends, tokens } = reader);
      }
      starts[i] = q;
      q = q < end && b[q] === 34 ? scanString(b, q + 1, end) : scanValue(b, q, end, 2);
      ends[i] = q;
      tokens[i] = scan.token;
      i++;
      if (q + 1 < end && b[q] === 44 && b[q + 1] === 34) {
        p = q + 1;
        continue;
      }
      const more = scanNext(b, q, end, 125);
      p = next.at;
      if (!more) break;
    }
  }
  if (!matched || i !== expected.length) settleShape(reader, matched, i, at);
  else if (i > 0) learn(reader.shape.template, reader, b, at, p);
  return p;
}

/**
 * The position behind the object at `p`, of which nothing is wanted but that it is right: the row before a change, which has the members of
 * the row after it. To compare a name costs less than to scan it.
 */
export function skipObject(expected: readonly QuotedName[], b: Buffer, p: number, end: number): number {
  const words = wordsOf(b);
  const last = expected.length - 1;
  for (let q = p + 1, i = 0; i <= last; i++) {
    q = matchName(words, q, end, expected[i]);
    if (q === 0 || q >= end || b[q] <= 32) break;
    q = scanValue(b, q, end, 2);
    if (q >= end || b[q] !== (i < last ? 44 : 125)) break;
    q++;
    if (i === last) return q;
  }
  return scanValue(b, p, end, 1);
}

/** A name that was not expected: position behind its colon; the member is put to `seen`. */
function readName<F, P>(reader: ObjectReader<F, P>, b: Buffer, p: number, end: number, i: number): number {
  if (p >= end || b[p] !== 34) fail(p, 'a member name');
  const q = scanString(b, p + 1, end);
  reader.seen[i] = memberOf(reader, b, p, q);
  return scanColon(b, q, end);
}

function settleShape<F, P>(reader: ObjectReader<F, P>, matched: boolean, count: number, at: number): void {
  if (matched) copyMembers(reader.seen, reader.shape.members, count);
  reader.seen.length = count;
  reader.shape = shapeOf(reader, at);
}

/** A name as it mostly stands in the bytes: with its quotes and the colon. */
export interface QuotedName { readonly quoted: Buffer; readonly quotedWords: Int32Array }

export function quotedName(quoted: Buffer): QuotedName {
  return { quoted, quotedWords: Int32Array.from(quoted.length < 4 ? [] : wordsIn(quoted)) };
}

/** Position behind the colon of the name at `p` where it is the expected one, spelled as expected; else 0. Names are compared by words, the last of which may overlap. */
export function matchName(words: DataView, p: number, end: number, { quoted, quotedWords }: QuotedName): number {
  const length = quoted.length;
  const to = p + length;
  if (to > end || length < 4) return 0;
  const last = quotedWords.length - 1;
  for (let i = 0; i < last; i++) if (words.getInt32(p + 4 * i, true) !== quotedWords[i]) return 0;
  return words.getInt32(to - 4, true) === quotedWords[last] ? to : 0;
}

function copyMembers<F>(to: Member<F>[], from: readonly Member<F>[], count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}

const spelling = createSink(256);

/** The member whose name, quotes included, was just scanned as b[from, to). */
function memberOf<F, P>(reader: ObjectReader<F, P>, b: Buffer, from: number, to: number): Member<F> {
  const name = textOf(b, from + 1, to - 1, scan.token);
  const known = reader.members.get(name);
  if (known !== undefined) return known;
  if (reader.members.size >= maxColumns * 4) {
    reader.members.clear();
    reader.shapes.length = 0;
  }
  const member = { name, ...quotedName(Buffer.from(`${JSON.stringify(name)}:`)), field: reader.compile(name) };
  reader.members.set(name, member);
  return member;
}

/** The scanned string content b[from, to) as text. */
export function textOf(b: Buffer, from: number, to: number, token: number): string {
  if (token === TOKEN.text) return b.toString('utf8', from, to);
  spelling.at = 0;
  unescape(spelling, b, from, to);
  return spelling.bytes.toString('utf8', 0, spelling.at);
}

function shapeOf<F, P>(reader: ObjectReader<F, P>, at: number): Shape<F, P> {
  const { seen, shapes } = reader;
  for (const shape of shapes) {
    if (shape.members.length === seen.length && shape.members.every((member, i) => member === seen[i])) return shape;
  }
  if (new Set(seen).size !== seen.length) fail(at, 'no member twice');
  const shape = { members: [...seen], plan: reader.plan(seen.map((member) => member.field), at), template: createTemplate(seen.map((member) => reader.isRead(member.field))) };
  if (shapes.length >= compiledSchemas) shapes.length = 0;
  shapes.push(shape);
  return shape;
}

function grow<F, P>(reader: ObjectReader<F, P>, at: number): void {
  const length = reader.starts.length * 2;
  if (length > maxColumns * 2) fail(at, `at most ${maxColumns} members`, 'oversize');
  const { starts, ends, tokens } = reader;
  reader.starts = new Int32Array(length);
  reader.ends = new Int32Array(length);
  reader.tokens = new Uint8Array(length);
  reader.starts.set(starts);
  reader.ends.set(ends);
  reader.tokens.set(tokens);
}
