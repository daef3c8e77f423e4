// What a shard keeps of rows whose slots are gone, with a bound of a few keys: against a naive table of two generations, in whatever order a
// window's rows come, and restored from its blobs after any window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KeyValueStore } from '../../processors/key-value.ts';
import { lastRowsRewrittenAt } from '../../schemas/limits.ts';
import { DOUBLES, ROW, rowsIn } from '../../processors/last-rows-blob.ts';
import { createLastRows, type LastRows } from '../../processors/last-rows.ts';

const MAX = 8;
const KEYS = 20;

/** Keys of the rows that each window puts in, and by which the window's rows are ordered otherwise. */
const windows = fc.array(fc.record({ keys: fc.uniqueArray(fc.integer({ min: 0, max: KEYS - 1 }), { maxLength: 6 }), turn: fc.nat() }), { maxLength: 30 });

const otherOf = (key: number): number => Math.imul(key + 1, 0x9e3779b1);
/** Some keys share the first of the two hashes. */
const hashOf = (key: number): number => key % 7;

function putWindow(rows: LastRows, number: number, keys: readonly number[]): void {
  for (const key of keys) {
    const place = rows.put(hashOf(key), otherOf(key), rows.find(hashOf(key), otherOf(key)));
    const at = place * ROW.words;
    for (let i = 0; i < 3; i++) rows.words[at + ROW.print + i] = (number * 1000 + key) * (i - 1);
    for (let i = 0; i < 8; i++) rows.unsigned[at + ROW.position + i] = number * 1000 + i;
    rows.words[at + ROW.order] = key - 1;
    rows.words[at + ROW.partition] = key % 3;
    rows.doubles[place * DOUBLES + ROW.offset] = number * 2 ** 33 + key;
    rows.doubles[place * DOUBLES + ROW.time] = 1_700_000_000_000_000 + number;
  }
  rows.endWindow();
}

/** All that can be seen of a table, by key. */
function picture(rows: LastRows): unknown {
  return Array.from({ length: KEYS }, (_, key) => {
    const place = rows.find(hashOf(key), otherOf(key));
    if (place < 0) return undefined;
    const { partition, offset, timeUs } = rows.placeAt(place);
    const at = place * ROW.words;
    return [partition, offset, timeUs, rows.words[at + ROW.order], [...rows.words.subarray(at + ROW.print, at + ROW.print + 3)], [...rows.unsigned.subarray(at + ROW.position, at + ROW.position + 8)]];
  });
}

/** The window that a key was put in last, of the keys that are not forgotten. */
function naive(all: readonly (readonly number[])[]): (number | undefined)[] {
  let [older, younger] = [new Map<number, number>(), new Map<number, number>()];
  for (const [number, keys] of all.entries()) {
    for (const key of keys) younger.set(key, number);
    if (keys.length > 0 && younger.size >= MAX / 2) [older, younger] = [younger, new Map()];
  }
  return Array.from({ length: KEYS }, (_, key) => younger.get(key) ?? older.get(key));
}

function memoryStore(): KeyValueStore & { readonly entries: Map<string, Buffer> } {
  const entries = new Map<string, Buffer>();
  return {
    entries,
    get: key => entries.get(key.toString('hex')),
    put: (key, value) => void entries.set(key.toString('hex'), Buffer.from(value)),
    delete: key => void entries.delete(key.toString('hex')),
    range: (gte, lt) => [...entries].filter(([key]) => key >= gte.toString('hex') && key < lt.toString('hex')).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [Buffer.from(key, 'hex'), value] as const),
  };
}

const turned = (keys: readonly number[], turn: number): number[] => [...keys.slice(turn % (keys.length + 1)), ...keys.slice(0, turn % (keys.length + 1))].reverse();

test('a table forgets by windows: what it knows is that of a naive one, and not a matter of the order within a window', () => {
  fc.assert(fc.property(windows, all => {
    const [one, other] = [createLastRows('full', MAX), createLastRows('full', MAX)];
    all.forEach(({ keys, turn }, number) => {
      putWindow(one, number, keys);
      putWindow(other, number, turned(keys, turn));
    });
    assert.deepEqual(picture(other), picture(one));
    assert.deepEqual(Array.from({ length: KEYS }, (_, key) => {
      const place = one.find(hashOf(key), otherOf(key));
      return place < 0 ? undefined : one.unsigned[place * ROW.words + ROW.position] / 1000;
    }), naive(all.map(({ keys }) => keys)));
  }), { numRuns: 500 });
});

function followed(store: KeyValueStore, max = MAX): LastRows {
  const rows = createLastRows('full', max);
  rows.follow(store, 1);
  return rows;
}

test('a few keys that change in every window: the store holds each no more than a few times, however long it goes on', () => {
  const store = memoryStore();
  const rows = createLastRows('full', 100);
  rows.follow(store, 1);
  for (let number = 0; number < 1000; number++) {
    putWindow(rows, number, [number % 10, 10 + (number % 7), 19]);
    const held = [...store.entries.values()].reduce((sum, blob) => sum + rowsIn(blob), 0);
    assert.ok(held <= lastRowsRewrittenAt * 18 && store.entries.size <= held, `${held} rows in ${store.entries.size} blobs`);
  }
  assert.deepEqual(picture(followed(store, 100)), picture(rows));
});

test('a table restored from its blobs goes on as the one that wrote them, and they stay few', () => {
  fc.assert(fc.property(windows, fc.nat(), (all, cut) => {
    const store = memoryStore();
    const whole = createLastRows('full', MAX);
    whole.follow(store, 1);
    const restart = cut % (all.length + 1);
    all.slice(0, restart).forEach(({ keys }, number) => { putWindow(whole, number, keys); });
    const copy = memoryStore();
    for (const [key, value] of store.entries) copy.entries.set(key, value);
    const restored = createLastRows('full', MAX);
    restored.follow(copy, 1);
    assert.deepEqual(picture(restored), picture(whole));
    all.slice(restart).forEach(({ keys }, i) => {
      putWindow(whole, restart + i, keys);
      putWindow(restored, restart + i, keys);
    });
    assert.deepEqual(picture(restored), picture(whole));
    assert.deepEqual(restored.greatest, whole.greatest);
    assert.deepEqual([...copy.entries.keys()].sort(), [...store.entries.keys()].sort());
    for (const each of [copy, store]) assert.deepEqual(picture(followed(each)), picture(whole));
    const kept = new Set(Array.from({ length: KEYS }, (_, key) => key).filter(key => whole.find(hashOf(key), otherOf(key)) >= 0)).size;
    assert.ok(kept <= MAX + 10, `${kept} keys are kept`);
  }), { numRuns: 500 });
});
