// Whether two canonical values of a column are equal. Their bytes tell, except where the rule allows either way of rounding.
import { roundText } from './column-value.ts';
import { TAG } from './tags.ts';
import type { PairContext } from '../decoder.ts';
import type { ColumnType } from '../pair.ts';

/** Compares a source value (A) with a target value (B) of the column, by its source name. */
export function compareColumn(context: PairContext, columnName: string, tagA: number, bytesA: Buffer, tagB: number, bytesB: Buffer): boolean {
  if (tagA === TAG.placeholder || tagB === TAG.placeholder || tagA !== tagB) return false;
  if (bytesA.equals(bytesB)) return true;
  const types = context.settings.columns.types;
  const rule = Object.hasOwn(types, columnName) ? types[columnName] : undefined;
  return rule?.rounding === 'either' && rule.precision !== undefined && isNumeric(tagA) && roundsTo(rule, tagA, bytesA, bytesB);
}

/** The same for values in row images: their headers (tag, length) stand at `sourceAt` and `targetAt`. */
export function columnEquality(context: PairContext): (name: string, source: Buffer, sourceAt: number, target: Buffer, targetAt: number) => boolean {
  const anyRounding = Object.values(context.settings.columns.types).some((rule) => rule.rounding === 'either');
  return (name, source, sourceAt, target, targetAt) => {
    const header = source.readInt32LE(sourceAt);
    const length = header >>> 8;
    const sourceEnd = sourceAt + 4 + length;
    if ((header & 255) === TAG.placeholder) return false;
    if (header === target.readInt32LE(targetAt) && source.compare(target, targetAt + 4, targetAt + 4 + length, sourceAt + 4, sourceEnd) === 0) return true;
    if (!anyRounding) return false;
    const other = target.subarray(targetAt + 4, targetAt + 4 + (target.readInt32LE(targetAt) >>> 8));
    return compareColumn(context, name, header & 255, source.subarray(sourceAt + 4, sourceEnd), target[targetAt], other);
  };
}

function isNumeric(tag: number): boolean {
  return tag === TAG.number || tag === TAG.time || tag === TAG.duration;
}

/** One side holds the other's value, cut or rounded to the precision. */
function roundsTo(rule: ColumnType, tag: number, a: Buffer, b: Buffer): boolean {
  const texts = [a.toString('latin1'), b.toString('latin1')];
  const forms = texts.map((text) => [false, true].map((halfUp) => roundText(text, tag, rule.precision ?? 0, halfUp)));
  const kept = texts.map((text) => roundText(text, tag, rule.precision ?? 0, false));
  const held = texts.map((text) => sameNumber(text, roundText(text, tag, rule.precision ?? 0, false)));
  return (held[1] && forms[0].includes(kept[1])) || (held[0] && forms[1].includes(kept[0]));
}

function sameNumber(text: string, rounded: string): boolean {
  const [count, places] = rounded.split('E-');
  if (places === undefined) return text === rounded;
  const fraction = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  const n = Number(places);
  return fraction <= n && BigInt(text.replace('.', '') + '0'.repeat(n - fraction)) === BigInt(count);
}
