// How long RocksDB's own list of its files, the MANIFEST, was at a write: it is kept with the write and asked for when the database is opened again.
//
// RocksDB takes a list that was cut for one whose end was not written yet. Counter-example: half of the list is gone, and with it the newest table
// of one family; what came after it is in the write-ahead log. The database opens, its position is that of the last commit, and the
// stretch between is missing: windows close without their changes, and nothing says so.
//
// What is not seen is the loss of entries that came after the last write: then that write lies before them, and the database is whole as of it,
// but for a table that was finished between the two.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

/** Of the list that `CURRENT` names. */
export interface Manifest { readonly name: string; readonly sizeBytes: number }

/** Undefined where there is no database, or one without it: RocksDB says what that is. */
export function manifestIn(directory: string): Manifest | undefined {
  try {
    const name = readFileSync(join(directory, 'CURRENT'), 'latin1').trim();
    return { name, sizeBytes: statSync(join(directory, name)).size };
  } catch {
    return undefined;
  }
}

/** The list as it is now: `known` was it a moment ago, and has another name only after it grew beyond its bound. */
export function manifestNow(directory: string, known: string | undefined): Manifest | undefined {
  const found = known === undefined ? undefined : statSync(join(directory, known), { throwIfNoEntry: false });
  return known === undefined || found === undefined ? manifestIn(directory) : { name: known, sizeBytes: found.size };
}

export function packManifest({ name, sizeBytes }: Manifest): Buffer {
  return Buffer.from(`${name} ${sizeBytes}`, 'latin1');
}

/** `before`: as it was when the database was opened, which begins another one. Throws StoreError `corrupt`. */
export function requireWhole(directory: string, before: Manifest | undefined, packed: Buffer | undefined): void {
  const [name, size] = packed?.toString('latin1').split(' ') ?? [];
  if (before === undefined || name !== before.name || before.sizeBytes >= Number(size)) return;
  throw new StoreError('corrupt', `${directory}: ${name} has ${before.sizeBytes} bytes, and had ${size} at the last write: it was cut; delete this directory, it is restored from the changelog`);
}
