// Trap 6. Somebody else takes the task over while it commits for the last time: the store is left as its last commit made it, not marked dirty for
// ever, and the next start does not wipe it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withAppends } from '../support/append.ts';
import { live, liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

void test('trap 6: fenced at the last commit, twice in a row', async (t) => {
  const expected = await undisturbed(t, [...rows(20), ...rows(10, 20)]);
  const place = placeOf(t);
  for (const from of [0, 20]) {
    const log = await openLog(place);
    await write(log, rows(from === 0 ? 20 : 10, from));
    const ids: string[] = [];
    const watched = { ...log, writer: (id: string) => (ids.push(id), log.writer(id)) };
    let commits = 0;
    const takeOver = async (): Promise<void> => { for (const id of new Set(ids)) await log.writer(id); };
    const said = await live(place, {
      log: withAppends(watched, async (writer, batch) => {
        if (batch.positions.length > 0 && ++commits === 2) await takeOver();
        await writer.append(batch);
      }),
    });
    assert.ok(said.some(line => line.endsWith(': taken over by another service')), said.join('\n'));
    await log.close();
  }
  assert.deepEqual(wiped(await liveOn(place)), []);
  assert.deepEqual(await outputsOf(place), expected);
});
