// Trap 24. A record that cannot be read is the last of its partition: the dead letter and the position behind it are in one append, so it is neither
// read again nor lost. And what a task changed before it died half-way, or a processor before it threw, leaves no trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../schemas/errors.ts';
import type { GroupMember } from '../../topology/runtime/partition-group.ts';
import { createRecordIntake, type IntakeParts } from '../../topology/runtime/record-intake.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { taskName } from '../../topology/runtime/task-id.ts';
import { altered, liveOn, openLog, outputsOf, placeOf, recordsOf, rows, undisturbed, wiped, write } from './place.ts';

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

for (const task of ['orders/reconcile/0', 'orders/merge']) {
  void test(`trap 24: a processor of ${task} throws half-way, between two looks into its stores`, async (t) => {
    const records = [...rows(15), poison, ...rows(15, 15)];
    const expected = await undisturbed(t, records);
    const told: string[] = [];
    for (let at = 1; ; at *= 2) {
      const place = placeOf(t);
      const log = await openLog(place);
      await write(log, records);
      await log.close();
      let left = at;
      const failure = await liveOn(place, { harm: (engine, of) => (taskName(of) !== task ? engine : altered(engine, {
        get(family, key) {
          if (--left === 0) throw new TypeError('half-way');
          return engine.get(family, key);
        },
      })) }).then(() => undefined, (error: unknown) => error as Error);
      if (failure !== undefined) {
        told.push(failure.message);
        assert.match(failure.message, /half-way/);
        const there = await outputsOf(place);
        assert.deepEqual(there.filter(line => !expected.includes(line)), [], `at ${at}`);
        assert.deepEqual(wiped(await liveOn(place)), []);
      }
      assert.deepEqual(await outputsOf(place), expected, `at ${at}`);
      if (failure === undefined) break;
    }
    assert.ok(told.length > 1);
    for (const message of told) assert.equal(message, `task ${task}: an internal error: half-way. Nothing of what was done since the last commit was kept, and a start goes on from there`);
  });
}

void test('trap 24: what throws while a record is taken is told with the place of the record, and with where it was', () => {
  const record = { topic: 'src', partition: 3, offset: 17, data: Buffer.alloc(0), keyStart: -1, keyEnd: -1, valueStart: -1, valueEnd: -1, timestampMs: 0 };
  const claim = { side: 0, partition: 3 };
  const decoder = { event: {}, decode: () => { throw new TypeError('half-way'); } };
  const intake = createRecordIntake({
    settings: { name: 'orders' }, members: [{ reader: { record }, claim }], shards: [{ shard: { partitions: [claim] } }], decoders: [decoder, decoder], counts: {}, collector: {}, from: undefined,
  } as unknown as IntakeParts);
  assert.throws(() => { intake.take({ reader: { record }, claim } as unknown as GroupMember, 0); }, (error: unknown) => {
    const { exitCode, message } = classify(error);
    assert.match(message, /^pair "orders": an internal error at src-3@17: half-way\. Nothing of what was done since the last commit was kept.*\nTypeError: half-way\n +at /s);
    return exitCode === 70;
  });
});
