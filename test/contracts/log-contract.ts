// The suite that every log adapter passes (topology/log/log.ts). It takes holes in offsets as a broker makes them (transaction markers);
// with `dense` it also asks that offsets count the records.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AppendBatch, AppendRecord, Log, PartitionReader, TopicPartition } from '../../topology/log/log.ts';
import { WriterFenced } from '../../topology/runtime/writer-fenced.ts';
import { appendTo } from '../support/append.ts';

export interface LogTraits {
  /** Offsets are 0, 1, 2, … */
  readonly dense: boolean;
  /** For a log that outlives its process: opens again what was closed. */
  readonly reopen?: () => Promise<Log>;
}

export function logContract(name: string, open: () => Promise<Log>, traits: LogTraits): void {
  describe(`log contract: ${name}`, () => {
    let log: Log;
    let topics = 0;
    before(async () => { log = await open(); });
    after(async () => { await log.close(); });

    const newTopic = async (partitions = 1, cleanup: 'delete' | 'compact' = 'delete'): Promise<string> => {
      const topic = `contract-${name.toLowerCase().replace(/[^a-z0-9]/g, '-')}-${topics++}`;
      await log.createTopic(topic, { partitions, cleanup });
      return topic;
    };
    const append = (records: AppendRecord[], more: Partial<AppendBatch> = {}): Promise<void> => appendTo(log, { records, positions: [], group: 'contract', ...more });

    test('gives back what was appended, in order, with growing offsets', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      await append([record(at, 'k1', 'v1'), record(at, 'k2', 'v2')]);
      await append([record(at, 'k3', 'v3')]);
      const read = await readAll(log, at, 0);
      assert.deepEqual(read.map(({ key, value }) => [key, value]), [['k1', 'v1'], ['k2', 'v2'], ['k3', 'v3']]);
      checkGrowing(read);
      const end = await log.endOffset(at);
      assert.ok(end > read[2].offset);
      if (traits.dense) assert.deepEqual([...read.map(({ offset }) => offset), end], [0, 1, 2, 3]);
    });

    test('null and empty are different, for keys and values', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const cases: [string | null, string | null][] = [[null, null], ['', ''], [null, 'v'], ['k', null], ['', null], [null, '']];
      await append(cases.map(([key, value]) => record(at, key, value)));
      assert.deepEqual((await readAll(log, at, 0)).map(({ key, value }) => [key, value]), cases);
    });

    test('keeps every byte', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      await append([{ ...at, key: every, value: Buffer.concat([every, every]) }]);
      const reader = await log.open(at, 0);
      await step(reader);
      const { data, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
      assert.ok(data.subarray(keyStart, keyEnd).equals(every));
      assert.ok(data.subarray(valueStart, valueEnd).equals(Buffer.concat([every, every])));
      await reader.close();
    });

    test('copies what it is given', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const value = Buffer.from('before');
      await append([{ ...at, key: null, value }]);
      value.fill('x');
      assert.deepEqual((await readAll(log, at, 0)).map((read) => read.value), ['before']);
    });

    test('fills the record', async () => {
      const at = { topic: await newTopic(3), partition: 2 };
      await append([record(at, 'k', 'v')]);
      const reader = await log.open(at, 0);
      await step(reader);
      assert.equal(reader.topic, at.topic);
      assert.equal(reader.partition, 2);
      assert.equal(reader.record.topic, at.topic);
      assert.equal(reader.record.partition, 2);
      assert.ok(Number.isFinite(reader.record.timestampMs));
      assert.equal(reader.record.bad, undefined);
      assert.equal(reader.record.header('any'), undefined);
      assert.equal(reader.position, reader.record.offset + 1);
      await reader.close();
    });

    test('keeps timestamps and headers; of headers with one name the last counts', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const bytes = Buffer.of(0, 255, 10);
      await append([
        { ...record(at, 'k', 'v'), timestampMs: 1_700_000_000_123, headers: [['a', Buffer.from('first')], ['b', null], ['é', bytes], ['a', Buffer.from('')]] },
        { ...record(at, null, null), timestampMs: 0, headers: [] },
      ]);
      const reader = await log.open(at, 0);
      assert.equal(await step(reader), 'v');
      assert.equal(reader.record.timestampMs, 1_700_000_000_123);
      assert.equal(reader.record.header('a')?.length, 0);
      assert.equal(reader.record.header('b'), undefined);
      assert.ok(reader.record.header('é')?.equals(bytes));
      assert.equal(reader.record.header('none'), undefined);
      assert.equal(await step(reader), null);
      assert.deepEqual([reader.record.timestampMs, reader.record.header('a')], [0, undefined]);
      await reader.close();
    });

    test('reads on from any offset, and not at all from the end', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      for (let n = 0; n < 5; n++) await append([record(at, null, `${n}a`), record(at, null, `${n}b`)]);
      const all = await readAll(log, at, 0);
      assert.equal(all.length, 10);
      for (const [index, { offset }] of all.entries()) assert.deepEqual(await readAll(log, at, offset), all.slice(index));
      const end = await log.endOffset(at);
      assert.deepEqual(await readAll(log, at, end), []);
      await assert.rejects(log.open(at, end + 5), /offset/i);
      await assert.rejects(log.open(at, -1));
      await assert.rejects(log.open(at, 0.5));
    });

    test('one append to several topics and partitions', async () => {
      const [first, second] = [await newTopic(2), await newTopic(1, 'compact')];
      const places = [{ topic: first, partition: 0 }, { topic: first, partition: 1 }, { topic: second, partition: 0 }];
      await append([...places.map((at, n) => record(at, 'k', String(n))), record(places[0], 'k', '3')]);
      const values = await Promise.all(places.map(async (at) => (await readAll(log, at, 0)).map((read) => read.value)));
      assert.deepEqual(values, [['0', '3'], ['1'], ['2']]);
    });

    test('an append with anything wrong appends nothing, commits nothing', async () => {
      const [topic, compact] = [await newTopic(2), await newTopic(1, 'compact')];
      const good = { topic, partition: 0 };
      const group = `${topic}-group`;
      const wrong: Partial<AppendBatch>[] = [
        { records: [record(good, 'k', 'v'), record({ topic: 'no-such-topic', partition: 0 }, 'k', 'v')] },
        { records: [record(good, 'k', 'v'), record({ topic, partition: 2 }, 'k', 'v')] },
        { records: [record(good, 'k', 'v'), record({ topic, partition: -1 }, 'k', 'v')] },
        { records: [record(good, 'k', 'v'), record({ topic: compact, partition: 0 }, null, 'v')] },
        { records: [record(good, 'k', 'v'), { ...good, key: null, value: 'text' as never }] },
        { records: [record(good, 'k', 'v'), { ...record(good, 'k', 'v'), timestampMs: NaN }] },
        { records: [record(good, 'k', 'v'), { ...record(good, 'k', 'v'), headers: [['h', 'text' as never]] }] },
        { records: [record(good, 'k', 'v')], positions: [{ ...good, offset: 1 }, { topic: 'no-such-topic', partition: 0, offset: 1 }] },
        { records: [record(good, 'k', 'v')], positions: [{ ...good, offset: -1 }] },
      ];
      for (const batch of wrong) {
        await assert.rejects(appendTo(log, { records: [], positions: [{ ...good, offset: 7 }], group, ...batch }));
        assert.deepEqual(await readAll(log, good, 0), []);
        assert.equal(await log.committed(group, good), undefined);
      }
      await append([record(good, 'k', 'after')]);
      assert.deepEqual((await readAll(log, good, 0)).map(({ value }) => value), ['after']);
    });

    test('positions are committed with the records, by group, topic and partition', async () => {
      const [topic, other] = [await newTopic(2), await newTopic(1)];
      const [zero, one] = [{ topic, partition: 0 }, { topic, partition: 1 }];
      const [group, another] = [`${topic}-g`, `${topic}-h`];
      assert.equal(await log.committed(group, zero), undefined);
      await append([record(zero, 'k', 'v')], { group, positions: [{ ...zero, offset: 3 }] });
      await append([], { group: another, positions: [{ ...zero, offset: 0 }, { topic: other, partition: 0, offset: 2 ** 40 }] });
      assert.equal(await log.committed(group, zero), 3);
      assert.equal(await log.committed(group, one), undefined);
      assert.equal(await log.committed(another, zero), 0);
      assert.equal(await log.committed(another, { topic: other, partition: 0 }), 2 ** 40);
      await append([], { group, positions: [{ ...zero, offset: 2 }, { ...one, offset: 9 }] });
      assert.equal(await log.committed(group, zero), 2);
      assert.equal(await log.committed(group, one), 9);
    });

    test('without follow, a reader ends where the partition ended when it was opened', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      await append([record(at, 'k', '1'), record(at, 'k', '2')]);
      const reader = await log.open(at, 0);
      await append([record(at, 'k', '3')]);
      assert.deepEqual((await drain(reader)).map(({ value }) => value), ['1', '2']);
      assert.equal(await reader.fill(), false);
      assert.equal(reader.next(), false);
      if (traits.dense) assert.equal(reader.total, 2);
      await reader.close();
    });

    test('with follow, a reader waits for what is appended later', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      await append([record(at, 'k', '1')]);
      const reader = await log.open(at, 0, { follow: true });
      assert.equal(reader.total, undefined);
      assert.equal(await step(reader), '1');
      const next = step(reader);
      await append([record(at, 'k', '2'), record(at, 'k', '3')]);
      assert.equal(await next, '2');
      assert.equal(await step(reader), '3');
      const fromEnd = await log.open(at, await log.endOffset(at), { follow: true });
      await append([record(at, 'k', '4')]);
      assert.equal(await step(fromEnd), '4');
      assert.equal(await step(reader), '4');
      // Closing wakes a reader that waits.
      const waiting = reader.fill();
      await reader.close();
      assert.equal(await waiting, false);
      assert.equal(reader.next(), false);
      await fromEnd.close();
    });

    test('readers are independent, and one record does not change when the next is read by another', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      await append([record(at, 'k', 'one'), record(at, 'k', 'two')]);
      const [first, second] = [await log.open(at, 0), await log.open(at, 0)];
      assert.equal(await step(first), 'one');
      assert.equal(await step(second), 'one');
      assert.equal(await step(second), 'two');
      await append([record(at, 'k', 'three')]);
      assert.equal(textOf(first.record.data, first.record.valueStart, first.record.valueEnd), 'one');
      await first.close();
      await second.close();
    });

    test('reading while appending sees whole appends, each record once', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const total = 300;
      const reader = await log.open(at, 0, { follow: true });
      const writing = (async () => {
        for (let n = 0; n < total; n += 3) await append([n, n + 1, n + 2].map((k) => record(at, null, `${k}${'x'.repeat(k)}`)));
      })();
      const seen: number[] = [];
      while (seen.length < total) {
        assert.ok(await reader.fill());
        const before = seen.length;
        while (reader.next()) seen.push(parseInt(textOf(reader.record.data, reader.record.valueStart, reader.record.valueEnd) ?? '', 10));
        assert.ok(seen.length > before, 'fill said there is more');
        assert.equal(seen.length % 3, 0, 'a part of an append was seen');
      }
      await writing;
      assert.deepEqual(seen, Array.from({ length: total }, (_, n) => n));
      await reader.close();
    });

    test('firstOffset is 0 at the beginning and NaN where there is nothing', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const empty = await log.open(at, 0);
      assert.ok(Number.isNaN(empty.firstOffset));
      assert.equal(await empty.fill(), false);
      await empty.close();
      await append([record(at, 'k', 'v')]);
      const reader = await log.open(at, await log.endOffset(at));
      assert.equal(reader.firstOffset, 0);
      await reader.close();
    });

    test('many partitions, records mixed: each partition has its own, in order', async () => {
      const topic = await newTopic(5);
      for (let n = 0; n < 40; n++) {
        await append(Array.from({ length: 1 + (n % 7) }, (_, k) => record({ topic, partition: (n * k) % 5 }, `${n}`, `${n}.${k}`)));
      }
      const values: string[] = [];
      for (let partition = 0; partition < 5; partition++) {
        const read = await readAll(log, { topic, partition }, 0);
        checkGrowing(read);
        const numbers = read.map(({ value }) => (value ?? '').split('.').map(Number));
        assert.ok(numbers.every(([n, k]) => (n * k) % 5 === partition));
        assert.ok(numbers.every(([n, k], i) => i === 0 || n > numbers[i - 1][0] || (n === numbers[i - 1][0] && k > numbers[i - 1][1])));
        values.push(...read.map(({ value }) => value ?? ''));
      }
      assert.equal(values.length, Array.from({ length: 40 }, (_, n) => 1 + (n % 7)).reduce((sum, count) => sum + count, 0));
    });

    test('appends that are not waited for come in the order of their calls', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      await Promise.all(Array.from({ length: 50 }, (_, n) => append([record(at, null, `${n}`)], { positions: [{ ...at, offset: n }] })));
      assert.deepEqual((await readAll(log, at, 0)).map(({ value }) => value), Array.from({ length: 50 }, (_, n) => `${n}`));
      assert.equal(await log.committed('contract', at), 49);
    });

    if (traits.reopen !== undefined) {
      const { reopen } = traits;
      test('closed and opened again: records, topics, offsets and positions are as they were', async () => {
        const [topic, other] = [await newTopic(2), await newTopic(1, 'compact')];
        const [at, idle] = [{ topic, partition: 0 }, { topic, partition: 1 }];
        await append([{ ...record(at, 'k', '1'), headers: [['h', Buffer.from('x')]] }, record({ topic: other, partition: 0 }, 'k', null)], { group: 'g', positions: [{ ...at, offset: 7 }] });
        await append([record(at, null, '2')], { group: 'h', positions: [{ ...idle, offset: 1 }, { ...at, offset: 2 }] });
        await append([], { group: 'g', positions: [{ ...at, offset: 8 }] });
        const [gone, anew] = [await newTopic(2), await newTopic(2)];
        await append([record({ topic: gone, partition: 1 }, 'k', 'v'), record({ topic: anew, partition: 0 }, 'k', 'v')], { group: 'forgotten', positions: [{ ...at, offset: 5 }, { topic: gone, partition: 1, offset: 6 }] });
        for (const removed of [gone, anew]) await log.deleteTopic(removed);
        await log.createTopic(anew, { partitions: 1, cleanup: 'delete' });
        await log.forgetGroup('forgotten');
        const before = { ends: [await log.endOffset(at), await log.endOffset(idle)], read: await readAll(log, at, 0), topics: await log.topics(), id: await log.topicId(topic) };
        await log.close();
        log = await reopen();
        assert.deepEqual({ ends: [await log.endOffset(at), await log.endOffset(idle)], read: await readAll(log, at, 0), topics: await log.topics(), id: await log.topicId(topic) }, before);
        assert.equal(await log.partitions(topic), 2);
        await assert.rejects(log.endOffset({ topic: gone, partition: 1 }), { reason: 'unknown-topic' });
        assert.deepEqual([await log.partitions(anew), await log.endOffset({ topic: anew, partition: 0 }), await log.committed('forgotten', at)], [1, 0, undefined]);
        assert.equal((await readAll(log, { topic: other, partition: 0 }, 0)).length, 1);
        assert.deepEqual([await log.committed('g', at), await log.committed('g', idle), await log.committed('h', idle), await log.committed('h', at)], [8, undefined, 1, 2]);
        await append([record(at, 'k', '3')]);
        assert.deepEqual((await readAll(log, at, 0)).map(({ value }) => value), ['1', '2', '3']);
        await log.createTopic(topic, { partitions: 2, cleanup: 'delete' });
        await assert.rejects(log.createTopic(topic, { partitions: 3, cleanup: 'delete' }), /partitions/);
      });
    }

    test('a topic that is removed is gone with its records; one made under its name is another one, from offset 0', async () => {
      const [topic, other] = [await newTopic(2), await newTopic()];
      const [at, beside] = [{ topic, partition: 1 }, { topic: other, partition: 0 }];
      const group = `${topic}-g`;
      await append([record(at, 'k', 'old'), record(beside, 'k', 'stays')], { group, positions: [{ ...at, offset: 7 }, { ...beside, offset: 8 }] });
      const [id, otherId] = [await log.topicId(topic), await log.topicId(other)];
      await log.deleteTopic(topic);
      assert.ok(!(await log.topics()).includes(topic));
      await assert.rejects(log.endOffset(at), { reason: 'unknown-topic' });
      await assert.rejects(log.committed(group, at), { reason: 'unknown-topic' });
      await assert.rejects(append([record(at, 'k', 'nowhere')]), { reason: 'unknown-topic' });
      await log.deleteTopic(topic);
      await log.createTopic(topic, { partitions: 3, cleanup: 'compact' });
      const anew = await log.topicId(topic);
      assert.ok(anew !== id && anew !== otherId, 'the id of no topic is used twice');
      assert.equal(await log.topicId(other), otherId);
      assert.equal(await log.partitions(topic), 3);
      assert.deepEqual(await readAll(log, at, 0), []);
      await append([record(at, 'k', 'new')]);
      assert.deepEqual((await readAll(log, at, 0)).map(({ value }) => value), ['new']);
      assert.deepEqual((await readAll(log, beside, 0)).map(({ value }) => value), ['stays']);
      assert.equal(await log.committed(group, beside), 8);
    });

    test('what a group has committed is forgotten, and nothing of another group', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const [group, another] = [`${at.topic}-g`, `${at.topic}-h`];
      await append([], { group, positions: [{ ...at, offset: 3 }] });
      await append([], { group: another, positions: [{ ...at, offset: 4 }] });
      await log.forgetGroup(group);
      assert.deepEqual([await log.committed(group, at), await log.committed(another, at)], [undefined, 4]);
      await log.forgetGroup(group);
      await append([], { group, positions: [{ ...at, offset: 5 }] });
      assert.equal(await log.committed(group, at), 5);
    });

    test('nobody takes part in a group that nobody has joined', async () => {
      assert.deepEqual(await log.membersOf(`${await newTopic()}-g`), []);
    });

    test('who opens the id of a writer last has it; the one before leaves nothing, and writers of other ids are not touched', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const group = `${at.topic}-g`;
      const batch = (value: string, offset: number): AppendBatch => ({ records: [record(at, 'k', value)], positions: [{ ...at, offset }], group });
      const [first, other] = [await log.writer(`${at.topic}-w`), await log.writer(`${at.topic}-other`)];
      await first.append(batch('first', 1));
      const second = await log.writer(`${at.topic}-w`);
      assert.equal(await second.committed(group, at), 1);
      const isFenced = (error: unknown): boolean => error instanceof WriterFenced && error.writer === `${at.topic}-w`;
      await assert.rejects(first.append(batch('zombie', 2)), isFenced);
      await assert.rejects(first.append(batch('again', 2)), isFenced);
      await assert.rejects(first.committed(group, at), isFenced);
      assert.equal(await log.committed(group, at), 1);
      await second.append(batch('second', 3));
      await other.append(batch('other', 4));
      assert.deepEqual((await readAll(log, at, 0)).map(({ value }) => value), ['first', 'second', 'other']);
      assert.equal(await log.committed(group, at), 4);
    });

    test('an id is opened while its writer appends: what the new one finds is what stays', async () => {
      const at = { topic: await newTopic(), partition: 0 };
      const first = await log.writer(`${at.topic}-w`);
      const appends = Array.from({ length: 20 }, (_, n) => first.append({ records: [record(at, null, `${n}`)], positions: [], group: '' }));
      const settled = Promise.allSettled(appends);
      await log.writer(`${at.topic}-w`);
      const end = await log.endOffset(at);
      const done = (await settled).filter(({ status }) => status === 'fulfilled').length;
      assert.equal(await log.endOffset(at), end);
      assert.deepEqual((await readAll(log, at, 0)).map(({ value }) => value), Array.from({ length: done }, (_, n) => `${n}`));
    });

    test('topics: created once, with their partitions; unknown ones are errors', async () => {
      const topic = await newTopic(3);
      assert.equal(await log.partitions(topic), 3);
      assert.ok((await log.topics()).includes(topic));
      assert.notEqual(await log.topicId(topic), await log.topicId(await newTopic()));
      assert.equal(await log.beginningOffset({ topic, partition: 1 }), 0);
      await append([record({ topic, partition: 0 }, 'k', 'v')]);
      await log.createTopic(topic, { partitions: 3, cleanup: 'delete' });
      assert.equal((await readAll(log, { topic, partition: 0 }, 0)).length, 1, 'creating it again keeps it');
      await assert.rejects(log.createTopic(topic, { partitions: 4, cleanup: 'delete' }), /partitions/);
      await assert.rejects(log.partitions('no-such-topic'), /no-such-topic/);
      await assert.rejects(log.topicId('no-such-topic'), /no-such-topic/);
      const unknown: TopicPartition[] = [{ topic: 'no-such-topic', partition: 0 }, { topic, partition: 3 }, { topic, partition: -1 }];
      for (const at of unknown) {
        await assert.rejects(log.endOffset(at));
        await assert.rejects(log.open(at, 0));
      }
    });
  });
}

interface Read { offset: number; key: string | null; value: string | null }

export function record(at: TopicPartition, key: string | null, value: string | null): AppendRecord {
  return { ...at, key: key === null ? null : Buffer.from(key), value: value === null ? null : Buffer.from(value) };
}

async function readAll(log: Log, at: TopicPartition, offset: number): Promise<Read[]> {
  const reader = await log.open(at, offset);
  const records = await drain(reader);
  await reader.close();
  return records;
}

async function drain(reader: PartitionReader): Promise<Read[]> {
  const records: Read[] = [];
  while (await reader.fill()) {
    while (reader.next()) {
      const { data, offset, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
      records.push({ offset, key: textOf(data, keyStart, keyEnd), value: textOf(data, valueStart, valueEnd) });
    }
  }
  return records;
}

/** The value of the next record. */
async function step(reader: PartitionReader): Promise<string | null> {
  while (!reader.next()) assert.ok(await reader.fill(), 'the reader ended');
  return textOf(reader.record.data, reader.record.valueStart, reader.record.valueEnd);
}

function textOf(data: Buffer, start: number, end: number): string | null {
  return start === -1 ? null : data.toString('utf8', start, end);
}

function checkGrowing(records: readonly Read[]): void {
  for (let n = 1; n < records.length; n++) assert.ok(records[n].offset > records[n - 1].offset);
}
