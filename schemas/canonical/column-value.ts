// A column's value with all its rules: type, precision, equality, equations, mask; in this order, so that a masked value is masked in the
// form in which it would be compared.
import crypto from 'node:crypto';
import { copyInto, writeAscii, writeText } from './sink.ts';
import type { Sink } from './sink.ts';
import { TAG, UNAVAILABLE } from './tags.ts';
import { writeTyped } from './typed.ts';
import { writeWhole, writeDecimalText } from './number.ts';
import { scaled } from './time.ts';
import { foldText } from './text.ts';
import type { ColumnRule } from './column-rule.ts';
import { TOKEN } from '../formats/json-scan.ts';

/** Writes the canonical bytes of the scanned value b[from, to); returns the tag, or UNAVAILABLE (nothing is then written). */
export function writeColumn(sink: Sink, rule: ColumnRule, token: number, b: Buffer, from: number, to: number): number {
  if (rule.plain) {
    if (token === TOKEN.text && rule.copiesText) {
      copyInto(sink, b, from + 1, to - 1);
      const { placeholder } = rule;
      return to - from - 2 >= placeholder.shortest && placeholder.isText(b, from + 1, to - 1) ? TAG.placeholder : TAG.text;
    }
    if (token === TOKEN.integer && rule.copiesInteger) {
      writeWhole(sink, b, from, to);
      return TAG.number;
    }
    if (token === TOKEN.null) return TAG.null;
  }
  const start = sink.at;
  const tag = writeTyped(sink, rule.spec, rule.zone, rule.placeholder, token, b, from, to);
  if (tag === UNAVAILABLE) sink.at = start;
  return rule.plain || tag === UNAVAILABLE || tag === TAG.placeholder ? tag : applyRules(sink, rule, start, tag);
}

function applyRules(sink: Sink, rule: ColumnRule, start: number, tag: number): number {
  if (rule.precision >= 0) round(sink, rule, start, tag);
  if (rule.equality !== 'bytes' && tag === TAG.text) {
    const folded = foldText(sink.bytes.toString('utf8', start, sink.at), rule.equality);
    sink.at = start;
    writeText(sink, folded);
  }
  for (const { from, to } of rule.equate) {
    if (from.tag !== tag || from.bytes.compare(sink.bytes, start, sink.at) !== 0) continue;
    sink.at = start;
    copyInto(sink, to.bytes, 0, to.bytes.length);
    tag = to.tag;
    break;
  }
  return rule.mask === undefined || tag === TAG.null ? tag : maskValue(sink, rule, rule.mask, start, tag);
}

/** Hex digits of a mask: 64 bits of the keyed hash. NULL is not masked: that a value is missing says nothing of it. */
const MASK_DIGITS = 16;

function maskValue(sink: Sink, rule: ColumnRule, key: Buffer, start: number, tag: number): number {
  const message = Buffer.concat([key, Buffer.from(rule.column), Buffer.of(tag), sink.bytes.subarray(start, sink.at)]);
  // What stood there must not stay behind the end either: the buffer is written over by length only.
  sink.bytes.fill(0, start, sink.at);
  sink.at = start;
  writeAscii(sink, crypto.hash('sha256', message, 'hex').slice(0, MASK_DIGITS));
  return TAG.masked;
}

function round(sink: Sink, rule: ColumnRule, start: number, tag: number): void {
  if (tag !== TAG.number && tag !== TAG.time && tag !== TAG.duration) return;
  const text = sink.bytes.toString('latin1', start, sink.at);
  const rounded = roundText(text, tag, rule.precision, rule.halfUp);
  if (rounded === text) return;
  sink.at = start;
  writeDecimalText(sink, rounded);
}

/**
 * Canonical decimal text cut or rounded to `precision` digits (of the number, or of the second of a time). Moments are cut towards the past,
 * as engines cut their fraction; numbers and durations towards zero.
 */
export function roundText(text: string, tag: number, precision: number, halfUp: boolean): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const digits = tag === TAG.number ? precision : precision - 6;
  const places = Math.max(text.includes('.') ? text.length - text.indexOf('.') - 1 : 0, digits, 0);
  const value = scaled(text, places);
  const unit = 10n ** BigInt(places - digits);
  const magnitude = value < 0n ? -value : value;
  const half = halfUp ? unit / 2n : 0n;
  let count: bigint;
  if (tag !== TAG.time) count = ((magnitude + half) / unit) * (value < 0n ? -1n : 1n);
  else count = value + half >= 0n ? (value + half) / unit : -((-(value + half) + unit - 1n) / unit);
  return `${count * unit}E-${places}`;
}
