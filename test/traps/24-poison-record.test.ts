// Trap 24. A record that cannot be read is the last of its partition: the dead letter and the position behind it are in one append, so it is neither
// read again nor lost. And what a task changed before it died half-way leaves no trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppendRecord } from '../../topology/log/log.ts';
import { liveOn, openLog, outputsOf, placeOf, recordsOf, rows, undisturbed, wiped, write } from './place.ts';

const poison: AppendRecord = { topic: 'src', partition: 0, key: Buffer.from('{"id":1}'), value: Buffer.from('{"before":nul') };

void test('trap 24: the last record of the queue is poison, over two restarts', async (t) => {
  const place = placeOf(t);
  const log = await openLog(place);
  await write(log, [...rows(12), poison]);
  const end = await log.endOffset({ topic: 'src', partition: 0 });
  await log.close();
  for (let life = 0; life < 2; life++) {
    await liveOn(place);
    const { letters } = await recordsOf(place);
    assert.deepEqual(letters.map(({ topic, offset, reason }) => [topic, offset, reason]), [['src', String(end - 1), 'malformed']]);
  }
});

void test('trap 24: dying behind a state that was sealed and not appended', async (t) => {
  const records = [...rows(15), poison, ...rows(15, 15)];
  const expected = await undisturbed(t, records);
  const place = placeOf(t);
  const log = await openLog(place);
  await write(log, records);
  await log.close();
  for (let dieAt = 1; dieAt <= 3; dieAt++) {
    let commits = 0;
    await assert.rejects(liveOn(place, { more: { crashPoint: point => { if (point === 'before-append' && ++commits === dieAt) throw new Error('half-way'); } } }), /half-way/);
  }
  assert.deepEqual(wiped(await liveOn(place)), []);
  assert.deepEqual(await outputsOf(place), expected);
});
