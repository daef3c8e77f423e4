// Property 16: shards' windows merge in any order and any grouping to the same window, and a shard with nothing to say adds nothing. That a
// shard's word given twice counts once is the task of whoever hands it in: the merge adds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeWindows } from '../../processors/verdict.ts';
import { pack, unpack, wholeWindow } from '../../processors/window-bytes.ts';
import type { ShardWindow } from '../../processors/window.ts';
import { COUNT_NAMES } from '../../schemas/records.ts';

const WINDOW = 7;
const lane = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const anyWindow: fc.Arbitrary<ShardWindow> = fc.record({
  window: fc.constant(WINDOW),
  tally: fc.array(fc.nat(1000), { minLength: COUNT_NAMES.length, maxLength: COUNT_NAMES.length }).map(counts => Float64Array.from(counts)),
  sums: fc.array(lane, { minLength: 8, maxLength: 8 }).map(lanes => BigUint64Array.from(lanes)),
  findings: fc.constant([]),
  resolved: fc.array(fc.record({ key: fc.uint8Array({ minLength: 1, maxLength: 4 }).map(bytes => Buffer.from(bytes)), window: fc.constant(WINDOW), finding: fc.constant(undefined) }), { maxLength: 3 }),
  amended: fc.array(fc.tuple(fc.nat(5), fc.nat(9)), { maxLength: 3 }).map(entries => new Map(entries)),
  schema: fc.constant([]),
  undecidable: fc.boolean(), loads: fc.nat(9), openDivergences: fc.nat(9), targetElides: fc.boolean(),
  transactions: fc.uniqueArray(fc.record({
    transaction: fc.constantFrom('949', '950', '951'), applied: fc.nat(3), missing: fc.nat(3), appliedBefore: fc.nat(1), missingBefore: fc.nat(1),
    keys: fc.array(fc.uint8Array({ minLength: 1, maxLength: 2 }).map(bytes => Buffer.from(bytes)), { maxLength: 3 }),
  }), { selector: part => part.transaction, maxLength: 3 }),
});
const NOTHING: ShardWindow = {
  window: WINDOW, tally: new Float64Array(COUNT_NAMES.length), sums: new BigUint64Array(8), findings: [], resolved: [], amended: new Map(), schema: [],
  undecidable: false, loads: 0, openDivergences: 0, targetElides: false, transactions: [],
};

/** What a verdict is made from, order of unions aside: they are sorted before they are printed. */
function told(window: ShardWindow): unknown {
  const resolved = window.resolved.map(({ key }) => key.toString('hex')).sort();
  const transactions = window.transactions.map(part => ({ ...part, keys: part.keys.map(key => key.toString('hex')).sort() })).sort((a, b) => Number(a.transaction) - Number(b.transaction));
  return { ...window, resolved, transactions, amended: [...window.amended].sort(([a], [b]) => a - b), tally: [...window.tally], sums: [...window.sums] };
}

test('property 16: merging is commutative', () => {
  fc.assert(fc.property(anyWindow, anyWindow, (a, b) => assert.deepEqual(told(mergeWindows(a, b)), told(mergeWindows(b, a)))), { seed: 7 });
});

test('property 16: merging is associative', () => {
  fc.assert(fc.property(anyWindow, anyWindow, anyWindow, (a, b, c) => (
    assert.deepEqual(told(mergeWindows(mergeWindows(a, b), c)), told(mergeWindows(a, mergeWindows(b, c)))))), { seed: 7 });
});

test('property 16: a shard with nothing to say adds nothing, and one that cannot tell makes the whole undecidable', () => {
  fc.assert(fc.property(anyWindow, a => assert.deepEqual(told(mergeWindows(a, NOTHING)), told(a))), { seed: 7 });
  fc.assert(fc.property(anyWindow, a => assert.equal(mergeWindows(a, { ...NOTHING, undecidable: true }).undecidable, true)), { seed: 7 });
});

test('what a shard says is the same when it has been bytes', () => {
  fc.assert(fc.property(anyWindow, a => assert.deepEqual(told(wholeWindow(unpack(pack(a)) as ShardWindow)), told(a))), { seed: 7 });
});
