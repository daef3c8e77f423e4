// The log port over a Kafka cluster. A producer for each writer, whose id is the transactional id and whose appends are transactions one behind
// the other in the order of their calls; readers at read-committed share the fetches.
import { AppendEnded } from '../../runtime/append-ended.ts';
import { checkRecord, isOffset } from '../append-check.ts';
import { LogError } from '../embedded-error.ts';
import type { AppendBatch, Log, LogWriter, TopicPartition } from '../log.ts';
import type { KafkaCluster } from './client-properties.ts';
import type { Cluster, Topic } from './cluster.ts';
import { Fetcher } from './fetcher.ts';
import { openCluster } from './open-cluster.ts';
import { KafkaPartitionReader } from './partition-reader.ts';
import { PartitionWatch } from './partition-watch.ts';
import { encodeBatches } from './record-batch.ts';
import { deleteTopic, forgetGroup, membersOf } from './removal.ts';
import { beginningOffset, checkPartition, committedOffset, createTopic, endOffsetPast, highWatermark, settledOffset, stableOffset } from './topics.ts';
import { openProducer } from './transaction.ts';

export interface KafkaLogOptions extends KafkaCluster {
  /** Timestamp of records that have none, milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** One line for the operator. */
  readonly say?: (line: string) => void;
  /** Aborted: who has it is to stop, and what does not answer is waited for a moment only. */
  readonly stop?: AbortSignal | undefined;
}

/** Rejects with a ParitasError: `unreachable`, `not-authorised`, `config`. */
export async function openKafkaLog(options: KafkaLogOptions): Promise<Log> {
  return logOver(await openCluster(options, options), options.nowMs);
}

/** Closed, it closes the cluster. */
export function logOver(cluster: Cluster, nowMs: () => number = Date.now): Log {
  const fetcher = new Fetcher(cluster);
  const watch = new PartitionWatch(cluster);
  const readers = new Set<KafkaPartitionReader>();
  /** Where partitions end behind our own last appends: their markers may not stand there yet. */
  const written = new Map<string, number>();
  /** What is being written. */
  const writing = new Set<Promise<unknown>>();
  const checkOpen = (): void => { if (cluster.isClosed) throw new LogError('closed', 'the Kafka log is closed'); };
  const known = (name: string): Promise<Topic> => cluster.retrying(() => cluster.topic(name));
  const idOf = ({ topic, partition }: TopicPartition): string => `${topic}-${partition}`;
  /**
   * What was committed here is there, whether its marker is or not; the marker has an offset too. Counter-example to waiting for it: a broker that
   * was killed behind a commit, started again, took it for complete without writing the marker. It comes with the next commit, which waited for it.
   */
  const endOffset = async (at: TopicPartition): Promise<number> => {
    await checkPartition(cluster, at);
    const end = written.get(idOf(at));
    return Math.max(await stableOffset(cluster, at), end === undefined ? 0 : end + 1);
  };
  const readableEnd = async (at: TopicPartition): Promise<number> => {
    await checkPartition(cluster, at);
    return await endOffsetPast(cluster, at, written.get(idOf(at)) ?? 0);
  };
  const checkPlaces = async ({ records, positions }: AppendBatch): Promise<void> => {
    const places = new Map([...records, ...positions].map(at => [idOf(at), at]));
    await Promise.all([...places.values()].map(at => checkPartition(cluster, at)));
  };

  const openWriter = async (id: string): Promise<LogWriter> => {
    const producer = await openProducer(cluster, id);
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
      const done = last.then(task);
      const settled = done.catch(() => undefined).finally(() => writing.delete(settled));
      writing.add(last = settled);
      return done;
    };
    return {
      append: async batch => {
        checkOpen();
        for (const record of batch.records) checkRecord(record, { partitions: 0, cleanup: 'delete' });
        for (const { topic, offset } of batch.positions) if (!isOffset(offset)) throw new LogError('invalid-record', `${offset} is no position of topic "${topic}"`);
        const encoded = encodeBatches(batch.records, nowMs());
        await inTurn(async () => {
          await checkPlaces(batch);
          for (const end of await producer.write(encoded, batch.group, batch.positions)) written.set(idOf(end), Math.max(end.endOffset, written.get(idOf(end)) ?? 0));
        });
      },
      committed: async (group, at) => {
        checkOpen();
        await checkPartition(cluster, at);
        if (await inTurn(() => producer.settle()) === 'aborted') throw new AppendEnded(id);
        return await committedOffset(cluster, group, at);
      },
    };
  };

  const forget = (reader: KafkaPartitionReader): void => {
    readers.delete(reader);
    watch.delete(reader);
  };

  return {
    topics: async () => { checkOpen(); return await cluster.topicNames(); },
    topicId: async name => { checkOpen(); return (await known(name)).id; },
    partitions: async name => { checkOpen(); return (await known(name)).leaders.length; },
    createTopic: async (name, topic) => { checkOpen(); await createTopic(cluster, name, topic); },
    deleteTopic: async name => {
      checkOpen();
      await deleteTopic(cluster, name);
      for (const id of [...written.keys()]) if (id.startsWith(`${name}-`) && /^\d+$/.test(id.slice(name.length + 1))) written.delete(id);
    },
    forgetGroup: async group => { checkOpen(); await forgetGroup(cluster, group); },
    membersOf: async group => { checkOpen(); return await membersOf(cluster, group); },
    beginningOffset: async at => {
      checkOpen();
      await checkPartition(cluster, at);
      return await beginningOffset(cluster, at);
    },
    endOffset: async at => { checkOpen(); return await endOffset(at); },
    committed: async (group, at) => {
      checkOpen();
      await checkPartition(cluster, at);
      return await committedOffset(cluster, group, at);
    },
    open: async (at, offset, { follow = false, settled = false } = {}) => {
      checkOpen();
      const end = Math.max(await readableEnd(at), settled ? await settledOffset(cluster, at) : 0);
      const [{ id, leaders }, beginning] = await Promise.all([known(at.topic), beginningOffset(cluster, at)]);
      if (!isOffset(offset) || offset < beginning || offset > end) throw new LogError('out-of-range', `${idOf(at)} has offsets ${beginning} to ${end}, not ${offset}`);
      const askEnds = async (): Promise<{ stable: number; high: number }> => {
        const [stable, high] = await Promise.all([stableOffset(cluster, at), highWatermark(cluster, at)]);
        return { stable, high };
      };
      const reader = new KafkaPartitionReader(at, { topicId: id, beginning, end }, offset, follow, { fetcher, askEnds, forget });
      readers.add(reader);
      if (follow) watch.add(reader, leaders.length);
      fetcher.want(reader);
      return reader;
    },
    writer: async id => { checkOpen(); return await openWriter(id); },
    close: async () => {
      await Promise.all(writing);
      for (const reader of [...readers]) await reader.close();
      watch.close();
      cluster.close();
    },
  };
}
