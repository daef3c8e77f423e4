// What can be wrong with capture files. Each message names the file, says what is wrong and what to do; all end a command with exit code 2.
import { ParitasError } from '../../schemas/errors.ts';

/** A file that cannot be opened, unpacked or read to its end. */
export class CaptureFileError extends ParitasError {
  readonly file: string;

  constructor(file: string, detail: string, cause?: unknown) {
    super('input', `${file}: ${detail}`, { cause });
    this.name = 'CaptureFileError';
    this.file = file;
  }
}

/** A line that is not a record. `line` counts from 1. */
export class BadCaptureLine extends ParitasError {
  readonly file: string;
  readonly line: number;
  readonly detail: string;

  constructor(file: string, line: number, detail: string) {
    super('input', `${file}:${line}: not a capture line: ${detail}. Correct or remove it, or pass --skip-bad-lines to send it to the dead letters`);
    this.name = 'BadCaptureLine';
    this.file = file;
    this.line = line;
    this.detail = detail;
  }
}
