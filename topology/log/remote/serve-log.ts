// The owner's end of a log that workers use over a MessagePort: it answers with blocks of frames, which are handed over and not copied again.
import { setImmediate } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { logReadBytes } from '../../../schemas/limits.ts';
import type { Log, LogWriter, OpenOptions, PartitionReader, Standing, TopicPartition, TopicSettings } from '../log.ts';
import { copyFrame, type FramedRecord, frameStart } from '../record-frame.ts';
import { type AppendBlock, fromBlock } from './append-block.ts';
import { answerCalls } from './calls.ts';

/** Frames whose deltas count from `base`. */
export interface ReadBlock { readonly frames: Uint8Array<ArrayBuffer>; readonly base: number; readonly firstOffset: number }

export interface OpenedReader { readonly id: number; readonly firstOffset: number; readonly total: number | undefined }

/** What can be asked over the port. Readers and writers are told by numbers. */
export interface RemoteLogCalls {
  topics(): Promise<readonly string[]>;
  topicId(topic: string): Promise<string>;
  partitions(topic: string): Promise<number>;
  beginningOffset(at: TopicPartition): Promise<number>;
  endOffset(at: TopicPartition): Promise<number>;
  committed(group: string, at: TopicPartition): Promise<number | undefined>;
  createTopic(topic: string, settings: TopicSettings): Promise<void>;
  deleteTopic(topic: string): Promise<void>;
  forgetGroup(group: string): Promise<void>;
  membersOf(group: string): Promise<readonly string[]>;
  writer(id: string): Promise<number>;
  append(writer: number, block: AppendBlock): Promise<void>;
  committedOf(writer: number, group: string, at: TopicPartition): Promise<number | undefined>;
  open(at: TopicPartition, offset: number, options: OpenOptions): Promise<OpenedReader>;
  /** undefined: it ends here. */
  read(reader: number): Promise<ReadBlock | undefined>;
  standing(): Promise<Standing>;
  closeReader(reader: number): Promise<void>;
}

/** `log`: one whose records lie in frames (in memory, on disk). What the other end has open is closed when it is gone. */
export function serveLog(port: MessagePort, log: Log): void {
  const writers: LogWriter[] = [];
  const readers = new Map<number, PartitionReader>();
  let opened = 0;
  const calls: RemoteLogCalls = {
    topics: () => log.topics(),
    topicId: topic => log.topicId(topic),
    partitions: topic => log.partitions(topic),
    beginningOffset: at => log.beginningOffset(at),
    endOffset: at => log.endOffset(at),
    committed: (group, at) => log.committed(group, at),
    createTopic: (topic, settings) => log.createTopic(topic, settings),
    deleteTopic: topic => log.deleteTopic(topic),
    forgetGroup: group => log.forgetGroup(group),
    membersOf: group => log.membersOf(group),
    writer: async id => writers.push(await log.writer(id)) - 1,
    append: (writer, block) => writers[writer].append(fromBlock(block)),
    committedOf: (writer, group, at) => writers[writer].committed(group, at),
    async open(at, offset, options) {
      const reader = await log.open(at, offset, options);
      readers.set(++opened, reader);
      return { id: opened, firstOffset: reader.firstOffset, total: reader.total };
    },
    async read(id) {
      const reader = readers.get(id);
      return reader === undefined ? undefined : await readBlock(reader);
    },
    async standing() {
      // What is at hand here is there within one turn, and is posted before this answer.
      await setImmediate();
      return 'end';
    },
    async closeReader(id) {
      await readers.get(id)?.close();
      readers.delete(id);
    },
  };
  answerCalls(port, calls, value => (isBlock(value) ? [value.frames.buffer] : []));
  port.on('close', () => { for (const reader of readers.values()) void reader.close(); });
}

/** What is at hand, up to a block; waits where there is nothing. */
async function readBlock(reader: PartitionReader): Promise<ReadBlock | undefined> {
  while (!reader.next()) if (!(await reader.fill())) return undefined;
  const base = reader.record.offset;
  let data = Buffer.from(new ArrayBuffer(4096));
  let end = 0;
  do {
    const record = reader.record as FramedRecord;
    const start = frameStart(record);
    const bytes = record.headersEnd - start;
    if (end + bytes > data.length) data = grown(data, end, Math.max(2 * data.length, end + bytes));
    end = copyFrame(record.data, start, data, end, record.offset - base);
  } while (end < logReadBytes && reader.next());
  return { frames: new Uint8Array(data.buffer, 0, end), base, firstOffset: reader.firstOffset };
}

function grown(data: Buffer<ArrayBuffer>, used: number, bytes: number): Buffer<ArrayBuffer> {
  const more = Buffer.from(new ArrayBuffer(bytes));
  data.copy(more, 0, 0, used);
  return more;
}

function isBlock(value: unknown): value is ReadBlock {
  return typeof value === 'object' && value !== null && 'frames' in value;
}
