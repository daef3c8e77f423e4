// Headers of a capture line, read only when one is asked for: `[["k","v"],…]`, or flat as kcat prints them: `["k","v",…]`. The list is known
// to be JSON; what is not of these shapes in it is passed over.
import { newScan, skipNull, skipSpace, skipValue } from '../../schemas/capture-json.ts';
import { readString } from '../../schemas/capture-text.ts';

/** The value of the last header of that name; undefined where there is none or it is null. `data[start]` is the opening bracket. */
export function lastHeader(data: Buffer, start: number, name: Buffer): Buffer | undefined {
  let found = -1;
  let p = skipSpace(data, start + 1);
  while (data[p] !== CLOSE_ARRAY) {
    const nested = data[p] === OPEN_ARRAY;
    const nameAt = nested ? skipSpace(data, p + 1) : p;
    const valueAt = afterComma(data, skipValue(scan, data, nameAt, 0));
    if (valueAt < 0) break;
    if (data[valueAt] !== CLOSE_ARRAY && isText(data, nameAt, name)) found = valueAt;
    p = afterComma(data, nested ? skipValue(scan, data, p, 0) : skipValue(scan, data, valueAt, 0));
    if (p < 0) break;
  }
  return found < 0 || skipNull(data, found) > 0 || data[found] !== QUOTE ? undefined : textAt(data, found);
}

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const scan = newScan();

/** The index of what follows a comma, or of the closing bracket; -1 where neither is there. */
function afterComma(data: Buffer, at: number): number {
  if (at < 0) return -1;
  const p = skipSpace(data, at);
  if (data[p] === 0x2c) return skipSpace(data, p + 1);
  return data[p] === CLOSE_ARRAY ? p : -1;
}

function isText(data: Buffer, at: number, name: Buffer): boolean {
  if (data[at] !== QUOTE) return false;
  const end = at + 1 + name.length;
  if (data[end] === QUOTE && name.compare(data, at + 1, end) === 0) return true;
  return data.subarray(at, skipValue(scan, data, at, 0)).includes(0x5c) && textAt(data, at).equals(name);
}

/** The string at `at`, unescaped in a copy. */
function textAt(data: Buffer, at: number): Buffer {
  const copy = Buffer.concat([data.subarray(at, skipValue(scan, data, at, 0)), NEWLINE]);
  readString(scan, copy, 0);
  return copy.subarray(scan.textStart, scan.textEnd);
}

const NEWLINE = Buffer.from('\n');
