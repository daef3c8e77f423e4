// One JSON value in its canonical form, by its column's type and the shape it has. Where the two disagree the shape is followed as far as
// it makes sense (a MariaDB side read with the schema of the PostgreSQL side): a boolean may be 1, an instant a count, a decimal a number.
import { beginPart, copyInto, createSink, endPart, writeAscii } from './sink.ts';
import type { Sink } from './sink.ts';
import { TAG, UNAVAILABLE } from './tags.ts';
import { SHAPE, TYPE } from './column-type.ts';
import type { TypeSpec } from './column-type.ts';
import type { Placeholder } from './placeholder.ts';
import type { Zone } from './zone.ts';
import { writeJson } from './json.ts';
import { unescape } from './text.ts';
import { writeBase64Decimal, writeDecimalAs, writeIntegerAs } from './typed-number.ts';
import { writeSet, writeTextAs } from './typed-text.ts';
import { scan, scanColon, scanValue, skipSpace, TOKEN } from '../formats/json-scan.ts';

const scratch: Sink = createSink(4096);

/** Writes the scanned value b[from, to) of kind `token`; returns its tag, or UNAVAILABLE (then what was written is to be dropped). */
export function writeTyped(
  sink: Sink, spec: TypeSpec, zone: Zone | undefined, placeholder: Placeholder, token: number, b: Buffer, from: number, to: number,
): number {
  switch (token) {
    case TOKEN.null: return TAG.null;
    case TOKEN.true: return writeBoolean(sink, spec, true);
    case TOKEN.false: return writeBoolean(sink, spec, false);
    case TOKEN.integer: return writeIntegerAs(sink, spec, zone, b, from, to);
    case TOKEN.decimal: return writeDecimalAs(sink, spec, b, from, to);
    case TOKEN.object: return writeObject(sink, spec, placeholder, b, from, to);
    case TOKEN.array: return writeArray(sink, spec, placeholder, b, from, to);
    default:
      if (to - from - 2 >= placeholder.shortest && placeholder.isText(b, from + 1, to - 1)) return writePlaceholder(sink, b, from + 1, to - 1);
      if (token === TOKEN.text) return writeTextAs(sink, spec, zone, b, from + 1, to - 1);
      scratch.at = 0;
      unescape(scratch, b, from + 1, to - 1);
      return writeTextAs(sink, spec, zone, scratch.bytes, 0, scratch.at);
  }
}

function writePlaceholder(sink: Sink, b: Buffer, from: number, to: number): number {
  copyInto(sink, b, from, to);
  return TAG.placeholder;
}

function writeBoolean(sink: Sink, spec: TypeSpec, value: boolean): number {
  if (spec.type === TYPE.text || spec.type === TYPE.char || spec.type === TYPE.json) {
    writeAscii(sink, String(value));
    return spec.type === TYPE.json ? TAG.json : TAG.text;
  }
  writeAscii(sink, value ? '1' : '0');
  return spec.type === TYPE.bits || spec.type === TYPE.bitsText ? TAG.bits : TAG.number;
}

function writeObject(sink: Sink, spec: TypeSpec, placeholder: Placeholder, b: Buffer, from: number, to: number): number {
  if (placeholder.isNested(b, from, to)) return writePlaceholder(sink, b, from, to);
  if (spec.type !== TYPE.json && writeVariableDecimal(sink, b, from, to)) return TAG.number;
  writeJson(sink, b, from, to);
  return TAG.json;
}

const SCALE = Buffer.from('"scale"');
const VALUE = Buffer.from('"value"');

/** `{"scale":2,"value":"AJY="}`, in either order. False (and nothing written) where the object is not that: nothing else has this shape. */
function writeVariableDecimal(sink: Sink, b: Buffer, from: number, to: number): boolean {
  let scale = NaN;
  let valueFrom = -1;
  let valueTo = -1;
  let p = skipSpace(b, from + 1, to);
  for (let n = 0; b[p] === 34; n++) {
    const isScale = isNamed(b, p, SCALE);
    if (n === 2 || (!isScale && !isNamed(b, p, VALUE))) return false;
    const at = scanColon(b, p + SCALE.length, to);
    p = scanValue(b, at, to, 0);
    if (isScale && scan.token === TOKEN.integer && p - at < 7) {
      scale = smallNumber(b, at, p);
    } else if (!isScale && scan.token === TOKEN.text) {
      valueFrom = at + 1;
      valueTo = p - 1;
    } else return false;
    p = skipSpace(b, p, to);
    if (b[p] === 44) p = skipSpace(b, p + 1, to);
  }
  return !Number.isNaN(scale) && valueFrom >= 0 && writeBase64Decimal(sink, b, valueFrom, valueTo, scale);
}

function smallNumber(b: Buffer, from: number, to: number): number {
  let value = 0;
  for (let p = b[from] === 45 ? from + 1 : from; p < to; p++) value = value * 10 + b[p] - 48;
  return b[from] === 45 ? -value : value;
}

function isNamed(b: Buffer, p: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) if (b[p + i] !== name[i]) return false;
  return true;
}

function writeArray(sink: Sink, spec: TypeSpec, placeholder: Placeholder, b: Buffer, from: number, to: number): number {
  if (placeholder.isNested(b, from, to)) return writePlaceholder(sink, b, from, to);
  if (spec.type === TYPE.json) {
    writeJson(sink, b, from, to);
    return TAG.json;
  }
  if (spec.type === TYPE.set) return writeSet(sink, JSON.parse(b.toString('utf8', from, to)) as readonly unknown[]);
  const items = spec.items ?? SHAPE;
  let p = skipSpace(b, from + 1, to);
  while (b[p] !== 93) {
    const at = p;
    p = scanValue(b, at, to, 0);
    const start = beginPart(sink);
    const length = beginPart(sink);
    const tag = writeTyped(sink, items, undefined, placeholder, scan.token, b, at, p);
    if (tag === UNAVAILABLE) return UNAVAILABLE;
    sink.bytes[start] = tag;
    endPart(sink, length);
    p = skipSpace(b, p, to);
    if (b[p] === 44) p = skipSpace(b, p + 1, to);
  }
  return TAG.array;
}
