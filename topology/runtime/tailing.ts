// A reader that does not wait: where the log has no more now, `fill` says so at once, and `wake` is called when it is worth asking again. So
// one flow can read many partitions of which some are idle, and knows of each whether it stands at the end of its log.
//
// A log elsewhere is asked where it ends: that nothing has come yet says nothing. Counter-example: the first answer of a broker is under way,
// the partition counts as read to its end, and a heartbeat beside it closes windows whose rows have not arrived.
import { setImmediate } from 'node:timers/promises';
import type { PartitionReader } from '../log/log.ts';
import { Stopping } from './pacer.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface TailingOptions {
  /** How a failure to read is put. */
  readonly told?: (failure: unknown) => unknown;
  /** Aborted: nobody wants what is not here yet, and `fill` throws `Stopping`. A log that does not answer must not hold up the end of a task. */
  readonly signal?: AbortSignal | undefined;
}

/** `reader`: opened with `follow`, so that its `fill` waits for more; or one that has an end. A failure to read is thrown by the next `fill`. */
export function tailing(reader: PartitionReader, wake: () => void, { told = failure => failure, signal }: TailingOptions = {}): PartitionReader {
  let filling: Promise<void> | undefined;
  // Somebody was told that there is nothing now, and waits to be told otherwise.
  let awaited = false;
  let answer: (() => boolean) | undefined;
  let atEnd = true;
  function begin(): Promise<void> {
    return reader.fill().then(more => () => more, (error: unknown) => () => { throw told(error); }).then(settled => {
      answer = settled;
      if (awaited) wake();
    });
  }
  /** Waits where there is more, and it is only not here yet. */
  async function look(arriving: Promise<void>): Promise<void> {
    // What is at hand is there within one turn of the event loop, also what came since the last time: an end is one of now.
    await Promise.race([arriving, setImmediate()]);
    if (answer !== undefined) return;
    const found = await unlessAborted(signal, isAtEnd(arriving));
    if (found === undefined) throw new Stopping();
    atEnd = found;
  }
  async function isAtEnd(arriving: Promise<void>): Promise<boolean> {
    const standing = await reader.standing?.() ?? 'end';
    if (standing === 'more') await arriving;
    return standing === 'end';
  }
  return {
    topic: reader.topic, partition: reader.partition, record: reader.record,
    get firstOffset() { return reader.firstOffset; },
    get position() { return reader.position; },
    get total() { return reader.total; },
    get atEnd() { return atEnd; },
    next: () => filling === undefined && reader.next(),
    async fill() {
      atEnd = true;
      await look(filling ??= begin());
      awaited = answer === undefined;
      if (answer === undefined) return false;
      const settled = answer;
      filling = undefined;
      answer = undefined;
      return settled();
    },
    close: () => reader.close(),
  };
}
