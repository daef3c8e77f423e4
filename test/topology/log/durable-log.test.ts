import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LogError } from '../../../topology/log/embedded-error.ts';
import type { Log } from '../../../topology/log/log.ts';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import type { DurableLog, DurableLogSettings } from '../../../topology/log/durable/durable-log.ts';
import { appendTo } from '../../support/append.ts';
import { appendText, contentOf } from '../../support/log-content.ts';
import { simulatedFiles } from '../../support/simulated-files.ts';
import type { SimulatedFiles } from '../../support/simulated-files.ts';

const SEGMENT = '000000000000.log';

interface Opened { log: DurableLog; notices: string[] }

async function open(files: SimulatedFiles, settings: Partial<DurableLogSettings> = {}): Promise<Opened> {
  const notices: string[] = [];
  const log = await openDurableLog({ directory: 'log', fsync: 'always', ...settings }, {
    files, lock: () => () => { /* one process */ }, newId: () => Buffer.alloc(16, 7), notice: (message) => { notices.push(message); },
  });
  return { log, notices };
}

/** Three appends, and what the log holds after each. */
async function fill(log: Log): Promise<Awaited<ReturnType<typeof contentOf>>[]> {
  const states = [];
  await log.createTopic('a', { partitions: 2, cleanup: 'delete' });
  await log.createTopic('b', { partitions: 1, cleanup: 'compact' });
  states.push(await contentOf(log));
  for (const n of [1, 2, 3]) {
    await appendTo(log, {
      records: [{ topic: 'a', partition: n % 2, key: null, value: Buffer.from(`a${n}`) }, { topic: 'b', partition: 0, key: Buffer.from('k'), value: Buffer.from(`b${n}`) }],
      positions: [{ topic: 'a', partition: 0, offset: n }], group: 'g',
    });
    states.push(await contentOf(log));
  }
  return states;
}

describe('durable log: what a crash or a disk may leave', () => {
  test('cut at every byte: the whole appends before it are there, the rest is cut with a message, and it goes on', async () => {
    const files = simulatedFiles();
    const { log } = await open(files);
    const ends: number[] = [files.content(SEGMENT).length];
    const states = [await contentOf(log)];
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    ends.push(files.content(SEGMENT).length);
    states.push(await contentOf(log));
    for (const value of ['one', 'two', 'three']) {
      await appendText(log, 'a', 0, [['k', value], [null, value]]);
      ends.push(files.content(SEGMENT).length);
      states.push(await contentOf(log));
    }
    const bytes = files.content(SEGMENT);
    for (let size = 0; size < bytes.length; size++) {
      const cut = files.copy();
      cut.setContent(SEGMENT, bytes.subarray(0, size));
      // A segment appears with its first batch in it; without that it is damage, not a torn write.
      if (size < ends[0]) {
        await assert.rejects(open(cut), (error) => error instanceof LogError && error.reason === 'damaged' && error.message.startsWith(`log/${SEGMENT}:`));
        continue;
      }
      const whole = ends.findLastIndex((end) => end <= size);
      const opened = await open(cut);
      assert.deepEqual(await contentOf(opened.log), states[whole], `cut at ${size}`);
      if (ends[whole] === size) assert.deepEqual(opened.notices, []);
      else assert.match(opened.notices.join(), new RegExp(`^log/${SEGMENT}:${ends[whole]}: the last ${size - ends[whole]} bytes were cut off: an append that a crash cut short`));
      if (whole > 0) {
        await appendText(opened.log, 'a', 0, [['k', 'after']]);
        await opened.log.close();
        const again = await open(cut);
        assert.deepEqual(again.notices, []);
        assert.equal((await contentOf(again.log))['a-0'].records.at(-1)?.[2], 'after');
      }
    }
  });

  test('every byte flipped, after an orderly end: refused with file and byte; nothing acknowledged is ever cut off or read wrong', async () => {
    const files = simulatedFiles();
    const { log } = await open(files);
    const states = await fill(log);
    const beforeMark = files.content(SEGMENT).length;
    await log.close();
    const bytes = files.content(SEGMENT);
    assert.ok(bytes.length > beforeMark);
    for (let at = 0; at < bytes.length; at++) {
      for (const mask of [0x01, 0x80, 0xff]) {
        const flipped = Buffer.from(bytes);
        flipped[at] ^= mask;
        const copy = files.copy();
        copy.setContent(SEGMENT, flipped);
        let opened: Opened | undefined;
        try {
          opened = await open(copy);
        } catch (error) {
          assert.ok(error instanceof LogError && error.reason === 'damaged', `byte ${at}: ${String(error)}`);
          assert.match(error.message, /^log\/000000000000\.log(:\d+)?: /);
          assert.ok(at < beforeMark, `the mark of the end was damaged at ${at}: nothing was lost`);
          assert.ok(copy.content(SEGMENT).equals(flipped), 'a refused log was changed');
          continue;
        }
        assert.ok(at >= beforeMark, `byte ${at} was not seen`);
        assert.deepEqual(await contentOf(opened.log), states.at(-1));
        assert.equal(opened.notices.length, 1);
      }
    }
  });

  test('every byte flipped in a segment that is written to no more: refused at open or when it is read', async () => {
    const files = simulatedFiles();
    const { log } = await open(files, { segmentBytes: 400 });
    const states = await fill(log);
    await fillMore(log);
    const expected = await contentOf(log);
    await log.close();
    assert.ok(log.segments >= 2 && states.length > 0);
    const bytes = files.content(SEGMENT);
    for (const withIndex of [true, false]) {
      for (let at = 0; at < bytes.length; at++) {
        const copy = files.copy();
        const flipped = Buffer.from(bytes);
        flipped[at] ^= 0x10;
        copy.setContent(SEGMENT, flipped);
        if (!withIndex) copy.remove('log/000000000000.index');
        try {
          const opened = await open(copy);
          // With the index the segment is not read at open: what is read must be right, or refused.
          assert.ok(withIndex, `byte ${at} was not seen`);
          assert.deepEqual(await contentOf(opened.log), expected, `byte ${at}`);
          // The state in a segment that is not the last, and positions, are not needed any more: only such bytes may go unseen.
        } catch (error) {
          assert.ok(error instanceof LogError && error.reason === 'damaged', `byte ${at}: ${String(error)}`);
        }
      }
    }
  });

  test('every byte of an index flipped, or the index gone: it is made anew', async () => {
    const files = simulatedFiles();
    const { log } = await open(files, { segmentBytes: 400 });
    await fill(log);
    await fillMore(log);
    const expected = await contentOf(log);
    await log.close();
    const bytes = files.content('000000000000.index');
    for (let at = -1; at < bytes.length; at++) {
      const copy = files.copy();
      const flipped = Buffer.from(bytes);
      if (at >= 0) flipped[at] ^= 0x10;
      copy.setContent('000000000000.index', at < 0 ? Buffer.alloc(0) : flipped);
      assert.deepEqual(await contentOf((await open(copy)).log), expected, `byte ${at}`);
    }
  });

  test('a segment file that is gone is said, wherever it stood', async () => {
    const files = simulatedFiles();
    const { log } = await open(files, { segmentBytes: 300 });
    await fill(log);
    for (let n = 0; n < 5; n++) await fillMore(log);
    await log.close();
    const segments = files.names().filter((name) => name.endsWith('.log'));
    assert.ok(segments.length >= 4);
    for (const gone of segments) {
      const copy = files.copy();
      copy.remove(`log/${gone}`);
      await assert.rejects(open(copy), (error) => error instanceof LogError && error.message.includes(gone) && error.message.includes('gone'), gone);
    }
    const all = files.copy();
    for (const gone of segments) all.remove(`log/${gone}`);
    await assert.rejects(open(all), /segment files are gone/);
  });

  test('a format of later is refused by its number', async () => {
    const files = simulatedFiles();
    await (await open(files)).log.close();
    const { writeSegmentHeader, logIdOf } = await import('../../../topology/log/durable/batch-format.ts');
    const { crc32c } = await import('../../../schemas/crc32c.ts');
    const header = writeSegmentHeader(0, 0, logIdOf(Buffer.alloc(16, 7)));
    header.writeUInt32LE(2, 8);
    header.writeUInt32LE(crc32c(header, 0, 60), 60);
    files.setContent(SEGMENT, Buffer.concat([header, files.content(SEGMENT).subarray(64)]));
    await assert.rejects(open(files), /written in format 2 of the log; this program knows format 1/);
  });
});

async function fillMore(log: Log): Promise<void> {
  for (let n = 0; n < 3; n++) await appendText(log, 'a', n % 2, [['k', `more ${n}`], ['k', 'x'.repeat(40)]]);
  await appendText(log, 'b', 0, [['k', 'more'], ['l', null]]);
}

describe('durable log: a disk that refuses', () => {
  test('full at every byte: the append is refused as a whole, the rest stands, and with room it goes on', async () => {
    for (let freeBytes = 0; freeBytes < 199; freeBytes++) {
      const files = simulatedFiles();
      const { log } = await open(files);
      await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
      await appendText(log, 'a', 0, [['k', 'before']]);
      const before = await contentOf(log);
      const size = files.content(SEGMENT).length;
      files.faults = { freeBytes, writeBytesMax: 50 };
      const appended = appendText(log, 'a', 0, [['k', 'x'.repeat(100)]]);
      await assert.rejects(appended, (error) => error instanceof LogError && error.reason === 'disk-full' && error.exitCode === 2
        && /^log: no space left on the device; an append was not written, and nothing of it is in the log\. Make room/.test(error.message));
      assert.deepEqual(await contentOf(log), before);
      assert.equal(files.content(SEGMENT).length, size);
      files.faults = {};
      await appendText(log, 'a', 0, [['k', 'after']]);
      await log.close();
      const again = await open(files);
      assert.deepEqual(again.notices, []);
      assert.deepEqual((await contentOf(again.log))['a-0'].records.map(([, , value]) => value), ['before', 'after']);
    }
  });

  test('full where the next segment is to be made: refused, and with room it goes on', async () => {
    const files = simulatedFiles();
    const { log } = await open(files, { segmentBytes: 400 });
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    await appendText(log, 'a', 0, [['k', 'x'.repeat(100)]]);
    files.faults = { freeBytes: 40 };
    await assert.rejects(appendText(log, 'a', 0, [['k', 'y']]), (error) => error instanceof LogError && error.reason === 'disk-full' && /a new segment was not written/.test(error.message));
    assert.deepEqual(files.names(), [SEGMENT]);
    files.faults = {};
    await appendText(log, 'a', 0, [['k', 'y']]);
    assert.equal(log.segments, 2);
    await log.close();
    assert.equal((await contentOf((await open(files)).log))['a-0'].records.length, 2);
  });

  test('short writes are written on', async () => {
    const files = simulatedFiles();
    const { log } = await open(files);
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    files.faults = { writeBytesMax: 3 };
    await appendText(log, 'a', 0, [['k', 'value']]);
    assert.equal((await contentOf(log))['a-0'].records.length, 1);
  });

  test('a sync that fails: not acknowledged, not read, and nothing is taken after it, even where the next sync would be good', async () => {
    const files = simulatedFiles();
    const { log } = await open(files);
    await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
    await appendText(log, 'a', 0, [['k', 'before']]);
    files.faults = { before: (operation) => { if (operation === 'sync') throw Object.assign(new Error('i/o error'), { code: 'EIO' }); } };
    const failed = (error: unknown): boolean => error instanceof LogError && error.reason === 'failed' && /a sync failed \(EIO\), and what the disk holds is not known/.test(error.message);
    await Promise.all([1, 2].map((n) => assert.rejects(appendText(log, 'a', 0, [['k', `${n}`]]), failed)));
    files.faults = {};
    await assert.rejects(appendText(log, 'a', 0, [['k', 'after']]), failed);
    await assert.rejects(log.createTopic('c', { partitions: 1, cleanup: 'delete' }), failed);
    assert.deepEqual((await contentOf(log))['a-0'].records.map(([, , value]) => value), ['before']);
    await log.close();
    files.losePower(() => 0);
    assert.deepEqual((await contentOf((await open(files)).log))['a-0'].records.map(([, , value]) => value), ['before']);
  });

  test('a write that fails otherwise, or cannot be taken back, ends the log', async () => {
    for (const broken of ['write', 'truncate']) {
      const files = simulatedFiles();
      const { log } = await open(files);
      await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
      files.faults = {
        ...(broken === 'truncate' ? { freeBytes: 10 } : {}),
        before: (operation) => { if (operation === broken) throw Object.assign(new Error('i/o error'), { code: 'EIO' }); },
      };
      await assert.rejects(appendText(log, 'a', 0, [['k', 'x']]), (error) => error instanceof LogError && error.reason === 'failed');
      files.faults = {};
      await assert.rejects(appendText(log, 'a', 0, [['k', 'x']]), (error) => error instanceof LogError && error.reason === 'failed');
      await log.close();
      const again = await open(files);
      assert.equal((await contentOf(again.log))['a-0'].records.length, 0);
    }
  });
});
