// Digests: a sum, so order and sharding do not matter; keyed by everything that makes a change this change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';

import { createElementHasher, LANES, MARKER, printDigest } from '../../processors/digest.ts';
import type { DigestSums, ElementHasher } from '../../processors/digest.ts';
import { POSITION_BYTES, SOURCE, TARGET } from '../../schemas/change-event.ts';

interface Element { readonly key: string; readonly position: number; readonly print: number; readonly marker?: number }

const NO_KEY = Buffer.alloc(0);
const newSums = (): DigestSums => new BigUint64Array(LANES * 2);

function add(hasher: ElementHasher, sums: DigestSums, side: number, { key, position, print, marker = MARKER.applied }: Element): void {
  // Between other bytes and words, as they lie in a page and a table of slots.
  const page = Buffer.from(`<${key}>`);
  const positions = new Uint32Array(2 * POSITION_BYTES / 4).fill(77);
  positions.fill(0, POSITION_BYTES / 4).set([position], POSITION_BYTES / 4);
  hasher.element(page, 1, page.length - 1, positions, POSITION_BYTES / 4, marker, new Int32Array([9, 9, 9, 9, print, 0, 0, 0]), 4);
  hasher.addTo(sums, side);
}

function digest(elements: readonly Element[], maskKey: Buffer = NO_KEY, side: number = SOURCE): string {
  const sums = newSums();
  const hasher = createElementHasher(maskKey);
  for (const element of elements) add(hasher, sums, side, element);
  return printDigest(sums, side);
}

const A: Element = { key: 'a', position: 1, print: 11 };
const B: Element = { key: 'b', position: 2, print: 22 };
const NOTHING = '0'.repeat(64);

void test('nothing is zero; a digest is 64 hex digits', () => {
  assert.equal(digest([]), NOTHING);
  assert.match(digest([A]), /^[0-9a-f]{64}$/);
  assert.notEqual(digest([A]), NOTHING);
});

const DIFFERENT: readonly (readonly [what: string, a: readonly Element[], b: readonly Element[]])[] = [
  ['another key', [A], [{ ...A, key: 'b' }]],
  ['another position', [A], [{ ...A, position: 2 }]],
  ['another fingerprint', [A], [{ ...A, print: 12 }]],
  ['another marker', [A], [{ ...A, marker: MARKER.reordered }]],
  ['each marker its own', [{ ...A, marker: MARKER.unattributed }], [{ ...A, marker: MARKER.unequal }]],
  ['images of two changes swapped', [A, B], [{ ...A, print: 22 }, { ...B, print: 11 }]],
  ['keys of two changes swapped', [A, B], [{ ...A, key: 'b' }, { ...B, key: 'a' }]],
  ['a duplicate does not cancel', [A, A], []],
  ['nor does it vanish', [A, A], [A]],
  ['nor do two pairs', [A, A, B, B], []],
  ['three are not one', [A, A, A], [A]],
  ['a lost change', [A, B], [A]],
  ['a key and the bytes of another', [{ ...A, key: 'ab' }], [{ ...A, key: 'a' }]],
  ['a zero byte in a key', [{ ...A, key: 'a\0' }], [{ ...A, key: 'a' }]],
  ['an empty key', [{ ...A, key: '' }], [{ ...A, key: '\0' }]],
];

for (const [what, a, b] of DIFFERENT) void test(`different: ${what}`, () => assert.notEqual(digest(a), digest(b)));

void test('the sides are apart and alike', () => {
  const sums = newSums();
  const hasher = createElementHasher(NO_KEY);
  add(hasher, sums, SOURCE, A);
  assert.equal(printDigest(sums, TARGET), NOTHING);
  hasher.addTo(sums, TARGET); // one element for both sides of a clean pair
  assert.equal(printDigest(sums, TARGET), printDigest(sums, SOURCE));
  assert.equal(digest([A], NO_KEY, TARGET), digest([A]));
});

void test('a mask key makes another digest, of the same laws', () => {
  const key = Buffer.alloc(32, 1);
  assert.notEqual(digest([A], key), digest([A]));
  assert.notEqual(digest([A], key), digest([A], Buffer.alloc(32, 2)));
  assert.equal(digest([A, B], key), digest([B, A], key));
});

const anElement = fc.record({ key: fc.string({ maxLength: 700, unit: 'binary' }), position: fc.nat(5), print: fc.integer(), marker: fc.constantFrom(...Object.values(MARKER)) });
const wrapped = (a: string, b: string): string => [0, 1, 2, 3].map((lane) => {
  const at = (hex: string): bigint => BigInt(`0x${hex.slice(lane * 16, lane * 16 + 16)}`);
  return BigInt.asUintN(64, at(a) + at(b)).toString(16).padStart(16, '0');
}).join('');

void test('any order, any sharding: the digest of a union is the sum of the digests', () => {
  fc.assert(fc.property(fc.array(anElement, { maxLength: 8 }), fc.nat(8), fc.boolean(), (elements, cut, masked) => {
    const key = masked ? Buffer.alloc(32, 3) : NO_KEY;
    assert.equal(digest(elements.toReversed(), key), digest(elements, key));
    assert.equal(wrapped(digest(elements.slice(0, cut), key), digest(elements.slice(cut), key)), digest(elements, key));
  }), { numRuns: 100 });
});

void test('an element depends on nothing hashed before it, longer keys neither', () => {
  fc.assert(fc.property(anElement, anElement, (before, element) => {
    const hasher = createElementHasher(NO_KEY);
    add(hasher, newSums(), SOURCE, before);
    const sums = newSums();
    add(hasher, sums, SOURCE, element);
    assert.equal(printDigest(sums, SOURCE), digest([element]));
  }), { numRuns: 100 });
});

void test('nor on a key so long that the room for it had to grow', () => {
  const hasher = createElementHasher(NO_KEY);
  for (const element of [A, { ...A, key: 'x'.repeat(5000) }, B]) {
    const sums = newSums();
    add(hasher, sums, SOURCE, element);
    assert.equal(printDigest(sums, SOURCE), digest([element]));
  }
});
