// The log port over a Kafka cluster. One producer, whose appends are transactions one behind the other in the order of their calls; readers at
// read-committed share the fetches. Without a transactional id the log is read only.
import { ParitasError } from '../../../schemas/errors.ts';
import { checkRecord, isOffset } from '../append-check.ts';
import { LogError } from '../embedded-error.ts';
import type { AppendBatch, Log, TopicPartition } from '../log.ts';
import { clientSettings, type PropertyValues } from './client-properties.ts';
import { Cluster } from './cluster.ts';
import { Fetcher } from './fetcher.ts';
import { KafkaPartitionReader } from './partition-reader.ts';
import { encodeBatches } from './record-batch.ts';
import { beginningOffset, checkPartition, committedOffset, createTopic, endOffsetPast } from './topics.ts';
import { openProducer, type TransactionalProducer } from './transaction.ts';

export interface KafkaLogOptions {
  readonly bootstrapServers: readonly string[];
  /** Client properties, or the path of a .properties file. */
  readonly properties?: string | PropertyValues | undefined;
  /** Fences whoever has it: one for each process that writes, the same at each of its starts. Without one nothing can be appended. */
  readonly transactionalId?: string;
  /** Timestamp of records that have none, milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** What the user should hear once. */
  readonly warn?: (message: string) => void;
}

/** Rejects with a ParitasError: `unreachable`, `not-authorised`, `config`. */
export async function openKafkaLog({ bootstrapServers, properties, transactionalId, nowMs = Date.now, warn }: KafkaLogOptions): Promise<Log> {
  const settings = clientSettings(properties);
  if (settings.ignored.length > 0) warn?.(`log.kafka.properties: ${settings.ignored.join(', ')} means nothing here`);
  const cluster = new Cluster(bootstrapServers, settings);
  const fetcher = new Fetcher(cluster);
  const readers = new Set<KafkaPartitionReader>();
  /** Where partitions end behind our own last append: its markers may not stand there yet. */
  const written = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();
  /** Writes are done one behind the other, in the order of their calls. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
  const checkOpen = (): void => { if (cluster.isClosed) throw new LogError('closed', 'the Kafka log is closed'); };
  const idOf = ({ topic, partition }: TopicPartition): string => `${topic}-${partition}`;
  const endOffset = async (at: TopicPartition): Promise<number> => {
    await checkPartition(cluster, at);
    return await endOffsetPast(cluster, at, written.get(idOf(at)) ?? 0);
  };
  const checkPlaces = async ({ records, positions }: AppendBatch): Promise<void> => {
    const places = new Map([...records, ...positions].map(at => [idOf(at), at]));
    await Promise.all([...places.values()].map(at => checkPartition(cluster, at)));
  };

  // Any broker first, once: what is wrong with address, password or version is said at once, not after a minute of trying.
  const openAll = async (): Promise<TransactionalProducer | undefined> => {
    await cluster.ask();
    return transactionalId === undefined ? undefined : await openProducer(cluster, transactionalId);
  };
  const producer = await openAll().catch((error: unknown) => {
    cluster.close();
    throw error;
  });

  return {
    topics: async () => { checkOpen(); return await cluster.topicNames(); },
    topicId: async name => { checkOpen(); return (await cluster.topic(name)).id; },
    partitions: async name => { checkOpen(); return (await cluster.topic(name)).leaders.length; },
    createTopic: async (name, topic) => { checkOpen(); await createTopic(cluster, name, topic); },
    beginningOffset: async at => {
      checkOpen();
      await checkPartition(cluster, at);
      return await beginningOffset(cluster, at);
    },
    endOffset: async at => { checkOpen(); return await endOffset(at); },
    committed: async (group, at) => {
      checkOpen();
      await checkPartition(cluster, at);
      if (producer !== undefined) await inTurn(() => producer.settle());
      return await committedOffset(cluster, group, at);
    },
    open: async (at, offset, { follow = false } = {}) => {
      checkOpen();
      const end = await endOffset(at);
      const [{ id }, beginning] = await Promise.all([cluster.topic(at.topic), beginningOffset(cluster, at)]);
      if (!isOffset(offset) || offset < beginning || offset > end) throw new LogError('out-of-range', `${idOf(at)} has offsets ${beginning} to ${end}, not ${offset}`);
      const reader = new KafkaPartitionReader(at, { topicId: id, beginning, end }, offset, follow, fetcher, closed => readers.delete(closed));
      readers.add(reader);
      fetcher.want(reader);
      return reader;
    },
    append: async batch => {
      checkOpen();
      if (producer === undefined) throw new ParitasError('internal', 'this Kafka log was opened for reading: it has no transactional id');
      for (const record of batch.records) checkRecord(record, { partitions: 0, cleanup: 'delete' });
      for (const { topic, offset } of batch.positions) if (!isOffset(offset)) throw new LogError('invalid-record', `${offset} is no position of topic "${topic}"`);
      const encoded = encodeBatches(batch.records, nowMs());
      await inTurn(async () => {
        await checkPlaces(batch);
        for (const end of await producer.write(encoded, batch.group, batch.positions)) written.set(idOf(end), end.endOffset);
      });
    },
    close: async () => {
      await last;
      for (const reader of [...readers]) await reader.close();
      cluster.close();
    },
  };
}
