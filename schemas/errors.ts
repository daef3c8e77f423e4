// What can go wrong for a user, in one table: a code, the exit code of the command that meets it, and whether trying again can help.
// Invariant: every message says what is wrong, where, and what to do. An error of no known code is a fault of ours (`internal`).

/** What each code means to a caller. Exit codes are those of the command line: 2 usage or configuration, 4 unreachable, 5 not authorised. */
export const ERROR_CODES = {
  /** A flag or argument that is not understood. */
  usage: { exitCode: 2, retryable: false },
  /** The configuration file, an environment variable or a value in them. */
  config: { exitCode: 2, retryable: false },
  /** An input that cannot be read: no such file, a bad line. */
  input: { exitCode: 2, retryable: false },
  /** A part of the product that is announced and not there yet. */
  'not-built': { exitCode: 2, retryable: false },
  /** State on disk that cannot be used: locked, full, not writable. */
  state: { exitCode: 2, retryable: false },
  unreachable: { exitCode: 4, retryable: true },
  'not-authorised': { exitCode: 5, retryable: false },
  /** Stopped by a signal; the shell's convention 128 + SIGINT. */
  interrupted: { exitCode: 130, retryable: false },
  /** A fault of ours: an assertion, an exception nobody expected. */
  internal: { exitCode: 70, retryable: false },
} as const;
export type ErrorCode = keyof typeof ERROR_CODES;

/** An error with a code; its message is printed without a stack. */
export class ParitasError extends Error {
  readonly code: ErrorCode;
  readonly exitCode: number;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ParitasError';
    this.code = code;
    this.exitCode = ERROR_CODES[code].exitCode;
  }
}

/** What to print and how to exit for whatever was thrown. Total: it never throws. */
export interface Classified { readonly code: ErrorCode; readonly exitCode: number; readonly message: string }

export function classify(thrown: unknown): Classified {
  if (!(thrown instanceof Error)) return internal(String(thrown));
  if (thrown instanceof ParitasError) return { code: thrown.code, exitCode: thrown.exitCode, message: withOrigin(thrown) };
  if (thrown.name === 'AbortError') return { code: 'interrupted', exitCode: ERROR_CODES.interrupted.exitCode, message: 'interrupted' };
  // An adapter may bring an error class of its own; an exit code on it says that its message is meant for the user.
  if ('exitCode' in thrown && typeof thrown.exitCode === 'number') {
    return { code: 'input', exitCode: thrown.exitCode, message: thrown.message };
  }
  const system = systemError(thrown);
  return system ?? internal(thrown.stack ?? thrown.message);
}

/** Of a fault of ours whoever mends it needs where it was. */
function withOrigin({ code, message, cause }: ParitasError): string {
  return code === 'internal' && cause instanceof Error ? `${message}\n${cause.stack ?? ''}` : message;
}

const SYSTEM: Readonly<Record<string, { code: ErrorCode; text: string }>> = {
  ENOENT: { code: 'input', text: 'no such file' },
  EISDIR: { code: 'input', text: 'is a directory, not a file' },
  EACCES: { code: 'input', text: 'permission denied' },
  EPERM: { code: 'input', text: 'permission denied' },
  ENOSPC: { code: 'state', text: 'no space left on the device' },
  EROFS: { code: 'state', text: 'the file system is read-only' },
  ECONNREFUSED: { code: 'unreachable', text: 'connection refused' },
};

function systemError(error: Error): Classified | undefined {
  if (!('code' in error) || typeof error.code !== 'string') return undefined;
  const known = SYSTEM[error.code];
  if (known === undefined) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : '';
  return { code: known.code, exitCode: ERROR_CODES[known.code].exitCode, message: path + known.text };
}

function internal(text: string): Classified {
  return { code: 'internal', exitCode: ERROR_CODES.internal.exitCode, message: `internal error: ${text}` };
}
