import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { logReadBytes } from '../../../schemas/limits.ts';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import { LogError } from '../../../topology/log/embedded-error.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import type { Log } from '../../../topology/log/log.ts';
import { openRemoteLog } from '../../../topology/log/remote/remote-log.ts';
import { serveLog } from '../../../topology/log/remote/serve-log.ts';
import { tailing } from '../../../topology/runtime/tailing.ts';
import { logContract, record } from '../../contracts/log-contract.ts';

logContract('remote, in memory', () => Promise.resolve(remote(openEmbeddedLog()).log), { dense: true });
const directory = mkdtempSync(join(tmpdir(), 'paritas-remote-'));
process.once('exit', () => { rmSync(directory, { recursive: true, force: true }); });
logContract('remote, durable', async () => remote(await openDurableLog({ directory, fsync: 'never' })).log, { dense: true });

const AT = { topic: 't', partition: 0 };

test('more than a block, with headers and a record larger than one: all of it arrives', async () => {
  const { log } = remote(openEmbeddedLog());
  await log.createTopic(AT.topic, { partitions: 1, cleanup: 'delete' });
  const values = ['a'.repeat(logReadBytes + 1), ...Array.from({ length: 50 }, (_, n) => String(n).repeat(20_000)), 'end'];
  const writer = await log.writer('w');
  await writer.append({ records: values.map(value => ({ ...record(AT, null, value), headers: [['h', Buffer.from('x')], ['none', null]] })), positions: [], group: '' });
  const reader = await log.open(AT, 0);
  const seen: number[] = [];
  while (await reader.fill()) {
    while (reader.next()) {
      assert.equal(reader.record.header('h')?.toString(), 'x');
      seen.push(reader.record.valueEnd - reader.record.valueStart);
    }
  }
  assert.deepEqual(seen, values.map(({ length }) => length));
  await log.close();
});

test('a reader that does not wait knows its end: what was appended before it asks is not missed', async () => {
  const { log } = remote(openEmbeddedLog(), { delayMs: 2 });
  await log.createTopic(AT.topic, { partitions: 1, cleanup: 'delete' });
  const writer = await log.writer('w');
  const reader = tailing(await log.open(AT, 0, { follow: true }), () => undefined);
  for (let n = 0; n < 20; n++) {
    assert.equal(await reader.fill(), false);
    assert.equal(reader.atEnd, true);
    await writer.append({ records: [record(AT, null, String(n))], positions: [], group: '' });
    assert.equal(await reader.fill(), true);
    assert.ok(reader.next());
    assert.equal(reader.record.offset, n);
  }
  await log.close();
});

test('a worker that is gone leaves no reader open, and one whose owner is gone is told', async () => {
  const closed: string[] = [];
  const inner = openEmbeddedLog();
  const watched: Log = { ...inner, open: async (...args) => {
    const reader = await inner.open(...args);
    return new Proxy(reader, { get: (target, name) => (name === 'close' ? () => { closed.push('reader'); return target.close(); } : Reflect.get(target, name, target) as unknown) });
  } };
  const { log, port } = remote(watched);
  await log.createTopic(AT.topic, { partitions: 1, cleanup: 'delete' });
  const reader = await log.open(AT, 0, { follow: true });
  const waiting = reader.fill();
  port.close();
  const isGone = (error: unknown): boolean => error instanceof LogError && error.reason === 'closed';
  await assert.rejects(waiting, isGone);
  await assert.rejects(log.endOffset(AT), isGone);
  while (closed.length === 0) await new Promise(setImmediate);
});

/** `port`: the owner's end. `delayMs`: how long a message is under way, as from thread to thread. */
function remote(owned: Log, { delayMs }: { delayMs?: number } = {}): { log: Log; port: MessagePort } {
  const { port1: port, port2 } = new MessageChannel();
  serveLog(port, owned);
  port.on('close', () => void owned.close());
  return { log: openRemoteLog(delayMs === undefined ? port2 : delayed(port2, delayMs)), port };
}

function delayed(port: MessagePort, delayMs: number): MessagePort {
  const { port1, port2 } = new MessageChannel();
  for (const [from, to] of [[port, port1], [port1, port]]) {
    from.on('message', message => setTimeout(() => to.postMessage(message), delayMs));
    from.on('close', () => to.close());
  }
  return port2;
}
