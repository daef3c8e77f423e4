// What is done with a column of one side: its name on the other side, its type, and the user's rules. Compiled once per column and schema.
import { namedType, schemaType, SHAPE, TYPE } from './column-type.ts';
import type { TypeSpec } from './column-type.ts';
import { createPlaceholder } from './placeholder.ts';
import type { Placeholder } from './placeholder.ts';
import { createSink } from './sink.ts';
import { UNAVAILABLE } from './tags.ts';
import { writeTyped } from './typed.ts';
import { zoneOf } from './zone.ts';
import type { Zone } from './zone.ts';
import { TOKEN } from '../formats/json-scan.ts';
import { sideOf } from '../pair.ts';
import type { ColumnType, ConnectSchema, PairSettings } from '../pair.ts';
import type { Side } from '../change-event.ts';

export interface ColumnRule {
  /** The column's name on the source, present spelling. */
  readonly column: string;
  /** The same in UTF-8, as it stands in keys. */
  readonly columnBytes: Buffer;
  /** Whether it stands in the image: not ignored and not an origin. */
  readonly compared: boolean;
  readonly spec: TypeSpec;
  readonly zone: Zone | undefined;
  readonly placeholder: Placeholder;
  /** No rule but the type: text and whole numbers of such columns are copied. */
  readonly plain: boolean;
  readonly copiesText: boolean;
  readonly copiesInteger: boolean;
  /** Digits behind the second's (or number's) point, -1 where none are declared or `either` rounding is allowed. */
  readonly precision: number;
  readonly halfUp: boolean;
  readonly equality: 'bytes' | 'ci' | 'nfc';
  readonly equate: readonly Equation[];
  readonly mask: Buffer | undefined;
}

/** On the target: a value that stands for another one of the source. */
export interface Equation { readonly from: Literal; readonly to: Literal }
export interface Literal { readonly tag: number; readonly bytes: Buffer }

/** Makes the rules of one side. `field`: what the record's own schema says of the column. */
export type RuleFactory = (name: string, field: ConnectSchema | undefined, inKey: boolean) => ColumnRule;

export function createRuleFactory(settings: PairSettings, side: Side): RuleFactory {
  const columns = settings.columns;
  const own = sideOf(settings, side);
  const placeholder = createPlaceholder(own.unavailablePlaceholder);
  const rename = renames(settings, side);
  const hidden = new Set([...columns.ignore, ...originColumns(settings)]);
  const schemas = {
    value: fieldsOf(rowSchema(own.valueSchema)),
    key: fieldsOf(own.keySchema),
    other: fieldsOf(rowSchema(sideOf(settings, side === 'source' ? 'target' : 'source').valueSchema)),
  };
  const otherRename = renames(settings, side === 'source' ? 'target' : 'source');

  /** The other side's type of the column: of use only where nothing else tells one. */
  function lent(column: string): ConnectSchema | undefined {
    for (const [name, field] of schemas.other) if ((otherRename.get(name) ?? name) === column) return field;
    return undefined;
  }

  return (name, field, inKey) => {
    const column = rename.get(name) ?? name;
    const declared = Object.hasOwn(columns.types, column) ? columns.types[column] : undefined;
    const schema = field ?? (inKey ? schemas.key.get(name) : undefined) ?? schemas.value.get(name)
      ?? (declared === undefined ? lent(column) : undefined);
    const masked = columns.mask.includes(name) || columns.mask.includes(column);
    return compile(column, {
      spec: specOf(column, declared, side, schema),
      declared, side, placeholder,
      compared: !hidden.has(name) && !hidden.has(column),
      mask: masked ? Buffer.from(columns.maskKey, 'hex') : undefined,
    });
  };
}

interface Parts {
  readonly spec: TypeSpec;
  readonly declared: ColumnType | undefined;
  readonly side: Side;
  readonly placeholder: Placeholder;
  readonly compared: boolean;
  readonly mask: Buffer | undefined;
}

function compile(column: string, { spec, declared, side, placeholder, compared, mask }: Parts): ColumnRule {
  const precision = declared?.precision !== undefined && declared.rounding !== 'either' ? declared.precision : -1;
  const equality = declared?.equality ?? 'bytes';
  const equate = side === 'target' && declared !== undefined ? equations(column, declared, placeholder) : [];
  const { type } = spec;
  return {
    column, columnBytes: Buffer.from(column), compared, spec, placeholder, precision, equality, equate, mask,
    zone: zoneFor(declared, side),
    halfUp: declared?.rounding === 'half-up',
    plain: precision < 0 && equality === 'bytes' && equate.length === 0 && mask === undefined,
    copiesText: type === TYPE.shape || type === TYPE.text || type === TYPE.enumeration,
    copiesInteger: type === TYPE.shape || type === TYPE.int || type === TYPE.decimal || type === TYPE.variableDecimal,
  };
}

/** The declared type, completed by what only a schema knows (scale, length, labels, that a string is base64). */
function specOf(column: string, declared: ColumnType | undefined, side: Side, schema: ConnectSchema | undefined): TypeSpec {
  const known = schema === undefined ? SHAPE : schemaType(schema);
  if (declared === undefined) return known;
  const named = namedType(declared[side]);
  if (named === undefined) throw new Error(`column ${column}: there is no type ${declared[side]}`);
  // One side of single precision: both are compared in it (a FLOAT widened on its way to a DOUBLE).
  const single = namedType(declared.source)?.type === TYPE.float32 || namedType(declared.target)?.type === TYPE.float32;
  if (single) return { ...named, type: TYPE.float32 };
  return {
    ...named,
    scale: Number.isNaN(named.scale) ? known.scale : named.scale,
    length: named.length === 0 ? known.length : named.length,
    labels: named.labels ?? known.labels,
    binary: known.binary && (known.type === named.type || known.type === TYPE.bytes),
    notNull: known.notNull,
  };
}

const WALL: ReadonlySet<number> = new Set([TYPE.millis, TYPE.micros, TYPE.nanos, TYPE.datetime]);

/** Two wall clocks of one zone are compared as they stand: an hour that occurs twice must not become one. */
function zoneFor(declared: ColumnType | undefined, side: Side): Zone | undefined {
  if (declared === undefined) return undefined;
  const name = side === 'source' ? declared.sourceZone : declared.targetZone;
  if (name === undefined) return undefined;
  const wall = (type: string): boolean => WALL.has(namedType(type)?.type ?? -1);
  if (declared.sourceZone === declared.targetZone && wall(declared.source) && wall(declared.target)) return undefined;
  return zoneOf(name);
}

function equations(column: string, declared: ColumnType, placeholder: Placeholder): Equation[] {
  return declared.equate.map(({ source, target }) => ({
    from: literal(target, specOf(column, declared, 'target', undefined), zoneFor(declared, 'target'), placeholder),
    to: literal(source, specOf(column, declared, 'source', undefined), zoneFor(declared, 'source'), placeholder),
  }));
}

function literal(text: string | null, spec: TypeSpec, zone: Zone | undefined, placeholder: Placeholder): Literal {
  const json = Buffer.from(JSON.stringify(text));
  const sink = createSink(256);
  const tag = writeTyped(sink, spec, zone, placeholder, text === null ? TOKEN.null : TOKEN.escaped, json, 0, json.length);
  if (tag === UNAVAILABLE) throw new Error('a literal in `equate` cannot be known by its type');
  return { tag, bytes: sink.bytes.subarray(0, sink.at) };
}

/** Names of a side to present source names: the target's by `rename`, the source's earlier ones. */
export function renames(settings: PairSettings, side: Side): Map<string, string> {
  const names = new Map<string, string>();
  for (const [target, sources] of Object.entries(settings.columns.rename)) {
    const present = sources[sources.length - 1];
    if (side === 'target') names.set(target, present);
    else for (const earlier of sources) names.set(earlier, present);
  }
  return names;
}

/** Columns that carry the origin are never compared (ruling 9); those of a version are. */
function originColumns(settings: PairSettings): string[] {
  if (settings.match.by !== 'origin') return [];
  return [...settings.match.source, ...settings.match.target].filter((path) => /^(after|before)\./.test(path)).map((path) => path.slice(path.indexOf('.') + 1));
}

/** The row's schema in an envelope's: that of `after`. A schema without one is a row's own. */
export function rowSchema(schema: ConnectSchema | undefined): ConnectSchema | undefined {
  return schema?.fields?.find((field) => field.field === 'after') ?? schema?.fields?.find((field) => field.field === 'before') ?? schema;
}

export function fieldsOf(schema: ConnectSchema | undefined): Map<string, ConnectSchema> {
  return new Map((schema?.fields ?? []).map((field) => [field.field ?? '', field]));
}
