// Whether a soak is called flat: slopes of what it weighed, against shapes whose answer is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FLAT_MB_PER_MINUTE, HEAD, row, slopes, sparkline, verdict, type Sample } from './soak-report.ts';

const SAMPLES = 180;
const sampled = (rss: (minutes: number, n: number) => number, external: (minutes: number, n: number) => number = () => 40): Sample[] =>
  Array.from({ length: SAMPLES }, (_, n) => {
    const minutes = (n + 1) / 6;
    return { minutes, events: n * 5000, verdicts: n * 10, rss: rss(minutes, n), used: 20, heap: 25, external: external(minutes, n), native: 100, state: 30, log: 100, cpuPercent: 12, loopP99Ms: 8 };
  });

const SHAPES: readonly (readonly [what: string, samples: Sample[], flat: boolean])[] = [
  ['constant', sampled(() => 200), true],
  ['a warm-up that levels off', sampled(minutes => 250 - 100 * Math.exp(-minutes / 2)), true],
  ['a saw of a collector', sampled((_, n) => 200 + (n % 12) * 3), true],
  ['a cache that fills and is emptied', sampled(() => 200, minutes => 40 + (minutes % 4) * 2), true],
  ['peaks', sampled((_, n) => (n % 20 === 0 ? 400 : 200)), true],
  ['one step in the warm-up', sampled(minutes => (minutes < 8 ? 200 : 240)), true],
  ['a leak of 0.5 MB a minute', sampled(minutes => 200 + minutes / 2), false],
  ['the same under a saw', sampled((minutes, n) => 200 + minutes / 2 + (n % 12) * 3), false],
  ['a leak of buffers alone', sampled(() => 200, minutes => 40 + minutes / 2), false],
  ['it shrinks', sampled(minutes => 300 - minutes), true],
];
for (const [what, samples, flat] of SHAPES) {
  void test(`${flat ? 'flat' : 'it grows'}: ${what}`, () => {
    const said = verdict(samples);
    assert.equal(said.flat, flat, said.lines.join('\n'));
    assert.match(said.lines.at(-1) ?? '', flat ? /^flat: / : /^it grows: /);
  });
}

void test('a slope is in MB a minute, of the last two thirds', () => {
  const found = slopes(sampled(minutes => (minutes <= 10 ? 100 * minutes : 1000 + 3 * minutes)));
  assert.ok(Math.abs((found.find(({ measure }) => measure === 'rss')?.mbPerMinute ?? NaN) - 3) < 0.01, JSON.stringify(found));
  assert.ok(FLAT_MB_PER_MINUTE < 0.5);
});

void test('a row stands under its head, and bars go from the least to the greatest', () => {
  assert.equal(row(sampled(() => 200)[5]).length, HEAD.length);
  assert.equal(sparkline([0, 1, 2, 3, 4, 5, 6, 7]), '▁▂▃▄▅▆▇█');
  assert.equal(sparkline([5, 5, 5]), '▁▁▁');
  assert.equal(sparkline(Array.from({ length: 600 }, (_, i) => i)).length, 60);
});
