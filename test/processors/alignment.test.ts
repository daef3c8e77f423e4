// Each sentence of semantics.md §6 and of rulings 12, 14, 16 as a case. The window is [0, 100), L = 50, ε = 5 unless said otherwise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { align } from '../../processors/alignment.ts';
import { createAlignment, OF_SOURCE, OF_TARGET, type Alignment } from '../../processors/alignment-pairs.ts';
import { createAlignInput, IS } from '../../processors/alignment-input.ts';
import { inputOf, runWindows, type Event, type Problem } from './alignment-model.ts';

/**
 * Events as `time:value/roles`, `-` for no row. Roles: r read row, g ghost, n no-op, u consumed without a pair, cJ consumed in order with
 * target change J, xJ consumed out of order, ! reported as reordered.
 */
function events(text: string): Event[] {
  return text.split(' ').filter(word => word !== '').map(word => {
    const [, time, value, roles] = /^(-?\d+):([^/]+)\/?(.*)$/.exec(word) ?? [];
    const pair = /[cx](\d+)/.exec(roles)?.[1];
    let is = 0;
    for (const [role, bit] of Object.entries({ r: IS.read, g: IS.ghost, n: IS.noop, u: IS.consumed, c: IS.consumed, x: IS.consumed | IS.outOfOrder, '!': IS.reordered })) {
      if (roles.includes(role)) is |= bit;
    }
    return { timeUs: Number(time), value: value === '-' ? null : value, is, ...(pair === undefined ? {} : { pair: Number(pair) }) };
  });
}

const SOURCE_NAMES = Object.keys(OF_SOURCE);
const TARGET_NAMES = Object.keys(OF_TARGET);

/** `verdict>target`, `!` where reordered, `~` where the pair is out of order; `verdict<source`. */
function told(problem: Problem, alignment: Alignment): { sources: string; targets: string } {
  const sources = problem.sources.map((_, i) => {
    const j = alignment.application[i];
    const order = j >= 0 && alignment.inOrder[i] === 0 ? '~' : '';
    return `${SOURCE_NAMES[alignment.ofSource[i]]}${j >= 0 ? `>${order}${String(j)}` : ''}${alignment.reordered[i] === 1 ? '!' : ''}`;
  });
  const targets = problem.targets.map((_, j) => {
    const verdict = alignment.ofTarget[j];
    return `${TARGET_NAMES[verdict]}${verdict === OF_TARGET.duplicate ? `<${String(alignment.cause[j])}` : ''}`;
  });
  return { sources: sources.join(' '), targets: targets.join(' ') };
}

interface Case {
  readonly says: string;
  readonly source: string;
  readonly target: string;
  readonly sources: string;
  readonly targets: string;
  readonly how?: Alignment['how'];
  readonly with?: Partial<Problem>;
}

const CASES: readonly Case[] = [
  // In play
  { says: 'nothing gives nothing', source: '', target: '', sources: '', targets: '', how: 'in-step' },
  { says: 'a clean key is in step; what is not due stays', source: '10:A 90:B 110:C', target: '12:A 120:B 140:C', sources: 'matched>0 matched>1 later>2', targets: 'paired paired waiting', how: 'in-step' },
  { says: 'source evidence ends at W + L + ε, target evidence at W + L', source: '154:A 155:B', target: '149:X 150:A', sources: 'later none', targets: 'waiting none' },
  { says: 'only a source change below W is due', source: '99:A 100:B', target: '', sources: 'missing later', targets: '' },
  // near
  { says: 'lag L is near', source: '10:A', target: '60:A', sources: 'matched>0', targets: 'paired', how: 'in-step' },
  { says: 'beyond L is not', source: '10:A', target: '61:A', sources: 'missing', targets: 'unexpected', how: 'searched' },
  { says: '-ε is near', source: '10:A', target: '5:A', sources: 'matched>0', targets: 'paired' },
  { says: 'before -ε is not', source: '10:A', target: '4:A', sources: 'missing', targets: 'unexpected' },
  { says: 'a ghost has no upper bound', source: '-5000:A/g', target: '60:A', sources: 'lateApplied>~0', targets: 'paired', how: 'in-step' },
  { says: 'a ghost has the lower bound', source: '60:A/g', target: '50:A', sources: 'nothing', targets: 'unexpected' },
  // In step
  { says: 'an optional change is skipped where it is not the next', source: '10:A/r 20:B', target: '22:B', sources: 'nothing matched>0', targets: 'paired', how: 'in-step' },
  { says: 'a change that is not optional is not skipped, though not due', source: '101:A 102:B', target: '103:B', sources: 'later later>0', targets: 'waiting', how: 'searched' },
  { says: 'a left-over target change is not in step', source: '10:A', target: '12:A 14:A', sources: 'matched>0', targets: 'paired duplicate<0', how: 'searched' },
  { says: 'a read row does not take what an update not yet due needs', source: '98:A/r 101:A', target: '99:A', sources: 'nothing later>0', targets: 'waiting', how: 'searched' },
  { says: 'a ghost does not take what an update not yet due needs', source: '50:A/g 101:A', target: '99:A', sources: 'nothing later>0', targets: 'waiting', how: 'searched' },
  // Fewest findings
  { says: 'a lost change is missing', source: '10:A 20:B 30:C', target: '12:A 32:C', sources: 'matched>0 missing matched>1', targets: 'paired paired' },
  { says: 'a change without a cause is unexpected', source: '10:A 30:C', target: '12:A 20:X 32:C', sources: 'matched>0 matched>2', targets: 'paired unexpected paired' },
  { says: 'an unequal pair is one finding, not two', source: '10:A 20:B 30:C', target: '12:A 22:X 32:C', sources: 'matched>0 mismatch>1 matched>2', targets: 'paired paired paired' },
  { says: 'a row and no row never make an unequal pair', source: '10:A 20:-', target: '12:A 22:X', sources: 'matched>0 missing', targets: 'paired unexpected' },
  { says: 'no ghost in an unequal pair', source: '10:A/g', target: '20:X', sources: 'nothing', targets: 'unexpected' },
  { says: 'two absent rows are equal', source: '10:A 20:-', target: '12:A 22:-', sources: 'matched>0 matched>1', targets: 'paired paired' },
  { says: 'not due, but below a paired one: a finding; so the unequal pair is as good, and has more equal ones', source: '101:A 102:B', target: '103:X 104:B', sources: 'later>0 later>1', targets: 'waiting waiting' },
  { says: 'ties: most equal pairs, before the lag: not two mismatches', source: '14:A 10:B', target: '15:B 11:X', sources: 'missing matched>0', targets: 'paired unexpected' },
  { says: 'ties: a change before a read row', source: '40:A 41:A/r', target: '43:A', sources: 'matched>0 nothing', targets: 'paired' },
  { says: 'ties: a read row before a ghost', source: '40:A/g 41:A/r 90:B', target: '43:A', sources: 'nothing matched>0 missing', targets: 'paired' },
  { says: 'ties: least sum of lag', source: '10:A 20:A', target: '21:A', sources: 'missing matched>0', targets: 'paired' },
  { says: 'ties: the first pair in order of position', source: '10:A 10:A', target: '12:A', sources: 'matched>0 missing', targets: 'paired' },
  // Fits
  { says: 'a pair may not cross a pair consumed in order', source: '96:B 95:A/c0', target: '97:A/u 99:B', sources: 'matched>~1! none', targets: 'none paired' },
  { says: 'one consumed out of order may be crossed', source: '96:B 95:A/x0', target: '97:A/u 99:B', sources: 'matched>1! none', targets: 'none paired' },
  { says: 'a ghost may cross it', source: '40:B/g 60:A/c0', target: '62:A/u 80:B', sources: 'lateApplied>~1 none', targets: 'none paired', how: 'in-step' },
  // Leftovers
  { says: 'an equal unpaired change, due, is paired out of order', source: '10:A 20:B 30:C', target: '21:B 31:C 32:A', sources: 'matched>~2! matched>0 matched>1', targets: 'paired paired paired' },
  { says: 'so is one not due below the last equal pair, and stays', source: '101:A 102:B 103:C', target: '104:B 105:C 106:A', sources: 'later>~2 later>0 later>1', targets: 'waiting waiting waiting' },
  { says: 'one not due above it is not: its application may come', source: '90:A 101:B', target: '96:B 97:A', sources: 'matched>1 later', targets: 'waiting paired' },
  { says: 'an unequal pair is given up for an equal change', source: '10:A 20:B 30:C', target: '11:X 21:B 31:C 32:A', sources: 'matched>~3! matched>1 matched>2', targets: 'unexpected paired paired paired' },
  { says: 'the unpaired one rather than the unequally paired one', source: '10:A 20:A 30:B 40:C', target: '22:X 31:B 42:C 43:A', sources: 'matched>~3! mismatch>0 matched>1 matched>2', targets: 'paired paired paired paired' },
  { says: 'one given up is left over itself', source: '10:X 20:B 30:A 40:C', target: '21:B 31:X 41:C 42:A', sources: 'matched>~1! matched>0 matched>~3! matched>2', targets: 'paired paired paired paired' },
  { says: 'of several, the nearest in time', source: '10:A 20:A 30:-', target: '31:- 32:A', sources: 'missing matched>~1! matched>0', targets: 'paired paired' },
  { says: 'a no-op explains nothing out of order', source: '10:A 20:A/n 30:B', target: '12:A 32:B 40:A', sources: 'matched>0 elided matched>1', targets: 'paired paired duplicate<0', with: { elides: true } },
  { says: 'an equal ghost is late applied, out of order too', source: '10:A/g 20:B', target: '22:B 80:A', sources: 'lateApplied>~1 matched>0', targets: 'paired paired' },
  { says: 'ruling 12: only once it was committed below W', source: '10:A/g 99:B', target: '99:B 120:A', sources: 'nothing matched>0', targets: 'paired waiting' },
  { says: 'ruling 12: not before, in order either', source: '10:A/g', target: '120:A', sources: 'later>~0', targets: 'waiting' },
  // Ruling 14
  { says: 'ruling 14: the pair of a read row is its load, consumed by the window of its own time', source: '90:A/r', target: '95:A', sources: 'matched>0', targets: 'paired', how: 'in-step' },
  { says: 'ruling 14: not before', source: '90:A/r', target: '105:A', sources: 'later>0', targets: 'waiting', how: 'in-step' },
  { says: 'a load with another image: the unpaired read row costs nothing, so it is unexpected', source: '90:A/r', target: '90:X', sources: 'nothing', targets: 'unexpected' },
  { says: 'ruling 14: unpaired it is no finding', source: '90:A/r', target: '', sources: 'nothing', targets: '', how: 'in-step' },
  // Consumption
  { says: 'a due pair is consumed though the target change is not below W', source: '99:A', target: '140:A', sources: 'matched>0', targets: 'paired' },
  { says: 'ruling 16: what pairs with a change not yet due waits', source: '102:A', target: '98:A', sources: 'later>0', targets: 'waiting', how: 'in-step' },
  // Reordered
  { says: 'reordered names the earlier change, applied later', source: '10:A 20:B', target: '21:B 22:A', sources: 'matched>~1! matched>0', targets: 'paired paired' },
  { says: 'once per change, however many overtook it', source: '10:A 20:B 30:C', target: '21:B 31:C 33:A', sources: 'matched>~2! matched>0 matched>1', targets: 'paired paired paired' },
  { says: 'also a change consumed before, and named once', source: '90:A/c1 98:B', target: '96:B 97:A/u', sources: 'none! matched>~0', targets: 'paired none' },
  { says: 'not again', source: '90:A/c1! 98:B', target: '96:B 97:A/u', sources: 'none matched>~0', targets: 'paired none' },
  { says: 'a witness not yet due counts', source: '98:A 101:B 103:C', target: '102:B 104:C 105:A', sources: 'matched>~2! later>0 later>1', targets: 'waiting waiting paired' },
  { says: 'pairs are looked at for L + 2ε', source: '-60:A/c1 98:B/x0', target: '96:B/u 97:A/u', sources: 'none! none', targets: 'none none' },
  { says: 'and no longer', source: '-61:A/c1 98:B/x0', target: '96:B/u 97:A/u', sources: 'none none', targets: 'none none' },
  { says: 'a read row is no change: neither named nor a witness', source: '10:A/rc1 20:B/x0', target: '21:B/u 22:A/u', sources: 'none none', targets: 'none none' },
  // Elided
  { says: 'an elided no-op is no discrepancy', source: '10:A 20:A/n', target: '12:A', sources: 'matched>0 elided', targets: 'paired', how: 'in-step', with: { elides: true } },
  { says: 'the target held the version already, though the source changed', source: '10:A 20:B 30:A', target: '12:A', sources: 'matched>0 missing elided', targets: 'paired', with: { elides: true, lagUs: 15 } },
  { says: 'on an engine that logs no-ops it is missing', source: '10:A 20:B 30:A', target: '12:A', sources: 'matched>0 missing missing', targets: 'paired', with: { lagUs: 15 } },
  { says: 'a no-op whose version the target does not hold is missing', source: '10:A 20:A/n', target: '12:X', sources: 'mismatch>0 missing', targets: 'paired', with: { elides: true } },
  { says: 'held only after the next pair does not count', source: '10:A 20:B 30:C 40:D', target: '12:A 32:C 42:D 50:B', sources: 'matched>0 matched>~3! matched>1 matched>2', targets: 'paired paired paired paired', with: { elides: true } },
  { says: 'a neighbour applied out of order does not count', source: '10:A 20:B 30:C 40:-', target: '12:A 42:- 43:B/u 44:C', sources: 'matched>0 missing matched>~3! matched>1', targets: 'paired paired none paired', with: { elides: true } },
  { says: 'nor one that was consumed so', source: '10:A 20:B 30:C/x3! 40:D/c1', target: '12:A 42:D/u 43:B/u 44:C/u', sources: 'matched>0 missing none none', targets: 'paired none none none', with: { elides: true } },
  { says: 'held by a change that is consumed and has no cause', source: '10:A/c0 20:B 90:C', target: '12:A/u 15:B/u 92:C', sources: 'none elided matched>2', targets: 'none none paired', with: { elides: true } },
  { says: 'a delete of no row is logged by no engine', source: '10:A 20:- 30:-', target: '12:A 22:-', sources: 'matched>0 matched>1 elided', targets: 'paired paired' },
  { says: 'nor one before anything was written', source: '10:- 20:A', target: '22:A', sources: 'elided matched>0', targets: 'paired', with: { base: null } },
  { says: 'where that is not known it is missing', source: '10:- 20:A', target: '22:A', sources: 'missing matched>0', targets: 'paired' },
  { says: 'a run of equal changes with one logged: none is lost', source: '60:A/r 70:A/n 90:A/n', target: '91:A 92:X', sources: 'nothing elided matched>0', targets: 'paired unexpected', with: { elides: true } },
  // Waiting
  { says: 'ruling 16: residual target changes from W on wait', source: '', target: '99:X 100:Y', sources: '', targets: 'unexpected waiting' },
  { says: 'what could pair with a change not yet due waits, equal or not', source: '103:A', target: '98:X', sources: 'later', targets: 'waiting' },
  { says: 'at most ε', source: '104:A', target: '98:A', sources: 'later', targets: 'unexpected' },
  { says: 'not where no such pair can be', source: '103:-', target: '98:X', sources: 'later', targets: 'unexpected' },
  { says: 'not below a pair consumed in order, unless equal', source: '99:A 102:B', target: '97:X 98:A', sources: 'matched>1 later', targets: 'unexpected paired' },
  { says: 'nor with a change below it', source: '101:B 99:A', target: '98:A 99:X', sources: 'later matched>0', targets: 'paired unexpected' },
  // Duplicate, unexpected
  { says: 'equal to an applied version', source: '10:A 20:B', target: '12:A 22:B 50:A', sources: 'matched>0 matched>1', targets: 'paired paired duplicate<0' },
  { says: 'ruling 10: equal to what was applied, though that was not the change', source: '10:A 20:B', target: '12:X 22:B 50:X', sources: 'mismatch>0 matched>1', targets: 'paired paired duplicate<0' },
  { says: 'ruling 10: or to its source', source: '10:A/c0 20:B', target: '12:X/u 22:B 70:A', sources: 'none matched>1', targets: 'none paired duplicate<0' },
  { says: 'of several, the last one applied before', source: '10:A/c0 20:A/c1 30:B/c2 35:A/c4', target: '12:A/u 22:A/u 32:B/u 34:A 60:A/u', sources: 'none none none none', targets: 'none none none duplicate<1 none' },
  { says: 'if none before, the first after', source: '10:A/c1', target: '9:A 12:A/u', sources: 'none', targets: 'duplicate<0 none' },
  { says: 'a version not applied is not repeated', source: '80:A/g 10:B/c0', target: '12:B/u 60:A', sources: 'nothing none', targets: 'none unexpected' },
];

const reused = createAlignment();
for (const { says, source, target, how, with: more, ...expected } of CASES) {
  test(says, () => {
    const problem: Problem = { endUs: 100, lagUs: 50, skewUs: 5, sources: events(source), targets: events(target), ...more };
    align(inputOf(problem), reused);
    assert.deepEqual(told(problem, reused), expected);
    if (how !== undefined) assert.equal(reused.how, how);
  });
}

test('across windows: found reordered one window later, the earlier change is named', () => {
  const { findings } = runWindows({ lagUs: 50, skewUs: 5, sources: events('90:A 101:B'), targets: events('96:B 97:A') }, 100);
  assert.deepEqual(findings, [{ class: 'reordered', endUs: 200, source: 0, target: 1 }]);
});

test('across windows: missing, then late applied, and not reordered besides', () => {
  const { findings } = runWindows({ lagUs: 50, skewUs: 5, sources: events('90:A 160:B 310:C'), targets: events('161:B 250:A 312:C') }, 100);
  assert.deepEqual(findings, [{ class: 'missing', endUs: 100, source: 0, target: -1 }, { class: 'late_applied', endUs: 300, source: 0, target: 1 }]);
});

test('across windows: a ghost takes nothing from later equal changes', () => {
  const { findings } = runWindows({ lagUs: 50, skewUs: 5, sources: events('10:A 50:B 96:A 201:A 297:A'), targets: events('53:B 97:A 202:A 298:A') }, 100);
  assert.deepEqual(findings, [{ class: 'missing', endUs: 100, source: 0, target: -1 }]);
});

function hotKey(count: number, lost: number): Problem {
  const sources = Array.from({ length: count }, (_, k): Event => ({ timeUs: k, value: `v${String(k % 7)}` }));
  const targets = sources.filter((_, k) => k !== lost).map(({ timeUs, value }): Event => ({ timeUs: timeUs + 3, value }));
  return { endUs: count * 2, lagUs: count, skewUs: 5, sources, targets };
}

test('the work bound: n · m beyond it is not searched, the pairs are a guess in linear time', () => {
  let asked = 0;
  const problem = hotKey(3_000, 1_500);
  const input = inputOf({ ...problem, workMax: 2_000 * 2_000 });
  const counted = createAlignInput({ ...input.versions, equal: (i, j) => { asked++; return input.versions.equal(i, j); } });
  const result = align(Object.assign(counted, { ...input, versions: counted.versions }));
  assert.equal(result.how, 'bulk');
  assert.ok(asked < 40_000, `${String(asked)} comparisons`);
  assert.equal(result.ofSource.subarray(0, 3_000).filter(verdict => verdict === OF_SOURCE.matched).length, 2_999);
});

test('the work bound: up to it the search is exact', () => {
  const result = align(inputOf({ ...hotKey(300, 150), workMax: 300 * 299 }));
  assert.equal(result.how, 'searched');
  assert.equal(align(inputOf({ ...hotKey(300, 150), workMax: 300 * 299 - 1 })).how, 'bulk');
});

test('the work bound: what comes after the search is bounded too', () => {
  const sources = Array.from({ length: 400 }, (_, k): Event => ({ timeUs: k, value: `s${String(k)}`, is: IS.consumed, pair: k }));
  const targets = Array.from({ length: 800 }, (_, k): Event => ({ timeUs: k, value: k < 400 ? `s${String(k)}` : `x${String(k)}`, is: k < 400 ? IS.consumed : 0 }));
  const problem = { endUs: 10_000, lagUs: 10, skewUs: 5, sources, targets };
  assert.equal(align(inputOf({ ...problem, workMax: 1_000 })).how, 'bulk');
  assert.equal(align(inputOf({ ...problem, workMax: 1_000_000 })).how, 'searched');
});

test('the work bound: changes that are looked at and not compared count too', () => {
  const sources = Array.from({ length: 400 }, (_, k): Event => ({ timeUs: k, value: 's', is: IS.consumed }));
  const targets = Array.from({ length: 800 }, (_, k): Event => ({ timeUs: k, value: 'x' }));
  assert.equal(align(inputOf({ endUs: 10_000, lagUs: 10, skewUs: 5, sources, targets, workMax: 1_000 })).how, 'bulk');
});

test('a row whose whole history was lost costs a few looks a change', () => {
  const count = 2_000;
  const sources = Array.from({ length: count }, (_, k): Event => ({ timeUs: k, value: `v${String(k % 2)}` }));
  const input = inputOf({ endUs: 10_000, lagUs: 10, skewUs: 5, elides: true, base: 'b', sources, targets: [] });
  let looks = 0;
  const counted = new Proxy(input.sourcePair, { get: (pairs, at) => { looks++; return Reflect.get(pairs, at) as unknown; } });
  const result = align({ ...input, sourcePair: counted });
  assert.equal(result.ofSource.subarray(0, count).filter(verdict => verdict === OF_SOURCE.missing).length, count);
  assert.ok(looks < 20 * count, `${String(looks)} looks`);
});

test('in step nothing is allocated once the arrays are there', () => {
  const input = inputOf(hotKey(200, -1));
  const result = createAlignment();
  align(input, result);
  const arrays = [result.ofSource, result.ofTarget, result.application, result.play.sources, result.play.low, result.play.search.choices];
  align(input, result);
  assert.equal(result.how, 'in-step');
  assert.deepEqual([result.ofSource, result.ofTarget, result.application, result.play.sources, result.play.low, result.play.search.choices].map((array, k) => array === arrays[k]), arrays.map(() => true));
});
