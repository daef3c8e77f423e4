// Which form a capture file has, told by its first line that is a JSON object (product.md §4).
import { fieldOf, KEY, KEY_BASE64, OFFSET, PARTITION, TIMESTAMP, TOPIC, VALUE, VALUE_BASE64 } from './capture-fields.ts';
import { newScan, skipSpace, skipString, skipValue } from './capture-json.ts';

/** `records`: forms 1 and 2. `events`: form 3. */
export type CaptureForm = 'records' | 'events';

/** The form of a line, or undefined where it is no JSON object: then the next line tells. Changes nothing. */
export function formOfLine(data: Uint8Array, start: number, end: number): CaptureForm | undefined {
  const first = skipSpace(data, start);
  const last = data[first] === 0x7b ? skipValue(scan, data, first, 0) : -1;
  if (last < 0 || skipSpace(data, last) < end) return undefined;
  const fields = fieldsOf(data, first);
  const hasValue = (fields & (VALUE | VALUE_BASE64)) !== 0;
  const hasKey = (fields & (KEY | KEY_BASE64)) !== 0;
  // A record that lacks a field is still a record, and an error; a row of a table with a column `offset` is none.
  const placed = (fields & (PARTITION | TOPIC)) !== 0 || (hasValue && (hasKey || (fields & TIMESTAMP) !== 0));
  const isRecord = (fields & OFFSET) !== 0 ? placed : (fields & PARTITION) !== 0 && (hasValue || hasKey);
  return isRecord ? 'records' : 'events';
}

const scan = newScan();

/** The names at the top of an object that is known to be JSON; partition and offset count only as numbers. */
function fieldsOf(data: Uint8Array, start: number): number {
  let fields = 0;
  let p = skipSpace(data, start + 1);
  while (data[p] === 0x22) {
    const end = skipString(scan, data, p);
    const field = fieldOf(data, p + 1, end - 1);
    p = skipSpace(data, skipSpace(data, end) + 1);
    if ((field !== OFFSET && field !== PARTITION) || (data[p] >= 0x30 && data[p] <= 0x39)) fields |= field;
    p = skipSpace(data, skipValue(scan, data, p, 0));
    if (data[p] === 0x2c) p = skipSpace(data, p + 1);
  }
  return fields;
}
