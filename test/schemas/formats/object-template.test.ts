// A reader that has learned what its objects have in common reads each as a reader that has seen none: the same spans, or the same error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { templateBytesMax } from '../../../schemas/limits.ts';
import { Malformed } from '../../../schemas/formats/json-scan.ts';
import { createObjectReader, readObject } from '../../../schemas/formats/object-reader.ts';
import type { ObjectReader } from '../../../schemas/formats/object-reader.ts';

type Reader = ObjectReader<string, readonly string[]>;
const newReader = (): Reader => createObjectReader<string, readonly string[]>((name) => name, (names) => names);

/** What a reader says of the object at the third byte of `b`. */
function outcome(reader: Reader, b: Buffer, end: number): unknown {
  try {
    const to = readObject(reader, b, 2, end);
    return { to, members: reader.shape.plan.map((name, i) => [name, reader.starts[i], reader.ends[i], reader.tokens[i]]) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return `${error.reason} at ${error.at}: ${error.expected}`;
  }
}

function assertSame(reader: Reader, text: string, behind: string): void {
  const b = Buffer.from(`  ${text}${behind}`);
  for (const end of [b.length - behind.length, b.length]) assert.deepEqual(outcome(reader, b, end), outcome(newReader(), b, end), text);
}

const VALUES = ['null', 'true', 'false', '0', '-1', '17', '123456789', '1767225600011492000', '1.5', '2e9', '17.25', '""', '"a"', '"leave at the door"', '"\\u00e9\\n"', '"é"', '{"a":[1,{}]}', '[]', '"{\\"a\\":1}"', `"${'long '.repeat(20)}"`];
const value = fc.constantFrom(...VALUES);
const row = (names: readonly string[], values: readonly string[], space: string): string => `{${space}${names.map((name, i) => `"${name}":${space}${values[i]}${space}`).join(',')}}`;

test('a reader that has learned reads as one that has not', () => {
  const names = fc.uniqueArray(fc.constantFrom('id', 'a', 'customer_id', 'status', 'é', 'at_us', ''), { minLength: 1 });
  const step = fc.record({ changed: fc.array(fc.tuple(fc.nat(), value), { maxLength: 3 }), space: fc.constantFrom('', '', '', ' '), at: fc.option(fc.nat()), cut: fc.integer({ min: 0, max: 2 }), put: fc.constantFrom('', '"', '}', ',', '1', '\\', '\u0001') });
  fc.assert(fc.property(names, fc.array(value, { minLength: 7, maxLength: 7 }), fc.array(step, { minLength: 3, maxLength: 20 }), fc.constantFrom('', '}', ',"op":"c"}'), (columns, first, steps, behind) => {
    const reader = newReader();
    const values = [...first];
    for (const { changed, space, at, cut, put } of steps) {
      for (const [i, to] of changed) values[i % columns.length] = to;
      const text = row(columns, values, space);
      const place = at === null ? text.length : at % text.length;
      assertSame(reader, text.slice(0, place) + put + text.slice(place + cut), behind);
      assertSame(reader, text, behind);
    }
  }), { numRuns: 1500 });
});

test('a value that was always the same is compared, and read where it is another one', () => {
  const reader = newReader();
  for (let n = 0; n < 40; n++) assertSame(reader, `{"id":${n},"kind":"plain","none":null,"at":${1000 + 7 * n}}`, '');
  assert.ok(reader.shape.template.fixedTokens.length > 0, 'it has learned');
  for (const kind of ['"plein"', '"plain "', '"pla', 'plain', '"plain",', 'null', '12']) assertSame(reader, `{"id":1,"kind":${kind},"none":null,"at":1}`, '');
  for (const id of ['01', '1.', '1e', '-', '', '1x', '1.5', '12345678', '-0', '"x"']) assertSame(reader, `{"id":${id},"kind":"plain","none":null,"at":1}`, '');
});

test('an object that ends early, at any byte', () => {
  const reader = newReader();
  const texts = Array.from({ length: 20 }, (_, n) => `{"id":${n},"kind":"plain","note":"a ${n}","at":${1767225600000 + n}}`);
  for (const text of texts) assertSame(reader, text, '');
  for (let length = 1; length < texts[0].length; length++) assertSame(reader, texts[0].slice(0, length), '');
});

test('columns that differ rarely, and wide rows, are learned in few attempts', () => {
  const reader = newReader();
  const samples = new Set<Buffer>();
  const names = Array.from({ length: 300 }, (_, i) => `c${i}`);
  const values = names.map(() => '1');
  for (let n = 0; n < 300; n++) {
    values[n] = '2';
    assertSame(reader, row(names, values, ''), '');
    samples.add(reader.shape.template.sample);
  }
  assert.ok(reader.shape.template.misses > 100, 'each column has differed once');
  assert.ok(samples.size < 12, `learned ${samples.size} times`);
});

test('long values and long objects are not kept', () => {
  const reader = newReader();
  for (let n = 0; n < 20; n++) assertSame(reader, `{"id":${n},"text":"${'long '.repeat(13)}","short":"a"}`, '');
  assert.deepEqual([...reader.shape.template.places], [0, 1]);
  for (let n = 0; n < 20; n++) assertSame(reader, `{"id":${n},"text":"${'long '.repeat(templateBytesMax / 5)}"}`, '');
  assert.equal(reader.shape.template.misses, 0);
});
