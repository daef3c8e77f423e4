// All captures of one side as a log: its rows, and the topics beside them that say how far the log is complete. A topic beside the rows has
// files of its own, or lies in the files of the rows (lines name their topic).
import { openCaptures } from './capture-log.ts';
import type { CaptureLog, CaptureOptions } from './capture-log.ts';
import type { CapturePartition } from './capture-reader.ts';

export interface AuxiliaryCaptures { readonly topic: string; readonly files: readonly string[] }

export interface SideFiles {
  /** The rows' topic; empty: as the lines name it. */
  readonly topic: string;
  readonly files: readonly string[];
  readonly partitions?: number | undefined;
  readonly transactions: AuxiliaryCaptures | undefined;
  readonly heartbeat: AuxiliaryCaptures | undefined;
}

export interface SideCaptures {
  readonly rows: CaptureLog;
  /** Readers of the transaction topic and of the heartbeat topic, by partition. Empty where there is none. */
  readonly transactions: readonly CapturePartition[];
  readonly heartbeat: readonly CapturePartition[];
  /** Lines that are not blank, and bytes, of all files. */
  readonly totalRecords: number;
  readonly totalBytes: number;
  /** Topics that are configured and of which the files hold no line. */
  readonly absent: readonly string[];
  /**
   * A time of the log at which it held no more than these captures, milliseconds: the last record's timestamp in any of them, NaN where no
   * record has one. It is one only where what is beside the rows was captured before them.
   */
  readUpToMs(): number;
  close(): Promise<void>;
}

/** Opens the captures of one side. Throws as `openCaptures` does. */
export async function openSideCaptures(side: SideFiles, options: Omit<CaptureOptions, 'topic' | 'partitions' | 'aside'>): Promise<SideCaptures> {
  const aside = [side.transactions, side.heartbeat].filter((topic) => topic?.files.length === 0).map((topic) => topic?.topic ?? '');
  const opened: CaptureLog[] = [];
  const close = async (): Promise<void> => {
    for (const log of opened.splice(0)) await log.close();
  };
  const open = async (files: readonly string[], more: CaptureOptions): Promise<CaptureLog> => {
    const log = await openCaptures(files, more);
    opened.push(log);
    return log;
  };
  try {
    const rows = await open(side.files, { ...options, topic: side.topic, aside, ...(side.partitions === undefined ? {} : { partitions: side.partitions }) });
    const beside = async (topic: AuxiliaryCaptures | undefined): Promise<readonly CapturePartition[]> => {
      if (topic === undefined) return [];
      if (topic.files.length === 0) return rows.others.filter((reader) => reader.topic === topic.topic);
      return (await open(topic.files, { ...options, topic: topic.topic })).partitions;
    };
    const transactions = await beside(side.transactions);
    const heartbeat = await beside(side.heartbeat);
    return {
      rows, transactions, heartbeat, close,
      totalRecords: [...rows.partitions, ...transactions, ...heartbeat].reduce((sum, reader) => sum + (reader.total ?? 0), 0),
      totalBytes: opened.reduce((sum, log) => sum + log.totalBytes, 0),
      readUpToMs: () => greatestTimestamp([...rows.partitions, ...rows.others, ...transactions, ...heartbeat]),
      absent: aside.filter((topic) => !rows.others.some((reader) => reader.topic === topic)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function greatestTimestamp(readers: readonly CapturePartition[]): number {
  const greatest = readers.reduce((most, reader) => Math.max(most, reader.lastTimestampMs()), -1);
  return greatest < 0 ? NaN : greatest;
}
