// Trap 22. A history of years ago is read today: retention and compaction, which go by the time of the log, leave the changelog whole, and a state that
// is lost is restored from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableLog } from '../../topology/log/durable/durable-log.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import { change, live, loseState, openLog, placeOf, START_MS, write } from './place.ts';

const YEARS_MS = 20 * 365 * 86_400_000;
const old = (from: number, seconds: number): AppendRecord[] => Array.from({ length: seconds }, (_, i) => from + i).flatMap(i => [
  change('src', { id: i, atMs: i * 1000 - YEARS_MS, lsn: 100 + i, timestampMs: START_MS }),
  ...(i === 10 ? [] : [change('tgt', { id: i, atMs: i * 1000 + 300 - YEARS_MS, lsn: 100 + i, timestampMs: START_MS })]),
]);

void test('trap 22: the state is lost after the log was maintained', async (t) => {
  const whole = placeOf(t);
  const untouched = await openLog(whole);
  await write(untouched, old(0, 30));
  await live(whole, { log: untouched });
  const expected = await lastVerdict(untouched);
  await untouched.close();
  const place = placeOf(t);
  let last = '';
  for (const from of [0, 15]) {
    // Small segments, so that there is something to let go and to compact.
    const log = await openLog(place, { retention: { ageMs: 3_600_000 }, segmentBytes: 4096 });
    await write(log, old(from, 15));
    await live(place, { log });
    last = await lastVerdict(log);
    await log.maintain(START_MS + 2 * 3_600_000);
    assert.ok(await log.beginningOffset(VERDICTS) > 0, 'what is older than an hour is gone');
    await log.close();
    loseState(place);
  }
  assert.equal(last, expected);
});

const VERDICTS = { topic: DEFAULT_OUTPUTS.verdicts, partition: 0 };

/** The head of the chain of all of them. */
async function lastVerdict(log: DurableLog): Promise<string> {
  const reader = await log.open(VERDICTS, await log.beginningOffset(VERDICTS));
  let last = '';
  do while (reader.next()) last = reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd); while (await reader.fill());
  await reader.close();
  return last;
}
