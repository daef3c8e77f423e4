import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CaptureFileError } from '../../../topology/log/capture-errors.ts';
import { file, folder, line, readAll } from '../../support/capture-files.ts';

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
