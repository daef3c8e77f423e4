// Retention and compaction of the durable log, with a crash at every step; and random histories of appends, crashes, losses of power and
// maintenance against a plain model.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import type { DurableLog, DurableLogSettings } from '../../../topology/log/durable/durable-log.ts';
import { openLogView } from '../../../topology/log/durable/log-view.ts';
import { appendTo } from '../../support/append.ts';
import { appendText, contentOf } from '../../support/log-content.ts';
import type { PartitionContent } from '../../support/log-content.ts';
import { simulatedFiles } from '../../support/simulated-files.ts';
import type { SimulatedFiles } from '../../support/simulated-files.ts';

function open(files: SimulatedFiles, settings: Partial<DurableLogSettings> = {}): Promise<DurableLog> {
  return openDurableLog({ directory: 'log', fsync: 'always', segmentBytes: 600, tombstoneMs: 100, ...settings }, { files, lock: () => () => { /* one process */ }, newId: () => Buffer.alloc(16, 7) });
}

/** Topics `old` (kept for 100 ms), `all` (kept), `table` (compacted); record `n` has the time `n`. */
async function fill(log: DurableLog, from: number, to: number): Promise<void> {
  await log.createTopic('old', { partitions: 1, cleanup: 'delete', retention: { ageMs: 100 } });
  await log.createTopic('all', { partitions: 1, cleanup: 'delete' });
  await log.createTopic('table', { partitions: 1, cleanup: 'compact' });
  for (let n = from; n < to; n++) {
    const value = `${n} ${'x'.repeat(20)}`;
    await appendText(log, 'old', 0, [[null, value]], n);
    await appendText(log, 'table', 0, [[`k${n % 7}`, n % 11 === 0 ? null : value]], n);
    if (n % 10 === 0) await appendText(log, 'all', 0, [[null, value]], n);
  }
  await appendTo(log, { records: [], positions: [{ topic: 'all', partition: 0, offset: to }], group: 'g' });
}

/** The last value of each key; a deletion is no key. */
function tableOf({ records }: PartitionContent): Map<string | null, string> {
  const table = new Map<string | null, string>();
  for (const [, key, value] of records) {
    if (value === null) table.delete(key);
    else table.set(key, value);
  }
  return table;
}

async function checkKept(log: DurableLog, to: number, nowMs: number): Promise<void> {
  const content = await contentOf(log);
  const { begin, end, records } = content['old-0'];
  assert.equal(end, to);
  assert.deepEqual(records.map(([offset]) => offset), Array.from({ length: end - begin }, (_, n) => begin + n));
  assert.ok(begin <= Math.max(0, nowMs - 100), `nothing younger goes (${begin})`);
  assert.deepEqual(content['all-0'].records.map(([offset, , value]) => [offset, value?.split(' ')[0]]), Array.from({ length: Math.ceil(to / 10) }, (_, n) => [n, `${n * 10}`]));
  const expected = new Map<string, string>();
  for (let n = 0; n < to; n++) {
    if (n % 11 === 0) expected.delete(`k${n % 7}`);
    else expected.set(`k${n % 7}`, `${n} ${'x'.repeat(20)}`);
  }
  assert.deepEqual([...tableOf(content['table-0'])].sort(), [...expected].sort());
  assert.equal(content['table-0'].end, to);
  assert.equal(await log.committed('g', { topic: 'all', partition: 0 }), to);
}

describe('durable log: what may go', () => {
  test('by age, by size and by key; offsets stay, and a reader whose record is gone is told', async () => {
    const files = simulatedFiles();
    const log = await open(files);
    await fill(log, 0, 200);
    const segments = log.segments;
    const bytes = files.names().reduce((sum, name) => sum + files.content(name).length, 0);
    const behind = await log.open({ topic: 'old', partition: 0 }, 0, { follow: true });
    await log.maintain(200);
    await checkKept(log, 200, 200);
    const begin = await log.beginningOffset({ topic: 'old', partition: 0 });
    assert.ok(begin > 80, `begins at ${begin}`);
    assert.equal(await log.beginningOffset({ topic: 'all', partition: 0 }), 0);
    await assert.rejects(behind.fill(), new RegExp(`old-0@0: the record to read next is gone by the topic's retention, and the first that is left is ${begin}`));
    await assert.rejects(log.open({ topic: 'old', partition: 0 }, begin - 1), /beyond its retention/);
    assert.ok(files.names().reduce((sum, name) => sum + files.content(name).length, 0) < bytes / 1.5);
    assert.ok(log.segments <= segments);
    const table = (await contentOf(log))['table-0'];
    assert.ok(table.records.length < 30, `${table.records.length} records of 7 keys`);
    await fill(log, 200, 400);
    for (const nowMs of [400, 600, 600]) await log.maintain(nowMs);
    await checkKept(log, 400, 600);
    const view = await openLogView('log', { files });
    assert.deepEqual(await contentOf(view), await contentOf(log));
    await log.close();
    const again = await open(files);
    await checkKept(again, 400, 600);
    assert.deepEqual(await contentOf(view), await contentOf(again));
  });

  test('of a topic that was removed every byte comes free, also where one was made under its name', async () => {
    const files = simulatedFiles();
    const log = await open(files);
    const bytes = (): number => files.names().reduce((sum, name) => sum + files.content(name).length, 0);
    await fill(log, 0, 200);
    const before = bytes();
    for (const topic of ['table', 'old']) await log.deleteTopic(topic);
    await log.createTopic('table', { partitions: 1, cleanup: 'compact' });
    for (let n = 0; n < 50; n++) await appendText(log, 'table', 0, [[`k${n % 3}`, `new ${n}`]], 200);
    for (const nowMs of [200, 400]) await log.maintain(nowMs);
    assert.ok(bytes() < before / 3, `${before} bytes, then ${bytes()}`);
    await log.close();
    for (const reader of [await open(files), await openLogView('log', { files })]) {
      assert.deepEqual(await reader.topics(), ['all', 'table']);
      const { 'table-0': table, 'all-0': all } = await contentOf(reader);
      assert.deepEqual([...tableOf(table)].sort(), [['k0', 'new 48'], ['k1', 'new 49'], ['k2', 'new 47']]);
      assert.equal(all.records.length, 20);
    }
  });

  test('a partition is kept below its size', async () => {
    const log = await open(simulatedFiles(), { retention: { sizeBytes: 2000 } });
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    for (let n = 0; n < 100; n++) await appendText(log, 'a', 0, [[null, 'x'.repeat(76)]]);
    await log.maintain(0);
    const { records } = (await contentOf(log))['a-0'];
    assert.ok(records.length >= 20 && records.length < 30, `${records.length} records of 100 bytes`);
    assert.ok(log.segments < 12);
  });

  test('readers that stand in what is rewritten and removed, and views of other processes, read on', async () => {
    const files = simulatedFiles();
    const log = await open(files);
    await fill(log, 0, 150);
    const view = await openLogView('log', { files });
    const readers = [await log.open({ topic: 'all', partition: 0 }, 0), await view.open({ topic: 'all', partition: 0 }, 0)];
    const offsets: number[][] = [[], []];
    for (const [n, reader] of readers.entries()) {
      assert.ok(await reader.fill());
      for (let k = 0; k < 2 && reader.next(); k++) offsets[n].push(reader.record.offset);
    }
    for (const nowMs of [150, 300, 500]) await log.maintain(nowMs);
    await fill(log, 150, 300);
    for (const nowMs of [500, 600]) await log.maintain(nowMs);
    for (const [n, reader] of readers.entries()) {
      while (await reader.fill()) while (reader.next()) offsets[n].push(reader.record.offset);
      assert.deepEqual(offsets[n], Array.from({ length: 15 }, (_, k) => k));
    }
    assert.deepEqual(await contentOf(view), await contentOf(log));
  });

  test('a crash at every step of it, of the process and of the machine: nothing that is kept is lost, and the next run goes on', async () => {
    const steps = new Set<string>();
    const settings = { segmentBytes: 2500 };
    const filled = simulatedFiles();
    const before = await open(filled, settings);
    await fill(before, 0, 30);
    await before.maintain(30);
    await fill(before, 30, 60);
    for (const power of [false, true]) {
      for (let crashIn = 0; ; crashIn++) {
        const files = filled.copy();
        const log = await open(files, settings);
        files.operations.length = 0;
        files.faults = { crashIn, crashShare: 0.5 };
        const crashed = await log.maintain(300).then(() => false, () => true);
        steps.add(files.operations.at(-1)?.replace(/\d+/, 'n') ?? '');
        let seed = crashIn + 1;
        if (power) files.losePower(() => (seed = (seed * 48_271) % 0x7fffffff) / 0x7fffffff);
        else files.kill();
        const again = await open(files, settings);
        await checkKept(again, 60, 300);
        await again.maintain(300);
        await again.maintain(300);
        await checkKept(again, 60, 300);
        assert.deepEqual(files.names().filter((name) => name.endsWith('.new')), []);
        if (!crashed) break;
      }
    }
    for (const step of ['create n.log.new', 'write n.log.new', 'sync n.log.new', 'rename n.log', 'sync directory log', 'rename n.index', 'remove n.log', 'remove n.index', 'write n.log', 'sync n.log']) {
      assert.ok(steps.has(step), `no crash at: ${step}`);
    }
  });
});

describe('durable log: random histories', () => {
  test('what was acknowledged is there after any crash; under interval and never, after a loss of power, its beginning', async () => {
    const append = fc.record({ kind: fc.constant('append' as const), entries: fc.array(fc.tuple(fc.nat(2), fc.string({ maxLength: 30 })), { maxLength: 5 }), position: fc.nat(1000) });
    const step = fc.oneof(
      { weight: 8, arbitrary: append },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), crashIn: fc.nat(6), crashShare: fc.double({ min: 0, max: 1, noNaN: true }), power: fc.boolean(), seed: fc.integer({ min: 1, max: 1e6 }) }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'maintain' as const }) },
    );
    const settings = fc.record({ fsync: fc.constantFrom('always' as const, 'never' as const), segmentBytes: fc.integer({ min: 100, max: 2000 }) });
    await fc.assert(fc.asyncProperty(settings, fc.array(step, { maxLength: 40 }), async (given, steps) => {
      const files = simulatedFiles();
      let log = await open(files, given);
      await log.createTopic('t', { partitions: 3, cleanup: 'delete' });
      await log.close();
      log = await open(files, given);
      type Batch = { entries: [number, string][]; position: number };
      let acknowledged: Batch[] = [];
      let unknown: Batch | undefined;
      let failing: { power: boolean; seed: number } | undefined;
      const seen = async (): Promise<string> => JSON.stringify([(await contentOf(log)), await log.committed('g', { topic: 't', partition: 0 }) ?? null]);
      const expected = (batches: readonly Batch[]): string => {
        const content: Record<string, PartitionContent> = {};
        for (let partition = 0; partition < 3; partition++) {
          const values = batches.flatMap(({ entries }) => entries.filter(([p]) => p === partition).map(([, value]) => value));
          content[`t-${partition}`] = { begin: 0, end: values.length, records: values.map((value, offset) => [offset, null, value]) };
        }
        return JSON.stringify([content, batches.at(-1)?.position ?? null]);
      };
      const recover = async (): Promise<void> => {
        const { power, seed } = failing ?? { power: false, seed: 1 };
        let state = seed;
        if (power) files.losePower(() => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff);
        else files.kill();
        log = await open(files, given);
        const now = await seen();
        const candidates = [acknowledged, ...(unknown === undefined ? [] : [[...acknowledged, unknown]])];
        if (power && given.fsync === 'never') for (let n = 0; n < acknowledged.length; n++) candidates.push(acknowledged.slice(0, n));
        const found = candidates.find((batches) => expected(batches) === now);
        assert.ok(found !== undefined, `${power ? 'power' : 'process'} lost: ${now} is none of ${candidates.length} beginnings of ${expected(acknowledged)}`);
        acknowledged = found;
        failing = unknown = undefined;
      };
      for (const next of [...steps, { kind: 'reopen' as const }]) {
        try {
          if (next.kind === 'crash') {
            files.faults = { crashIn: next.crashIn, crashShare: next.crashShare };
            failing = next;
          } else if (next.kind === 'append') {
            unknown = next;
            await appendTo(log, {
              records: next.entries.map(([partition, value]) => ({ topic: 't', partition, key: null, value: Buffer.from(value) })),
              positions: [{ topic: 't', partition: 0, offset: next.position }], group: 'g',
            });
            acknowledged = [...acknowledged, next];
            unknown = undefined;
            assert.equal(await seen(), expected(acknowledged));
          } else if (next.kind === 'maintain') await log.maintain(0);
          else {
            await log.close();
            log = await open(files, given);
            assert.equal(await seen(), expected(acknowledged));
          }
        } catch (error) {
          if (failing === undefined || error instanceof assert.AssertionError) throw error;
          await recover();
        }
      }
    }), { numRuns: 200 });
  });
});
