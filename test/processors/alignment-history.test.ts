// Whole histories, closed window by window: a clean key is never alarmed, a fault that shows in the target's log always is, and its class
// is mostly right. The table of processors/DESIGN.md is printed by
//
//   PARITAS_ALIGNMENT_TABLE=1 PARITAS_SEEDS_FACTOR=1 node test/processors/alignment-history.test.ts | grep '^|'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prng, seeds } from '../simulation/prng.ts';
import { FAULTS, historyOf, type Fault, type Plan, type Values } from './alignment-history.ts';
import { runWindows, type Outcome } from './alignment-model.ts';

const VALUES: readonly Values[] = ['unique', 'fifty', 'three', 'two'];
const ENGINES = [
  { engine: 'logged', elides: false, wholeSeconds: false }, { engine: 'logged, 1 s', elides: false, wholeSeconds: true },
  { engine: 'elided', elides: true, wholeSeconds: false }, { engine: 'elided, 1 s', elides: true, wholeSeconds: true },
] as const;
const SECOND = 1_000_000;

const alarms = (outcome: Outcome): string[] => outcome.findings.filter(found => found.class !== 'elided').map(found => found.class).sort();

const anyClean: fc.Arbitrary<Omit<Plan, 'faults'> & { seed: number; sizeUs: number }> = fc.record({
  seed: fc.nat(), sizeUs: fc.constantFrom(0.25 * SECOND, SECOND, 3 * SECOND, 20 * SECOND), values: fc.constantFrom(...VALUES), elides: fc.boolean(),
  wholeSeconds: fc.boolean(), changes: fc.integer({ min: 1, max: 40 }), reads: fc.constantFrom(undefined, 'loaded', 'unlogged'),
  gapUs: fc.constantFrom(0.03 * SECOND, 0.5 * SECOND, 3 * SECOND), behindUs: fc.constantFrom(0, 0.2 * SECOND),
});

test('a clean key is never alarmed, and every event of it is consumed', () => {
  fc.assert(fc.property(anyClean, ({ seed, sizeUs, ...plan }) => {
    const outcome = runWindows(historyOf(prng(seed), { ...plan, faults: [] }), sizeUs);
    assert.deepEqual(alarms(outcome), []);
    assert.equal(outcome.open, 0);
  }), { numRuns: 300, seed: 7 });
});

test('whatever the faults, no change is consumed twice and every event ends', () => {
  const anyFaults = fc.tuple(anyClean, fc.array(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 4 }));
  fc.assert(fc.property(anyFaults, ([{ seed, sizeUs, ...plan }, faults]) => {
    const outcome = runWindows(historyOf(prng(seed), { ...plan, changes: plan.changes + 12, faults }), sizeUs);
    assert.equal(outcome.open, 0);
    const once = (kinds: readonly string[], side: 'source' | 'target'): void => {
      const of = outcome.findings.filter(found => kinds.includes(found.class)).map(found => found[side]);
      assert.equal(new Set(of).size, of.length, `${kinds.join()} names a ${side} change twice`);
    };
    once(['missing', 'mismatch', 'elided'], 'source');
    once(['reordered'], 'source');
    once(['late_applied'], 'source');
    once(['unexpected', 'duplicate', 'mismatch', 'late_applied'], 'target');
    for (const late of outcome.findings.filter(found => found.class === 'late_applied')) {
      assert.ok(outcome.findings.some(found => found.class === 'missing' && found.source === late.source && found.endUs < late.endUs));
    }
  }), { numRuns: 300, seed: 7 });
});

interface Score { tried: number; seen: number; alarmed: number; right: number }

function score(values: Values, engine: (typeof ENGINES)[number], faults: readonly Fault[], count: number): Score {
  const result = { tried: 0, seen: 0, alarmed: 0, right: 0 };
  for (const seed of seeds(1, count)) {
    const history = historyOf(prng(seed * 13 + 5), { values, elides: engine.elides, wholeSeconds: engine.wholeSeconds, changes: 40, faults });
    result.tried++;
    if (!history.visible) continue;
    const found = alarms(runWindows(history, SECOND)).join();
    result.seen++;
    if (found !== '') result.alarmed++;
    if (history.right.includes(found)) result.right++;
  }
  return result;
}

/** Of the visible ones of several faults a key, those for which there is a finding of the right class; each finding counts once. */
function scoreSeveral(values: Values, engine: (typeof ENGINES)[number], faultsOf: (seed: number) => readonly Fault[], count: number): Score {
  const result = { tried: 0, seen: 0, alarmed: 0, right: 0 };
  for (const seed of seeds(1, count)) {
    const history = historyOf(prng(seed * 13 + 5), { values, elides: engine.elides, wholeSeconds: engine.wholeSeconds, changes: 40, faults: faultsOf(seed) });
    result.tried += history.faults.length;
    // Two may undo each other: a change that is lost, and its value written out of band.
    if (!history.visible) continue;
    const left = alarms(runWindows(history, SECOND));
    const visible = history.faults.filter(fault => fault.visible).sort((a, b) => a.right.length - b.right.length);
    result.seen += visible.length;
    if (left.length > 0) result.alarmed += visible.length;
    for (const { right } of visible) {
      const found = right.map(text => text.split(',')).find(names => names.every(name => left.includes(name)));
      if (found === undefined) continue;
      result.right++;
      for (const name of found) left.splice(left.indexOf(name), 1);
    }
  }
  return result;
}

/** Drawn by the seed. */
const severalOf = (count: number) => (seed: number): Fault[] => {
  const random = prng(seed * 17 + 3);
  return Array.from({ length: count }, () => random.pick(FAULTS));
};

const perCent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}`);
const FLOOR: Readonly<Record<string, readonly number[]>> = {
  'logged': [0.95, 0.95, 0.9, 0.9], 'logged, 1 s': [0.95, 0.95, 0.9, 0.88], 'elided': [0.88, 0.85, 0.6, 0.45], 'elided, 1 s': [0.88, 0.85, 0.6, 0.45],
};

for (const engine of ENGINES) {
  test(`one fault a key is always alarmed, with mostly the right class: ${engine.engine}`, () => {
    VALUES.forEach((values, v) => {
      const sum = { tried: 0, seen: 0, alarmed: 0, right: 0 };
      const cells = FAULTS.map(fault => {
        const one = score(values, engine, [fault], 60);
        for (const name of ['tried', 'seen', 'alarmed', 'right'] as const) sum[name] += one[name];
        return perCent(one.right, one.seen);
      });
      const [two, four] = [2, 4].map(count => scoreSeveral(values, engine, severalOf(count), 120));
      const row = [engine.engine, values, ...cells, perCent(sum.right, sum.seen), perCent(two.right, two.seen), perCent(four.right, four.seen), perCent(sum.tried - sum.seen, sum.tried)];
      if (process.env['PARITAS_ALIGNMENT_TABLE'] !== undefined) process.stdout.write(`| ${row.join(' | ')} |\n`);
      assert.equal(sum.alarmed, sum.seen, `${values}: a fault is not alarmed`);
      assert.equal(two.alarmed, two.seen, `${values}: two faults are not alarmed`);
      assert.equal(four.alarmed, four.seen, `${values}: four faults are not alarmed`);
      assert.ok(sum.right / sum.seen >= FLOOR[engine.engine][v], `${values}: ${perCent(sum.right, sum.seen)} % right`);
    });
  });
}
