// Properties of canonical forms over generated values: each against a slow independent way of saying the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSink, writeInteger } from '../../../schemas/canonical/sink.ts';
import { writeDecimal, writeFloat, writeUnscaled } from '../../../schemas/canonical/number.ts';
import { writeBase64 } from '../../../schemas/canonical/base64.ts';
import { writeJsonText } from '../../../schemas/canonical/json.ts';
import { unescape } from '../../../schemas/canonical/text.ts';
import { civilFromDays, daysFromCivil } from '../../../schemas/calendar.ts';
import { writeMoment } from '../../../schemas/canonical/time.ts';
import { printValue } from '../../../schemas/canonical/print.ts';
import { TAG } from '../../../schemas/canonical/tags.ts';
import { wallToUtc, zoneOf } from '../../../schemas/canonical/zone.ts';
import { roundText } from '../../../schemas/canonical/column-value.ts';

function written(write: (sink: ReturnType<typeof createSink>) => void, size = 16): string {
  const sink = createSink(size);
  write(sink);
  return sink.bytes.toString('utf8', 0, sink.at);
}

function decimal(text: string): string {
  const b = Buffer.from(`9${text}9`);
  return written((sink) => assert.ok(writeDecimal(sink, b, 1, b.length - 1)));
}

/** A coefficient and a power of ten, and all ways to spell them that we know. */
const numbers = fc.record({ coefficient: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), exponent: fc.integer({ min: -90, max: 90 }) });

function plain(coefficient: bigint, exponent: number): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = String(coefficient < 0n ? -coefficient : coefficient);
  if (exponent >= 0) return `${sign}${digits}${'0'.repeat(exponent)}`;
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

test('every spelling of a number is one text, and different numbers are different texts', () => {
  fc.assert(fc.property(numbers, numbers, (a, b) => {
    const text = decimal(plain(a.coefficient, a.exponent));
    assert.equal(decimal(`${a.coefficient}E${a.exponent}`), text);
    assert.equal(decimal(`${a.coefficient}000e${a.exponent - 3}`), text);
    assert.equal(decimal(text), text, 'idempotent');
    const shift = Math.min(a.exponent, b.exponent);
    const equal = a.coefficient * 10n ** BigInt(a.exponent - shift) === b.coefficient * 10n ** BigInt(b.exponent - shift);
    assert.equal(decimal(plain(b.coefficient, b.exponent)) === text, equal);
  }), { numRuns: 500 });
});

test('unscaled bytes are their number', () => {
  fc.assert(fc.property(fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }), fc.integer({ min: -20, max: 40 }), (value, scale) => {
    let hex = BigInt.asUintN(112, value).toString(16).padStart(28, '0');
    while (hex.length > 2 && ((hex.startsWith('00') && parseInt(hex[2], 16) < 8) || (hex.startsWith('ff') && parseInt(hex[2], 16) >= 8))) hex = hex.slice(2);
    const b = Buffer.from(hex, 'hex');
    assert.equal(written((sink) => { writeUnscaled(sink, b, 0, b.length, scale); }), decimal(plain(value, -scale)));
  }), { numRuns: 500 });
});

test('a double is the shortest text that reads as it, however long it was spelled', () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
    const b = Buffer.from(Object.is(value, -0) ? '-0.0' : value.toPrecision(25));
    const text = written((sink) => assert.ok(writeFloat(sink, b, 0, b.length, false)));
    assert.equal(text, decimal(String(value)));
    assert.equal(Number(text), value === 0 ? 0 : value);
  }), { numRuns: 500 });
});

test('a float widened to a double is the float', () => {
  fc.assert(fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
    const texts = [String(value), value.toPrecision(9)].map((text) => {
      const b = Buffer.from(text);
      return written((sink) => assert.ok(writeFloat(sink, b, 0, b.length, true)));
    });
    assert.equal(texts[0], texts[1]);
    assert.equal(Math.fround(Number(texts[0])), value === 0 ? 0 : value);
  }), { numRuns: 500 });
});

test('whole numbers up to 2^53', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => { assert.equal(written((sink) => { writeInteger(sink, value); }), String(value)); }));
});

test('base64 in both alphabets', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
    for (const text of [Buffer.from(bytes).toString('base64'), Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_')]) {
      const sink = createSink(8);
      assert.ok(writeBase64(sink, Buffer.from(text), 0, text.length));
      assert.deepEqual(sink.bytes.subarray(0, sink.at), Buffer.from(bytes));
    }
  }));
  for (const text of ['A', 'AA', 'AAA', 'AA=A', '====', 'A===', 'AA*=', 'AAAA=', 'AA==AAAA']) {
    assert.equal(writeBase64(createSink(8), Buffer.from(text), 0, text.length), false, text);
  }
});

test('strings are what JSON.parse reads', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
    const escaped = [...text].map((letter, i) => (i % 2 === 0 ? letter : unicodeEscapes(letter))).map((part) => (part.length === 1 && part < ' ' ? unicodeEscapes(part) : part === '"' || part === '\\' ? `\\${part}` : part)).join('');
    const b = Buffer.from(escaped);
    assert.equal(written((sink) => { unescape(sink, b, 0, b.length); }), text);
  }));
});

function unicodeEscapes(letter: string): string {
  return letter.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** A document with its members in any order and white space anywhere. */
function respell(value: unknown, space: string): string {
  if (Array.isArray(value)) return `[${space}${value.map((item) => respell(item, space)).join(`${space},${space}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).reverse().map(([name, item]) => `${unquote(name)}${space}:${space}${respell(item, space)}`);
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

function unquote(name: string): string {
  return `"${name.split('').map(unicodeEscapes).join('')}"`;
}

const canonicalJson = (text: string): string => written((sink) => assert.ok(writeJsonText(sink, Buffer.from(text), 0, Buffer.byteLength(text))));

test('JSON is one text whatever its order, white space and escapes', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t'), (value, space) => {
    const text = canonicalJson(JSON.stringify(value));
    assert.equal(canonicalJson(respell(value, space)), text);
    assert.equal(canonicalJson(text), text, 'idempotent');
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value), (_, item: unknown) => (Object.is(item, -0) ? 0 : item)));
  }), { numRuns: 500 });
});

test('days and civil dates', () => {
  fc.assert(fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (days) => {
    assert.equal(daysFromCivil(...civilFromDays(days)), days);
    const date = new Date(days * 86_400_000);
    assert.deepEqual(civilFromDays(days), [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
  }));
});

test('a moment is read as Date reads it, and printed so that it reads as itself', () => {
  fc.assert(fc.property(fc.date({ min: new Date(-62_000_000_000_000), max: new Date(250_000_000_000_000), noInvalidDate: true }), (date) => {
    const b = Buffer.from(date.toISOString());
    const text = written((sink) => assert.equal(writeMoment(sink, b, 0, b.length, true, undefined), TAG.time));
    assert.equal(text, String(BigInt(date.getTime()) * 1000n));
    const printed = Buffer.from(printValue(TAG.time, Buffer.from(text)) ?? '');
    assert.equal(written((sink) => { writeMoment(sink, printed, 0, printed.length, true, undefined); }), text);
  }));
});

test('a wall clock read in its zone is the instant that shows it', () => {
  const zones = ['Europe/Berlin', 'Asia/Shanghai', 'America/New_York', 'Africa/Casablanca', 'Australia/Lord_Howe', 'UTC', '-03:30'];
  fc.assert(fc.property(fc.constantFrom(...zones), fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }), (name, seconds) => {
    const zone = zoneOf(name);
    const wall = seconds + zone.offsetAt(seconds);
    const back = wallToUtc(zone, wall);
    assert.equal(back + zone.offsetAt(back), wall);
    assert.ok(back <= seconds, 'of two the first');
  }), { numRuns: 200 });
});

test('historic offsets come from the database', () => {
  assert.equal(zoneOf('Asia/Shanghai').offsetAt(Date.UTC(1987, 8, 4, 15) / 1000), 9 * 3600);
  assert.equal(zoneOf('Asia/Shanghai').offsetAt(Date.UTC(1995, 8, 4, 15) / 1000), 8 * 3600);
  // The hour that 2026-03-29 skips in Berlin, with the offset before.
  assert.equal(wallToUtc(zoneOf('Europe/Berlin'), Date.UTC(2026, 2, 29, 2, 30) / 1000), Date.UTC(2026, 2, 29, 1, 30) / 1000);
  assert.throws(() => zoneOf('Mars/Olympus'), RangeError);
});

test('rounding', () => {
  const cases: [string, number, number, boolean, string][] = [
    ['1234567', TAG.time, 3, false, '1234000'], ['-1', TAG.time, 3, false, '-1000'], ['-500', TAG.time, 3, true, '0'],
    ['1500', TAG.time, 3, true, '2000'], ['-1.009', TAG.number, 2, false, '-1'], ['-1.005', TAG.number, 2, true, '-1.01'], ['infinity', TAG.time, 3, true, 'infinity'],
  ];
  for (const [text, tag, precision, halfUp, expected] of cases) {
    const rounded = roundText(text, tag, precision, halfUp);
    assert.equal(rounded.includes('E') ? decimal(rounded) : rounded, expected, text);
  }
});
