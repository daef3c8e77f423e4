// Trap 20. One transaction is committed under a clock a year ahead: no watermark follows it. All that comes after it is judged as if the clock had
// been right, nothing of it is late, and no state goes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, liveOn, openLog, placeOf, recordsOf, rows, START_MS, write } from './place.ts';

const YEAR_MS = 365 * 86_400_000;

void test('trap 20: a year ahead, and a restart right behind it', async (t) => {
  const place = placeOf(t);
  const poisoned = [
    change('src', { id: 900, atMs: YEAR_MS, lsn: 900, timestampMs: START_MS + 12_000 }), change('tgt', { id: 900, atMs: YEAR_MS + 300, lsn: 900, timestampMs: START_MS + 12_300 }),
  ];
  for (const records of [[...rows(12), ...poisoned], rows(18, 12)]) {
    const log = await openLog(place);
    await write(log, records);
    await log.close();
    await liveOn(place);
  }
  const { verdicts, manifests, letters } = await recordsOf(place);
  assert.deepEqual(letters.filter(({ reason }) => reason === 'late'), []);
  assert.deepEqual(manifests.map(({ class: what, key }) => `${what} ${key['id']}`), ['missing 10', 'mismatch 15']);
  assert.ok(verdicts.length > 20 && verdicts.every(({ window }) => Date.parse(window.end) < START_MS + 60_000));
});
