// Trap 16. One side, or one partition of it, has less than the other by now: no window is judged on what happens to be there. What comes later is
// read in step, and the outputs are those of a service that had it all from the beginning.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, live, openLog, outputsOf, placeOf, recordsOf, START_MS, write } from './place.ts';

const source = Array.from({ length: 30 }, (_, i) => change('src', { id: i, atMs: i * 1000, lsn: 100 + i, partition: i % 2 }));
const target = Array.from({ length: 30 }, (_, i) => change('tgt', { id: i, atMs: i * 1000 + 300, lsn: 100 + i, partition: i % 2 }));
const of = (partition: number, records: typeof target): typeof target => records.filter(record => record.partition === partition);
const TWO = { src: 2, tgt: 2 };

const STAGES: readonly (readonly [what: string, stages: readonly (typeof target)[]])[] = [
  ['the target is empty', [source, target]],
  ['the source is empty', [target, source]],
  ['one partition of the target is behind', [[...source, ...of(0, target), ...of(1, target).slice(0, 4)], of(1, target).slice(4)]],
  ['partitions come in turn', [of(0, source), of(1, target), of(1, source), of(0, target)]],
];
for (const [what, stages] of STAGES) {
  void test(`trap 16: ${what}`, async (t) => {
    const whole = placeOf(t, { partitioning: 'repartition' });
    let log = await openLog(whole);
    await write(log, [...source, ...target], TWO);
    await live(whole, { log });
    await log.close();
    const place = placeOf(t, { partitioning: 'repartition' });
    log = await openLog(place);
    await write(log, stages[0], TWO);
    await live(place, { log, idle: async times => {
      if (times < stages.length) await write(log, stages[times]);
      return times < stages.length;
    } });
    await log.close();
    const { verdicts, manifests, letters } = await recordsOf(place);
    assert.ok(verdicts.length > 20 && verdicts.every(({ change: said }) => said === 'parity'));
    assert.deepEqual([manifests, letters], [[], []]);
    // What a decision rests on is the same; when it was taken is not told by a clock of the test.
    assert.deepEqual(await outputsOf(place), await outputsOf(whole));
  });
}

void test('trap 16: with a declared delay an idle partition is passed, by its end found after the clock was read, and the verdict says so', async (t) => {
  const place = placeOf(t, { source: ', captureDelay: 1s', partitioning: 'repartition' });
  const log = await openLog(place);
  // Partition 1 of the source falls silent at second 5.
  await write(log, [...source.filter(({ partition }, i) => partition === 0 || i < 6), ...target], TWO);
  await live(place, { log, more: { logNowMs: () => START_MS + 40_000 } });
  await log.close();
  const { verdicts } = await recordsOf(place);
  const tiers = verdicts.map(({ evidence }) => evidence.find(({ side, partition }) => side === 'source' && partition === 1)?.tier);
  assert.ok(tiers.includes('data') && tiers.includes('end-offset'), tiers.join());
});
