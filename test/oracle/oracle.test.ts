// The oracle on small histories whose answers are worked out by hand (cases.ts).
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { brief, judgeCase } from './build.ts';
import { CASES } from './cases.ts';
import type { Judgement } from './judgement.ts';

for (const [name, c] of Object.entries(CASES)) {
  void test(`oracle: ${name}`, () => {
    const judgement = judgeCase(c);
    deepEqual(brief(judgement), c.windows);
    equal(judgement.exitCode, c.exit, 'exit code');
    equal(judgement.openWindows, c.open ?? 0, 'open windows');
    if (c.complete !== false && !JSON.stringify(c.source).includes('truncate')) equal(accounted(judgement), judgement.recordsRead, 'ruling 21: every record is in one count');
    deepEqual(judgement.deadLetters.map((d) => `${d.side} ${String(d.offset)} ${d.reason}`), c.letters ?? []);
  });
}

function accounted(judgement: Judgement): number {
  const events = judgement.windows.map((w) => w.counts.sourceEvents + w.counts.targetEvents);
  const bySum = judgement.windows.map(({ counts: c }) => 2 * c.matched + c.missing + c.duplicate + c.unexpected + c.lateApplied);
  const hurt = judgement.windows.map((w) => new Set(w.findings.filter((f) => f.class === 'mismatch' || f.class === 'reordered').map((f) => f.source?.offset)).size * 2);
  const loaded = judgement.windows.map((w) => w.findings.filter((f) => f.class === 'mismatch').length);
  events.forEach((n, i) => { ok(n === bySum[i] + hurt[i] || n === bySum[i] + hurt[i] - 2 * loaded[i], 'the parts of a window add up'); });
  return events.reduce((a, b) => a + b, 0) + judgement.redelivered + judgement.excluded + judgement.deadLetters.length;
}
