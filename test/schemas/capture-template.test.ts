// What a reader has learned from earlier lines never changes what it says of a line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newScan } from '../../schemas/capture-json.ts';
import { newCaptureLine, placeRecordLine, readRecordLine } from '../../schemas/capture-line.ts';
import type { CaptureLine } from '../../schemas/capture-line.ts';
import { readString } from '../../schemas/capture-text.ts';

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

/** What is left of a string's bytes when it has been unescaped in place: a line may just as well have that. */
function garbled(string: string): string {
  const data = Buffer.from(`${string}\n`);
  return readString(newScan(), data, 0) < 0 ? string : data.toString('utf8', 0, data.length - 1);
}

const NAMES = ['topic', 'partition', 'offset', 'timestamp', 'key', 'value', 'headers', 'ts', 'payload', 'keyBase64', 'broker', 'tstype'];
const escaped = (name: string): string => name.replace(/[ae]|[it]$/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
const numbers = fc.oneof({ weight: 12, arbitrary: fc.constantFrom('0', '7', '12', '123456789012') }, { weight: 1, arbitrary: fc.constantFrom('-1', '01', '1.5', 'null', '"1"') });
const strings = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('"t"', '"orders"') }, { weight: 2, arbitrary: fc.constantFrom('"\\u0074"', garbled('"\\u0074"'), 'null', '""') }, { weight: 1, arbitrary: fc.constantFrom('"or\\"ders"', '5') },
);
const others = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('1', '"create"', '{"a":[1]}') }, { weight: 1, arbitrary: fc.constant('nul') });
const headers = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('[]', '[["a","b"]]', 'null') }, { weight: 1, arbitrary: fc.constant('{}') });
const valueOf = (name: string): fc.Arbitrary<string> =>
  /^(partition|offset|timestamp|ts)$/.test(name) ? numbers : /^(topic|key|value|payload|keyBase64)$/.test(name) ? strings : name === 'headers' ? headers : others;
/** Mostly the name as it is; also with an escape, and what that leaves behind. */
const spelling = (name: string): fc.Arbitrary<string> => fc.oneof(
  { weight: 8, arbitrary: fc.constant(`"${name}"`) }, { weight: 1, arbitrary: fc.constant(`"${escaped(name)}"`) }, { weight: 1, arbitrary: fc.constant(garbled(`"${escaped(name)}"`)) },
);
const orders = fc.oneof(fc.constant(NAMES.slice(0, 7)), fc.constant(['partition', 'topic', 'offset', 'value']), fc.shuffledSubarray(NAMES, { minLength: 2 }));
/** A few lines of one order of members, with other values and spellings. */
const lines = orders.chain((names) => fc.array(fc.tuple(
  fc.tuple(...names.map((name) => fc.tuple(spelling(name), valueOf(name)))), fc.constantFrom('', '', '', '', ' '), fc.constantFrom('}', '}', '}', '}', '} ', '', '}}', ',"offset":1}'),
).map(([parts, space, end]) => `{${space}${parts.map(([name, value]) => `${name}:${space}${value}`).join(`${space},`)}${end}`), { minLength: 1, maxLength: 4 }));

test('property: a line after others reads as it does alone', () => {
  const kinds = fc.constantFrom('read' as const, 'place' as const, 'place with topic' as const);
  fc.assert(fc.property(fc.array(lines, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }), kinds, (groups, times, kind) => {
    const experienced = newCaptureLine();
    for (const [at, one] of groups.flat().entries()) {
      const alone = read(newCaptureLine(), one, kind);
      for (let i = 0; i <= times[at % times.length]; i++) assert.deepEqual(read(experienced, one, kind), alone, one);
    }
  }), { numRuns: 2000 });
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
