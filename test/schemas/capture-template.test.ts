// What a reader has learned from earlier lines never changes what it says of a line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newCaptureLine, placeRecordLine, readRecordLine } from '../../schemas/capture-line.ts';
import type { CaptureLine } from '../../schemas/capture-line.ts';

/** Reads (or places) a line with a reader: all it says, the line's bytes included. */
function read(line: CaptureLine, text: string, place: 'read' | 'place' | 'place with topic'): unknown {
  const bytes = Buffer.from(text);
  const data = Buffer.concat([Buffer.from('x\n'), bytes, Buffer.from('\n{"')]);
  const ok = place === 'read' ? readRecordLine(line, data, 2) : placeRecordLine(line, data, 2, 2 + bytes.length, place === 'place with topic');
  if (!ok) return [line.error, line.at];
  const span = (start: number, end: number): string | null => (start < 0 ? null : data.toString('latin1', start, end));
  const placed = [line.partition, line.offset, span(line.topicStart, line.topicEnd)];
  // How far a line is read to place it is the reader's own affair.
  if (place !== 'read') return place === 'place' ? placed.slice(0, 2) : placed;
  return [...placed, line.timestampMs, line.seen, line.end, span(line.keyStart, line.keyEnd), span(line.valueStart, line.valueEnd), span(line.headersStart, line.headersEnd)];
}

type Part = readonly [name: string, value: string];
const number = fc.constantFrom('0', '7', '12', '123456789012', '-1', '01', '1.5', 'null', '"1"');
const good = fc.constantFrom('0', '7', '12', '123456789012');
const text = fc.constantFrom('"t"', '"orders"', '"\\u0074"', '"or\\"ders"', 'null', '""', '5');
const topics: fc.Arbitrary<Part> = fc.tuple(fc.constantFrom('topic', 'topi\\u0063'), fc.oneof({ weight: 6, arbitrary: fc.constantFrom('"t"', '"orders"') }, { weight: 1, arbitrary: text }));
const numbers = (name: string): fc.Arbitrary<Part> => fc.tuple(fc.constantFrom(name, name, name, name.replace('t', '\\u0074')), fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: number }));
const texts = (...names: readonly string[]): fc.Arbitrary<Part> => fc.tuple(fc.constantFrom(...names), text);
const part: fc.Arbitrary<Part> = fc.oneof(
  topics, numbers('partition'), numbers('offset'), numbers('timestamp'), numbers('ts'), texts('key', 'value', 'payload', 'keyBase64'),
  fc.tuple(fc.constant('headers'), fc.constantFrom('[]', '[["a","b"]]', 'null', '{}')), fc.tuple(fc.constantFrom('tstype', 'broker', ''), fc.constantFrom('1', '"create"', '{"a":[1]}', 'nul')),
);
const usual: fc.Arbitrary<readonly Part[]> = fc.tuple(topics, numbers('partition'), numbers('offset'), numbers('timestamp'), texts('key'), texts('value'), fc.constant(['headers', '[]'] as Part));
/** A few orders of members, and many lines of each with other values. */
const line = fc.tuple(fc.oneof({ weight: 5, arbitrary: usual }, { weight: 3, arbitrary: fc.array(part, { maxLength: 9 }) }), fc.constantFrom('', '', '', ' '), fc.constantFrom('}', '}', '}', '} ', '', '}}'))
  .map(([parts, space, end]) => `{${space}${parts.map(([name, value]) => `"${name}":${space}${value}`).join(`${space},`)}${end}`);

test('property: a line after others reads as it does alone', () => {
  const kinds = fc.constantFrom('read' as const, 'place' as const, 'place with topic' as const);
  fc.assert(fc.property(fc.array(fc.tuple(line, fc.nat(6)), { minLength: 1, maxLength: 12 }), kinds, (lines, kind) => {
    const experienced = newCaptureLine();
    for (const [one, times] of lines) {
      const alone = read(newCaptureLine(), one, kind);
      for (let i = 0; i <= times; i++) assert.deepEqual(read(experienced, one, kind), alone, one);
    }
  }), { numRuns: 1500 });
});

test('lines like the ones before are not read name by name', () => {
  const reader = newCaptureLine();
  for (let offset = 0; offset < 3; offset++) read(reader, `{"topic":"t","partition":0,"offset":${offset},"timestamp":5,"key":"k","value":"v${offset}","headers":[]}`, 'read');
  assert.equal(reader.template.values, 6);
  assert.equal(reader.template.misses, 0);
});

test('another shape is learned after a few lines', () => {
  const reader = newCaptureLine();
  read(reader, '{"topic":"t","partition":0,"offset":1,"value":"v"}', 'read');
  for (let i = 0; i < 8; i++) read(reader, '{"payload":"v","offset":1,"topic":"t"}', 'read');
  assert.deepEqual([reader.template.values, reader.template.misses], [2, 0]);
});
