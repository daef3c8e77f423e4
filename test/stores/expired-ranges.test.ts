// Expiry by range: what a store holds after commits and deaths between their two writes is what a plain map of the same changes holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRangeExpiry, finishExpiry } from '../../stores/expired-ranges.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import { createSegmentIndex, SLOTS_FAMILY } from '../../stores/segment-index.ts';
import type { KeyRange, StoreEngine, WriteOp } from '../../stores/store.ts';

/** A commit: a segment for each of these windows, and which of the windows are live from then on. Then the process may die, or a new one opens the store. */
interface Step { readonly made: readonly number[]; readonly gone: readonly number[]; readonly dies: boolean; readonly opens: boolean }

const window = fc.integer({ min: -3, max: 6 });
const step: fc.Arbitrary<Step> = fc.record({ made: fc.uniqueArray(window, { maxLength: 4 }), gone: fc.uniqueArray(window, { maxLength: 5 }), dies: fc.boolean(), opens: fc.boolean() });

void test('windows go and come again, and a process dies between the batch and the range: the store is what a map is', () => {
  let [ranged, died] = [0, 0];
  fc.assert(fc.property(fc.array(step, { minLength: 6, maxLength: 20 }), steps => {
    const engine = openMemoryStore([SLOTS_FAMILY]);
    const model = new Map<string, string>();
    const [live, index] = [[new Set<number>(), new Set<number>()], createSegmentIndex()];
    let dying = false;
    const die = (): void => { if (dying) throw new Error('died'); };
    let expiry = createRangeExpiry(engine, die);
    for (const [commit, { made, gone, dies, opens }] of steps.entries()) {
      const ops: WriteOp[] = [];
      const ranges: KeyRange[] = [];
      for (const shard of [0, 1]) {
        for (const one of gone) live[shard].delete(one + shard);
        for (const one of made) live[shard].add(one);
        const { deletes, range } = index.dropGone(shard, live[shard]);
        if (range !== undefined) ranges.push(range);
        ops.push(...deletes, ...made.map(one => ({ family: SLOTS_FAMILY, key: index.add(shard, one, commit), value: Buffer.from(String(commit)) })));
      }
      for (const { key, value } of ops) {
        if (value === null) model.delete(key.toString('hex'));
        else model.set(key.toString('hex'), value.toString());
      }
      dying = dies;
      if (ranges.length > 0) ranged++;
      try {
        expiry.write(ops, ranges);
      } catch {
        died++;
      }
      if (dies || opens) {
        finishExpiry(engine);
        expiry = createRangeExpiry(engine, die);
      }
      assert.deepEqual(contents(engine), [...model].sort());
    }
  }), { numRuns: 300 });
  assert.ok(ranged > 300 && died > 100, `${ranged} ranges, ${died} deaths`);
});

void test('what a range covers is no delete of its own; a window above a live one is', () => {
  const index = createSegmentIndex();
  const keys = [1, 2, 3, 4].map(at => index.add(0, at, 0));
  const { deletes, range } = index.dropGone(0, new Set([3]));
  assert.deepEqual(deletes.map(({ key }) => key), [keys[0], keys[1], keys[3]]);
  const written: (readonly WriteOp[])[] = [];
  const engine = openMemoryStore([SLOTS_FAMILY]);
  createRangeExpiry({ ...engine, write: ops => void written.push(ops) }).write(deletes, range === undefined ? [] : [range]);
  assert.deepEqual(written[0].filter(({ family }) => family === SLOTS_FAMILY).map(({ key }) => key), [keys[3]]);
});

function contents(engine: StoreEngine): [string, string][] {
  return engine.range(SLOTS_FAMILY).map(([key, value]) => [key.toString('hex'), value.toString()]);
}
