// A capture file as bytes with random access: plain files as they are; gzip, pipes and standard input unpacked into a temporary file first,
// because each partition of a capture is read by a cursor of its own.
//
// Invariant: the temporary file has no name any more when it is filled, so it goes with the process however that ends.
import { closeSync, fstatSync, openSync, read, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { CaptureFileError } from './capture-errors.ts';

export interface CaptureFile {
  /** As the user named it; `-` is standard input. */
  readonly name: string;
  readonly fd: number;
  readonly sizeBytes: number;
  /** Where the first line begins: behind a byte order mark. */
  readonly startByte: number;
}

/** Opens a file for reading at any place. Throws CaptureFileError. The caller closes `fd`. */
export async function openCaptureFile(name: string, stdin: Readable): Promise<CaptureFile> {
  let fd = name === '-' ? await spoolStdin(stdin) : openPlain(name);
  try {
    if (!fstatSync(fd).isFile()) fd = await replace(fd, spool(chunksOf(fd), name));
    const head = headOf(fd);
    const packed = head[0] === 0x1f && head[1] === 0x8b;
    if (packed) fd = await replace(fd, unpack(fd, name));
    else if (name.endsWith('.gz') && head.length > 0) throw new CaptureFileError(name, 'is named .gz and is not gzip. Rename it, or pack it with gzip');
    return described(fd, name);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads `length` bytes at `at` into `into`, all of them. */
export function readFully(file: CaptureFile, into: Buffer, at: number, length: number): void {
  let done = 0;
  while (done < length) {
    const count = readSync(file.fd, into, done, length - done, at + done);
    if (count === 0) throw new CaptureFileError(file.name, 'became shorter while it was read. Copy it first, or wait until it is written');
    done += count;
  }
}

function openPlain(name: string): number {
  let fd: number;
  try {
    fd = openSync(name, 'r');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new CaptureFileError(name, 'no such file. Check the path; in a configuration it is relative to its folder', error);
    if (code === 'EACCES' || code === 'EPERM') throw new CaptureFileError(name, 'permission denied. Make it readable for this user', error);
    throw new CaptureFileError(name, `cannot be opened (${String(code ?? error)})`, error);
  }
  if (fstatSync(fd).isDirectory()) {
    closeSync(fd);
    throw new CaptureFileError(name, 'is a directory. Name the capture files in it one by one');
  }
  return fd;
}

function described(fd: number, name: string): CaptureFile {
  const head = headOf(fd);
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (utf16) throw new CaptureFileError(name, 'is UTF-16 text. Convert it to UTF-8 (PowerShell redirects write UTF-16)');
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return { name, fd, sizeBytes: fstatSync(fd).size, startByte: marked ? 3 : 0 };
}

function headOf(fd: number): Buffer {
  const head = Buffer.alloc(4);
  return head.subarray(0, readSync(fd, head, 0, head.length, 0));
}

async function replace(old: number, fresh: Promise<number>): Promise<number> {
  const fd = await fresh;
  closeSync(old);
  return fd;
}

function spoolStdin(stdin: Readable): Promise<number> {
  if (stdin.readableEnded || stdin.destroyed) throw new CaptureFileError('-', 'standard input has been read already. Only one side can be read from it');
  return spool(stdin, '-');
}

function unpack(fd: number, name: string): Promise<number> {
  return spool(chunksOf(fd), name, createGunzip({ chunkSize: CHUNK_BYTES }));
}

const CHUNK_BYTES = 256 << 10;
const readAsync = promisify(read);

/** A descriptor from its beginning, or a pipe from where it is. No stream: on an error that would close a descriptor that is not its own. */
async function* chunksOf(fd: number): AsyncGenerator<Buffer> {
  const seekable = fstatSync(fd).isFile();
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await readAsync(fd, Buffer.allocUnsafeSlow(CHUNK_BYTES), 0, CHUNK_BYTES, seekable ? at : null);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

let spooled = 0;

/** Copies a stream into a nameless temporary file; its descriptor. */
async function spool(input: AsyncIterable<Buffer>, name: string, through: Transform = new PassThrough()): Promise<number> {
  const path = join(tmpdir(), `paritas-capture-${process.pid}-${spooled++}`);
  let fd: number;
  try {
    fd = openSync(path, 'wx+', 0o600);
  } catch (error) {
    throw new CaptureFileError(name, `cannot be unpacked into ${tmpdir()}. Set TMPDIR to a folder that can be written`, error);
  }
  rmSync(path);
  const write = async (chunks: AsyncIterable<Buffer | string>): Promise<void> => {
    for await (const chunk of chunks) writeAll(fd, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  };
  try {
    await pipeline(input, through, write);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw new CaptureFileError(name, whyNotSpooled(error), error);
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

function whyNotSpooled(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return 'the gzip data ends early. The file is incomplete: copy or write it again';
  if (code.startsWith('Z_')) return `the gzip data is damaged (${code}). Copy or write the file again`;
  if (code === 'ENOSPC') return `no space left in ${tmpdir()} to unpack it. Set TMPDIR to a larger folder, or unpack it yourself`;
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
}
