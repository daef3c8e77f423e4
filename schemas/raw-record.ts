// One log record as bytes: the view that a log reader fills and a decoder reads. One long-lived object per reader; every
// field is overwritten by the next record, so whoever needs a byte later copies it.

/** A record of a topic-partition, as views into `data`. */
export interface RawRecord {
  topic: string;
  partition: number;
  /** Offset in its partition. Exact up to 2^53. */
  offset: number;
  /** The record's own timestamp, milliseconds since the epoch. */
  timestampMs: number;
  /** Holds the bytes of key and value; not only of this record. */
  data: Buffer;
  /** Span of the key in `data`; `keyStart` is -1 where the record has no key. */
  keyStart: number;
  keyEnd: number;
  /** Span of the value in `data`; `valueStart` is -1 where the value is null (a tombstone). */
  valueStart: number;
  valueEnd: number;
  /** A line of a capture that could not be read and was skipped by wish: why, with its file and line. Else undefined. */
  bad: BadLine | undefined;
  /** The value of the last header of that name (as in Kafka's `lastHeader`), or undefined. Looked up only when asked. */
  header(name: string): Buffer | undefined;
}

/** A capture line that is not a record (`--skip-bad-lines`). It has no offset of its own: file and line stand for it. */
export interface BadLine {
  readonly file: string;
  readonly line: number;
  readonly detail: string;
}
