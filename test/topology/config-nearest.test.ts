import assert from 'node:assert/strict';
import { test } from 'node:test';

import { distance, nearest } from '../../topology/config-nearest.ts';

void test('edits between names', () => {
  const table: [string, string, number][] = [['', '', 0], ['a', '', 1], ['lag', 'lga', 1], ['window', 'windw', 1], ['source', 'sauces', 3], ['abc', 'xyz', 3]];
  for (const [a, b, edits] of table) assert.equal(distance(a, b), edits, `${a} ${b}`);
});

void test('the nearest name, or none that is far', () => {
  const names = ['window', 'lag', 'skew', 'policy', 'bootstrapServers'];
  const table: [string, string | undefined][] = [
    ['windw', 'window'], ['Window', 'window'], ['gal', undefined], ['lga', 'lag'], ['zzz', undefined], ['bootstrap.servers', 'bootstrapServers'], ['x', undefined],
  ];
  for (const [name, expected] of table) assert.equal(nearest(name, names), expected, name);
});
