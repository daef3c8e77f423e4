// A reader that does not wait: where the log has no more now, `fill` says so at once, and `ready` tells when to ask again. So one flow can
// read many partitions of which some are idle, and knows of each whether it stands at the end of its log.
import { setImmediate } from 'node:timers/promises';
import type { PartitionReader } from '../log/log.ts';

export interface TailingReader extends PartitionReader {
  /** Settles when there may be more; undefined where nobody has found the end. */
  readonly ready: Promise<unknown> | undefined;
}

/** `reader`: opened with `follow`, so that its `fill` waits for more; or one that has an end. */
export function tailing(reader: PartitionReader): TailingReader {
  let filling: Promise<boolean> | undefined;
  let answer: boolean | undefined;
  const begin = (): Promise<boolean> => reader.fill().then(more => (answer = more));
  return {
    topic: reader.topic, partition: reader.partition, record: reader.record,
    get firstOffset() { return reader.firstOffset; },
    get position() { return reader.position; },
    get total() { return reader.total; },
    get ready() { return filling; },
    next: () => filling === undefined && reader.next(),
    async fill() {
      filling ??= begin();
      // What is at hand is there within one turn; a failure is thrown here and not where nobody listens.
      await Promise.race([filling, setImmediate()]);
      if (answer === undefined) return false;
      const more = answer;
      filling = answer = undefined;
      return more;
    },
    close: () => reader.close(),
  };
}
