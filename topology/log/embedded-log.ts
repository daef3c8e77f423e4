// The embedded log: a log in this process, for laptops, CI and tests. In memory; its bytes lie behind `Segments` (embedded-segments.ts).
//
// - An append is checked as a whole before its first byte is written, and written without a pause: nobody sees a part of it.
// - Positions live beside the records and change with them. As on a broker, only positions of topics of this log are taken.
// - `cleanup` is kept and not acted on: everything stays until `close`.
import { checkRecord, isOffset } from './append-check.ts';
import { LogError } from './embedded-error.ts';
import { openReader, type ReadablePartition } from './embedded-reader.ts';
import { memorySegments, type Segments } from './embedded-segments.ts';
import { createEpochs } from './epochs.ts';
import type { AppendBatch, Log, TopicPartition, TopicSettings } from './log.ts';

export interface EmbeddedLogOptions {
  /** Timestamp of appended records, milliseconds since the epoch. The composition root hands its clock; without one every record has 0. */
  readonly nowMs?: () => number;
  /** Bytes of a partition. For the durable form, and for tests. */
  readonly segments?: () => Segments;
}

export function openEmbeddedLog(options: EmbeddedLogOptions = {}): Log {
  const topics = new Map<string, Topic>();
  /** By group, then topic, then partition. */
  const positions = new Map<string, Map<string, number[]>>();
  const nowMs = options.nowMs ?? ((): number => 0);
  const epochs = createEpochs();
  const newSegments = options.segments ?? ((): Segments => memorySegments());
  let closed = false;
  let created = 0;

  const topicOf = (name: string): Topic => {
    if (closed) throw new LogError('closed', 'the embedded log is closed');
    const topic = topics.get(name);
    if (topic === undefined) throw new LogError('unknown-topic', `the log has no topic "${name}"; create it first`);
    return topic;
  };
  const partitionOf = ({ topic, partition }: TopicPartition): Partition => {
    const { partitions } = topicOf(topic);
    const found = partitions[partition];
    if (found !== undefined) return found;
    throw new LogError('unknown-partition', `topic "${topic}" has partitions 0 to ${partitions.length - 1}, not ${partition}`);
  };
  const checkBatch = (batch: AppendBatch): void => {
    if (closed) throw new LogError('closed', 'the embedded log is closed');
    for (const record of batch.records) {
      partitionOf(record);
      checkRecord(record, topicOf(record.topic).settings);
    }
    for (const position of batch.positions) {
      partitionOf(position);
      if (!isOffset(position.offset)) throw new LogError('invalid-record', `${position.offset} is no position of topic "${position.topic}"`);
    }
  };

  const committed = (group: string, at: TopicPartition): number | undefined => {
    partitionOf(at);
    return positions.get(group)?.get(at.topic)?.[at.partition];
  };
  const append = (batch: AppendBatch): void => {
    checkBatch(batch);
    const timestampMs = nowMs();
    const touched = new Set<Partition>();
    for (const record of batch.records) {
      const partition = partitionOf(record);
      partition.segments.append(record, record.timestampMs ?? timestampMs);
      touched.add(partition);
    }
    for (const position of batch.positions) commitPosition(positions, batch.group, position);
    for (const partition of touched) partition.wakeAll();
  };

  return {
    createTopic: once((name: string, settings: TopicSettings) => {
      if (closed) throw new LogError('closed', 'the embedded log is closed');
      const { partitions } = settings;
      if (!Number.isInteger(partitions) || partitions < 1) throw new LogError('topic-differs', `topic "${name}" cannot have ${partitions} partitions`);
      const there = topics.get(name);
      if (there === undefined) topics.set(name, { number: created++, settings, partitions: Array.from({ length: partitions }, () => new Partition(newSegments())) });
      else if (there.partitions.length !== partitions) {
        throw new LogError('topic-differs', `topic "${name}" is there with ${there.partitions.length} partitions, not ${partitions}`);
      }
    }),
    deleteTopic: once((name: string) => {
      if (closed) throw new LogError('closed', 'the embedded log is closed');
      for (const partition of topics.get(name)?.partitions ?? []) partition.close();
      topics.delete(name);
      for (const ofGroup of positions.values()) ofGroup.delete(name);
    }),
    forgetGroup: once((group: string) => void positions.delete(group)),
    membersOf: once(() => []),
    topics: once(() => [...topics.keys()]),
    topicId: once((name: string) => `memory.${topicOf(name).number}`),
    partitions: once((name: string) => topicOf(name).partitions.length),
    beginningOffset: once((at: TopicPartition) => partitionOf(at).segments.firstOffset),
    endOffset: once((at: TopicPartition) => partitionOf(at).segments.endOffset),
    committed: once(committed),
    open: once((at: TopicPartition, offset: number, { follow = false }: { follow?: boolean } = {}) => {
      const partition = partitionOf(at);
      const { firstOffset, endOffset } = partition.segments;
      if (isOffset(offset) && offset >= firstOffset && offset <= endOffset) return openReader(at, partition, offset, follow);
      throw new LogError('out-of-range', `${at.topic}-${at.partition} has offsets ${firstOffset} to ${endOffset}, not ${offset}`);
    }),
    writer: once((id: string) => {
      if (closed) throw new LogError('closed', 'the embedded log is closed');
      const checkOwn = epochs.open(id);
      return {
        append: once((batch: AppendBatch) => {
          checkOwn();
          append(batch);
        }),
        committed: once((group: string, at: TopicPartition) => {
          checkOwn();
          return committed(group, at);
        }),
      };
    }),
    close: once(() => {
      closed = true;
      for (const topic of topics.values()) for (const partition of topic.partitions) partition.close();
    }),
  };
}

interface Topic { readonly number: number; readonly settings: TopicSettings; readonly partitions: readonly Partition[] }

class Partition implements ReadablePartition {
  readonly segments: Segments;
  closed = false;
  #waiting: (() => void)[] = [];

  constructor(segments: Segments) {
    this.segments = segments;
  }

  onMore(wake: () => void): void {
    this.#waiting.push(wake);
  }

  wakeAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  close(): void {
    this.closed = true;
    this.wakeAll();
  }
}

/** A call that is done when it returns, as the port wants it: what it throws becomes a rejection. */
function once<A extends unknown[], R>(call: (...args: A) => R): (...args: A) => Promise<R> {
  return async (...args) => call(...args);
}

function commitPosition(positions: Map<string, Map<string, number[]>>, group: string, position: TopicPartition & { readonly offset: number }): void {
  let ofGroup = positions.get(group);
  if (ofGroup === undefined) positions.set(group, ofGroup = new Map());
  let ofTopic = ofGroup.get(position.topic);
  if (ofTopic === undefined) ofGroup.set(position.topic, ofTopic = []);
  ofTopic[position.partition] = position.offset;
}
