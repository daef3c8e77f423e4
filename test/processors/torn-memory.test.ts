// What a merge of several shards remembers of transactions: as long as it counts, within its bound, and over a restart.
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyValueStore } from '../../processors/key-value.ts';
import type { TransactionPart } from '../../processors/torn.ts';
import { openTornMemory, type TornMemory } from '../../processors/torn-memory.ts';
import type { WindowSettings } from '../../schemas/pair.ts';

/** L + 2ε is three windows. */
const SETTINGS: WindowSettings = { sizeUs: 10, latenessUs: 0, lagUs: 20, skewUs: 5, retainUs: 0 };

function part(transaction: string, applied: number, ...lost: string[]): TransactionPart {
  return { transaction, applied, missing: lost.length, appliedBefore: 0, missingBefore: 0, keys: lost.map(key => Buffer.from(key)) };
}

/** `transaction applied+missing [rows]` */
function told(memory: TornMemory, window: number, ...parts: TransactionPart[]): string[] {
  return memory.take(window, parts).map(({ transaction, applied, missing, keys }) => `${transaction} ${applied}+${missing} [${keys.map(String).sort().join()}]`);
}

function storeOf(entries: Map<string, Buffer>): KeyValueStore {
  return {
    get: key => entries.get(key.toString()), put: (key, value) => void entries.set(key.toString(), value), delete: key => void entries.delete(key.toString()),
    range: (gte, lt) => [...entries].map(([key, value]) => [Buffer.from(key), value] as const).filter(([key]) => key.compare(gte) >= 0 && key.compare(lt) < 0),
  };
}

/** By window what is said of it, and what is torn then. */
const WINDOWS: readonly (readonly [window: number, parts: readonly TransactionPart[], torn: readonly string[]])[] = [
  [8, [part('a', 1), part('b', 0, 'b1'), part('c', 2)], []],
  [9, [part('b', 0, 'b2'), part('d', 1, 'd1')], ['d 1+1 [d1]']],
  [10, [part('a', 0, 'a1', 'a2'), part('d', 1, 'd2'), part('e', 3)], ['a 1+2 [a1,a2]']],
  [11, [part('b', 1), part('a', 2)], ['b 1+2 [b1,b2]']],
  // Three windows before this one is 9: of window 8 nothing counts any more.
  [12, [part('c', 0, 'c1'), part('e', 0, 'e1')], ['e 3+1 [e1]']],
  [20, [part('e', 0, 'e2')], []],
];

test('windows before count, told once, and those too far back do not', () => {
  const memory = openTornMemory(SETTINGS);
  for (const [window, parts, torn] of WINDOWS) deepEqual(told(memory, window, ...parts), torn, `window ${window}`);
});

test('a restart before each window: the same, and nothing stays that counts no more', () => {
  const entries = new Map<string, Buffer>([['head', Buffer.from('another row of the store')]]);
  for (const [window, parts, torn] of WINDOWS) deepEqual(told(openTornMemory(SETTINGS, storeOf(entries)), window, ...parts), torn, `window ${window}`);
  deepEqual([...entries.keys()].sort(), ['head', 'torn/20']);
});

test('beyond its bound it forgets the oldest windows, and with them what it would have told', () => {
  const entries = new Map<string, Buffer>();
  const memory = openTornMemory(SETTINGS, storeOf(entries), 5);
  deepEqual(told(memory, 1, part('a', 1), part('b', 1)), []);
  deepEqual(told(memory, 2, part('c', 1, 'c1', 'c2')), ['c 1+2 [c1,c2]']);
  equal(entries.size, 2, 'two transactions, and one with two rows');
  deepEqual(told(memory, 3, part('d', 1)), []);
  deepEqual([...entries.keys()], ['torn/2', 'torn/3']);
  deepEqual(told(memory, 4, part('a', 0, 'a1'), part('c', 1)), []);
  deepEqual(told(memory, 4, ...Array.from({ length: 6 }, (_, i) => part(`${i}`, 1, 'x'))).length, 6, 'more than the bound in one window: it is told, and not remembered');
  equal(entries.size, 0);
});
