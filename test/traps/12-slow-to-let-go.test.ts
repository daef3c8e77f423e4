// Trap 12. The owner of a task is slow to let go of it: whoever is to have it next is told so, and never begins with an empty store in its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDirectoryOf } from '../../topology/cli/task-store.ts';
import { liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

void test('trap 12: the directory is still held when the next owner opens it', async (t) => {
  const expected = await undisturbed(t, [...rows(20), ...rows(10, 20)]);
  const place = placeOf(t);
  for (const from of [0, 20]) {
    const log = await openLog(place);
    await write(log, rows(from === 0 ? 20 : 10, from));
    await log.close();
    if (from === 0) await liveOn(place);
  }
  const slow = openDirectoryOf(place.config, { pair: 'orders', subTopology: 'reconcile', partition: 0 });
  await assert.rejects(liveOn(place), /held by this process /);
  slow.close();
  const said = await liveOn(place);
  assert.deepEqual(wiped(said), []);
  assert.ok(!said.some(line => line.includes('restoring: offset')), 'the store was as its last commit left it');
  assert.deepEqual(await outputsOf(place), expected);
});
