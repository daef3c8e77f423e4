// Trap 15. One task's store is damaged: it alone is made anew from its changelog, the healthy one is opened as it is, and both go on.
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { databaseOf, liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

const PAIRS = ['orders', 'customers'];

void test('trap 15: the store of one of two tasks has lost a file', async (t) => {
  const expected = await undisturbed(t, [...rows(20), ...rows(10, 20)], PAIRS);
  const place = placeOf(t, { pairs: PAIRS });
  for (const from of [0, 20]) {
    const log = await openLog(place);
    await write(log, rows(from === 0 ? 20 : 10, from));
    await log.close();
    if (from === 0) await liveOn(place);
  }
  const db = databaseOf(place, 'customers');
  for (const name of readdirSync(db)) if (name.startsWith('MANIFEST-') || name.endsWith('.log')) rmSync(join(db, name));
  const said = wiped(await liveOn(place));
  assert.equal(said.length, 1);
  assert.match(said[0], /^customers/);
  assert.deepEqual(await outputsOf(place), expected);
});
