// Where the state of a task lies: `<root>/<application>/<pair>/<task>/db`, and beside `db` a lock file, so that two processes may share a
// root but never a task. One-shot commands get a temporary directory that is gone when the process is, however it ends.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdLock, isHeld } from './lock-file.ts';
import { removeAtExit } from './remove-at-exit.ts';
import { storeError } from './store-error.ts';

export interface TaskDirectory {
  /** For the engine: exists and is empty at the first start. */
  readonly path: string;
  /** Deletes the state, for a restore from the changelog. The engine must be closed. */
  wipe(): void;
  /** Gives up the lock (and removes a temporary directory). Idempotent. The engine must be closed. */
  close(): void;
}

export interface TaskLocation { readonly root: string; readonly application: string; readonly pair: string; readonly task: string }

const TEMPORARY_PREFIX = 'paritas-task-';

/** Makes and locks the directory of a task. Throws StoreError: `locked` (naming process and host), `not-writable`, `disk-full`. */
export function openTaskDirectory(location: TaskLocation): TaskDirectory {
  const parts = [location.application, location.pair, location.task].map(fileName);
  return openAt(join(location.root, ...parts), () => { /* stays */ });
}

/** The tasks of a pair that have a directory there. */
export function tasksWithDirectory({ root, application, pair }: Omit<TaskLocation, 'task'>): string[] {
  const path = join(root, fileName(application), fileName(pair));
  return existsSync(path) ? readdirSync(path).sort() : [];
}

/** A directory under the system's temporary folder, removed at `close` and at the end of the process. */
export function openTemporaryTaskDirectory(): TaskDirectory {
  let base: string;
  try {
    sweepAbandoned();
    base = mkdtempSync(join(tmpdir(), TEMPORARY_PREFIX));
  } catch (thrown) {
    throw storeError(thrown, tmpdir());
  }
  const remove = removeAtExit(base);
  try {
    return openAt(base, remove);
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

function openAt(base: string, atClose: () => void): TaskDirectory {
  const path = join(base, 'db');
  try {
    mkdirSync(base, { recursive: true });
    const release = holdLock(join(base, 'lock'));
    try {
      mkdirSync(path, { recursive: true });
    } catch (thrown) {
      release();
      throw thrown;
    }
    return { path, wipe: () => { wipe(path); }, close: () => { release(); atClose(); } };
  } catch (thrown) {
    throw storeError(thrown, base);
  }
}

function wipe(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  } catch (thrown) {
    throw storeError(thrown, path);
  }
}

/** Removes what a process left that was killed: a temporary directory of ours whose holder is dead. */
function sweepAbandoned(): void {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(TEMPORARY_PREFIX));
  for (const name of names) {
    const base = join(tmpdir(), name);
    try {
      // Without a lock it may be just being made.
      if (isHeld(join(base, 'lock')) === false) rmSync(base, { recursive: true, force: true });
    } catch { /* another user's: not ours to judge */ }
  }
}

/** A name as one path component: other bytes than letters, digits, `-` and `_` (and an inner dot) as `%hh`, so that names stay distinct. */
function fileName(name: string): string {
  if (name === '') throw new TypeError('a part of a state directory may not be empty');
  const escaped = encodeURIComponent(name).replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return escaped.startsWith('.') ? `%2E${escaped.slice(1)}` : escaped;
}
