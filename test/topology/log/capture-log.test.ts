import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { maxLineBytes } from '../../../schemas/limits.ts';
import { BadCaptureLine, CaptureFileError } from '../../../topology/log/capture-errors.ts';
import { openCaptures } from '../../../topology/log/capture-log.ts';
import type { CaptureOptions } from '../../../topology/log/capture-log.ts';
import type { CapturePartition } from '../../../topology/log/capture-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'capture-log-test-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(content: string | Buffer, name: string = `f${files++}.jsonl`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function line(partition: number, offset: number, value: string | null = `v${partition}-${offset}`, more: object = {}): string {
  return `${JSON.stringify({ topic: 't', partition, offset, timestamp: offset * 10, key: `k${offset}`, value, headers: [], ...more })}\n`;
}

/** A record as text: `offset=value`, `!file:line` for a bad line. */
function shown({ record }: CapturePartition): string {
  if (record.bad !== undefined) return `!${basename(record.bad.file)}:${record.bad.line}`;
  return `${record.offset}=${record.valueStart < 0 ? 'null' : record.data.toString('utf8', record.valueStart, record.valueEnd)}`;
}

async function drain(reader: CapturePartition): Promise<string[]> {
  const got: string[] = [];
  do {
    while (reader.next()) got.push(shown(reader));
  } while (await reader.fill());
  return got;
}

/** Everything, one partition after the other: `topic/partition` to its records. */
async function readAll(names: readonly string[], options: Partial<CaptureOptions> = {}): Promise<Record<string, string[]>> {
  const log = await openCaptures(names, { topic: '', skipBadLines: false, ...options });
  const got: Record<string, string[]> = {};
  for (const reader of [...log.partitions, ...log.others]) got[`${reader.topic}/${reader.partition}`] = await drain(reader);
  await log.close();
  return got;
}

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
});

test('BOM, CRLF, blank lines, no newline at the end', async () => {
  const text = `\ufeff\r\n${line(0, 0).replace('\n', '\r\n')}   \r\n\n${line(0, 1).trimEnd()}`;
  assert.deepEqual(await readAll([file(text)]), { 't/0': ['0=v0-0', '1=v0-1'] });
  await assert.rejects(readAll([file(Buffer.from(`\ufeff${line(0, 0)}`, 'utf16le'))]), /UTF-16/);
});

test('gzip by its first bytes, in one member or several, and standard input', async () => {
  const expected = { 't/0': ['0=v0-0', '1=v0-1'] };
  const plain = line(0, 0) + line(0, 1);
  assert.deepEqual(await readAll([file(gzipSync(plain), 'named-otherwise.jsonl')]), expected);
  assert.deepEqual(await readAll([file(Buffer.concat([gzipSync(line(0, 0)), gzipSync(line(0, 1))]), 'members.jsonl.gz')]), expected);
  assert.deepEqual(await readAll(['-'], { stdin: Readable.from([Buffer.from(plain)]) }), expected);
  const packed = gzipSync(plain);
  assert.deepEqual(await readAll(['-'], { stdin: Readable.from([packed.subarray(0, 1), packed.subarray(1)]) }), expected);
  assert.deepEqual(readdirSync(tmpdir()).filter((name) => name.startsWith(`paritas-capture-${process.pid}`)), [], 'nothing is left in the temporary folder');
});

test('a pipe has no random access and is read all the same', { skip: process.platform === 'win32' }, async () => {
  const script = `import { openCaptures } from ${JSON.stringify(import.meta.resolve('../../../topology/log/capture-log.ts'))};
    const log = await openCaptures(['/dev/stdin'], { topic: '', skipBadLines: false });
    await log.partitions[0].fill();
    process.stdout.write(String(log.totalRecords)); await log.close();`;
  assert.equal(execFileSync('sh', ['-c', 'cat "$1" | "$2" --input-type=module -e "$3"', '-', file(line(0, 0) + line(0, 1)), process.execPath, script]).toString(), '2');
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

test('a line longer than a block; a line longer than the limit', async () => {
  const value = 'x"é'.repeat(100_000);
  assert.deepEqual(await readAll([file(line(0, 0) + line(0, 1, value) + line(0, 2))], { blockBytes: 64 }), { 't/0': ['0=v0-0', `1=${value}`, '2=v0-2'] });
  const name = file(Buffer.concat([Buffer.from(line(0, 0)), Buffer.alloc(maxLineBytes + 1, 'x'), Buffer.from(`\n${line(0, 1)}`)]));
  await assert.rejects(readAll([name]), (error: unknown) => error instanceof BadCaptureLine && error.line === 2 && /longer than/.test(error.message));
  assert.deepEqual(await readAll([name], { skipBadLines: true }), { 't/0': ['0=v0-0', `!${basename(name)}:2`, '1=v0-1'] });
  rmSync(name);
});

test('files that cannot be read say why', async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(folder, 'absent.jsonl'), /absent.jsonl: no such file/],
    [folder, /is a directory/],
    [file('plain text', 'not.jsonl.gz'), /named .gz and is not gzip/],
    [file(gzipSync(line(0, 0).repeat(100)).subarray(0, 60), 'cut.jsonl.gz'), /ends early/],
    [file(Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(50, 7)]), 'damaged.jsonl.gz'), /damaged/],
  ];
  for (const [name, message] of cases) await assert.rejects(readAll([name]), (error: unknown) => error instanceof CaptureFileError && error.exitCode === 2 && message.test(error.message), name);
  await assert.rejects(readAll(['-', '-'], { stdin: Readable.from([]) }), /named twice/);
  const used = Readable.from(['x']);
  used.destroy();
  await assert.rejects(readAll(['-'], { stdin: used }), /has been read already/);
  mkdirSync(join(folder, 'd'));
  symlinkSync(join(folder, 'd'), join(folder, 'link'));
  await assert.rejects(readAll([join(folder, 'link')]), /is a directory/);
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

/** A reader that a child could check: whole files, JSON.parse, objects. */
function naive(contents: readonly string[], names: readonly string[], skip: boolean): Record<string, string[]> {
  const parts = new Map<number, { offset: number; text: string }[][]>();
  contents.forEach((content, index) => {
    const own = new Map<number, { offset: number; text: string }[]>();
    let last = -1;
    let leading: { offset: number; text: string }[] = [];
    content.split('\n').forEach((text, number) => {
      if (text.trim() === '') return;
      let row: { partition: number; offset: number; value: string | null } | undefined;
      try {
        row = JSON.parse(text) as { partition: number; offset: number; value: string | null };
      } catch {
        row = undefined;
      }
      if (row === undefined) {
        assert.ok(skip);
        const bad = { offset: -1, text: `!${basename(names[index])}:${number + 1}` };
        if (last < 0) leading.push(bad);
        else own.get(last)!.push(bad);
        return;
      }
      last = row.partition;
      if (!own.has(last)) own.set(last, []);
      own.get(last)!.push(...leading, { offset: row.offset, text: `${row.offset}=${row.value}` });
      leading = [];
    });
    if (own.size === 0) own.set(index, leading);
    for (const [partition, rows] of own) parts.set(partition, [...(parts.get(partition) ?? []), rows]);
  });
  return Object.fromEntries([...parts].sort(([a], [b]) => a - b).map(([partition, queues]) => [`x/${partition}`, merged(queues)]));
}

function merged(queues: { offset: number; text: string }[][]): string[] {
  const got: string[] = [];
  const firsts = queues.flatMap((queue) => queue.filter((row) => row.offset >= 0).slice(0, 1).map((row) => row.offset));
  for (let position = Math.min(...firsts); ; ) {
    for (const queue of queues) while (queue.length > 0 && queue[0].offset >= 0 && queue[0].offset < position) queue.shift();
    const next = queues.filter((queue) => queue.length > 0).reduce<{ offset: number; text: string }[] | undefined>((best, queue) => (best === undefined || queue[0].offset < best[0].offset ? queue : best), undefined);
    if (next === undefined) return got;
    const row = next.shift()!;
    got.push(row.text);
    if (row.offset >= 0) position = row.offset + 1;
  }
}

test('property: whatever the block size, cache, layout and order of reading, the same as a naive reader', async () => {
  const row = fc.record({ kind: fc.integer({ min: 0, max: 11 }), partition: fc.nat(3), step: fc.integer({ min: -1, max: 3 }), value: fc.oneof(fc.constant(null), fc.string({ unit: 'grapheme', maxLength: 30 }), fc.json({ maxDepth: 2 })) });
  const one = fc.array(row, { maxLength: 25 });
  await fc.assert(fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 400 }), fc.constantFrom(0, 300, 1 << 20), fc.boolean(), fc.boolean(), fc.infiniteStream(fc.nat(7)), async (sides, blockBytes, cacheBytes, skip, newline, picks) => {
    const contents = sides.map((rows) => {
      const offsets = [0, 3, 0, 10];
      const texts = rows.map(({ kind, partition, step, value }) => {
        if (kind === 0) return '  ';
        if (kind === 1 && skip) return '{"partition":1,"offset":';
        if (kind === 2 && skip) return '{"partition":3,"offset":1,"value":"x","key":"\\q"}';
        return JSON.stringify(kind % 2 === 0 ? { partition, offset: offsets[partition] = Math.max(0, offsets[partition] + step), value } : { value, offset: offsets[partition] = Math.max(0, offsets[partition] + step), headers: [['a', value]], partition });
      });
      // The form is told by the first block: a file whose first block is all bad lines is for another test.
      return ['{"partition":0,"offset":0,"value":"first"}', ...texts].join('\n') + (newline ? '\n' : '');
    });
    const names = contents.map((content, i) => file(content, `property-${i}.jsonl`));
    const log = await openCaptures(names, { topic: 'x', skipBadLines: skip, blockBytes, cacheBytes });
    const got = Object.fromEntries(log.partitions.map((reader): [string, string[]] => [`${reader.topic}/${reader.partition}`, []]));
    for (const live = [...log.partitions]; live.length > 0; ) {
      const at = (picks.next().value as number) % live.length;
      const reader = live[at];
      if (reader.next() || (await reader.fill() && reader.next())) got[`x/${reader.partition}`].push(shown(reader));
      else live.splice(at, 1);
    }
    await log.close();
    assert.deepEqual(got, naive(contents, names, skip));
  }), { numRuns: 300 });
});
