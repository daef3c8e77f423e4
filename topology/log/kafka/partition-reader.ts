// Reads one partition of Kafka at read-committed. Offsets have holes (markers, aborted records, compaction): the partition ends where the last
// stable offset was when it was opened, which need not be behind any record.
import { kafkaReaderBytes } from '../../../schemas/limits.ts';
import type { PartitionReader, Standing, TopicPartition } from '../log.ts';
import { committedBatches } from './committed-batches.ts';
import type { FetchedPartition } from './fetch-codec.ts';
import type { Fetcher, FetchTarget } from './fetcher.ts';
import { RecordCursor } from './record-cursor.ts';

export interface PartitionBounds { readonly topicId: string; readonly beginning: number; readonly end: number }

/** Where the partition ends now: without the records of open transactions, and with them. */
export type AskEnds = () => Promise<{ readonly stable: number; readonly high: number }>;

export class KafkaPartitionReader implements PartitionReader, FetchTarget {
  readonly topic: string;
  readonly partition: number;
  readonly topicId: string;
  readonly record: PartitionReader['record'];
  position: number;
  fetchOffset: number;
  readonly total: number | undefined;
  readonly #cursor: RecordCursor;
  readonly #fetcher: Fetcher;
  /** Infinity where it follows. */
  readonly #end: number;
  readonly #forget: (reader: KafkaPartitionReader) => void;
  #beginning: number;
  #lastStable: number;
  #failure: unknown;
  #closed = false;
  /** Called when something came, or nothing will. */
  #waiting: (() => void)[] = [];
  readonly #askEnds: AskEnds;

  constructor(
    at: TopicPartition, bounds: PartitionBounds, offset: number, follow: boolean, { fetcher, askEnds, forget }: { fetcher: Fetcher; askEnds: AskEnds; forget: (reader: KafkaPartitionReader) => void },
  ) {
    this.topic = at.topic;
    this.partition = at.partition;
    this.topicId = bounds.topicId;
    this.position = this.fetchOffset = offset;
    this.#beginning = bounds.beginning;
    this.#lastStable = bounds.end;
    this.#end = follow ? Infinity : bounds.end;
    this.total = follow ? undefined : bounds.end - offset;
    this.#cursor = new RecordCursor(at.topic, at.partition, offset, this.#end, ({ data }) => { fetcher.answers.release(data); fetcher.want(this); });
    this.record = this.#cursor.record;
    this.#fetcher = fetcher;
    this.#forget = forget;
    this.#askEnds = askEnds;
  }

  get firstOffset(): number {
    return this.#beginning < this.#lastStable ? this.#beginning : NaN;
  }

  next(): boolean {
    if (!this.#cursor.next()) return false;
    this.position = this.record.offset + 1;
    return true;
  }

  async fill(): Promise<boolean> {
    while (!this.#closed) {
      this.#fetcher.want(this);
      if (this.#cursor.hasNext()) return true;
      if (this.#failure !== undefined) throw this.#failure;
      if (this.fetchOffset >= this.#end) return false;
      await this.#progress();
    }
    return false;
  }

  /** Markers and aborted records are passed over before it says `end`. */
  async standing(): Promise<Standing> {
    const { stable, high } = await this.#askEnds();
    while (!this.#closed && this.#failure === undefined && !this.#cursor.hasNext()) {
      if (this.fetchOffset >= high) return 'end';
      if (this.fetchOffset >= stable) return 'open';
      await this.#progress();
    }
    return this.#closed ? 'end' : 'more';
  }

  #progress(): Promise<void> {
    this.#fetcher.want(this);
    return new Promise(resolve => { this.#waiting.push(resolve); });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#cursor.clear();
    this.#forget(this);
    this.#wake();
    return Promise.resolve();
  }

  wants(): boolean {
    return !this.#closed && this.#failure === undefined && this.fetchOffset < this.#end && this.#cursor.bufferedBytes < kafkaReaderBytes;
  }

  take(fetched: FetchedPartition): void {
    if (this.#closed) return;
    const { data, start, end, aborted } = fetched;
    this.#beginning = fetched.logStartOffset;
    this.#lastStable = fetched.lastStableOffset;
    try {
      const { starts, nextOffset } = committedBatches(data, start, end, aborted, this.fetchOffset, `${this.topic}-${this.partition}`);
      if (starts.length > 0) {
        this.#fetcher.answers.hold(data);
        this.#cursor.push({ data, starts, sizeBytes: end - start });
      }
      if (nextOffset === this.fetchOffset) return;
      this.fetchOffset = nextOffset;
    } catch (error) {
      this.#failure = error;
    }
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure = error;
    this.#wake();
  }
}
