// How a field of a record goes to a protobuf message and back. A record's codec is a table of these, in the order in which the JSON form
// prints its fields; the compiler asks for every field of the record's type.
//
// Default values (empty text, 0, false, no elements) are not written, as every other protobuf library does it: equal records are equal bytes.
import { daysFromCivil } from './calendar.ts';
import { formatDay } from './time.ts';

export interface Field {
  /** Undefined: not written. Throws TypeError for a value that the field cannot hold. */
  toWire(value: unknown): unknown;
  /** `value` is undefined where the wire has none. Throws TypeError for a value that the record's type does not allow. */
  fromWire(value: unknown): unknown;
  /** Left out of the record where the wire has none. */
  readonly optional?: true;
}

export type Fields<T> = { readonly [K in keyof T]-?: Field };

/** A text; the wire is UTF-8, a lone surrogate becomes U+FFFD. */
export const text: Field = {
  toWire: (value) => (check(typeof value === 'string', 'a text', value), value === '' ? undefined : value),
  fromWire: (value) => value ?? '',
};

export const flag: Field = {
  toWire: (value) => (check(typeof value === 'boolean', 'a boolean', value), value === true ? true : undefined),
  fromWire: (value) => value ?? false,
};

export const int32: Field = {
  toWire: (value) => (check(typeof value === 'number' && (value | 0) === value, 'an int32', value), value === 0 ? undefined : value),
  fromWire: (value) => value ?? 0,
};

/** A decimal string in the record. */
export const int64: Field = {
  toWire: (value) => (value === '0' ? undefined : longOf(value)),
  fromWire: (value) => (value === undefined ? '0' : String(value)),
};

/** Base64 in the record, bytes on the wire, as the JSON mapping has it. */
export const base64: Field = {
  toWire: (value) => {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
    check(bytes?.toString('base64') === value, 'base64', value);
    return bytes;
  },
  fromWire: (value) => Buffer.from((value ?? []) as Uint8Array).toString('base64'),
};

/** RFC 3339 with microseconds, or an empty text for a time that is not known: no timestamp. */
export const time: Field = {
  toWire: (value) => (value === '' ? undefined : timestampOf(value)),
  fromWire: (value) => (value === undefined ? '' : timeText(value as { seconds: unknown; nanos: number })),
};

/** A word of a closed list; the wire has it as text. */
export function word(words: readonly string[]): Field {
  const known = (value: unknown): unknown => (check(words.includes(value as string), `one of ${words.join(', ')}`, value), value);
  return { toWire: known, fromWire: (value) => known(value ?? '') };
}

export function list(element: Field): Field {
  return {
    toWire: (value) => {
      check(Array.isArray(value), 'a list', value);
      // An element is written even if it is the default.
      return value.length === 0 ? undefined : value.map((item) => element.toWire(item) ?? element.fromWire(undefined));
    },
    fromWire: (value) => ((value ?? []) as unknown[]).map((item) => element.fromWire(item)),
  };
}

/** Left out where there is none. Unlike a plain field it is written even if it is the default. */
export function optional(field: Field, presence: unknown): Field {
  return { toWire: (value) => field.toWire(value) ?? presence, fromWire: (value) => field.fromWire(value), optional: true };
}

/** A message of its own; empty where the wire has none. */
export function nested<T extends object>(fields: Fields<T>): Field {
  return { toWire: (value) => toMessage(fields, value), fromWire: (value) => fromMessage(fields, value ?? {}) };
}

export function toMessage<T extends object>(fields: Fields<T>, record: unknown): Record<string, unknown> {
  check(typeof record === 'object' && record !== null, 'an object', record);
  const table: Readonly<Record<string, Field>> = fields;
  for (const name of Object.keys(record)) if (!Object.hasOwn(table, name)) throw new TypeError(`the record has a field "${name}" that its schema has not`);
  const message: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    const value = (record as Record<string, unknown>)[name];
    if (value === undefined && table[name].optional === true) continue;
    const wire = inField(name, () => table[name].toWire(value));
    if (wire !== undefined) message[name] = wire;
  }
  return message;
}

export function fromMessage<T extends object>(fields: Fields<T>, message: unknown): Record<string, unknown> {
  const table: Readonly<Record<string, Field>> = fields;
  const record: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    // The generated message has null or a default on its prototype where the wire had nothing.
    const wire = Object.hasOwn(message as object, name) ? (message as Record<string, unknown>)[name] ?? undefined : undefined;
    if (wire === undefined && table[name].optional === true) continue;
    const value = inField(name, () => table[name].fromWire(wire));
    if (value !== undefined || table[name].optional !== true) record[name] = value;
  }
  return record;
}

function inField<T>(name: string, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw new TypeError(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
  }
}

/** Says what was expected and of what type the value is; never the value, which may be a row's. */
export function check(ok: boolean, expected: string, value: unknown): asserts ok {
  if (!ok) throw new TypeError(`not ${expected} (${value === null ? 'null' : typeof value})`);
}

/** What protobufjs takes as an int64. */
function longOf(value: unknown): { low: number; high: number; unsigned: false } {
  check(typeof value === 'string' && /^(0|-?[1-9]\d*)$/.test(value), 'a decimal integer', value);
  const number = BigInt(value);
  check(BigInt.asIntN(64, number) === number, 'a 64-bit integer', value);
  return { low: Number(BigInt.asIntN(32, number)), high: Number(BigInt.asIntN(32, number >> 32n)), unsigned: false };
}

const TIME = /^(\d{4}|[+-]\d{6,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z$/;

/** Seconds are floored, so that nanos are never negative. */
function timestampOf(value: unknown): { seconds?: unknown; nanos?: number } {
  const parts = typeof value === 'string' ? TIME.exec(value) : null;
  check(parts !== null, 'a time with microseconds', value);
  const [year, month, day, hours, minutes, wholeSeconds, micros] = parts.slice(1).map(Number);
  const seconds = (daysFromCivil(year, month, day) * 24 + hours) * 3600 + minutes * 60 + wholeSeconds;
  check(timeOf(seconds, micros) === value, 'a time of the calendar', value);
  return { ...(seconds === 0 ? {} : { seconds: longOf(String(seconds)) }), ...(micros === 0 ? {} : { nanos: micros * 1000 }) };
}

function timeText(timestamp: { seconds: unknown; nanos: number }): string {
  return timeOf(Number(timestamp.seconds), Math.floor(timestamp.nanos / 1000));
}

function timeOf(seconds: number, micros: number): string {
  const day = Math.floor(seconds / 86_400);
  const inDay = seconds - day * 86_400;
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${formatDay(day)}T${two(Math.floor(inDay / 3600))}:${two(Math.floor(inDay / 60) % 60)}:${two(inDay % 60)}.${String(micros).padStart(6, '0')}Z`;
}
