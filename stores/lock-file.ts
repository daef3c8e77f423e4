// A lock file that tells who holds it. It appears with its content at once (hard link), so that nobody reads half of one.
// A holder is dead when its process is not there, or when the process with its number began at another time (numbers are used again:
// in a container the process is number 1 each time). On another host nobody can tell: such a lock counts as held. Between the threads of one
// process it does not lock: what a worker that died has left is the next one's.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { StoreError } from './store-error.ts';

interface Holder { readonly pid: number; readonly host: string; readonly began: string }

/** Locks of this process: its own number does not prove that it is the holder. */
const ours = new Set<string>();

export interface LockUse {
  /** What the lock is of, for messages. */
  readonly what: string;
  /** Told when the lock is taken over from a dead holder. */
  readonly notice: (message: string) => void;
}

const OF_STATE: LockUse = { what: 'state directory', notice: () => { /* it is restored either way */ } };

/** Takes the lock, also from a dead holder. Returns its release. Throws StoreError `locked`, or what the file system says. */
export function holdLock(path: string, { what, notice }: LockUse = OF_STATE): () => void {
  if (ours.has(path)) throw lockedError(path, `this process (${process.pid})`, what);
  const content = JSON.stringify({ pid: process.pid, host: hostname(), began: beganAt(process.pid) } satisfies Holder);
  // Twice: the first time may only clear away a dead one.
  if (!tryLink(path, content)) {
    const held = readLock(path);
    if (held !== undefined) {
      if (isAlive(held)) throw lockedError(path, describe(held), what);
      clearDead(path, held);
      notice(`${path}: taken over from ${describe(held)}, which is not running any more`);
    }
    if (!tryLink(path, content)) throw lockedError(path, 'a process that took it just now', what);
  }
  ours.add(path);
  return () => {
    if (!ours.delete(path)) return;
    rmSync(path, { force: true });
  };
}

/** True: a live process holds it. False: its holder is dead. Undefined: there is no lock. */
export function isHeld(path: string): boolean | undefined {
  const held = readLock(path);
  return held === undefined ? undefined : ours.has(path) || isAlive(held);
}

function tryLink(path: string, content: string): boolean {
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, content);
    linkSync(own, path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
    throw thrown;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Moves the dead lock away. If another process was faster and it is a live one that we moved, it is put back. */
function clearDead(path: string, dead: Holder): void {
  const aside = `${path}.dead.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readLock(aside);
  if (moved !== undefined && (moved.pid !== dead.pid || moved.began !== dead.began)) linkSync(aside, path);
  rmSync(aside, { force: true });
}

/** Undefined where there is no lock. A file that is no lock of ours is a holder that nobody can check. */
function readLock(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')) return undefined;
    throw thrown;
  }
  try {
    const held = JSON.parse(text) as Partial<Holder>;
    if (typeof held.pid === 'number' && typeof held.host === 'string' && typeof held.began === 'string') return held as Holder;
  } catch { /* falls through */ }
  return { pid: 0, host: 'an unknown host', began: '' };
}

function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  // Our own number, and not in `ours`: an earlier process that had it.
  if (holder.pid === process.pid) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (thrown) {
    // EPERM: it is there, and not ours.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM')) return false;
  }
  const began = beganAt(holder.pid);
  return began === '' || holder.began === '' || began === holder.began;
}

/** When a process began, in clock ticks since boot with the boot's id; empty where the system does not say (not Linux). */
function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${fields[19]}`;
  } catch {
    return '';
  }
}

function describe(holder: Holder): string {
  return holder.pid === 0 ? 'an unknown process' : `process ${holder.pid} on ${holder.host}`;
}

function lockedError(path: string, who: string, what: string): StoreError {
  return new StoreError('locked', `${path}: held by ${who}; stop it, or give each process its own ${what}. `
    + 'If no such process runs any more, delete this file.');
}
