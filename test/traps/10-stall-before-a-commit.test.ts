// Trap 10. The process stands still for longer than a transaction may take, and its commit is refused when it goes on: what was read is dropped,
// and read once more, by the same process where the log says that it has given the commit up, and nobody else has the task.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppendEnded } from '../../topology/runtime/append-ended.ts';
import type { Log } from '../../topology/log/log.ts';
import { withAppends } from '../support/append.ts';
import { live, liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

void test('trap 10: an hour passes in front of a commit, which is then refused', async (t) => {
  const expected = await undisturbed(t, rows(30));
  for (const stallAt of [1, 2, 3]) {
    const place = placeOf(t);
    const log = await openLog(place);
    await write(log, rows(30));
    let [commits, stallMs] = [0, 0];
    const said = await live(place, {
      log: stalling(log, () => {
        if (++commits !== stallAt) return false;
        stallMs = 3_600_000;
        return true;
      }),
      tick() {
        const passed = 20 + stallMs;
        stallMs = 0;
        return passed;
      },
    });
    await log.close();
    assert.equal(said.filter(line => line.endsWith('; it goes back to its last commit')).length, 1);
    assert.deepEqual(wiped([...said, ...await liveOn(place)]), []);
    assert.deepEqual(await outputsOf(place), expected, `stalled at commit ${stallAt}`);
  }
});

function stalling(log: Log, stalls: () => boolean): Log {
  return withAppends(log, (writer, batch, id) => (batch.positions.length > 0 && stalls() ? Promise.reject(new AppendEnded(id)) : writer.append(batch)));
}
