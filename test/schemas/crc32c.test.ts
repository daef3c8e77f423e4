import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32c, crc32cByTables } from '../../schemas/crc32c.ts';

/** As it is defined: bit by bit. */
function naive(data: Uint8Array, start: number, end: number, before: number): number {
  let crc = ~before;
  for (let at = start; at < end; at++) {
    crc ^= data[at];
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82f63b78;
  }
  return ~crc >>> 0;
}

describe('crc32c', () => {
  test('the values of RFC 3720, appendix B.4, and the check value', () => {
    const cases: [Buffer, number][] = [
      [Buffer.from('123456789'), 0xe3069283], [Buffer.alloc(32), 0x8a9136aa], [Buffer.alloc(32, 0xff), 0x62a8ab43],
      [Buffer.from(Array.from({ length: 32 }, (_, n) => n)), 0x46dd794e], [Buffer.alloc(0), 0],
    ];
    for (const [bytes, value] of cases) assert.equal(crc32c(bytes), value);
  });

  test('every length and every place in memory, behind something else', () => {
    const memory = Buffer.from(Array.from({ length: 400 }, (_, n) => (n * 2_654_435_761) >>> 11));
    for (let offset = 0; offset < 5; offset++) {
      const data = memory.subarray(offset);
      for (let start = 0; start < 5; start++) {
        for (let end = start; end < start + 160; end++) assert.equal(crc32c(data, start, end, start * 77), naive(data, start, end, start * 77), `${offset}, ${start} to ${end}`);
      }
    }
    assert.equal(crc32c(memory, 150, 400, crc32c(memory, 0, 150)), crc32c(memory));
  });

  test('what is long goes to the processor, with the same result', () => {
    const memory = Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 2_654_435_761) >>> 13));
    for (let start = 0; start < 4; start++) {
      for (const end of [510, 511, 512, 513, 514, 515, 516, 517, 1024, 3000]) {
        const should = naive(memory, start, end, start * 77);
        assert.deepEqual([crc32c(memory, start, end, start * 77), crc32cByTables(memory, start, end, start * 77)], [should, should], `${start} to ${end}`);
      }
    }
    assert.equal(crc32c(memory, 1500, 3000, crc32c(memory, 0, 1500)), crc32c(memory));
  });
});
