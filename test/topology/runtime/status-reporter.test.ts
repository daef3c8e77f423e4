// What a service says of itself: at each step of a task, and from time to time; a report that fails is in nobody's way.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createClaim } from '../../../processors/claims.ts';
import { NO_EVIDENCE } from '../../../processors/evidence.ts';
import { statusEveryMs } from '../../../schemas/limits.ts';
import type { OutputRecord } from '../../../schemas/records.ts';
import type { AppendRecord } from '../../../topology/log/log.ts';
import { createStatusReporter, type StatusReporter, type WatchedTask } from '../../../topology/runtime/status-reporter.ts';
import { settingsOf } from '../../schemas/formats/records.ts';

interface Bench { readonly reporter: StatusReporter; readonly written: AppendRecord[][]; readonly said: string[]; at(ms: number): void }

function bench(write?: () => Promise<void>): Bench {
  let now = 0;
  const [written, said]: [AppendRecord[][], string[]] = [[], []];
  const reporter = createStatusReporter({
    owner: 'host:1', topic: 'status', nowMs: () => now, wallMs: () => 1_700_000_000_000 + now, say: line => void said.push(line),
    write: records => {
      written.push([...records]);
      return write?.() ?? Promise.resolve();
    },
  });
  return { reporter, written, said, at: ms => void (now = ms) };
}

const recordsOf = (report: readonly AppendRecord[]): OutputRecord[] => report.map(({ value }) => JSON.parse(String(value)) as OutputRecord);

/** A task that has read one partition up to a commit time, in milliseconds after the epoch of the bench. */
function watched(commitMs: number): WatchedTask {
  const claim = { ...createClaim(1, 't', 3), maxTimeUs: (1_700_000_000_000 + commitMs) * 1000 };
  return { shards: [], members: [{ claim, reader: {} as never }], evidence: [NO_EVIDENCE, NO_EVIDENCE], recordsRead: 7 };
}

void test('each step of a task is written at once, under the name of the task', async () => {
  const { reporter, written, at } = bench();
  const task = reporter.add(settingsOf(), 'orders/0');
  task.state('restoring');
  at(500);
  task.state('running');
  await reporter.flushed();
  assert.deepEqual(written.map(([{ topic, partition, key }]) => [topic, partition, String(key)]), Array(2).fill(['status', 0, 'orders/0']));
  assert.deepEqual(recordsOf(written.flat()), [
    { record: 'task', pair: settingsOf().name, task: 'orders/0', state: 'restoring', owner: 'host:1', since: '2023-11-14T22:13:20.000000Z', at: '2023-11-14T22:13:20.000000Z' },
    { record: 'task', pair: settingsOf().name, task: 'orders/0', state: 'running', owner: 'host:1', since: '2023-11-14T22:13:20.500000Z', at: '2023-11-14T22:13:20.500000Z' },
  ]);
});

void test('a task that runs is told with its partitions, from time to time and not at every turn', async () => {
  const { reporter, written, at } = bench();
  reporter.add(settingsOf(), 'orders/0').watch(watched(-4000));
  for (const ms of [0, 1, statusEveryMs - 1, statusEveryMs, statusEveryMs + 1]) {
    at(ms);
    reporter.turned();
  }
  await reporter.flushed();
  assert.equal(written.length, 2);
  const [task, partition] = recordsOf(written[1]);
  assert.ok(task.record === 'task' && partition.record === 'status');
  assert.deepEqual([task.recordsRead, task.openWindows, task.eventsBuffered, task.openDivergences], ['7', '0', '0', '0']);
  const { latenessUs } = settingsOf().window;
  assert.deepEqual([partition.side, partition.topic, partition.partition, partition.lagMs, partition.stalled], ['target', 't', 3, String(4000 + statusEveryMs + latenessUs / 1000), false]);
});

void test('restoration is told as it goes on, not more often', async () => {
  const { reporter, written, at } = bench();
  const task = reporter.add(settingsOf(), 'orders/0');
  task.state('restoring');
  for (const done of [1, 2, 3]) {
    at(done * (statusEveryMs / 2));
    task.restoring({ done, total: 9, recordsPerSecond: 2.4, remainingMs: 2500 });
    await reporter.flushed();
  }
  assert.deepEqual(recordsOf(written.flat()).map(record => (record.record === 'task' ? record.restoring : record)), [
    undefined, { done: '1', total: '9', recordsPerSecond: '2', remainingMs: '2500' }, { done: '3', total: '9', recordsPerSecond: '2', remainingMs: '2500' },
  ]);
});

void test('what is to be told while a report is under way is one report, the newest of each task', async () => {
  const answers: (() => void)[] = [];
  const { reporter, written } = bench(() => new Promise(resolve => { answers.push(resolve); }));
  const [one, other] = ['orders/0', 'orders/1'].map(name => reporter.add(settingsOf(), name));
  one.state('restoring');
  for (const state of ['restoring', 'running', 'suspended'] as const) for (const task of [one, other]) task.state(state);
  assert.equal(written.length, 1);
  const flushed = reporter.flushed();
  answers[0]();
  while (answers.length < 2) await new Promise(setImmediate);
  answers[1]();
  await flushed;
  assert.deepEqual(written.map(report => recordsOf(report).map(record => (record.record === 'task' ? `${record.task} ${record.state}` : record))), [['orders/0 restoring'], ['orders/0 suspended', 'orders/1 suspended']]);
});

void test('a report that is not written is said, stops nobody, and the next one is tried', async () => {
  let writes = 0;
  const { reporter, said } = bench(() => (writes++ === 0 ? Promise.reject(new Error('disk full')) : Promise.resolve()));
  const task = reporter.add(settingsOf(), 'orders/0');
  task.state('restoring');
  task.state('running');
  await reporter.flushed();
  assert.deepEqual([writes, said], [2, ['the status was not written: disk full']]);
});
