// What can go wrong in a state store. The reason says what to do; the message names the directory and the remedy, never a key or a value.

import { ParitasError } from '../schemas/errors.ts';

export const STORE_ERROR_REASONS = [
  'closed', 'unknown-family', 'locked', 'corrupt', 'wrong-format', 'families-missing', 'no-binary', 'disk-full', 'not-writable', 'io',
] as const;
/**
 * closed: used after close, a fault of ours. unknown-family: not named at open, a fault of ours. locked: another process has it; end that
 * one. corrupt, wrong-format, families-missing: wipe the directory and restore from the changelog. no-binary: no RocksDB on this
 * platform. disk-full, not-writable: make room, give rights, start again. io: anything else the disk said.
 */
export type StoreErrorReason = (typeof STORE_ERROR_REASONS)[number];

const WIPE: readonly StoreErrorReason[] = ['corrupt', 'wrong-format', 'families-missing'];
const FAULTS: readonly StoreErrorReason[] = ['closed', 'unknown-family'];

export class StoreError extends ParitasError {
  override name = 'StoreError';
  readonly reason: StoreErrorReason;

  constructor(reason: StoreErrorReason, message: string, cause?: unknown) {
    super(FAULTS.includes(reason) ? 'internal' : 'state', message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }

  /** The local state is of no use: delete the directory and restore from the changelog. */
  get corruptsState(): boolean {
    return WIPE.includes(this.reason);
  }
}

/** The store has turned out to be damaged: wiped and restored it is whole again. */
export function isDamage(error: unknown): error is StoreError {
  return error instanceof StoreError && error.reason === 'corrupt';
}

/** An error of the file system or the engine as a StoreError. Total: what it does not know is `io`. */
export function storeError(thrown: unknown, path: string): StoreError {
  if (thrown instanceof StoreError) return thrown;
  return stateError(reasonOf(thrown), path, thrown);
}

/** `thrown`: what was found; undefined: we found it ourselves. */
export function stateError(reason: StoreErrorReason, path: string, thrown?: unknown): StoreError {
  return new StoreError(reason, `${path}: ${explain(reason)}${thrown === undefined ? '' : ` (${textOf(thrown)})`}`, thrown);
}

function reasonOf(thrown: unknown): StoreErrorReason {
  const text = textOf(thrown);
  const codes = [errorCode(thrown), errorCode(causeOf(thrown))];
  if (codes.includes('LEVEL_LOCKED') || /^(while lock file|lock hold by)/i.test(text)) return 'locked';
  if (codes.includes('ENOSPC') || codes.includes('EDQUOT') || /no space left|disk quota/i.test(text)) return 'disk-full';
  if (codes.some((code) => code === 'EACCES' || code === 'EPERM' || code === 'EROFS')) return 'not-writable';
  if (codes.some((code) => code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENAMETOOLONG')) return 'not-writable';
  if (/permission denied|read-only file system|: not a directory/i.test(text)) return 'not-writable';
  if (/column families not opened/i.test(text)) return 'families-missing';
  if (codes.includes('LEVEL_CORRUPTION') || /^corruption/i.test(text)) return 'corrupt';
  // A file that the database itself names is gone.
  if (/no such file or directory: while open|^while open.*: no such file or directory/i.test(text)) return 'corrupt';
  return 'io';
}

function explain(reason: StoreErrorReason): string {
  switch (reason) {
    case 'locked': return 'another process has this state open; stop it, or give each process its own state directory';
    case 'disk-full': return 'no space left; free some space or move the state directory, then start again';
    case 'not-writable': return 'the state directory cannot be written; check its path, owner and mount';
    case 'families-missing': return 'the state was written by a topology with other stores; delete this directory, it is restored from the changelog';
    case 'corrupt': case 'wrong-format': return 'the state is damaged or of another version; delete this directory, it is restored from the changelog';
    case 'closed': return 'the store is closed';
    case 'unknown-family': return 'no such store family';
    case 'no-binary': return 'RocksDB cannot be loaded';
    case 'io': return 'reading or writing the state failed';
  }
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}

function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

function textOf(thrown: unknown): string {
  const cause = causeOf(thrown);
  if (cause instanceof Error) return cause.message;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
