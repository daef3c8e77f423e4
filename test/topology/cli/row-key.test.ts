import assert from 'node:assert/strict';
import { test } from 'node:test';

import { keyForEngine, keyMatches, parseKey } from '../../../topology/cli/row-key.ts';

void test('a key as people type it', () => {
  const table: [text: string, columns: string[] | undefined, expected: string][] = [
    ['42', ['id'], '{"id":"42"}'],
    ['42', undefined, '42'],
    ['id=42', undefined, '{"id":"42"}'],
    ['id=42,part=2', ['id', 'part'], '{"id":"42","part":"2"}'],
    ['EU,7', ['region', 'no'], '{"region":"EU","no":"7"}'],
    ['name=a,b', undefined, '{"name":"a,b"}'],
    ['a=b', ['id'], '{"id":"a=b"}'],
    ['{"id":42}', ['id'], '{"id":"42"}'],
    ['{"id":9223372036854775807}', undefined, '{"id":"9223372036854775807"}'],
    ['{"id":1.10,"ok":true,"n":null}', undefined, '{"id":"1.10","ok":"true","n":null}'],
    ['a,b', ['id'], '{"id":"a,b"}'],
  ];
  for (const [text, columns, expected] of table) assert.equal(keyForEngine(parseKey(text, columns)), expected, text);
});

void test('what is no key says how one is written', () => {
  assert.throws(() => parseKey('42', ['id', 'part']), /the key has the columns id, part; write id=…,part=… or JSON/);
  assert.throws(() => parseKey('{"id":', ['id']), /not JSON; write e\.g\. '\{"id":42\}', id=42 or 42/);
});

void test('which records it fits', () => {
  assert.equal(keyMatches(parseKey('id=42', undefined), { id: '42', part: '1' }), true);
  assert.equal(keyMatches(parseKey('id=42', undefined), { id: '421' }), false);
  assert.equal(keyMatches(parseKey('42', undefined), { id: '42' }), true);
  assert.equal(keyMatches(parseKey('{"id":null}', undefined), { id: null }), true);
  assert.equal(keyMatches(parseKey('{"id":null}', undefined), {}), false);
});
