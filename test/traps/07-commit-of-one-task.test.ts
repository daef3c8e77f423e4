// Trap 7. One task's commit fails while another has processed records: what the other commits has its outputs, its state and its positions in one
// append, and none of the first one's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from '../../topology/log/log.ts';
import { withAppends } from '../support/append.ts';
import { live, liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

const PAIRS = ['orders', 'customers'];

void test('trap 7: one task cannot commit, the other commits what is its own', async (t) => {
  const expected = await undisturbed(t, rows(30), PAIRS);
  const place = placeOf(t, { pairs: PAIRS });
  const log = await openLog(place);
  await write(log, rows(30));
  const foreign: string[] = [];
  await assert.rejects(live(place, { log: refusing(log, 'customers', foreign) }), /did not take place/);
  await log.close();
  assert.deepEqual(foreign, [], 'an append of one task that speaks of another');
  const between = await outputsOf(place);
  assert.deepEqual([between.some(line => line.includes('"pair":"orders"')), between.some(line => line.includes('"pair":"customers"'))], [true, false]);
  assert.deepEqual(wiped(await liveOn(place)), []);
  assert.deepEqual(await outputsOf(place), expected);
});

/** Refuses the commits of one pair, and notes appends in which two pairs are. */
function refusing(log: Log, pair: string, foreign: string[]): Log {
  return withAppends(log, async (writer, batch) => {
    const text = batch.records.map(({ topic, value }) => `${topic} ${String(value)}`).join('\n');
    if (batch.positions.length > 0 && PAIRS.every(name => text.includes(`"pair":"${name}"`) || text.includes(`-${name}-`))) foreign.push(batch.group);
    if (batch.positions.length > 0 && batch.group.includes(pair)) throw new Error('refused');
    await writer.append(batch);
  });
}
