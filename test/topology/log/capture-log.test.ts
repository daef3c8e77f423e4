import assert from 'node:assert/strict';
import { closeSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { captureBlockLines, maxLineBytes } from '../../../schemas/limits.ts';
import { newBlockCache } from '../../../topology/log/capture-cache.ts';
import { BadCaptureLine } from '../../../topology/log/capture-errors.ts';
import { openCaptureFile } from '../../../topology/log/capture-file.ts';
import { openCaptures } from '../../../topology/log/capture-log.ts';
import { openPartition } from '../../../topology/log/capture-reader.ts';
import { surveyFile } from '../../../topology/log/capture-survey.ts';
import { drain, file, line, readAll, shown } from '../../support/capture-files.ts';

test('form 1, lines of partitions in turn and one after the other', async () => {
  const rows: readonly (readonly [number, number])[] = [[0, 0], [1, 5], [0, 1], [1, 7], [2, 0]];
  const expected = { 't/0': ['0=v0-0', '1=v0-1'], 't/1': ['5=v1-5', '7=v1-7'], 't/2': ['0=v2-0'] };
  assert.deepEqual(await readAll([file(rows.map(([p, o]) => line(p, o)).join(''))]), expected);
  assert.deepEqual(await readAll([file(rows.toSorted(([a], [b]) => a - b).map(([p, o]) => line(p, o)).join(''))]), expected);
});

test('what a reader and the log say of themselves', async () => {
  const text = line(1, 5) + line(0, 0) + line(1, 9);
  const log = await openCaptures([file(text)], { topic: '', skipBadLines: false, partitions: 3 });
  assert.deepEqual(log.partitions.map((r) => [r.topic, r.partition, r.firstOffset, r.position, r.total]), [['t', 0, 0, 0, 1], ['t', 1, 5, 5, 2], ['t', 2, NaN, 0, 0]]);
  assert.deepEqual([log.totalRecords, log.totalBytes], [3, text.length]);
  const reader = log.partitions[1];
  assert.equal(reader.next(), false, 'nothing is buffered yet');
  assert.equal(await reader.fill(), true);
  assert.equal(reader.next(), true);
  const { record } = reader;
  assert.deepEqual([record.topic, record.partition, record.offset, record.timestampMs, reader.position], ['t', 1, 5, 50, 6]);
  assert.equal(record.data.toString('utf8', record.keyStart, record.keyEnd), 'k5');
  assert.deepEqual([reader.next(), reader.next(), await reader.fill(), reader.position], [true, false, false, 10]);
  assert.equal(await log.partitions[2].fill(), false);
  await log.close();
});

test('form 2 (kcat -J), with its flat headers', async () => {
  const log = await openCaptures([file('{"topic":"t","partition":1,"offset":4,"tstype":"create","ts":77,"broker":1,"headers":["a","1","b",null,"a","2"],"key":"k","payload":"v"}\n')], { topic: '', skipBadLines: false });
  const [reader] = log.partitions;
  await reader.fill();
  assert.ok(reader.next());
  assert.deepEqual([shown(reader), reader.record.timestampMs, reader.record.header('a')?.toString(), reader.record.header('b'), reader.record.header('1')], ['4=v', 77, '2', undefined, undefined]);
  await log.close();
});

test('headers: the last one of a name, unescaped, null, absent', async () => {
  const headers = [['traceparent', '00-a'], ['x', '"quoted" é'], ['traceparent', '00-b'], ['none', null], ['', 'empty']];
  const log = await openCaptures([file(line(0, 0, 'v', { headers }) + line(0, 1).replace('[]', '[ [ "tr\\u0061ceparent" , "c\\n" ] ]') + line(0, 2))], { topic: '', skipBadLines: false });
  const [{ record }] = log.partitions;
  const header = (name: string): string | undefined => record.header(name)?.toString();
  await log.partitions[0].fill();
  log.partitions[0].next();
  assert.deepEqual(['traceparent', 'x', 'none', '', 'trace'].map(header), ['00-b', '"quoted" é', undefined, 'empty', undefined]);
  log.partitions[0].next();
  assert.equal(header('traceparent'), 'c\n');
  log.partitions[0].next();
  assert.equal(header('traceparent'), undefined);
  await log.close();
});

test('form 3: the file is the partition, the line number from 0 the offset', async () => {
  const names = [file('{"a":1}\nnull\n\n{"a":2}'), file('{"b":1}\r\n')];
  assert.deepEqual(await readAll(names, { topic: 'x' }), { 'x/0': ['0={"a":1}', '1=null', '3={"a":2}'], 'x/1': ['0={"b":1}'] });
  const log = await openCaptures([file('\n{"a":1}\n')], { topic: 'x', skipBadLines: false });
  assert.equal(log.partitions[0].firstOffset, 0, 'a blank first line is no start in mid-stream');
  await log.close();
});

test('topic: the one asked for, the line\'s, the file\'s name', async () => {
  const bare = '{"partition":0,"offset":0,"value":"v"}\n';
  assert.deepEqual(Object.keys(await readAll([file(bare, 'orders.jsonl')])), ['orders/0']);
  assert.deepEqual(Object.keys(await readAll([file(gzipSync(bare), 'orders2.jsonl.gz')])), ['orders2/0']);
  assert.deepEqual(Object.keys(await readAll([file(bare)], { topic: 'asked' })), ['asked/0']);
  assert.deepEqual(Object.keys(await readAll([file(line(0, 0))], { topic: 'asked' })), ['asked/0'], 'a capture of one topic stands for the one asked for');
});

test('a file of several topics: offsets are those of each topic', async () => {
  const name = file(line(0, 0, 'begin', { topic: 'tx' }) + line(0, 0) + line(0, 1, 'end', { topic: 'tx' }) + line(0, 1) + line(0, 0, 'beat', { topic: 'hb' }));
  const log = await openCaptures([name], { topic: 't', skipBadLines: false });
  assert.deepEqual([log.partitions.map((r) => r.topic), log.others.map((r) => r.topic)], [['t'], ['hb', 'tx']]);
  assert.deepEqual([await drain(log.partitions[0]), await drain(log.others[1])], [['0=v0-0', '1=v0-1'], ['0=begin', '1=end']]);
  await log.close();
  await assert.rejects(readAll([name], { topic: 'other' }), /no line of the topic other. The files hold tx, t, hb/);
});

test('a topic on some lines only is found, never lost', async () => {
  const mixed = '{"partition":0,"offset":0,"value":"a"}\n{"partition":0,"offset":1,"topic":"t","value":"b"}\n';
  await assert.rejects(readAll([file(mixed)]), (error: unknown) => error instanceof BadCaptureLine && error.line === 2 && /names its topic where/.test(error.message));
  assert.deepEqual(await readAll([file(mixed)], { skipBadLines: true, topic: 'x' }), { 'x/0': ['0=a'], 't/0': ['1=b'] });
  // The topic is known by then, but not to occur in that block.
  const bare = Array.from({ length: 20 }, (_, i) => `{"partition":0,"offset":${i},"value":"a"}\n`);
  const later = `${bare[0]}${line(0, 0)}${bare.join('')}{"partition":0,"offset":1,"topic":"t","value":"b"}\n`;
  await assert.rejects(readAll([file(later)], { blockBytes: 200 }), (error: unknown) => error instanceof BadCaptureLine && error.line === 23);
});

test('BOM, CRLF, blank lines, no newline at the end', async () => {
  const text = `\ufeff\r\n${line(0, 0).replace('\n', '\r\n')}   \r\n\n${line(0, 1).trimEnd()}`;
  assert.deepEqual(await readAll([file(text)]), { 't/0': ['0=v0-0', '1=v0-1'] });
  await assert.rejects(readAll([file(Buffer.from(`\ufeff${line(0, 0)}`, 'utf16le'))]), /UTF-16/);
});

test('an empty file is a partition without evidence, numbered by its place', async () => {
  const names = [file(line(0, 0)), file(''), file('\n\n'), file(gzipSync(''), 'empty.jsonl.gz'), file('', 'zero.jsonl.gz')];
  const log = await openCaptures(names, { topic: '', skipBadLines: false });
  assert.deepEqual(log.partitions.map((r) => [r.topic, r.partition, r.firstOffset, r.total]), [['t', 0, 0, 1], ['t', 1, NaN, 0], ['t', 2, NaN, 0], ['t', 3, NaN, 0], ['t', 4, NaN, 0]]);
  await log.close();
  assert.deepEqual(await readAll([file(line(1, 3)), file('')]), { 't/1': ['3=v1-3'] }, 'a partition that another file holds is that one');
});

test('several files of one partition are merged by offset; what was given is not given again', async () => {
  const a = file([0, 1, 4, 6].map((o) => line(0, o, `a${o}`)).join(''));
  const b = file([1, 2, 4, 5, 6, 7].map((o) => line(0, o, `b${o}`)).join(''));
  assert.deepEqual(await readAll([a, b]), { 't/0': ['0=a0', '1=a1', '2=b2', '4=a4', '5=b5', '6=a6', '7=b7'] });
  const log = await openCaptures([b, a], { topic: '', skipBadLines: false, blockBytes: 10 });
  assert.deepEqual([log.partitions[0].firstOffset, await drain(log.partitions[0])], [0, ['0=a0', '1=b1', '2=b2', '4=b4', '5=b5', '6=b6', '7=b7']]);
  assert.equal(log.partitions[0].droppedRedeliveries, 3);
  await log.close();
});

test('an offset again, or below one given, is a redelivery', async () => {
  const name = file([3, 4, 3, 4, 5, 0, 5].map((o, i) => line(0, o, `at${i}`)).join(''));
  for (const blockBytes of [10, 1 << 16]) {
    const log = await openCaptures([name], { topic: '', skipBadLines: false, blockBytes });
    const [reader] = log.partitions;
    assert.deepEqual([await drain(reader), reader.droppedRedeliveries, reader.firstOffset], [['3=at0', '4=at1', '5=at4'], 4, 3]);
    await log.close();
  }
});

test('fill promises a record: it does not stop before a redelivery', async () => {
  const log = await openCaptures([file(line(0, 1) + line(0, 1) + line(0, 0))], { topic: '', skipBadLines: false, blockBytes: 10 });
  const [reader] = log.partitions;
  assert.deepEqual([await reader.fill(), reader.next(), await reader.fill(), reader.next()], [true, true, false, false]);
  await log.close();
});

for (const [where, at] of [['first', 0], ['in the middle', 1], ['last', 3]] as const) {
  test(`a bad line ${where} is an error with file and line`, async () => {
    const rows = [line(0, 0), line(1, 0), line(0, 1)];
    const name = file(rows.toSpliced(at, 0, '{"topic":"t","partition":0,"off\n').join(''));
    await assert.rejects(readAll([name]), (error: unknown) => {
      assert.ok(error instanceof BadCaptureLine);
      assert.deepEqual([error.file, error.line, error.exitCode], [name, at + 1, 2]);
      assert.match(error.message, new RegExp(`:${at + 1}: .*--skip-bad-lines`));
      return true;
    });
    const skipped = await readAll([name], { skipBadLines: true });
    const bad = `!${basename(name)}:${at + 1}`;
    assert.deepEqual(skipped, [{ 't/0': [bad, '0=v0-0', '1=v0-1'], 't/1': ['0=v1-0'] }, { 't/0': ['0=v0-0', bad, '1=v0-1'], 't/1': ['0=v1-0'] }, {}, { 't/0': ['0=v0-0', '1=v0-1', bad], 't/1': ['0=v1-0'] }][at]);
  });
}

test('a line that is bad only behind its offset is found when it is reached', async () => {
  const name = file(line(0, 0) + line(0, 1).replace('"value":', '"value"') + line(0, 2));
  await assert.rejects(readAll([name]), (error: unknown) => error instanceof BadCaptureLine && error.line === 2);
  assert.deepEqual(await readAll([name], { skipBadLines: true }), { 't/0': ['0=v0-0', `!${basename(name)}:2`, '2=v0-2'] });
});

test('a skipped line is given as it stands in the file and moves no position', async () => {
  const text = '{"partition":0,"offset":1,"value":"\\u0041\\"x';
  const log = await openCaptures([file(`${line(0, 7)}${text}\n${line(0, 8)}`)], { topic: '', skipBadLines: true });
  const [reader] = log.partitions;
  assert.equal(reader.total, 3);
  await reader.fill();
  reader.next();
  reader.next();
  const { record } = reader;
  assert.deepEqual([record.data.toString('utf8', record.valueStart, record.valueEnd), record.offset, record.keyStart, reader.position], [text, 7, -1, 8]);
  assert.match(record.bad?.detail ?? '', /does not end/);
  reader.next();
  assert.deepEqual([reader.record.bad, reader.record.offset], [undefined, 8]);
  await log.close();
});

test('a file of bad lines only belongs to the partition of its place', async () => {
  const name = file('hello\nworld\n');
  assert.deepEqual(await readAll([file(line(0, 0)), name], { skipBadLines: true }), { 't/0': ['0=v0-0'], 't/1': [`!${basename(name)}:1`, `!${basename(name)}:2`] });
  await assert.rejects(readAll([name]), (error: unknown) => error instanceof BadCaptureLine && error.line === 1);
});

test('bad lines over several blocks before the first good one', async () => {
  const name = file('hello\nworld\n{"a":1}\n');
  assert.deepEqual(await readAll([name], { skipBadLines: true, blockBytes: 4, topic: 'x' }), { 'x/0': [`!${basename(name)}:1`, `!${basename(name)}:2`, '2={"a":1}'] });
});

test('a block of many short lines is cut by their number', async () => {
  const log = await openCaptures([file('{}\n'.repeat(3 * captureBlockLines + 1))], { topic: '', skipBadLines: false });
  const [reader] = log.partitions;
  assert.deepEqual([(await drain(reader)).length, reader.droppedRedeliveries, log.blockLoads], [3 * captureBlockLines + 1, 0, 4]);
  await log.close();
});

test('a line longer than a block; a line longer than the limit', async () => {
  const value = 'x"é'.repeat(100_000);
  assert.deepEqual(await readAll([file(line(0, 0) + line(0, 1, value) + line(0, 2))], { blockBytes: 64 }), { 't/0': ['0=v0-0', `1=${value}`, '2=v0-2'] });
  const name = file(Buffer.concat([Buffer.from(line(0, 0)), Buffer.alloc(maxLineBytes + 1, 'x'), Buffer.from(`\n${line(0, 1)}bad\n`)]));
  await assert.rejects(readAll([name]), (error: unknown) => error instanceof BadCaptureLine && error.line === 2 && /longer than/.test(error.message));
  assert.deepEqual(await readAll([name], { skipBadLines: true }), { 't/0': ['0=v0-0', `!${basename(name)}:2`, '1=v0-1', `!${basename(name)}:4`] });
  rmSync(name);
});

test('partitions read in step share their blocks; those read one after the other do not need them', async () => {
  const rows = Array.from({ length: 4000 }, (_, i) => line(i % 4, i >> 2));
  const blockBytes = 4096;
  for (const [cacheBytes, least, most] of [[0, 1, 8], [1 << 20, 1, 1]] as const) {
    const log = await openCaptures([file(rows.join(''))], { topic: '', skipBadLines: false, blockBytes, cacheBytes });
    const blocks = Math.ceil(log.totalBytes / blockBytes);
    for (let live = 4; live > 0; ) {
      live = 0;
      for (const reader of log.partitions) if (reader.next() || (await reader.fill() && reader.next())) live++;
    }
    assert.ok(log.blockLoads >= blocks * least && log.blockLoads <= blocks * most * 1.1, `${log.blockLoads} loads of ${blocks} blocks`);
    await log.close();
  }
});

test('a block that every reader has passed is filled anew at once; one that a reader has yet to enter is kept', async () => {
  const name = file(Array.from({ length: 4000 }, (_, i) => line(i % 4, i >> 2)).join(''));
  for (const inStep of [true, false]) {
    const cache = newBlockCache(1 << 20, 4096);
    const survey = await surveyFile(await openCaptureFile(name, process.stdin), 0, false, 4096);
    const readers = survey.slots.map(({ topic, partition }, slot) => openPartition(topic, partition, [{ survey, slot }], cache));
    const buffers = new Set<Buffer>();
    for (const reader of readers) await reader.fill();
    const order = inStep ? Array.from({ length: 4000 }, (_, i) => i % 4) : Array.from({ length: 4000 }, (_, i) => Math.floor(i / 1000));
    for (const which of order) {
      assert.ok(readers[which].next() || ((await readers[which].fill()) && readers[which].next()));
      buffers.add(readers[which].record.data);
    }
    const blocks = survey.blockStart.length;
    assert.deepEqual([cache.loads, buffers.size], [blocks, inStep ? 2 : blocks]);
    closeSync(survey.file.fd);
  }
});
