import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSlotStore, SLOT, type SlotStore } from '../../stores/slot-store.ts';

/** Fills a slot with a value by which it can be recognised. */
function put(slots: SlotStore, window: number, value: number, keyHash: number): number {
  const slot = slots.take(window);
  slots.kind[slot] = SLOT.change;
  slots.keyHash[slot] = slots.idHash[slot] = keyHash;
  slots.offset[slot] = value;
  const bytes = Buffer.from(`key-${value}`);
  slots.heads.put(bytes, 0, bytes.length);
  slots.headPage[slot] = slots.heads.page;
  slots.headAt[slot] = slots.heads.at;
  slots.keyLength[slot] = bytes.length;
  slots.images.put(bytes, 0, bytes.length);
  slots.imagePage[slot] = slots.images.page;
  slots.imageAt[slot] = slots.images.at;
  slots.linkId(slot);
  slots.linkKey(slot);
  return slot;
}

const chain = (first: number, next: Int32Array): number[] => {
  const all: number[] = [];
  for (let slot = first; slot >= 0; slot = next[slot]) all.push(slot);
  return all;
};

test('slots are found by their chains and windows, and freed with their window (against a plain model)', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), window: fc.integer({ min: 0, max: 5 }), hash: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ kind: fc.constant('free' as const), window: fc.integer({ min: 0, max: 5 }) }),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 400 }), steps => {
    const slots = createSlotStore();
    let model: { value: number; window: number; hash: number }[] = [];
    let value = 0;
    for (const s of steps) {
      if (s.kind === 'put') {
        put(slots, s.window, value, s.hash);
        model.push({ value: value++, window: s.window, hash: s.hash });
      } else {
        slots.freeWindow(s.window);
        model = model.filter(m => m.window !== s.window);
      }
    }
    assert.equal(slots.live, model.length);
    for (let hash = 0; hash < 10; hash++) {
      const found = chain(slots.firstByKey(hash), slots.nextKey).filter(slot => slots.keyHash[slot] === hash).map(slot => slots.offset[slot]);
      assert.deepEqual(found.sort((a, b) => a - b), model.filter(m => m.hash === hash).map(m => m.value));
    }
    for (let window = 0; window < 6; window++) {
      const found = chain(slots.window(window), slots.nextInWindow).map(slot => slots.offset[slot]);
      assert.deepEqual(found.sort((a, b) => a - b), model.filter(m => m.window === window).map(m => m.value));
    }
  }));
});

test('growth keeps every chain, and bytes stay where they were', () => {
  const slots = createSlotStore();
  const count = slots.capacity * 2 + 100;
  for (let value = 0; value < count; value++) put(slots, value % 7, value, value % 1000);
  assert.ok(slots.capacity >= count);
  for (let hash = 0; hash < 1000; hash += 97) {
    const found = chain(slots.firstByKey(hash), slots.nextKey).filter(slot => slots.keyHash[slot] === hash);
    assert.equal(found.length, Math.ceil((count - hash) / 1000));
    for (const slot of found) {
      const page = slots.heads.pages[slots.headPage[slot]];
      const at = slots.headAt[slot];
      assert.equal(page.toString('utf8', at, at + slots.keyLength[slot]), `key-${slots.offset[slot]}`);
    }
  }
});

test('growth keeps the order of a chain, newest first, where the numbers of slots do not', () => {
  const slots = createSlotStore();
  put(slots, 0, 0, 5);
  put(slots, 1, 1, 5);
  // The next slot taken has a lower number than the one before it.
  slots.freeWindow(0);
  put(slots, 2, 2, 5);
  for (let value = 3; slots.live < slots.capacity; value++) put(slots, 3, value, value);
  put(slots, 3, 9_000_000, 5);
  for (const [first, next] of [[slots.firstByKey(5), slots.nextKey], [slots.firstById(5), slots.nextId]] as const) {
    assert.deepEqual(chain(first, next).filter(slot => slots.keyHash[slot] === 5).map(slot => slots.offset[slot]), [9_000_000, 5, 2, 1]);
  }
  slots.freeWindow(2);
  assert.deepEqual(chain(slots.firstByKey(5), slots.nextKey).filter(slot => slots.keyHash[slot] === 5).map(slot => slots.offset[slot]), [9_000_000, 5, 1]);
});

test('pages of freed windows are used again: bytes do not grow with the number of events', () => {
  const slots = createSlotStore();
  const round = (window: number): void => {
    for (let i = 0; i < 5000; i++) put(slots, window, i, i);
  };
  for (let window = 0; window < 20; window++) {
    round(window);
    slots.freeWindow(window - 2);
  }
  const after = slots.sizeBytes();
  for (let window = 20; window < 200; window++) {
    round(window);
    slots.freeWindow(window - 2);
  }
  // Which page is being filled when a window ends varies: one page of each arena.
  assert.ok(slots.sizeBytes() <= after + 2 * (1 << 20), `${slots.sizeBytes()} bytes after 900,000 more events, ${after} before`);
});
