// A file system in memory for the durable log, that can fail: run full, break a write off, refuse a sync, stop at any call as a killed
// process does, and lose at any time what was not synced, as a machine without power does.
import { basename, dirname } from 'node:path';
import type { LogFiles } from '../../topology/log/durable/log-files.ts';

interface Inode { data: Buffer; synced: Buffer }

/** Thrown by every call after the crash: nothing that the dying process still does reaches the disk. */
export class Crash extends Error {}

export interface Faults {
  /** Called before each operation; what it throws is what the operation fails with. */
  before?: (operation: string, name: string) => void;
  /** Bytes that the disk still takes. */
  freeBytes?: number;
  /** Bytes taken at most by one write, as a file system may. */
  writeBytesMax?: number;
  /** Stops at the call of this number, counted from now; a write leaves this share of its bytes. */
  crashIn?: number;
  crashShare?: number;
}

export interface SimulatedFiles extends LogFiles {
  faults: Faults;
  /** Operations so far, by name, for a test that names where it stopped. */
  readonly operations: string[];
  /** The process is gone; what it wrote is there. */
  kill(): void;
  /** The machine is gone: what was not synced is there in part, or as zeros. `random` is in [0, 1). */
  losePower(random: () => number): void;
  content(name: string): Buffer;
  setContent(name: string, data: Buffer): void;
  names(): string[];
  /** Everything is on the disk. */
  syncAll(): void;
  copy(): SimulatedFiles;
}

export function simulatedFiles(): SimulatedFiles {
  let names = new Map<string, Inode>();
  let syncedNames = new Map<string, Inode>();
  let fds = new Map<number, Inode>();
  let nextFd = 3;
  let crashed = false;
  const operations: string[] = [];
  const inodeOf = (fd: number): Inode => {
    const inode = fds.get(fd);
    if (inode === undefined) throw Object.assign(new Error('bad file descriptor'), { code: 'EBADF' });
    return inode;
  };
  const nameOf = (inode: Inode): string => [...names].find(([, other]) => other === inode)?.[0] ?? 'unlinked';
  /** True: the crash is at this call. */
  const begin = (operation: string, path: string): boolean => {
    if (crashed) throw new Crash('the process is gone');
    const { faults } = files;
    operations.push(`${operation} ${basename(path)}`);
    if (faults.crashIn !== undefined && --faults.crashIn < 0) {
      crashed = true;
      if (operation === 'write') return true;
      throw new Crash(`crashed at ${operation} ${basename(path)}`);
    }
    faults.before?.(operation, basename(path));
    return false;
  };
  const put = (inode: Inode, bytes: Buffer, position: number): void => {
    const end = position + bytes.length;
    const data = Buffer.alloc(Math.max(inode.data.length, end));
    inode.data.copy(data);
    bytes.copy(data, position);
    inode.data = data;
  };
  const files: SimulatedFiles = {
    faults: {},
    operations,
    makeDirectory: () => { /* there is one directory */ },
    list: () => [...names.keys()].map((path) => basename(path)),
    open(path, mode) {
      if (crashed) throw new Crash('the process is gone');
      if (mode === 'write') begin('create', path);
      let inode = names.get(path);
      if (inode === undefined) {
        if (mode !== 'write') throw Object.assign(new Error(`no such file ${path}`), { code: 'ENOENT' });
        names.set(path, inode = { data: Buffer.alloc(0), synced: Buffer.alloc(0) });
      } else if (mode === 'write') inode.data = Buffer.alloc(0);
      fds.set(nextFd, inode);
      return nextFd++;
    },
    sizeBytes: (fd) => inodeOf(fd).data.length,
    read(fd, into, at, length, position) {
      return inodeOf(fd).data.copy(into, at, position, position + length);
    },
    write(fd, bytes, at, length, position) {
      const inode = inodeOf(fd);
      const crash = begin('write', nameOf(inode));
      const { faults } = files;
      let count = Math.min(length, faults.writeBytesMax ?? length, faults.freeBytes ?? length);
      if (crash) count = Math.floor(length * (faults.crashShare ?? 0));
      if (count === 0 && length > 0 && !crash) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      put(inode, bytes.subarray(at, at + count), position);
      if (crash) throw new Crash('crashed at write');
      if (faults.freeBytes !== undefined) faults.freeBytes -= count;
      return count;
    },
    truncate(fd, sizeBytes) {
      const inode = inodeOf(fd);
      begin('truncate', nameOf(inode));
      inode.data = Buffer.from(inode.data.subarray(0, sizeBytes));
    },
    async sync(fd) {
      const inode = inodeOf(fd);
      begin('sync', nameOf(inode));
      await Promise.resolve();
      inode.synced = Buffer.from(inode.data);
    },
    close: (fd) => { fds.delete(fd); },
    rename(from, to) {
      begin('rename', to);
      const inode = names.get(from);
      if (inode === undefined) throw Object.assign(new Error(`no such file ${from}`), { code: 'ENOENT' });
      names.delete(from);
      names.set(to, inode);
    },
    remove(path) {
      begin('remove', path);
      names.delete(path);
    },
    syncDirectory(path) {
      begin('sync directory', path);
      if ([...names.keys()].some((name) => dirname(name) === path)) syncedNames = new Map(names);
    },
    kill() {
      crashed = false;
      fds = new Map();
      files.faults = {};
    },
    losePower(random) {
      files.kill();
      // A rename or removal that was not synced may be there or not.
      for (const [name, inode] of names) if (syncedNames.get(name) !== inode && random() < 0.5) syncedNames.set(name, inode);
      names = new Map(syncedNames);
      for (const inode of names.values()) inode.data = inode.synced = tornOf(inode, random);
    },
    content: (name) => Buffer.from(named(name).data),
    setContent: (name, data) => { named(name).data = Buffer.from(data); },
    names: () => [...names.keys()].map((path) => basename(path)).sort(),
    syncAll() {
      for (const inode of names.values()) inode.synced = inode.data;
      syncedNames = new Map(names);
    },
    copy() {
      const other = simulatedFiles();
      for (const [path, { data }] of names) {
        const fd = other.open(path, 'write');
        if (data.length > 0) other.write(fd, data, 0, data.length, 0);
        other.close(fd);
      }
      other.syncAll();
      other.operations.length = 0;
      return other;
    },
  };
  const named = (name: string): Inode => {
    const found = [...names].find(([path]) => basename(path) === name);
    if (found === undefined) throw new Error(`no file ${name}`);
    return found[1];
  };
  return files;
}

/** The synced bytes, and of those behind them a part; some of it may be zeros. */
function tornOf({ data, synced }: Inode, random: () => number): Buffer {
  if (data.length <= synced.length) return synced;
  const torn = Buffer.from(data.subarray(0, synced.length + Math.floor(random() * (data.length - synced.length + 1))));
  if (random() < 0.5) torn.fill(0, synced.length + Math.floor(random() * (torn.length - synced.length)));
  return torn;
}
