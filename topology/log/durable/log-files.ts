// The file system as the durable log uses it. Tests hand in one that runs full, fails to sync, or loses power between two calls.
import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

export interface LogFiles {
  /** Makes the directory and those above it. */
  makeDirectory(path: string): void;
  /** Names of the files. Throws ENOENT where there is no such directory. */
  list(directory: string): readonly string[];
  /** `write`: makes the file, or empties the one that is there. `append`: to write on in one that is there. */
  open(path: string, mode: 'read' | 'write' | 'append'): number;
  sizeBytes(fd: number): number;
  /** Returns the bytes read; 0 at the end. */
  read(fd: number, into: Buffer, at: number, length: number, position: number): number;
  /** Returns the bytes written; they may be fewer. */
  write(fd: number, bytes: Buffer, at: number, length: number, position: number): number;
  truncate(fd: number, sizeBytes: number): void;
  /** Resolves when what was written is on the disk. */
  sync(fd: number): Promise<void>;
  close(fd: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Names made, changed and removed are on the disk. */
  syncDirectory(path: string): void;
}

const FLAGS = { read: 'r', write: 'w+', append: 'r+' } as const;

export const diskFiles: LogFiles = {
  makeDirectory: (path) => { mkdirSync(path, { recursive: true }); },
  list: (directory) => readdirSync(directory),
  open: (path, mode) => openSync(path, FLAGS[mode]),
  sizeBytes: (fd) => fstatSync(fd).size,
  read: readSync,
  write: writeSync,
  truncate: ftruncateSync,
  sync: promisify(fdatasync),
  close: closeSync,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncDirectory(path) {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
};

/** Writes all of the bytes, however few are taken at once. */
export function writeFully(files: LogFiles, fd: number, bytes: Buffer, length: number, position: number): void {
  for (let done = 0; done < length;) {
    const count = files.write(fd, bytes, done, length - done, position + done);
    if (count <= 0) throw Object.assign(new Error('the file system takes no more bytes'), { code: 'EIO' });
    done += count;
  }
}

/** Reads up to `length` bytes; fewer only at the end of the file. */
export function readUpTo(files: LogFiles, fd: number, into: Buffer, at: number, length: number, position: number): number {
  let done = 0;
  while (done < length) {
    const count = files.read(fd, into, at + done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

export function fileErrorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}
