// The vectors are those of Kafka's own test (org.apache.kafka.common.utils.UtilsTest#testMurmur2).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { murmur2, partitionOfKey } from '../../schemas/murmur2.ts';

const VECTORS: readonly (readonly [string, number])[] = [
  ['21', -973932308], ['foobar', -790332482], ['a-little-bit-long-string', -985981536], ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971], ['abc', 479470107],
];

for (const [text, hash] of VECTORS) {
  test(`murmur2 of ${text}`, () => {
    const data = Buffer.from(`--${text}-`);
    assert.equal(murmur2(data, 2, data.length - 1), hash);
    assert.equal(murmur2(Buffer.from(text)), hash);
    assert.equal(partitionOfKey(data, 2, data.length - 1, 7), (hash & 0x7fffffff) % 7);
  });
}
