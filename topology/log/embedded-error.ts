// What the embedded log refuses, in the words that a broker would use.
import { type ErrorCode, ParitasError } from '../../schemas/errors.ts';

/**
 * unknown-topic, unknown-partition: nothing of that name or number; create the topic first. topic-differs: it is there with other
 * settings. out-of-range: no reader can begin at that offset, or what it was to read next is gone. invalid-record: nothing of the append
 * was written. closed: used after close. disk-full: nothing of the append was written; make room and append again, or start again.
 * damaged: bytes on disk are not what was written, or files are gone; the message names file, byte and remedy. failed: the disk refused
 * a write, and what it holds is not known; open the log again.
 */
export type LogErrorReason =
  | 'unknown-topic' | 'unknown-partition' | 'topic-differs' | 'out-of-range' | 'invalid-record' | 'closed' | 'disk-full' | 'damaged' | 'failed';

const CODE: Readonly<Record<LogErrorReason, ErrorCode>> = {
  'unknown-topic': 'config', 'unknown-partition': 'config', 'topic-differs': 'config', 'out-of-range': 'state',
  'invalid-record': 'internal', closed: 'internal', 'disk-full': 'state', damaged: 'state', failed: 'state',
};

export class LogError extends ParitasError {
  override name = 'LogError';
  readonly reason: LogErrorReason;

  constructor(reason: LogErrorReason, message: string, cause?: unknown) {
    super(CODE[reason], message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
