// A reader that does not wait tells the end of its log from what is not here yet.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { PartitionReader, Standing } from '../../../topology/log/log.ts';
import { Stopping } from '../../../topology/runtime/pacer.ts';
import { tailing } from '../../../topology/runtime/tailing.ts';

/** A reader of a log elsewhere: records come when `arrive` is called. */
function remote(standing?: () => Promise<Standing>): { reader: PartitionReader; arrive: () => void } {
  let there = false;
  const waiting: (() => void)[] = [];
  const reader: PartitionReader = {
    topic: 't', partition: 0, firstOffset: 0, position: 0, total: undefined, record: undefined as never, next: () => there, close: () => Promise.resolve(),
    fill: async () => {
      if (!there) await new Promise<void>(resolve => { waiting.push(resolve); });
      return true;
    },
    ...(standing === undefined ? {} : { standing }),
  };
  return { reader, arrive: () => { there = true; for (const resolve of waiting.splice(0)) resolve(); } };
}

void test('what the log has and what is only not here yet is waited for', async () => {
  const { reader, arrive } = remote(() => Promise.resolve('more'));
  const tail = tailing(reader, () => undefined);
  const filled = tail.fill();
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  arrive();
  assert.equal(await filled, true);
  assert.equal(tail.next(), true);
});

void test('an end is one where the log was asked after the call; an append under way is none', async () => {
  const said: Standing[] = ['open', 'end'];
  let asked = 0;
  let woken = 0;
  const { reader, arrive } = remote(() => Promise.resolve(said[asked++]));
  const tail = tailing(reader, () => woken++);
  assert.deepEqual([await tail.fill(), tail.atEnd], [false, false]);
  assert.deepEqual([await tail.fill(), tail.atEnd], [false, true]);
  assert.equal(asked, 2);
  arrive();
  await new Promise(setImmediate);
  assert.equal(woken, 1, 'who was told that there is nothing is woken');
  assert.equal(await tail.fill(), true);
  assert.equal(asked, 2, 'what is at hand needs no question');
});

void test('of a log in this process the next turn of the event loop tells', async () => {
  const { reader } = remote();
  const tail = tailing(reader, () => undefined);
  assert.deepEqual([await tail.fill(), tail.atEnd], [false, true]);
});

void test('a log that does not answer does not hold up the end of a task: neither where it ends nor what it has', async () => {
  for (const standing of [(): Promise<Standing> => new Promise(() => undefined), (): Promise<Standing> => Promise.resolve('more')]) {
    const stop = new AbortController();
    const { reader } = remote(standing);
    const tail = tailing(reader, () => undefined, { signal: stop.signal });
    const filled = tail.fill();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    stop.abort();
    await assert.rejects(filled, Stopping);
    await assert.rejects(tail.fill(), Stopping);
  }
});
