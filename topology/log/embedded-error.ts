// What the embedded log refuses, in the words that a broker would use.
import { type ErrorCode, ParitasError } from '../../schemas/errors.ts';

/**
 * unknown-topic, unknown-partition: nothing of that name or number; create the topic first. topic-differs: it is there with other
 * settings. out-of-range: no reader can begin at that offset. invalid-record: nothing of the append was written. closed: used after close.
 */
export type LogErrorReason = 'unknown-topic' | 'unknown-partition' | 'topic-differs' | 'out-of-range' | 'invalid-record' | 'closed';

const CODE: Readonly<Record<LogErrorReason, ErrorCode>> = {
  'unknown-topic': 'config', 'unknown-partition': 'config', 'topic-differs': 'config', 'out-of-range': 'state',
  'invalid-record': 'internal', closed: 'internal',
};

export class LogError extends ParitasError {
  override name = 'LogError';
  readonly reason: LogErrorReason;

  constructor(reason: LogErrorReason, message: string) {
    super(CODE[reason], message);
    this.reason = reason;
  }
}
