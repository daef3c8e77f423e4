// The error of a writer whose id somebody else has opened since.
import { ParitasError } from '../../schemas/errors.ts';

/** Nothing of the append is there, and nothing that this writer appends will be: who has opened the id last goes on from what was appended before. */
export class WriterFenced extends ParitasError {
  override name = 'WriterFenced';
  readonly writer: string;

  constructor(writer: string, cause?: unknown) {
    super('state', `writer "${writer}": another one has opened it since and goes on in this one's place; `
      + 'if that was not meant, let only one service of this application name have the task', cause === undefined ? undefined : { cause });
    this.writer = writer;
  }
}
