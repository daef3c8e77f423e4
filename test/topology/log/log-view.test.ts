import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import { hasLog, openLogView } from '../../../topology/log/durable/log-view.ts';
import { StoreError } from '../../../stores/store-error.ts';
import { appendTo } from '../../support/append.ts';
import { appendText, contentOf } from '../../support/log-content.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('durable log: readers that do not write', () => {
  test('see what is appended, over many segments, while it is written; a reader that follows misses nothing', async (t) => {
    const directory = join(tempFolder(t), 'log');
    assert.equal(hasLog(directory), false);
    await assert.rejects(openLogView(directory), /there is no log\. Start "paritas run" first/);
    const log = await openDurableLog({ directory, fsync: 'never', segmentBytes: 500 });
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    const view = await openLogView(directory, { pollMs: 2 });
    const reader = await view.open({ topic: 'a', partition: 0 }, 0, { follow: true });
    const seen: string[] = [];
    const reading = (async () => {
      while (seen.length < 300 && await reader.fill()) {
        while (reader.next()) seen.push(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd));
      }
    })();
    for (let n = 0; n < 300; n += 2) {
      await appendText(log, 'a', 0, [[null, `${n}`], [null, `${n + 1}`]]);
      if (n % 30 === 0) await new Promise((resolve) => { setTimeout(resolve, 3); });
    }
    await reading;
    assert.deepEqual(seen, Array.from({ length: 300 }, (_, n) => `${n}`));
    await log.createTopic('later', { partitions: 2, cleanup: 'delete' });
    await appendTo(log, { records: [], positions: [{ topic: 'a', partition: 0, offset: 5 }], group: 'g' });
    assert.deepEqual(await view.topics(), ['a', 'later']);
    assert.equal(await view.committed('g', { topic: 'a', partition: 0 }), 5);
    assert.deepEqual(await contentOf(view), await contentOf(log));
    assert.ok(log.segments > 10);
    const waiting = reader.fill();
    await view.close();
    assert.equal(await waiting, false);
    await log.close();
  });

  test('a topic that is removed and made anew, a group that is forgotten: also over segments that were not read', async (t) => {
    const directory = join(tempFolder(t), 'log');
    const log = await openDurableLog({ directory, fsync: 'never', segmentBytes: 500 });
    for (const topic of ['a', 'b']) await log.createTopic(topic, { partitions: 2, cleanup: 'delete' });
    const view = await openLogView(directory, { pollMs: 2 });
    const late = await openLogView(directory, { pollMs: 2 });
    const [before, stays] = [await view.topicId('a'), await view.topicId('b')];
    await appendText(log, 'a', 1, [[null, 'old']]);
    for (const group of ['g', 'h']) await appendTo(log, { records: [], positions: [{ topic: 'b', partition: 0, offset: 5 }], group });
    assert.equal(await view.endOffset({ topic: 'a', partition: 1 }), 1);
    await log.deleteTopic('a');
    await log.forgetGroup('g');
    await assert.rejects(view.endOffset({ topic: 'a', partition: 1 }), { reason: 'unknown-topic' });
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    for (let n = 0; n < 50; n++) await appendText(log, 'a', 0, [[null, `${n}`]]);
    assert.ok(log.segments > 3);
    for (const reader of [view, late]) {
      // The first question takes in the rest of the segment that it knows.
      await reader.topics();
      assert.deepEqual(await reader.topics(), ['b', 'a']);
      assert.notEqual(await reader.topicId('a'), before);
      assert.equal(await reader.topicId('b'), stays);
      assert.deepEqual([await reader.committed('g', { topic: 'b', partition: 0 }), await reader.committed('h', { topic: 'b', partition: 0 })], [undefined, 5]);
      assert.deepEqual(await contentOf(reader), await contentOf(log));
      await reader.close();
    }
    await log.close();
  });

  test('a batch that is written in part is not there yet', async (t) => {
    const directory = join(tempFolder(t), 'log');
    const log = await openDurableLog({ directory, fsync: 'never' });
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    await appendText(log, 'a', 0, [['k', 'one']]);
    const view = await openLogView(directory);
    writeFileSync(join(directory, '000000000000.log'), Buffer.alloc(20, 1), { flag: 'a' });
    assert.equal(await view.endOffset({ topic: 'a', partition: 0 }), 1);
    assert.equal((await contentOf(view))['a-0'].records.length, 1);
    await view.close();
    await log.close();
  });

  test('one writer: the second is told who writes; a dead one is taken over with a word, and what it had acknowledged is there', async (t) => {
    const directory = join(tempFolder(t), 'log');
    const script = join(import.meta.dirname, '../../support/log-writer.ts');
    const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const acknowledged: number[] = [];
    child.stdout.on('data', (text: Buffer) => { acknowledged.push(...text.toString().split('\n').filter((line) => line !== '').map(Number)); });
    while (acknowledged.length < 50) await once(child.stdout, 'data');
    await assert.rejects(openDurableLog({ directory, fsync: 'never' }),
      (error) => error instanceof StoreError && error.reason === 'locked' && error.message.includes(`process ${child.pid}`) && error.message.includes('its own log directory'));
    const view = await openLogView(directory);
    assert.ok(await view.endOffset({ topic: 'a', partition: 0 }) > 0);
    await view.close();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const notices: string[] = [];
    const log = await openDurableLog({ directory, fsync: 'never' }, { notice: (message) => { notices.push(message); } });
    assert.match(notices[0], new RegExp(`lock: taken over from process ${child.pid} on .*, which is not running any more`));
    const { records } = (await contentOf(log))['a-0'];
    assert.deepEqual(records.map(([, , value]) => Number(value)), records.map((_, n) => n));
    assert.ok(records.length > Math.max(...acknowledged));
    assert.equal(await log.committed('g', { topic: 'a', partition: 0 }), records.length);
    await log.close();
  });
});
