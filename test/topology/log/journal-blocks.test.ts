import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logCacheBytes, logReadBytes } from '../../../schemas/limits.ts';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import { JournalBlocks } from '../../../topology/log/durable/journal-blocks.ts';
import { readJournal } from '../../../topology/log/durable/journal.ts';
import type { Segment } from '../../../topology/log/durable/journal.ts';
import type { LogFiles } from '../../../topology/log/durable/log-files.ts';
import type { Log, PartitionReader } from '../../../topology/log/log.ts';
import { appendTo } from '../../support/append.ts';
import { simulatedFiles } from '../../support/simulated-files.ts';

const PARTITIONS = 8;
const SEGMENT = '000000000000.log';

/** A log of one segment with a record of each partition in every append, some ten blocks long; and how many bytes are read of it. */
async function fill(): Promise<{ log: Log; files: LogFiles; read: { bytes: number } }> {
  const read = { bytes: 0 };
  const disk = simulatedFiles();
  const files: LogFiles = { ...disk, read: (fd, into, at, length, position) => {
    const count = disk.read(fd, into, at, length, position);
    read.bytes += count;
    return count;
  } };
  const log = await openDurableLog({ directory: 'log', fsync: 'never' }, { files, lock: () => () => undefined, newId: () => Buffer.alloc(16, 7) });
  await log.createTopic('t', { partitions: PARTITIONS, cleanup: 'delete' });
  for (let n = 0; n < 300; n++) {
    await appendTo(log, { records: Array.from({ length: PARTITIONS }, (_, partition) => ({ topic: 't', partition, key: null, value: Buffer.alloc(1000, n) })), positions: [], group: 'g' });
  }
  return { log, files, read };
}

async function openAll(log: Log): Promise<PartitionReader[]> {
  return Promise.all(Array.from({ length: PARTITIONS }, (_, partition) => log.open({ topic: 't', partition }, 0)));
}

async function take(reader: PartitionReader, count: number): Promise<void> {
  for (let n = 0; n < count; n++) while (!reader.next()) assert.ok(await reader.fill());
}

describe('blocks of a journal', () => {
  test('readers in step read each byte once', async () => {
    const { log, read } = await fill();
    const sizeBytes = 300 * PARTITIONS * 1000;
    const together = await openAll(log);
    read.bytes = 0;
    for (let n = 0; n < 30; n++) for (const reader of together) await take(reader, 10);
    assert.ok(read.bytes >= sizeBytes && read.bytes < 1.2 * sizeBytes, `${read.bytes} of ${sizeBytes}`);
    for (const reader of together) await reader.close();
    await log.close();
  });

  test('of blocks that nobody stands in so many bytes are kept, the one left last the longest', async () => {
    const { log, files, read } = await fill();
    await log.close();
    const { journal } = readJournal(files, 'log', [0]);
    const blocks = new JournalBlocks(files, journal.state.log);
    const fd = files.open(`log/${SEGMENT}`, 'read');
    // The same bytes as many segments.
    const segments = Array.from({ length: 2 * (logCacheBytes / logReadBytes) }, (_, number): Segment => ({ ...journal.segments[0], number }));
    const load = (segment: Segment): number => {
      const before = read.bytes;
      const block = blocks.acquire(segment, fd, 64);
      assert.ok(block !== undefined);
      blocks.release(block);
      return read.bytes - before;
    };
    for (const segment of segments) assert.equal(load(segment), logReadBytes);
    for (const segment of segments.slice(segments.length / 2)) assert.equal(load(segment), 0);
    assert.equal(load(segments[0]), logReadBytes);
    assert.equal(load(segments[segments.length / 2]), logReadBytes);
    assert.equal(load(segments[segments.length / 2 + 2]), 0);
  });

  test('a block at the end grows with its segment, under whoever stands in it; a record that was spoilt meanwhile is given to nobody', async () => {
    const disk = simulatedFiles();
    const log = await openDurableLog({ directory: 'log', fsync: 'never' }, { files: disk, lock: () => () => undefined, newId: () => Buffer.alloc(16, 7) });
    await log.createTopic('t', { partitions: PARTITIONS, cleanup: 'delete' });
    const readers = await Promise.all([0, 1].map(partition => log.open({ topic: 't', partition }, 0, { follow: true })));
    const append = (value: string): Promise<void> => appendTo(log, { records: [0, 1].map(partition => ({ topic: 't', partition, key: null, value: Buffer.from(value) })), positions: [], group: 'g' });
    const valueAt = async (reader: PartitionReader): Promise<string> => {
      await take(reader, 1);
      return reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd);
    };
    for (let n = 0; n < 50; n++) {
      await append(`${n}`);
      // The second one comes only now and then, and finds all that it has passed over.
      assert.equal(await valueAt(readers[0]), `${n}`);
      if (n % 10 === 9) for (let behind = n - 9; behind <= n; behind++) assert.equal(await valueAt(readers[1]), `${behind}`);
    }
    await append('spoilt');
    const bytes = Buffer.from(disk.content(SEGMENT));
    bytes[bytes.lastIndexOf('spoilt')] ^= 1;
    disk.setContent(SEGMENT, bytes);
    for (const reader of readers) await assert.rejects(valueAt(reader), new RegExp(`${SEGMENT}:\\d+: damaged`));
    for (const reader of readers) await reader.close();
    await log.close();
  });

  test('an append longer than what is read at once', async () => {
    const { log } = await fill();
    await appendTo(log, { records: [{ topic: 't', partition: 0, key: null, value: Buffer.alloc(3 * logReadBytes, 1) }], positions: [], group: 'g' });
    const reader = await log.open({ topic: 't', partition: 0 }, 299);
    await take(reader, 2);
    assert.equal(reader.record.valueEnd - reader.record.valueStart, 3 * logReadBytes);
    await log.close();
  });
});

