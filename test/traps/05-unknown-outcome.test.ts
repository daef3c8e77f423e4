// Trap 5. The answer to a commit is lost, and it took place or did not: what is committed tells. Never applied twice, never lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from '../../topology/log/log.ts';
import { withAppends } from '../support/append.ts';
import { live, liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

for (const tookPlace of [true, false]) {
  void test(`trap 5: no answer to a commit that ${tookPlace ? 'took place' : 'did not take place'}`, async (t) => {
    const expected = await undisturbed(t, rows(30));
    for (let lostAt = 1; lostAt <= 3; lostAt++) {
      const place = placeOf(t);
      const log = await openLog(place);
      await write(log, rows(30));
      const ended = await live(place, { log: losing(log, lostAt, tookPlace) }).then(() => 'by itself', (error: unknown) => String(error));
      await log.close();
      if (tookPlace) assert.equal(ended, 'by itself', 'the answer is found in what was committed');
      else assert.match(ended, /did not take place: the connection is gone/);
      assert.deepEqual(wiped(await liveOn(place)), []);
      assert.deepEqual(await outputsOf(place), expected, `lost at commit ${lostAt}`);
    }
  });
}

function losing(log: Log, lostAt: number, tookPlace: boolean): Log {
  let commits = 0;
  return withAppends(log, async (writer, batch) => {
    const isLost = batch.positions.length > 0 && ++commits === lostAt;
    if (!isLost || tookPlace) await writer.append(batch);
    if (isLost) throw new Error('the connection is gone');
  });
}
