// Trap 4. A crash between the append and the local batch: the start applies exactly that commit from the changelog. No wipe, and nothing is
// read or said twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

void test('trap 4: dying behind the append of any commit', async (t) => {
  const expected = await undisturbed(t, rows(30));
  let commits = 0;
  for (let dieAt = 1; dieAt <= 6; dieAt++) {
    const place = placeOf(t);
    const log = await openLog(place);
    await write(log, rows(30));
    await log.close();
    commits = 0;
    const died = await liveOn(place, { more: { crashPoint: point => { if (point === 'before-store' && ++commits === dieAt) throw new Error('killed'); } } }).then(() => false, () => true);
    const said = await liveOn(place);
    assert.deepEqual(wiped(said), []);
    // Nothing else is behind: what was committed before is in the store.
    assert.ok(died, 'there was a commit to die at');
    assert.match(said.join('\n'), /restoring: offset \d+ of \d+/);
    assert.deepEqual(await outputsOf(place), expected, `died at commit ${dieAt}`);
  }
});
