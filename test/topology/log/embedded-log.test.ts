import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LogError } from '../../../topology/log/embedded-error.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import { memorySegments } from '../../../topology/log/embedded-segments.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import type { DurableLogSettings } from '../../../topology/log/durable/durable-log.ts';
import { logContract, record } from '../../contracts/log-contract.ts';
import { appendTo } from '../../support/append.ts';

logContract('embedded', () => Promise.resolve(openEmbeddedLog()), { dense: true });
logContract('embedded, small segments', () => Promise.resolve(openEmbeddedLog({ segments: () => memorySegments(64) })), { dense: true });
durableContract('durable, fsync always', { fsync: 'always' });
durableContract('durable, fsync interval', { fsync: 'interval', fsyncIntervalMs: 5 });
durableContract('durable, small segments', { fsync: 'never', segmentBytes: 300 });

function durableContract(name: string, settings: Omit<DurableLogSettings, 'directory'>): void {
  const directory = mkdtempSync(join(tmpdir(), 'paritas-log-'));
  process.once('exit', () => { rmSync(directory, { recursive: true, force: true }); });
  const open = (): ReturnType<typeof openDurableLog> => openDurableLog({ directory, ...settings });
  logContract(name, open, { dense: true, reopen: open });
}

describe('embedded log', () => {
  test('records carry the time of their append, or 0', async () => {
    for (const [options, expected] of [[{}, 0], [{ nowMs: () => 1_700_000_000_123 }, 1_700_000_000_123]] as const) {
      const log = openEmbeddedLog(options);
      await log.createTopic('t', { partitions: 1, cleanup: 'delete' });
      await appendTo(log, { records: [record({ topic: 't', partition: 0 }, 'k', 'v')], positions: [], group: '' });
      const reader = await log.open({ topic: 't', partition: 0 }, 0);
      assert.ok(await reader.fill() && reader.next());
      assert.equal(reader.record.timestampMs, expected);
    }
  });

  test('after close every call is refused, and a waiting reader ends', async () => {
    const log = openEmbeddedLog();
    const at = { topic: 't', partition: 0 };
    await log.createTopic('t', { partitions: 1, cleanup: 'delete' });
    const reader = await log.open(at, 0, { follow: true });
    const waiting = reader.fill();
    await log.close();
    assert.equal(await waiting, false);
    assert.equal(await reader.fill(), false);
    const calls = [
      () => appendTo(log, { records: [], positions: [], group: '' }), () => log.endOffset(at), () => log.open(at, 0),
      () => log.createTopic('u', { partitions: 1, cleanup: 'delete' }), () => log.partitions('t'), () => log.committed('g', at),
    ];
    for (const call of calls) await assert.rejects(call(), (error) => error instanceof LogError && error.reason === 'closed');
    await log.close();
  });

  test('views given earlier stay as they were while the partition grows', async () => {
    const log = openEmbeddedLog();
    const at = { topic: 't', partition: 0 };
    await log.createTopic('t', { partitions: 1, cleanup: 'delete' });
    await appendTo(log, { records: [record(at, null, 'first')], positions: [], group: '' });
    const reader = await log.open(at, 0, { follow: true });
    assert.ok(await reader.fill() && reader.next());
    const { data, valueStart, valueEnd } = reader.record;
    for (let n = 0; n < 200; n++) await appendTo(log, { records: [record(at, null, 'x'.repeat(n * 10))], positions: [], group: '' });
    assert.equal(data.toString('utf8', valueStart, valueEnd), 'first');
  });

  test('any appends, any segment size, any start: what a list would give', async () => {
    const field = fc.option(fc.uint8Array({ maxLength: 40 }).map((bytes): Buffer => Buffer.from(bytes)));
    const batches = fc.array(fc.array(fc.record({ key: field, value: field }, { noNullPrototype: true }), { maxLength: 8 }), { maxLength: 12 });
    await fc.assert(fc.asyncProperty(batches, fc.integer({ min: 1, max: 200 }), fc.nat(), async (appends, segmentBytes, start) => {
      const log = openEmbeddedLog({ segments: () => memorySegments(segmentBytes) });
      const at = { topic: 't', partition: 0 };
      await log.createTopic('t', { partitions: 1, cleanup: 'delete' });
      for (const fields of appends) await appendTo(log, { records: fields.map((kv) => ({ ...at, ...kv })), positions: [], group: '' });
      const list = appends.flat();
      assert.equal(await log.endOffset(at), list.length);
      const from = start % (list.length + 1);
      const reader = await log.open(at, from);
      const read: (typeof list)[number][] = [];
      while (await reader.fill()) {
        while (reader.next()) {
          const { data, offset, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
          assert.equal(offset, from + read.length);
          const bytes = (at0: number, end: number): Buffer | null => (at0 === -1 ? null : Buffer.from(data.subarray(at0, end)));
          read.push({ key: bytes(keyStart, keyEnd), value: bytes(valueStart, valueEnd) });
        }
      }
      assert.deepEqual(read, list.slice(from));
    }), { numRuns: 100 });
  });
});
