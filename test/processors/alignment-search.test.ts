// The dynamic programme against every alignment tried, on small problems: the same pairs, so the same cost and the same ties.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairInOrder } from '../../processors/alignment.ts';
import { createAlignment, type Alignment } from '../../processors/alignment-pairs.ts';
import { IS } from '../../processors/alignment-input.ts';
import { prng, type Prng } from '../simulation/prng.ts';
import { bestAlignment, inputOf, type Event, type Problem } from './alignment-model.ts';

const alignment = createAlignment();

function pairsOf(problem: Problem, into: Alignment = alignment): number[][] {
  pairInOrder(inputOf(problem), into);
  return problem.sources.flatMap((_, i) => (into.application[i] >= 0 ? [[i, into.application[i]]] : []));
}

function word(bits: number, length: number): string[] {
  return Array.from({ length }, (_, k) => ((bits >> k) & 1 ? 'B' : 'A'));
}

/** Times in steps so coarse that sums of lag tie often; W lies in the middle. */
function problemOf(random: Prng, sources: readonly string[], targets: readonly string[]): Problem {
  const absent = random.chance(0.3);
  const event = (value: string, is: number, timeUs: number): Event => ({ value: absent && value === 'B' ? null : value, is, timeUs });
  const times = (count: number): number[] => Array.from({ length: count }, () => random.int(8)).sort((a, b) => a - b);
  const role = (): number => (random.chance(0.6) ? 0 : random.pick([IS.read, IS.noop, IS.ghost]));
  const sourceTimes = times(sources.length);
  const targetTimes = times(targets.length);
  const endUs = random.int(9);
  return {
    endUs, lagUs: 1 + random.int(8), skewUs: random.int(3),
    sources: sources.map((value, i) => { const is = role(); return event(value, (is & IS.ghost) !== 0 && sourceTimes[i] >= endUs ? 0 : is, sourceTimes[i]); }),
    targets: targets.map((value, j) => event(value, 0, targetTimes[j])),
  };
}

function checkSame(problem: Problem): boolean {
  const found = pairsOf(problem);
  if (alignment.how === 'in-step') return false;
  assert.deepEqual(found, bestAlignment(problem), JSON.stringify(problem));
  return true;
}

for (const policy of ['exact', 'collapse'] as const) {
  test(`${policy}, up to 4 × 4 changes with two versions: every word, many times and roles`, () => {
    const random = prng(11);
    let searched = 0;
    for (let size = 0; size < 25; size++) {
      const n = Math.floor(size / 5);
      const m = size % 5;
      for (let turn = 0; turn < 25 << (n + m); turn++) {
        if (checkSame({ ...problemOf(random, word(turn, n), word(turn >> n, m)), policy })) searched++;
      }
    }
    assert.ok(searched > 15_000, `${String(searched)} searched`);
  });
}

test('with pairs consumed before, in order and not: no new pair crosses one in order', () => {
  const random = prng(12);
  for (let turn = 0; turn < 6_000; turn++) {
    const plain = problemOf(random, word(random.int(64), 6), word(random.int(64), 6));
    const consumed = consume(random, plain);
    checkSame({ ...consumed, policy: turn % 3 === 0 ? 'collapse' : 'exact' });
  }
});

function consume(random: Prng, problem: Problem): Problem {
  const sources: Event[] = [...problem.sources];
  const targets: Event[] = [...problem.targets];
  const places = (): number[] => [random.int(6), random.int(6)].sort((a, b) => a - b);
  const [s, t] = [places(), places()];
  const crossed = random.chance(0.3);
  for (const at of s[0] === s[1] || t[0] === t[1] ? [0] : [0, 1]) {
    const to = t[crossed ? 1 - at : at];
    const source = sources[s[at]];
    sources[s[at]] = { value: source.value, timeUs: source.timeUs, is: IS.consumed | (crossed ? IS.outOfOrder : 0), pair: to };
    targets[to] = { ...targets[to], is: IS.consumed };
  }
  // A half-made crossing pair leaves its other target change free.
  return { ...problem, sources, targets };
}

test('in step is an alignment without findings and with the most equal pairs', () => {
  const random = prng(13);
  let inStep = 0;
  for (let turn = 0; turn < 60_000; turn++) {
    const bits = random.int(1 << 6);
    const problem: Problem = { ...problemOf(random, word(bits, 1 + random.int(4)), word(bits, 1 + random.int(4))), policy: turn % 3 === 0 ? 'collapse' : 'exact' };
    const found = pairsOf(problem);
    if (alignment.how !== 'in-step') continue;
    inStep++;
    const best = bestAlignment(problem);
    assert.equal(found.length, best.length, JSON.stringify(problem));
    const firm = (pairs: readonly (readonly number[])[]): number => pairs.filter(([i]) => ((problem.sources[i].is ?? 0) & (IS.read | IS.ghost | IS.noop)) === 0).length;
    assert.equal(firm(found), firm(best), JSON.stringify(problem));
  }
  assert.ok(inStep > 1_000, `${String(inStep)} in step`);
});

test('the buffers of one key say nothing to the next', () => {
  const random = prng(14);
  for (let turn = 0; turn < 2_000; turn++) {
    const bits = random.int(256);
    const problem = problemOf(random, word(bits, random.int(5)), word(bits, random.int(5)));
    assert.deepEqual(pairsOf(problem), pairsOf(problem, createAlignment()), JSON.stringify(problem));
  }
});
