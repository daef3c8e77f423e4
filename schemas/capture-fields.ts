// The names of a capture line's fields, as bits of a set. Forms 1 and 2 differ in two names only: `timestamp` is `ts`, `value` is `payload`.

export const TOPIC = 1;
export const PARTITION = 2;
export const OFFSET = 4;
export const TIMESTAMP = 8;
export const KEY = 16;
export const VALUE = 32;
export const HEADERS = 64;
export const KEY_BASE64 = 128;
export const VALUE_BASE64 = 256;
const UNKNOWN = 0;

const NAMES: readonly (readonly [string, number])[] = [
  ['key', KEY], ['topic', TOPIC], ['value', VALUE], ['ts', TIMESTAMP], ['offset', OFFSET], ['payload', VALUE], ['headers', HEADERS],
  ['partition', PARTITION], ['timestamp', TIMESTAMP], ['keyBase64', KEY_BASE64], ['valueBase64', VALUE_BASE64],
];
/** The names of each length, as bytes; an unknown field costs one look. */
const BY_LENGTH: readonly (readonly { bytes: Uint8Array; field: number }[])[] = Array.from({ length: 12 }, (_, length) =>
  NAMES.filter(([name]) => name.length === length).map(([name, field]) => ({ bytes: Buffer.from(name), field })));

/** The field of the name in `data[start, end)`; 0 for an unknown one. */
export function fieldOf(data: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length >= BY_LENGTH.length) return UNKNOWN;
  const names = BY_LENGTH[length];
  for (let i = 0; i < names.length; i++) {
    const { bytes, field } = names[i];
    let matched = 0;
    while (matched < length && bytes[matched] === data[start + matched]) matched++;
    if (matched === length) return field;
  }
  return UNKNOWN;
}
