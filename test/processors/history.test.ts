import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHistory, type History } from '../../processors/history.ts';
import type { KeyValueStore } from '../../processors/key-value.ts';
import { createSlotStore, SLOT, type SlotStore } from '../../stores/slot-store.ts';
import { historySummaryBytesMax } from '../../schemas/limits.ts';
import { hashBytes } from '../../processors/hash.ts';

function mapStore(): KeyValueStore & { bytes(): number } {
  const map = new Map<string, Buffer>();
  return {
    get: key => map.get(key.toString('hex')),
    put: (key, value) => void map.set(key.toString('hex'), value),
    delete: key => void map.delete(key.toString('hex')),
    range: (gte, lt) => [...map].filter(([k]) => k >= gte.toString('hex') && k < lt.toString('hex')).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [Buffer.from(k, 'hex'), v] as const),
    bytes: () => [...map].reduce((sum, [k, v]) => sum + k.length / 2 + v.length, 0),
  };
}

function version(slots: SlotStore, window: number, key: string, origin: string, lsn: number, print: number): number {
  const slot = slots.take(0);
  slots.kind[slot] = SLOT.change;
  slots.side[slot] = 0;
  slots.position.fill(0, slot * 8, slot * 8 + 8);
  slots.position[slot * 8 + 4] = lsn;
  slots.fingerprint.fill(print, slot * 4, slot * 4 + 4);
  const bytes = Buffer.from(key + origin);
  slots.heads.put(bytes, 0, bytes.length);
  slots.headPage[slot] = slots.heads.page;
  slots.headAt[slot] = slots.heads.at;
  slots.keyLength[slot] = key.length;
  slots.originLength[slot] = origin.length;
  slots.keyHash[slot] = hashBytes(bytes, 0, key.length, 0);
  slots.offset[slot] = 2 ** 40 + lsn;
  slots.partition[slot] = 3;
  slots.time[slot] = window * 1_000_000 + 123;
  return slot;
}

function addIdentity(history: History, side: number, identity: Buffer): void {
  const at = history.addIdentity(side);
  identity.copy(history.identityBuffer(side), at);
}

function remember(history: History, slots: SlotStore, window: number, entries: readonly (readonly [string, string, number, number])[]): void {
  for (const [key, origin, lsn, print] of entries) {
    const slot = version(slots, window, key, origin, lsn, print);
    history.addVersion(slots, slot, slot, true, slots.fingerprint, slot * 4, window);
  }
  history.seal(window);
}

test('versions of a key come back newest first, from every window, before and after 1970', () => {
  const history = createHistory(mapStore(), 1_000_000);
  const slots = createSlotStore();
  remember(history, slots, -5, [['a', 'o1', 1, 11], ['b', 'o2', 2, 12]]);
  remember(history, slots, 0, [['a', 'o3', 3, 13]]);
  remember(history, slots, 7, [['c', 'o4', 4, 14], ['a', 'o5', 5, 15]]);
  const found = history.of(Buffer.from('a'));
  assert.deepEqual(found.map(v => [v.window, v.origin.toString(), v.print[0], v.offset, v.partition, v.timeUs]), [
    [7, 'o5', 15, 2 ** 40 + 5, 3, 7 * 1_000_000 + 123],
    [0, 'o3', 13, 2 ** 40 + 3, 3, 0 * 1_000_000 + 123],
    [-5, 'o1', 11, 2 ** 40 + 1, 3, -5 * 1_000_000 + 123],
  ]);
  assert.deepEqual(history.of(Buffer.from('nobody')), []);
  assert.deepEqual([...history.newest().values()].map(v => `${v.key.toString()}=${v.print[0]}`).sort(), ['a=15', 'b=12', 'c=14']);
});

test('newest is by position, not by window: commit times go back', () => {
  const history = createHistory(mapStore(), 1_000_000);
  const slots = createSlotStore();
  remember(history, slots, 1, [['a', 'later', 9, 99]]);
  remember(history, slots, 2, [['a', 'earlier', 8, 88]]);
  assert.equal(history.of(Buffer.from('a'))[0].print[0], 99);
});

test('versions after a position are those of the whole past, made or read back; windows that end before it are not read', () => {
  const store = mapStore();
  const blobs: string[] = [];
  const watched: KeyValueStore = { ...store, get: key => { if (key[0] === 0x76) blobs.push(key.toString('hex')); return store.get(key); } };
  const history = createHistory(watched, 1_000_000);
  const slots = createSlotStore();
  // Every third window goes back: it has a change of the key behind those of the next two.
  for (let window = 0; window < 30; window++) remember(history, slots, window, [['a', `o${window}`, window % 3 === 0 ? window + 3 : window, window], ['b', `p${window}`, window, window]]);
  const words = (lsn: number): Uint32Array => Uint32Array.of(0, 0, 0, 0, lsn, 0, 0, 0);
  const printsAfter = (of: History, lsn: number): number[] => of.after(Buffer.from('a'), words(lsn)).map(v => v.print[0]);
  for (let lsn = 0; lsn < 32; lsn++) {
    const should = history.of(Buffer.from('a')).filter(v => v.position[4] > lsn).map(v => v.print[0]);
    assert.deepEqual(printsAfter(history, lsn), should);
    assert.deepEqual(printsAfter(createHistory(watched, 1_000_000), lsn), should);
  }
  blobs.length = 0;
  assert.deepEqual(printsAfter(history, 28), [27, 29]);
  assert.equal(blobs.length, 3);
});

test('versions after a position are found in windows too whose summaries no longer fit into memory', () => {
  const history = createHistory(mapStore(), 1_000_000);
  const slots = createSlotStore();
  const long = 'o'.repeat(60_000);
  for (let window = 0; window < historySummaryBytesMax / 60_000; window++) remember(history, slots, window, [['a', `${long}${window}`, 5000 + window, window]]);
  const found = (lsn: number): number => history.after(Buffer.from('a'), Uint32Array.of(0, 0, 0, 0, lsn, 0, 0, 0)).length;
  const all = history.of(Buffer.from('a')).length;
  assert.deepEqual([found(4999), found(5000), found(5000 + all - 2)], [all, all - 1, 1]);
});

test('identities are seen in their own window and side only; late ones too', () => {
  const history = createHistory(mapStore(), 1_000_000);
  const id = (n: number): Buffer => Buffer.alloc(16, n);
  addIdentity(history, 0, id(1));
  addIdentity(history, 1, id(2));
  history.seal(4);
  assert.equal(history.seen(0, 4, id(1)), true);
  assert.equal(history.seen(1, 4, id(1)), false);
  assert.equal(history.seen(0, 5, id(1)), false);
  history.addLate(0, 5, id(9));
  assert.equal(history.seen(0, 5, id(9)), true);
});

test('at most 64 bytes an event: a window of 1,000 source changes with a bigint key and origin, and their applications', () => {
  const store = mapStore();
  const history = createHistory(store, 1_000_000);
  const slots = createSlotStore();
  for (let i = 0; i < 1000; i++) {
    const slot = version(slots, 1, 'k'.repeat(14), String(24_000_000 + i), i, i);
    history.addVersion(slots, slot, slot, true, slots.fingerprint, slot * 4, 1);
    addIdentity(history, 0, Buffer.alloc(16, i));
    addIdentity(history, 1, Buffer.alloc(16, i));
  }
  history.seal(1);
  assert.ok(store.bytes() / 2000 <= 64, `${store.bytes() / 2000} bytes an event`);
});
