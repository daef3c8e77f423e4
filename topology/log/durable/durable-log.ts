// The durable form of the embedded log: a directory of segment files that one process writes and any number read. All topics share one
// journal, so that an append over many topics with the positions of a group is one write with one checksum: whole or not there, whatever
// happens in between. README, "The log directory", says what may be lost when.
//
//   durable-log ── append-encoder     checks an append and makes it bytes (batch-format)
//        │     └── journal-writer     one write a batch, syncs, the next segment
//        ├──────── journal            what a directory holds: segments with their indexes, and the state (log-state)
//        │           └ segment-walk   every checksum; torn write or damage
//        ├──────── journal-reader     the records of a partition (section-cursor)
//        └──────── maintenance        what may go (retention, compaction), and its going (rewrite)
import { randomBytes } from 'node:crypto';
import { join, dirname } from 'node:path';
import { logSegmentBytes } from '../../../schemas/limits.ts';
import { holdLock } from '../../../stores/lock-file.ts';
import { LogError } from '../embedded-error.ts';
import { createEpochs } from '../epochs.ts';
import type { AppendBatch, Log, LogWriter, Retention, TopicPartition, TopicSettings } from '../log.ts';
import { createAppendEncoder, publishAppend } from './append-encoder.ts';
import { jsonBatch, logIdOf, type BatchKind } from './batch-format.ts';
import { openJournalReader } from './journal-reader.ts';
import type { ReadableJournal } from './journal-reader.ts';
import { createJournalWriter, createSegment } from './journal-writer.ts';
import type { FsyncPolicy } from './journal-writer.ts';
import { readJournal, segmentNumbers, segmentPath } from './journal.ts';
import type { Journal, Tail } from './journal.ts';
import { diskFiles } from './log-files.ts';
import type { LogFiles } from './log-files.ts';
import { queryOf } from './log-query.ts';
import { addTopic, applyRemoval, checkSame, inRanges, newLogState, type RemovalContent } from './log-state.ts';
import { createMaintenance, removeSegment } from './maintenance.ts';
import { indexSection } from './segment-index.ts';
import { batchBehind, damaged } from './segment-walk.ts';

export interface DurableLogSettings {
  readonly directory: string;
  readonly fsync: FsyncPolicy;
  /** For `interval`: so long may an append wait for its sync. Default 1 s. */
  readonly fsyncIntervalMs?: number;
  readonly segmentBytes?: number;
  /** For topics of `cleanup: delete` that say nothing themselves. Without it everything is kept. */
  readonly retention?: Retention;
  /** How long `cleanup: compact` keeps a tombstone. */
  readonly tombstoneMs?: number;
}

/** What the composition root hands in; each has a default but the clock, without which records have the timestamp 0. */
export interface DurableLogPorts {
  readonly nowMs?: () => number;
  /** Told once what the user should know: a torn write that was cut off, a lock taken over. */
  readonly notice?: (message: string) => void;
  readonly files?: LogFiles;
  readonly lock?: (path: string) => () => void;
  /** 16 bytes that tell this log from every other. */
  readonly newId?: () => Buffer;
}

export interface DurableLog extends Log {
  readonly directory: string;
  readonly segments: number;
  /**
   * Lets go what retention does not keep, compacts what is to be compacted, gives the space back. In slices, beside appends and
   * readers; `nowMs` is what ages are counted back from. To be called now and then, for instance when `segments` has grown.
   */
  maintain(nowMs: number): Promise<void>;
}

/** Opens or makes the log of a directory. Throws StoreError `locked`, LogError `damaged` or `disk-full`. */
export async function openDurableLog(settings: DurableLogSettings, ports: DurableLogPorts = {}): Promise<DurableLog> {
  const files = ports.files ?? diskFiles;
  const { directory } = settings;
  const notice = ports.notice ?? ((): void => { /* nobody listens */ });
  files.makeDirectory(directory);
  const path = join(directory, 'lock');
  const release = ports.lock?.(path) ?? holdLock(path, { what: 'log directory', notice });
  try {
    return logOf(await openJournal(files, directory, ports.newId ?? ((): Buffer => randomBytes(16)), notice), settings, ports, release);
  } catch (thrown) {
    release();
    throw thrown;
  }
}

async function openJournal(files: LogFiles, directory: string, newId: () => Buffer, notice: (message: string) => void): Promise<Journal> {
  for (const name of files.list(directory)) if (name.endsWith('.new')) files.remove(join(directory, name));
  if (segmentNumbers(files, directory).length === 0) await makeFirstSegment(files, directory, newId());
  const numbers = segmentNumbers(files, directory);
  const { journal, tail } = readJournal(files, directory, numbers);
  await settleTail(journal, tail, notice);
  for (const number of numbers) if (!inRanges(journal.state.live, number)) removeSegment(files, directory, number);
  return journal;
}

async function makeFirstSegment(files: LogFiles, directory: string, id: Buffer): Promise<void> {
  const orphan = files.list(directory).find((name) => name.endsWith('.index'));
  if (orphan !== undefined) throw damaged(join(directory, orphan), 0, 'there is an index and no segment: the segment files are gone');
  await createSegment(files, directory, 0, { state: newLogState(logIdOf(id)) }, 0, [[0, 0]]);
  files.syncDirectory(dirname(directory));
}

/**
 * What lies behind the last whole batch is an append that a crash cut short, unless a good one lies behind it: it is cut off. What is left is
 * put on the disk. Counter-example: a process died between write and sync; the next one built on what it read; then the power went.
 */
async function settleTail({ files, directory, segments }: Journal, { walk, end }: Tail, notice: (message: string) => void): Promise<void> {
  const path = segmentPath(directory, segments[segments.length - 1].number);
  const fd = files.open(path, 'append');
  try {
    if (end.endBytes < walk.toBytes) {
      const behind = batchBehind({ ...walk, fd }, end);
      if (behind >= 0) throw damaged(path, end.endBytes, `a batch is not as it was written. A good one lies behind it, at byte ${behind}, so this is no append that a crash cut short`);
      files.truncate(fd, end.endBytes);
    }
    await files.sync(fd);
    files.syncDirectory(directory);
  } finally {
    files.close(fd);
  }
  if (end.endBytes === walk.toBytes) return;
  notice(`${path}:${end.endBytes}: the last ${walk.toBytes - end.endBytes} bytes were cut off: an append that a crash ${end.why === 'short' ? 'cut short' : 'left unreadable'}. `
    + 'It was never acknowledged under fsync always; under interval or never it may have been, if the machine lost power');
}

function logOf(journal: Journal, settings: DurableLogSettings, ports: DurableLogPorts, release: () => void): DurableLog {
  const { state } = journal;
  const nowMs = ports.nowMs ?? ((): number => 0);
  const writer = createJournalWriter(journal, {
    fsync: settings.fsync, fsyncIntervalMs: settings.fsyncIntervalMs ?? 1000, segmentBytes: settings.segmentBytes ?? logSegmentBytes,
  });
  const encode = createAppendEncoder(state);
  const epochs = createEpochs();
  const query = queryOf(state, () => { checkOpen(); });
  const waiting: (() => void)[] = [];
  let closed = false;
  const wakeAll = (): void => {
    for (const wake of waiting.splice(0)) wake();
  };
  const checkOpen = (): void => {
    if (closed) throw new LogError('closed', `the log ${settings.directory} is closed`);
  };
  const source: ReadableJournal = {
    journal,
    get closed() { return closed; },
    refresh: () => { /* every append is in already */ },
    reload: () => { /* so is every rewrite */ },
    more: (handWake) => new Promise((resolve) => {
      handWake(resolve);
      waiting.push(resolve);
    }),
  };

  const append = async (batch: AppendBatch, checkOwn: () => void): Promise<void> => {
    checkOpen();
    const { acknowledged } = await writer.inTurn(async () => {
      checkOpen();
      checkOwn();
      await writer.makeRoom();
      const { data, lengthBytes, sections } = encode(batch, writer.sequence, nowMs());
      // In an object: the next append need not wait for the acknowledgement of this one.
      return {
        acknowledged: writer.write(data, lengthBytes, (segment, place) => {
          for (const { partition, section } of sections) {
            partition.nextOffset = section.endOffset;
            indexSection(segment.index, section, place);
          }
        }, () => {
          publishAppend(state, batch, sections);
          wakeAll();
        }),
      };
    });
    await acknowledged;
  };

  /** In turn, and after everything that is written is acknowledged: what the one before has written can be read, and it writes no more. */
  const openWriter = (id: string): Promise<LogWriter> => writer.inTurn(async () => {
    checkOpen();
    await writer.sync();
    const checkOwn = epochs.open(id);
    return {
      append: batch => append(batch, checkOwn),
      committed: async (group, at) => {
        checkOwn();
        return await query.committed(group, at);
      },
    };
  });

  const writeJson = async (kind: BatchKind, content: unknown, apply: () => void): Promise<void> => {
    await writer.makeRoom();
    const batch = jsonBatch(kind, content, writer.sequence, state.log);
    await writer.write(batch, batch.length, () => { /* nothing to index */ }, apply);
  };

  const createTopic = (name: string, topic: TopicSettings): Promise<void> => writer.inTurn(async () => {
    checkOpen();
    const { partitions } = topic;
    if (!Number.isInteger(partitions) || partitions < 1) throw new LogError('topic-differs', `topic "${name}" cannot have ${partitions} partitions`);
    const there = state.topics.get(name);
    if (there !== undefined) return checkSame(name, there.settings, topic);
    const content = { name, settings: topic };
    await writeJson('topic', content, () => { addTopic(state, content); });
  });

  /** After everything that is written is acknowledged: nothing of it comes behind the removal. */
  const remove = (content: RemovalContent, isThere: () => boolean): Promise<void> => writer.inTurn(async () => {
    checkOpen();
    await writer.sync();
    if (!isThere()) return;
    await writeJson('removal', content, () => {
      applyRemoval(state, content);
      wakeAll();
    });
  });

  const maintenance = createMaintenance(journal, writer, settings);

  return {
    ...query,
    directory: settings.directory,
    maintain: async (atMs) => {
      checkOpen();
      await maintenance.run(atMs);
    },
    get segments() { return journal.segments.length; },
    writer: async id => {
      checkOpen();
      return await openWriter(id);
    },
    createTopic: async (name, topic) => {
      checkOpen();
      await createTopic(name, topic);
    },
    deleteTopic: async topic => {
      checkOpen();
      await remove({ topic }, () => state.topics.has(topic));
    },
    forgetGroup: async group => {
      checkOpen();
      await remove({ group }, () => state.positions.has(group));
    },
    membersOf: () => Promise.resolve([]),
    open: async (at: TopicPartition, offset: number, { follow = false }: { follow?: boolean } = {}) => {
      checkOpen();
      return openJournalReader(source, at, offset, follow);
    },
    close: async () => {
      if (closed) return;
      await maintenance.idle();
      closed = true;
      try {
        await writer.close();
      } finally {
        wakeAll();
        release();
      }
    },
  };
}
