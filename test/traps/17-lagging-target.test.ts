// Trap 17. The target's connector is hours behind: nothing is called missing before the target's own watermark has passed the deadline, and when
// it has caught up nothing ever was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, live, openLog, placeOf, recordsOf, write } from './place.ts';

const HOURS_MS = 3 * 3_600_000;

void test('trap 17: the source is hours ahead of what is read of the target', async (t) => {
  const place = placeOf(t);
  const every = 60_000;
  const source = Array.from({ length: HOURS_MS / every }, (_, i) => change('src', { id: i, atMs: i * every, lsn: 100 + i }));
  const target = Array.from({ length: HOURS_MS / every }, (_, i) => change('tgt', { id: i, atMs: i * every + 300, lsn: 100 + i }));
  const log = await openLog(place);
  await write(log, [...source, ...target.slice(0, 3)]);
  const atFirst: number[] = [];
  await live(place, { log, idle: async times => {
    atFirst.push(await log.endOffset({ topic: place.config.outputs.verdicts, partition: 0 }));
    if (times === 1) await write(log, target.slice(3));
    return times === 1;
  } });
  await log.close();
  const { verdicts, manifests } = await recordsOf(place);
  assert.ok(atFirst[0] <= 3, `${atFirst[0]} verdicts while the target had three changes`);
  assert.ok(verdicts.length > 170);
  assert.deepEqual(manifests, []);
});
