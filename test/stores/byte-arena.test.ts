// The arena's own copy and comparison, for lengths about where a native call takes over, against those of Buffer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createByteArena } from '../../stores/byte-arena.ts';

test('what was put in is there, and two allocations are the same exactly where their bytes are', () => {
  const bytes = fc.uint8Array({ minLength: 0, maxLength: 300, size: 'max' });
  fc.assert(fc.property(bytes, fc.nat({ max: 20 }), fc.nat(), fc.boolean(), (image, start, place, isChanged) => {
    const arena = createByteArena();
    const from = Buffer.concat([Buffer.alloc(start), image]);
    arena.put(Buffer.of(1, 2, 3), 0, 3);
    arena.put(from, start, image.length);
    const { page, at } = arena;
    assert.deepEqual(arena.pages[page].subarray(at, at + image.length), Buffer.from(image));
    const other = Buffer.from(image);
    if (isChanged && other.length > 0) other[place % other.length] ^= 1 << (place % 8);
    arena.put(other, 0, other.length);
    assert.equal(arena.isSame(page, at, arena.page, arena.at, image.length), other.equals(Buffer.from(image)));
  }), { numRuns: 1000 });
});
