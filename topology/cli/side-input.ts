// One side of a pair as something that ends: its captures, or its topics up to the end that they have now.
import type { SideSettings } from '../../schemas/pair.ts';
import type { LogSettings } from '../config.ts';
import { openSideCaptures } from '../log/capture-side.ts';
import type { PartitionReader, TopicPartition } from '../log/log.ts';
import type { LogToRead } from './open-log.ts';
import type { SideReaders } from './wire-pair.ts';

export interface SideInput {
  readonly rows: { readonly partitions: readonly PartitionReader[]; readonly totalRecords: number };
  readonly transactions: readonly PartitionReader[];
  readonly heartbeat: readonly PartitionReader[];
  /** Of topics: offsets, of which markers and compaction may have taken some. */
  readonly totalRecords: number;
  /** Of captures; of topics it is not known. */
  readonly totalBytes: number | undefined;
  /** Topics that are configured and of which the captures hold no line. */
  readonly absent: readonly string[];
  /** A time of the log at which it held no more than these readers give, milliseconds; NaN where it is not known. */
  readUpToMs(): number;
  close(): Promise<void>;
}

/** The log in which topics lie, opened when the first of them is asked for. */
export interface TopicsLog { get(): Promise<LogToRead>; close(): Promise<void> }

export function topicsLog(settings: LogSettings | undefined): TopicsLog {
  let opened: Promise<LogToRead> | undefined;
  return {
    get() {
      if (settings === undefined) throw new TypeError('a topic is to be read, and no log is given');
      return opened ??= import('./open-log.ts').then(({ openLogToRead }) => openLogToRead(settings));
    },
    close: async () => { await (await opened?.catch(() => undefined))?.close(); },
  };
}

/** One that is open, and that somebody else closes. */
export function topicsOf(log: LogToRead): TopicsLog {
  return { get: () => Promise.resolve(log), close: () => Promise.resolve() };
}

export interface SideInputOptions {
  readonly skipBadLines: boolean;
  /** Only so many of the last offsets of each partition. */
  readonly last?: number;
}

export async function openSideInput(side: SideSettings, log: TopicsLog, options: SideInputOptions): Promise<SideInput> {
  return side.files.length > 0 ? openSideCaptures(side, { skipBadLines: options.skipBadLines }) : openSideTopics(side, await log.get(), options);
}

/** What is beside the rows is opened before them, so that the rows are read at least as far. */
async function openSideTopics(side: SideSettings, log: LogToRead, { last = Infinity }: SideInputOptions): Promise<SideInput> {
  const opened: PartitionReader[] = [];
  const openAt = async (at: TopicPartition): Promise<PartitionReader> => {
    const [beginning, end] = [await log.beginningOffset(at), await log.endOffset(at)];
    const reader = await log.open(at, Math.max(beginning, end - last), { settled: true });
    opened.push(reader);
    return reader;
  };
  const open = async (topic: string | undefined): Promise<PartitionReader[]> => {
    const count = topic === undefined ? 0 : await log.partitions(topic);
    return Promise.all(Array.from({ length: count }, (_, partition) => openAt({ topic: topic ?? '', partition })));
  };
  const close = async (): Promise<void> => { for (const reader of opened) await reader.close(); };
  try {
    const [transactions, heartbeat] = [await open(side.transactions?.topic), await open(side.heartbeat?.topic)];
    const readUpToMs = Date.now();
    const partitions = await open(side.topic);
    const totalOf = (readers: readonly PartitionReader[]): number => readers.reduce((sum, { total = 0 }) => sum + total, 0);
    return {
      rows: { partitions, totalRecords: totalOf(partitions) }, transactions, heartbeat, totalRecords: totalOf(opened), totalBytes: undefined, absent: [],
      readUpToMs: () => readUpToMs, close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export function readersOf({ rows, transactions, heartbeat, readUpToMs }: SideInput): SideReaders {
  return { rows: rows.partitions, beside: [...transactions, ...heartbeat], readUpToMs };
}
