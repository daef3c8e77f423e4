// Two images column by column: what is compared, what is counted as unknown, what nobody declared. Images are made by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { columnStarts, createComparator } from '../../processors/comparator.ts';
import type { Image } from '../../processors/comparator.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import { settingsOf, typed } from '../schemas/formats/records.ts';

const context = createPairContext(settingsOf({ columns: { types: { declared: typed('text') } } }));
const TEXT_TAG = 5;

/** `a=1 b=? c=!x`: column a holds 1, b is unavailable, c a stored placeholder with the text x. '-' is the absent row. */
function image(text: string): Image {
  if (text === '-') return { layout: undefined, bytes: Buffer.alloc(0), start: 0, end: 0 };
  const columns = text.split(' ').filter((part) => part !== '').map((part) => part.split('=') as [string, string]).sort(([a], [b]) => (a < b ? -1 : 1));
  const known = columns.filter(([, value]) => value !== '?');
  const bytes = Buffer.concat([Buffer.from('before'), ...known.map(([, value]) => columnBytes(value.replace('!', ''))), Buffer.from('behind')]);
  return {
    layout: context.layout(known.map(([name]) => name), columns.filter(([, value]) => value === '?').map(([name]) => name), known.filter(([, value]) => value.startsWith('!')).map(([name]) => name)),
    bytes, start: 6, end: bytes.length - 6,
  };
}

function columnBytes(value: string): Buffer {
  const bytes = Buffer.from(value);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(((bytes.length << 8) | TEXT_TAG) >>> 0);
  return Buffer.concat([head, bytes]);
}

const bytesOf = (b: Buffer, at: number): string => b.toString('utf8', at, at + 4 + (b.readInt32LE(at) >>> 8));
const comparator = createComparator(context, (name, source, i, target, j) => (name === 'any' ? true : bytesOf(source, i) === bytesOf(target, j)));

const TABLE: readonly (readonly [source: string, target: string, differs: string, unknown: number, undeclared: string])[] = [
  ['a=1 b=2', 'a=1 b=2', '', 0, ''],
  ['a=1 b=2', 'b=2 a=1', '', 0, ''],
  ['a=1 b=2', 'a=1 b=3', 'b', 0, ''],
  ['a=1 b=2', 'a=9 b=3', 'a b', 0, ''],
  ['a=1', 'a=11', 'a', 0, ''],
  ['a=', 'a=', '', 0, ''],
  ['a=12 b=', 'a=1 b=2', 'a b', 0, ''], // equal text one behind the other, in other columns
  ['any=1 b=2', 'any=7 b=2', '', 0, ''], // a column whose rule says equal
  ['a=1 b=?', 'a=1 b=2', '', 1, ''],
  ['a=1 b=2', 'a=1 b=?', '', 1, ''],
  ['a=1 b=?', 'a=1 b=?', '', 1, ''],
  ['a=1 b=?', 'a=2 b=7', 'a', 1, ''],
  ['a=1 b=2', 'a=1', '', 1, 'target b'],
  ['a=1', 'a=1 b=2', '', 1, 'source b'],
  ['a=1 b=?', 'a=1', '', 1, 'target b'],
  ['a=1 declared=2', 'a=1', '', 1, ''],
  ['a=1', 'a=1 declared=?', '', 1, ''],
  ['a=1 b=!x', 'a=1 b=!x', 'b', 0, ''], // equal to nothing, not even itself (ruling 30)
  ['a=1 b=2', 'a=1 b=!x', 'b', 0, ''],
  ['a=1 b=?', 'a=1 b=!x', 'b', 0, ''], // whatever the state of the other side's column
  ['a=1', 'a=1 b=!x', 'b', 0, ''],
  ['-', '-', '', 0, ''],
  ['-', 'a=1 b=2', 'a b', 0, ''],
  ['a=1 b=2', '-', 'a b', 0, ''],
  ['-', 'a=?', '', 0, ''],
];

for (const [source, target, differs, unknown, undeclared] of TABLE) {
  void test(`${source} against ${target}: ${differs === '' ? 'nothing differs' : differs}`, () => {
    const said = comparator.compare(image(source), image(target));
    assert.equal(said.differences.map(({ name }) => name).join(' '), differs);
    assert.equal(said.unknown, unknown);
    assert.equal(said.undeclared.map(({ side, column }) => `${side} ${column}`).join(), undeclared);
    // An absent row is never equal to a present one, whatever is known of that.
    assert.equal(said.equal, differs === '' && (source === '-') === (target === '-'));
  });
}

void test('a difference says where its value stands in each image', () => {
  const said = comparator.compare(image('a=1 c=3 d=4'), image('b=0 c=9 d=4'));
  assert.deepEqual(said.differences, [{ name: 'c', source: 1, target: 1 }]);
  assert.deepEqual(comparator.compare(image('-'), image('a=1')).differences, [{ name: 'a', source: -1, target: 0 }]);
  assert.deepEqual(comparator.compare(image('a=1'), image('a=1 b=!x')).differences, [{ name: 'b', source: -1, target: 1 }]);
});

void test('columns begin at their headers', () => {
  const starts = columnStarts(image('a=12 b= c=3'));
  assert.deepEqual(starts, [6, 12, 16]);
});
