// A row (before, after, or a record key) read as columns, and its image written: the columns that are compared, sorted by their source
// names, each a header (tag in the low byte, length in bytes in the other three, little-endian) and its canonical bytes.
import { compiledSchemas } from '../limits.ts';
import { TYPE } from '../canonical/column-type.ts';
import type { ColumnRule, RuleFactory } from '../canonical/column-rule.ts';
import { writeColumn } from '../canonical/column-value.ts';
import { reserve } from '../canonical/sink.ts';
import type { Sink } from '../canonical/sink.ts';
import { TAG, UNAVAILABLE } from '../canonical/tags.ts';
import { fieldsOf } from '../canonical/column-rule.ts';
import { fail, TOKEN } from './json-scan.ts';
import { createObjectReader } from './object-reader.ts';
import { wordsOf } from './words.ts';
import type { ObjectReader } from './object-reader.ts';
import type { ConnectSchema } from '../pair.ts';
import type { Layout } from '../change-event.ts';
import type { PairContext } from '../decoder.ts';

/** What an order of columns means. Places are indices into the reader's spans, -1 where the column is not there. */
export interface RowPlan {
  readonly rules: readonly ColumnRule[];
  /** Places of the compared columns in the order of the image, and which of their values are copied (bits of COPIES). */
  readonly order: Int32Array;
  readonly copies: Uint8Array;
  /** Bytes of text up to which none can be the placeholder. */
  readonly plainText: number;
  /** The layout where every compared column is known. */
  readonly layout: Layout;
  /** Other layouts of these columns, by which of them are unavailable or hold the placeholder. */
  readonly variants: { readonly marks: Uint8Array; readonly layout: Layout }[];
  readonly keyPlaces: Int32Array;
  readonly originPlaces: Int32Array;
  /** All columns sorted by name: the key where none is declared. */
  readonly sorted: Int32Array;
}
export type RowReader = ObjectReader<ColumnRule, RowPlan>;

export interface RowSettings {
  readonly context: PairContext;
  readonly rules: RuleFactory;
  /** Key columns by their source names; empty where those of the record key count. */
  readonly key: readonly string[];
  /** Columns that origin paths name, as they are spelled on this side; '' for other paths. */
  readonly origins: readonly string[];
}

/** `schema`: the row's own, where its record has one. */
export function createRowReader(settings: RowSettings, schema: ConnectSchema | undefined, inKey: boolean): RowReader {
  const fields = fieldsOf(schema);
  const names = new Map<ColumnRule, string>();
  const compile = (name: string): ColumnRule => {
    const rule = settings.rules(name, fields.get(name), inKey);
    names.set(rule, name);
    return rule;
  };
  return createObjectReader<ColumnRule, RowPlan>(compile, (rules, at) => planRow(settings, rules, names, at));
}

/** A topic-routing transform's own addition to a key; it is no column. */
const ROUTING_FIELD = '__dbz__physicalTableIdentifier';

function planRow(settings: RowSettings, rules: readonly ColumnRule[], names: Map<ColumnRule, string>, at: number): RowPlan {
  if (new Set(rules.map((rule) => rule.column)).size !== rules.length) fail(at, 'no two columns that are one by `rename`');
  const sorted = rules.map((_, place) => place).sort((i, j) => (rules[i].column < rules[j].column ? -1 : 1));
  const order = sorted.filter((place) => rules[place].compared);
  const placeOf = (wanted: string): number => rules.findIndex((rule) => rule.column === wanted);
  return {
    rules,
    order: Int32Array.from(order),
    copies: Uint8Array.from(order, (place) => copiesOf(rules[place])),
    plainText: Math.min(...order.map((place) => rules[place].placeholder.shortest - 1), COPIED_BYTES_MAX),
    layout: settings.context.layout(order.map((place) => rules[place].column), [], []),
    variants: [],
    keyPlaces: Int32Array.from(settings.key, placeOf),
    originPlaces: Int32Array.from(settings.origins, (name) => {
      const exact = rules.findIndex((rule) => names.get(rule) === name);
      return name === '' ? -1 : exact >= 0 ? exact : placeOf(name);
    }),
    sorted: Int32Array.from(sorted.filter((place) => rules[place].column !== ROUTING_FIELD)),
  };
}

const COPIES = { text: 1, integer: 2 } as const;
/** Longer values are copied by native code. */
const COPIED_BYTES_MAX = 128;

function copiesOf({ plain, copiesText, copiesInteger }: ColumnRule): number {
  return plain ? (copiesText ? COPIES.text : 0) | (copiesInteger ? COPIES.integer : 0) : 0;
}

const MARK = { known: 0, unavailable: 1, placeholder: 2 } as const;
const marks = new Uint8Array(8192);
/** The column that is being written, so that a dead letter can name it. */
export const writing: { column: string } = { column: '' };

/** Writes the image of the row read last from `b`; returns its layout. `full`: the side's images are always whole, so a placeholder is a
 *  stored value (ruling 30). `mySql`: zero dates of NOT NULL columns arrive as 0, which may as well be 1970-01-01. */
export function writeImage(sink: Sink, row: RowReader, b: Buffer, full: boolean, mySql: boolean, context: PairContext): Layout {
  const { starts, ends, tokens } = row;
  const { order, copies, plainText } = row.shape.plan;
  const words = wordsOf(b);
  const lastCopied = b.length - 3;
  let marked = false;
  for (let n = 0; n < order.length; n++) {
    const place = order[n];
    const token = tokens[place];
    const quote = token === TOKEN.text ? 1 : 0;
    const from = starts[place] + quote;
    const to = ends[place] - quote;
    const copied = token === TOKEN.text ? COPIES.text : token === TOKEN.integer ? COPIES.integer : 0;
    if ((copies[n] & copied) !== 0 && to - from <= plainText && to <= lastCopied && !(to - from === 2 && b[from] === 45)) {
      copyColumn(sink, words, from, to, token === TOKEN.text ? TAG.text : TAG.number);
      continue;
    }
    const kind = writeOther(sink, row, place, b, full, mySql);
    if (kind === MARK.known) continue;
    if (!marked) marks.fill(MARK.known, 0, order.length);
    marked = true;
    marks[n] = kind;
  }
  return marked ? variant(row.shape.plan, context) : row.shape.plan.layout;
}

/** Header and bytes of a short value that is as it stands. Written by whole words: up to three bytes behind it are no part of it. */
function copyColumn(sink: Sink, words: DataView, from: number, to: number, tag: number): void {
  const length = to - from;
  reserve(sink, length + 8);
  const out = sink.words;
  const at = sink.at + 4;
  out.setInt32(at - 4, (length << 8) | tag, true);
  for (let i = 0; i < length; i += 4) out.setInt32(at + i, words.getInt32(from + i, true), true);
  sink.at = at + length;
}

/** Header and bytes of any value; what is not known is left out. Returns its mark. */
function writeOther(sink: Sink, row: RowReader, place: number, b: Buffer, full: boolean, mySql: boolean): number {
  const rule = row.shape.plan.rules[place];
  const at = sink.at;
  writing.column = rule.column;
  reserve(sink, 4);
  sink.at = at + 4;
  const tag = isZeroDate(row, place, rule, b, mySql) ? UNAVAILABLE : writeColumn(sink, rule, row.tokens[place], b, row.starts[place], row.ends[place]);
  if (tag === UNAVAILABLE || (tag === TAG.placeholder && !full)) {
    sink.at = at;
    writing.column = '';
    return MARK.unavailable;
  }
  const length = sink.at - at - 4;
  if (length > 0xffffff) fail(-1, 'a value below 16 MiB', 'oversize');
  writing.column = '';
  sink.words.setInt32(at, (length << 8) | tag, true);
  return tag === TAG.placeholder ? MARK.placeholder : MARK.known;
}

function isZeroDate(row: RowReader, place: number, rule: ColumnRule, b: Buffer, mySql: boolean): boolean {
  if (!mySql || !rule.spec.notNull || row.tokens[place] !== TOKEN.integer) return false;
  return rule.spec.type <= TYPE.nanos && row.ends[place] - row.starts[place] === 1 && b[row.starts[place]] === 48;
}

function variant(plan: RowPlan, context: PairContext): Layout {
  const count = plan.order.length;
  search: for (const { marks: known, layout } of plan.variants) {
    for (let n = 0; n < count; n++) if (known[n] !== marks[n]) continue search;
    return layout;
  }
  const names = (...wanted: number[]): string[] =>
    [...plan.order].filter((_, n) => wanted.includes(marks[n])).map((place) => plan.rules[place].column);
  const layout = context.layout(names(MARK.known, MARK.placeholder), names(MARK.unavailable), names(MARK.placeholder));
  if (plan.variants.length >= compiledSchemas) plan.variants.length = 0;
  plan.variants.push({ marks: marks.slice(0, count), layout });
  return layout;
}
