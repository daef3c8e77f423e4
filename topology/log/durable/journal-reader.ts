// Reads one partition of a durable log, in this process or in another than the one that writes it.
import { logRacesMax } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import type { PartitionReader, TopicPartition } from '../log.ts';
import { frameDelta, frameEnd, newRecord, readFrame } from '../record-frame.ts';
import { SegmentReplaced } from './journal.ts';
import type { Journal } from './journal.ts';
import { checkStart, partitionOf, topicOf } from './log-state.ts';
import type { PartitionState } from './log-state.ts';
import { SectionCursor } from './section-cursor.ts';

/** A log that grows: by its own appends, or by those of another process. */
export interface ReadableJournal {
  readonly journal: Journal;
  readonly closed: boolean;
  /** Takes in what was appended since. Throws where the log is not what it was. */
  refresh(): void;
  /** Reads the list of segments again, after one was replaced under a reader. */
  reload(): void;
  /** Resolves when there may be more, when the log closes, or when `wake` is called. */
  more(handWake: (wake: () => void) => void): Promise<void>;
}

export function openJournalReader(source: ReadableJournal, at: TopicPartition, offset: number, follow: boolean): PartitionReader {
  const { state } = source.journal;
  const partition = partitionOf(state, at);
  checkStart(partition, offset);
  const dense = topicOf(state, at.topic).settings.cleanup === 'delete';
  return new JournalReader(source, partition, offset, follow ? Infinity : partition.endOffset, dense);
}

class JournalReader implements PartitionReader {
  readonly topic: string;
  readonly partition: number;
  readonly record: ReturnType<typeof newRecord>;
  position: number;
  readonly #source: ReadableJournal;
  readonly #state: PartitionState;
  readonly #start: number;
  /** Infinity where it follows. */
  readonly #end: number;
  /** Only compaction takes records out from between others; elsewhere a hole is a loss, and said. */
  readonly #dense: boolean;
  readonly #cursor: SectionCursor;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(source: ReadableJournal, state: PartitionState, offset: number, end: number, dense: boolean) {
    this.topic = state.topic;
    this.partition = state.partition;
    this.#source = source;
    this.#state = state;
    this.#start = offset;
    this.#end = end;
    this.#dense = dense;
    this.#cursor = new SectionCursor(source.journal, state.id);
    this.position = offset;
    this.record = newRecord(state.topic, state.partition);
  }

  get firstOffset(): number {
    const { beginOffset, endOffset } = this.#state;
    return beginOffset === endOffset ? NaN : beginOffset;
  }

  get total(): number | undefined {
    return this.#end === Infinity ? undefined : this.#end - this.#start;
  }

  next(): boolean {
    const cursor = this.#cursor;
    for (;;) {
      while (cursor.frameAt < cursor.framesEnd) {
        const offset = cursor.baseOffset + frameDelta(cursor.data, cursor.frameAt);
        if (offset >= this.#end) return false;
        if (offset < this.position) {
          cursor.frameAt = frameEnd(cursor.data, cursor.frameAt);
          continue;
        }
        if (this.#dense && offset > this.position) throw this.#hole(offset);
        cursor.frameAt = readFrame(this.record, cursor.data, cursor.frameAt, offset);
        this.position = offset + 1;
        return true;
      }
      if (!cursor.findBuffered(this.position)) return false;
    }
  }

  async fill(): Promise<boolean> {
    while (!this.#closed) {
      if (this.position < this.#end && this.position >= this.#state.endOffset) this.#source.refresh();
      const end = Math.min(this.#end, this.#state.endOffset);
      if (this.position < end) {
        if (this.position < this.#state.beginOffset) throw this.#gone();
        if (this.#find()) return true;
        if (this.#dense) throw this.#hole(end);
        // Nothing of the partition is left up to its end: compaction took it.
        this.position = end;
      }
      if (this.position >= this.#end || this.#source.closed) return false;
      await this.#source.more((wake) => { this.#wake = wake; });
    }
    return false;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#cursor.leave();
    this.#wake?.();
    return Promise.resolve();
  }

  /** A segment may be rewritten or removed between the list and its opening: then the list is read again. */
  #find(): boolean {
    for (let attempts = 1; ; attempts++) {
      try {
        return this.#cursor.find(this.position);
      } catch (thrown) {
        if (!(thrown instanceof SegmentReplaced) || attempts === logRacesMax) throw thrown;
        this.#source.reload();
        if (this.position < this.#state.beginOffset) throw this.#gone();
      }
    }
  }

  #hole(offset: number): LogError {
    return new LogError('damaged', `${this.#source.journal.directory}: ${this.topic}-${this.partition} has no records from offset ${this.position} to ${offset - 1}, and nothing was to take them out. `
      + 'Check the disk, then restore the directory from a copy');
  }

  #gone(): LogError {
    return new LogError('out-of-range', `${this.topic}-${this.partition}@${this.position}: the record to read next is gone by the topic's retention, and the first that is left is ${this.#state.beginOffset}`);
  }
}
