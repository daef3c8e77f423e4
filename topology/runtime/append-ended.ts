// The error of an append that the log has ended by itself, as Kafka ends a transaction that took too long: its broker was away, or its process stood still.
import { ParitasError } from '../../schemas/errors.ts';

/** Nothing of it is there, and the writer still has its id: the same work, done once more, may be taken. */
export class AppendEnded extends ParitasError {
  override name = 'AppendEnded';
  readonly writer: string;

  constructor(writer: string, cause?: unknown) {
    super('state', `writer "${writer}": the log has ended its append (transaction) by itself, for it took too long`, cause === undefined ? undefined : { cause });
    this.writer = writer;
  }
}
