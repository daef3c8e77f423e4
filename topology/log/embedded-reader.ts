// Reads one partition of the embedded log: steps from frame to frame in its segments. A reader sees what was published when it last
// filled, as with a broker, whose answers come in pieces: nobody gets used to a log that never says "wait".
import { assert } from '../../schemas/assert.ts';
import type { Segment, Segments } from './embedded-segments.ts';
import type { PartitionReader, TopicPartition } from './log.ts';
import { frameEnd, newRecord, readFrame } from './record-frame.ts';

/** A partition as readers see it: its bytes, and how to hear of more. */
export interface ReadablePartition {
  readonly segments: Segments;
  /** Calls `wake` once, at the next append or when the log closes. */
  onMore(wake: () => void): void;
  readonly closed: boolean;
}

export function openReader(at: TopicPartition, partition: ReadablePartition, offset: number, follow: boolean): PartitionReader {
  return new EmbeddedReader(at, partition, offset, follow ? Infinity : partition.segments.endOffset);
}

class EmbeddedReader implements PartitionReader {
  readonly topic: string;
  readonly partition: number;
  readonly record: ReturnType<typeof newRecord>;
  readonly #source: ReadablePartition;
  readonly #start: number;
  /** Infinity where it follows. */
  readonly #end: number;
  position: number;
  /** Records below it may be stepped to. */
  #buffered: number;
  #segmentIndex = -1;
  #segment: Segment | undefined;
  /** Place of the next frame in the segment. */
  #at = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(at: TopicPartition, source: ReadablePartition, offset: number, end: number) {
    this.topic = at.topic;
    this.partition = at.partition;
    this.#source = source;
    this.#start = offset;
    this.#end = end;
    this.position = offset;
    this.#buffered = offset;
    this.record = newRecord(at.topic, at.partition);
  }

  get firstOffset(): number {
    const { firstOffset, endOffset } = this.#source.segments;
    return firstOffset === endOffset ? NaN : firstOffset;
  }

  get total(): number | undefined {
    return this.#end === Infinity ? undefined : this.#end - this.#start;
  }

  next(): boolean {
    if (this.position >= this.#buffered) return false;
    const { data } = this.#segmentAt(this.position);
    this.#at = readFrame(this.record, data, this.#at, this.position);
    this.position++;
    return true;
  }

  async fill(): Promise<boolean> {
    while (!this.#closed) {
      this.#buffered = Math.max(this.#buffered, Math.min(this.#end, this.#source.segments.endOffset));
      if (this.position < this.#buffered) return true;
      if (this.position >= this.#end || this.#source.closed) return false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#source.onMore(resolve);
      });
    }
    return false;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#buffered = this.position;
    this.#wake?.();
    return Promise.resolve();
  }

  /** The segment that holds `offset`, with `#at` at its frame. Finding it is needed at the first step only, and at the end of a segment. */
  #segmentAt(offset: number): Segment {
    const { segments } = this.#source;
    if (this.#segment === undefined) {
      this.#segmentIndex = segments.indexOf(offset);
      this.#segment = segments.segment(this.#segmentIndex);
      for (let skip = offset - this.#segment.baseOffset; skip > 0; skip--) this.#at = frameEnd(this.#segment.data, this.#at);
    }
    if (offset >= this.#segment.baseOffset + this.#segment.count) {
      this.#segmentIndex++;
      this.#segment = segments.segment(this.#segmentIndex);
      this.#at = 0;
    }
    assert(offset >= this.#segment.baseOffset, 'a reader of the embedded log lost its place');
    return this.#segment;
  }
}
