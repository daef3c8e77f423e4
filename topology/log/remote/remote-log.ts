// The log as a worker has it: the log port over a MessagePort, whose other end the owner of the log answers (serve-log.ts). Each reader has its
// next block under way while one is worked on.
import type { MessagePort } from 'node:worker_threads';
import { checkRecord } from '../append-check.ts';
import type { Log, LogWriter, PartitionReader, Standing, TopicPartition } from '../log.ts';
import { frameDelta, newRecord, readFrame } from '../record-frame.ts';
import { toBlock } from './append-block.ts';
import { type Caller, createCaller } from './calls.ts';
import type { OpenedReader, ReadBlock, RemoteLogCalls } from './serve-log.ts';

export function openRemoteLog(port: MessagePort): Log {
  const caller = createCaller<RemoteLogCalls>(port);
  return {
    topics: () => caller.call('topics', []),
    topicId: topic => caller.call('topicId', [topic]),
    partitions: topic => caller.call('partitions', [topic]),
    beginningOffset: ({ topic, partition }) => caller.call('beginningOffset', [{ topic, partition }]),
    endOffset: ({ topic, partition }) => caller.call('endOffset', [{ topic, partition }]),
    committed: (group, { topic, partition }) => caller.call('committed', [group, { topic, partition }]),
    createTopic: (topic, settings) => caller.call('createTopic', [topic, settings]),
    deleteTopic: topic => caller.call('deleteTopic', [topic]),
    forgetGroup: group => caller.call('forgetGroup', [group]),
    membersOf: group => caller.call('membersOf', [group]),
    writer: async id => writerOf(await caller.call('writer', [id]), caller),
    open: async ({ topic, partition }, offset, options = {}) => {
      const at = { topic, partition };
      return new RemoteReader(at, offset, await caller.call('open', [at, offset, options]), caller);
    },
    close: () => Promise.resolve(caller.close()),
  };
}

function writerOf(id: number, caller: Caller<RemoteLogCalls>): LogWriter {
  return {
    append: async batch => {
      // Whether a record may be there the owner knows; whether it is a record is to be known before it is bytes.
      for (const record of batch.records) checkRecord(record, { partitions: 0, cleanup: 'delete' });
      const block = toBlock(batch);
      await caller.call('append', [id, block], [block.frames.buffer]);
    },
    committed: (group, { topic, partition }) => caller.call('committedOf', [id, group, { topic, partition }]),
  };
}

class RemoteReader implements PartitionReader {
  readonly topic: string;
  readonly partition: number;
  readonly record: ReturnType<typeof newRecord>;
  readonly total: number | undefined;
  firstOffset: number;
  position: number;
  readonly #id: number;
  readonly #caller: Caller<RemoteLogCalls>;
  readonly #closed = Promise.withResolvers<undefined>();
  #asked: Promise<ReadBlock | undefined> | undefined;
  #data: Buffer = Buffer.alloc(0);
  #at = 0;
  #base = 0;
  #hasEnded = false;

  constructor({ topic, partition }: TopicPartition, offset: number, { id, firstOffset, total }: OpenedReader, caller: Caller<RemoteLogCalls>) {
    this.topic = topic;
    this.partition = partition;
    this.record = newRecord(topic, partition);
    this.position = offset;
    this.firstOffset = firstOffset;
    this.total = total;
    this.#id = id;
    this.#caller = caller;
  }

  next(): boolean {
    if (this.#at >= this.#data.length) return false;
    const offset = this.#base + frameDelta(this.#data, this.#at);
    this.#at = readFrame(this.record, this.#data, this.#at, offset);
    this.position = offset + 1;
    return true;
  }

  async fill(): Promise<boolean> {
    if (this.#at < this.#data.length) return true;
    if (this.#hasEnded) return false;
    const block = await Promise.race([this.#asked ?? this.#ask(), this.#closed.promise]);
    this.#asked = undefined;
    if (block === undefined) {
      this.#hasEnded = true;
      return false;
    }
    this.#data = Buffer.from(block.frames.buffer, 0, block.frames.length);
    this.#at = 0;
    this.#base = block.base;
    this.firstOffset = block.firstOffset;
    void this.#ask();
    return true;
  }

  standing(): Promise<Standing> {
    return this.#hasEnded ? Promise.resolve('end') : this.#caller.call('standing', []);
  }

  async close(): Promise<void> {
    this.#hasEnded = true;
    this.#at = this.#data.length;
    this.#closed.resolve(undefined);
    await this.#caller.call('closeReader', [this.#id]);
  }

  #ask(): Promise<ReadBlock | undefined> {
    this.#asked = this.#caller.call('read', [this.#id]);
    // Thrown where it is waited for.
    this.#asked.catch(() => undefined);
    return this.#asked;
  }
}
