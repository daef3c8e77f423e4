// Trap 18. A restart next to the end of a window: a record that is late is late after it too, a window that was closed is not told again, and one that
// was not is told once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, liveOn, openLog, outputsOf, placeOf, recordsOf, rows, undisturbed, write } from './place.ts';

const late = change('src', { id: 900, atMs: 3500, lsn: 900 });

for (const seconds of [7, 8, 9, 12]) {
  void test(`trap 18: a late record right after a restart at second ${seconds}`, async (t) => {
    const rest = [late, ...rows(30 - seconds, seconds)];
    const expected = await undisturbed(t, [...rows(seconds), ...rest]);
    const place = placeOf(t);
    for (const records of [rows(seconds), rest]) {
      const log = await openLog(place);
      await write(log, records);
      await log.close();
      await liveOn(place);
    }
    assert.deepEqual(await outputsOf(place), expected);
    const { verdicts, letters } = await recordsOf(place);
    assert.equal(new Set(verdicts.map(({ window }) => window.start)).size, verdicts.length, 'a window is told once');
    // Its window closes once the source has been read to second 8: 4, and lag, skew and lateness.
    assert.deepEqual(letters.map(({ reason }) => reason), seconds > 8 ? ['late'] : []);
  });
}
