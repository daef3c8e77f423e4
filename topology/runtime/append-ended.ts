// The errors of an append that failed and left nothing. Any other error leaves open whether it took place.
import { ParitasError } from '../../schemas/errors.ts';

/** Nothing of it is there: no need to ask what was committed. */
export class AppendRefused extends ParitasError {
  override name = 'AppendRefused';

  /** `cause`: why, in the words and with the code that it has. */
  constructor(cause: unknown) {
    super(cause instanceof ParitasError ? cause.code : 'state', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * The log has ended it by itself, as Kafka ends a transaction that took too long: its broker was away, or its process stood still. The writer still
 * has its id: the same work, done once more, may be taken.
 */
export class AppendEnded extends AppendRefused {
  override name = 'AppendEnded';
  readonly writer: string;

  constructor(writer: string, cause?: unknown) {
    super(new ParitasError('state', `writer "${writer}": the log has ended its append (transaction) by itself, for it took too long`, cause === undefined ? undefined : { cause }));
    this.writer = writer;
  }
}
