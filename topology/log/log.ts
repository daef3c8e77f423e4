// The log port: what the runtime needs of a log, and what every adapter must hold to (test/contracts/log-contract.ts).
//
// Invariants
// - Offsets of a partition only grow; there may be holes (transaction markers, compaction).
// - A reader gives the records of a partition in offset order, each at most once, and only those of completed appends.
// - `append` is all or nothing over all its topics and positions. After it has resolved, every reader sees the whole of it.
// - A writer has an id. Whoever opens an id last has it; whatever was opened under it before appends nothing any more.
import type { RawRecord } from '../../schemas/raw-record.ts';

export interface TopicPartition { readonly topic: string; readonly partition: number }

export type Standing = 'end' | 'more' | 'open';

/** Reads one partition forward. Stepping is synchronous and makes no object; only `fill` waits. */
export interface PartitionReader extends TopicPartition {
  /** The record at the reader; overwritten by each `next`. */
  readonly record: RawRecord;
  /** Offset of the first record that the partition still has (0: from its beginning). NaN where it has none. */
  readonly firstOffset: number;
  /** The offset after the last record given. */
  readonly position: number;
  /** Records given and to come, as far as it is known; for progress. */
  readonly total: number | undefined;
  /** Steps to the next buffered record. False: nothing is buffered; `fill` first. */
  next(): boolean;
  /** Buffers more. False: the partition ends here (a capture, or a log read to the end it had when opened). */
  fill(): Promise<boolean>;
  /**
   * Where a reader that follows stands, asked of a log elsewhere after the call. end: nothing lies behind what it gave, nor what it has in its
   * buffer. more: something does, and `fill` gives it. open: what lies there belongs to appends under way. Left out where the next turn of the
   * event loop tells: there, what is not at hand does not exist.
   */
  standing?(): Promise<Standing>;
  /** After a `fill` that said false: whether the partition ended there at that moment. Left out: it did. */
  readonly atEnd?: boolean;
  close(): Promise<void>;
}

/** Name and value; names may stand more than once. */
export type RecordHeader = readonly [name: string, value: Buffer | null];

/** Key and value of an output record; a null value is a tombstone. */
export interface AppendRecord {
  readonly topic: string;
  readonly partition: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Milliseconds since the epoch; without one the time of the append by the log's clock. */
  readonly timestampMs?: number;
  readonly headers?: readonly RecordHeader[];
}

export interface AppendBatch {
  readonly records: readonly AppendRecord[];
  /** Input positions of a consumer group (offset of the next record to read), committed with the records. */
  readonly positions: readonly (TopicPartition & { readonly offset: number })[];
  readonly group: string;
}

export interface LogWriter {
  /** One behind the other, in the order of the calls. Rejects with `WriterFenced`, and leaves nothing, once the id was opened again; with `AppendRefused` where it is known to have left nothing (`AppendEnded`: the log gave it up). */
  append(batch: AppendBatch): Promise<void>;
  /** As the log's, once it is known what became of this writer's appends. Rejects with `WriterFenced` where that is why one failed, and once with `AppendEnded` where the last one, of which that was not known, turns out to have left nothing. */
  committed(group: string, at: TopicPartition): Promise<number | undefined>;
}

export interface LogWriters {
  /** Opens the id. What was appended under it before is complete or gone by then, and nothing more of it comes. */
  writer(id: string): Promise<LogWriter>;
}

export interface TopicSettings {
  readonly partitions: number;
  /** delete: whole stretches of the oldest records go. compact: of each key the last record stays, a tombstone for a bounded time. */
  readonly cleanup: 'delete' | 'compact';
  /** For `delete`: what is older, or beyond so many bytes in a partition, may go. Without it, what the log itself was opened with. */
  readonly retention?: Retention;
}

export interface Retention {
  /** Age of the youngest record of a stretch, by the records' timestamps. */
  readonly ageMs?: number;
  readonly sizeBytes?: number;
}

/** What can be asked of a log without writing to it. */
export interface LogQuery {
  /** Names of the topics, in the order of their creation. */
  topics(): Promise<readonly string[]>;
  /** Another one where a topic of that name was made anew: offsets of the old one mean nothing in it. */
  topicId(topic: string): Promise<string>;
  partitions(topic: string): Promise<number>;
  /** No reader begins below it: what was there is gone. Compaction does not move it. */
  beginningOffset(at: TopicPartition): Promise<number>;
  /** Offset after the last record of the partition, also where that record is gone. */
  endOffset(at: TopicPartition): Promise<number>;
  /** Positions committed for a group, or undefined where none was. */
  committed(group: string, at: TopicPartition): Promise<number | undefined>;
}

export interface LogAdmin extends LogQuery {
  /** Makes the topic if it is not there; throws where it is there with another number of partitions. */
  createTopic(topic: string, settings: TopicSettings): Promise<void>;
  /** Removes the topic, its records and the positions in it; nothing where it is not there. One that is made under the name later is another one. Readers of it must be closed. */
  deleteTopic(topic: string): Promise<void>;
  /** Forgets all that the group has committed; nothing where that is nothing. */
  forgetGroup(group: string): Promise<void>;
  /** Who takes part in the group just now, for messages. None where one process writes the log: it has it, and who opens it is that process. */
  membersOf(group: string): Promise<readonly string[]>;
}

export interface OpenOptions {
  readonly follow?: boolean;
  /** The end is one at which no append is under way: of what came before it to several partitions at once, all of them have it. */
  readonly settled?: boolean;
}

export interface LogReader {
  /** A reader from `offset` up to the end the partition has now, or for ever where `follow`. */
  open(at: TopicPartition, offset: number, options?: OpenOptions): Promise<PartitionReader>;
}

export interface Log extends LogReader, LogWriters, LogAdmin {
  close(): Promise<void>;
}
