// Column types: those a user names (product.md §2) and those a Kafka Connect schema carries, in one vocabulary.
import type { ConnectSchema } from '../pair.ts';

export const TYPE = {
  /** By the shape of the JSON value. */
  shape: 0,
  int: 1, uint32: 2, uint64: 3, float32: 4, float64: 5,
  /** Decimal text, a number, or base64 where `scale` is known. */
  decimal: 6,
  /** `{"scale":…,"value":…}`. */
  variableDecimal: 7,
  boolean: 8, text: 9, char: 10, json: 11, enumeration: 12, set: 13, bits: 14, bitsText: 15, bytes: 16, uuid: 17,
  date: 18, millis: 19, micros: 20, nanos: 21,
  /** Text of a zone-less wall clock, and of an instant. */
  datetime: 22, instant: 23,
  timeMillis: 24, timeMicros: 25, timeNanos: 26, interval: 27,
  array: 28,
} as const;

export interface TypeSpec {
  readonly type: number;
  /** Decimal scale; NaN where none is known. */
  readonly scale: number;
  /** Bits of a bit string, 0 where none is known. */
  readonly length: number;
  /** Labels of an enumeration in order; undefined where they are not declared. */
  readonly labels: readonly string[] | undefined;
  readonly items: TypeSpec | undefined;
  /** The schema says BYTES: a string is base64, whatever else it could be. */
  readonly binary: boolean;
  /** The schema says NOT NULL of a date or time (MySQL's zero date then arrives as 0). */
  readonly notNull: boolean;
}

const PLAIN: TypeSpec = { type: TYPE.shape, scale: NaN, length: 0, labels: undefined, items: undefined, binary: false, notNull: false };
export const SHAPE: TypeSpec = PLAIN;

const NAMES: Readonly<Record<string, number>> = {
  int64: TYPE.int, uint32: TYPE.uint32, uint64: TYPE.uint64, float32: TYPE.float32, float64: TYPE.float64, decimal: TYPE.decimal,
  boolean: TYPE.boolean, text: TYPE.text, char: TYPE.char, json: TYPE.json, enum: TYPE.enumeration, set: TYPE.set, bits: TYPE.bits,
  'bits-text': TYPE.bitsText, bytes: TYPE.bytes, uuid: TYPE.uuid, 'date-days': TYPE.date, 'date-text': TYPE.date,
  'timestamp-millis': TYPE.millis, 'timestamp-micros': TYPE.micros, 'timestamp-nanos': TYPE.nanos, 'datetime-text': TYPE.datetime,
  'instant-text': TYPE.instant, 'time-micros': TYPE.timeMicros, 'time-text': TYPE.timeMicros, 'interval-micros': TYPE.interval,
  'interval-text': TYPE.interval,
};

/** The type of a name as a user writes it: `decimal(12,2)`, `enum(a,b)`. Undefined where there is none of that name. */
export function namedType(name: string): TypeSpec | undefined {
  const parts = /^([a-z0-9-]+)(?:\((.*)\))?$/.exec(name.trim());
  if (parts === null || !Object.hasOwn(NAMES, parts[1])) return undefined;
  const type = NAMES[parts[1]];
  const inside = parts[2];
  if (inside === undefined) return { ...PLAIN, type };
  if (type === TYPE.enumeration) return { ...PLAIN, type, labels: inside.split(',').map((label) => label.trim().replace(/^'(.*)'$/, '$1')) };
  const numbers = inside.split(',').map((part) => Number(part));
  if (numbers.some((n) => !Number.isInteger(n) || n < 0)) return undefined;
  if (type === TYPE.decimal) return { ...PLAIN, type, scale: numbers[1] ?? 0 };
  if (type === TYPE.char || type === TYPE.bits) return { ...PLAIN, type, length: numbers[0] };
  return undefined;
}

const SEMANTIC: Readonly<Record<string, number>> = {
  'io.debezium.time.Date': TYPE.date, 'io.debezium.time.IsoDate': TYPE.date, 'org.apache.kafka.connect.data.Date': TYPE.date,
  'io.debezium.time.Timestamp': TYPE.millis, 'org.apache.kafka.connect.data.Timestamp': TYPE.millis,
  'io.debezium.time.MicroTimestamp': TYPE.micros, 'io.debezium.time.NanoTimestamp': TYPE.nanos,
  'io.debezium.time.ZonedTimestamp': TYPE.instant, 'io.debezium.time.IsoTimestamp': TYPE.datetime,
  'io.debezium.time.Time': TYPE.timeMillis, 'org.apache.kafka.connect.data.Time': TYPE.timeMillis,
  'io.debezium.time.MicroTime': TYPE.timeMicros, 'io.debezium.time.NanoTime': TYPE.timeNanos,
  'io.debezium.time.ZonedTime': TYPE.timeMicros, 'io.debezium.time.IsoTime': TYPE.timeMicros,
  'io.debezium.time.Interval': TYPE.interval, 'io.debezium.time.MicroDuration': TYPE.interval,
  'io.debezium.time.NanoDuration': TYPE.timeNanos,
  'org.apache.kafka.connect.data.Decimal': TYPE.decimal, 'io.debezium.data.VariableScaleDecimal': TYPE.variableDecimal,
  'io.debezium.data.Bits': TYPE.bits, 'io.debezium.data.Enum': TYPE.enumeration, 'io.debezium.data.EnumSet': TYPE.set,
  'io.debezium.data.Json': TYPE.json, 'io.debezium.data.Uuid': TYPE.uuid,
};

const PHYSICAL: Readonly<Record<string, number>> = {
  int8: TYPE.int, int16: TYPE.int, int32: TYPE.int, int64: TYPE.int, float: TYPE.float32, double: TYPE.float64, float32: TYPE.float32,
  float64: TYPE.float64, boolean: TYPE.boolean, string: TYPE.text, bytes: TYPE.bytes, array: TYPE.array,
};

/** The type that a Connect schema gives a field. Structs and maps without a meaning of their own are compared as JSON. */
export function schemaType(schema: ConnectSchema): TypeSpec {
  const name = schema.name ?? '';
  const type = Object.hasOwn(SEMANTIC, name) ? SEMANTIC[name] : Object.hasOwn(PHYSICAL, schema.type) ? PHYSICAL[schema.type] : TYPE.shape;
  const parameters = schema.parameters ?? {};
  const scale = Number(parameters['scale'] ?? NaN);
  return {
    type,
    scale: type === TYPE.decimal && Number.isInteger(scale) && Math.abs(scale) <= 100_000 ? scale : NaN,
    length: type === TYPE.bits ? Number(parameters['length'] ?? 0) || 0 : 0,
    labels: type === TYPE.enumeration ? parameters['allowed']?.split(',') : undefined,
    items: type === TYPE.array && schema.items !== undefined ? schemaType(schema.items) : undefined,
    binary: schema.type === 'bytes',
    notNull: schema.optional !== true && type >= TYPE.date && type <= TYPE.nanos && schema.type !== 'string',
  };
}
