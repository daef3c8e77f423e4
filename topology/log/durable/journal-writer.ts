// Writes batches behind each other into the last segment, and begins the next one where it is full.
//
// - A batch is one write. What fails half-way is cut off again, so that nothing half-written is ever read.
// - A segment is on the disk as a whole before the next one appears: only the last segment can end in a torn write.
// - When a sync fails nobody knows what the disk holds (the kernel may have dropped the pages and call the next sync good): from then
//   on nothing is acknowledged, and the log must be opened again.
import { LogError } from '../embedded-error.ts';
import { jsonBatch, writeSegmentHeader } from './batch-format.ts';
import { segmentPath, storeIndex } from './journal.ts';
import type { Journal, Segment } from './journal.ts';
import { fileErrorCode, writeFully } from './log-files.ts';
import type { LogFiles } from './log-files.ts';
import { rangesOf, snapshotOf } from './log-state.ts';
import type { SegmentRange } from './log-state.ts';

export const FSYNC_POLICIES = ['always', 'interval', 'never'] as const;
/**
 * What the loss of power may take; a process that dies loses nothing that was acknowledged. always: nothing that was acknowledged. interval:
 * the last appends, up to the interval. never: what the system has not written by itself, at most the last segment.
 */
export type FsyncPolicy = (typeof FSYNC_POLICIES)[number];

export interface WriterSettings { readonly fsync: FsyncPolicy; readonly fsyncIntervalMs: number; readonly segmentBytes: number }

interface Unsynced { readonly publish: () => void; readonly resolve: () => void; readonly reject: (error: LogError) => void }

export interface JournalWriter {
  /** Runs a step after all earlier ones: appends, new topics and removals follow one another. */
  inTurn<T>(step: () => T | Promise<T>): Promise<T>;
  /** Sequence number of the next batch. */
  readonly sequence: number;
  /** Begins a new segment where the last one is full. To be awaited in turn, before a batch is made. */
  makeRoom(): Promise<void>;
  /** Writes a batch at once; `written` with its place, `publish` when it is acknowledged, which the promise waits for. In turn. */
  write(batch: Buffer, lengthBytes: number, written: (segment: Segment, place: number) => void, publish: () => void): Promise<void>;
  /** Everything written so far is on the disk. In turn. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export function createJournalWriter(journal: Journal, settings: WriterSettings): JournalWriter {
  const { files, directory, state } = journal;
  let segment = journal.segments[journal.segments.length - 1];
  let fd = files.open(segmentPath(directory, segment.number), 'append');
  let writtenBytes = segment.sizeBytes;
  let sequence = segment.lastSequence + 1;
  let dead: LogError | undefined;
  let unsynced: Unsynced[] = [];
  let syncing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const die = (error: LogError): LogError => {
    dead ??= error;
    for (const { reject } of unsynced.splice(0)) reject(dead);
    return dead;
  };
  const failed = (thrown: unknown, doing: string): LogError => new LogError('failed',
    `${segmentPath(directory, segment.number)}: ${doing} failed (${fileErrorCode(thrown) || String(thrown)}), and what the disk holds is not known; nothing more is taken. `
    + 'Check the disk, then start again: what was acknowledged is there, the last append may or may not be', thrown);

  /** One sync at a time; whatever was written while it ran is in the next. */
  const syncAll = async (): Promise<void> => {
    while (unsynced.length > 0) {
      const covered = unsynced;
      unsynced = [];
      try {
        await files.sync(fd);
      } catch (thrown) {
        unsynced = [...covered, ...unsynced];
        die(failed(thrown, 'a sync'));
        return;
      }
      for (const { publish, resolve } of covered) {
        publish();
        resolve();
      }
    }
  };
  const startSync = (): void => {
    syncing ??= syncAll().finally(() => { syncing = undefined; });
  };
  const syncLater = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void writer.inTurn(writer.sync).catch(() => { /* the next append says it */ });
    }, settings.fsyncIntervalMs).unref();
  };

  const roll = async (): Promise<void> => {
    await writer.sync();
    const next: Segment = { number: segment.number + 1, generation: 0, sizeBytes: 0, lastSequence: sequence, index: new Map(), fd: -1, pins: 0 };
    const live = rangesOf([...journal.segments.map(({ number }) => number), next.number]);
    try {
      next.sizeBytes = await createSegment(files, directory, next.number, journal, sequence, live);
    } catch (thrown) {
      throw isFull(thrown) ? diskFull(directory, 'a new segment', thrown) : die(failed(thrown, 'making the next segment'));
    }
    const full = segment;
    files.close(fd);
    fd = files.open(segmentPath(directory, next.number), 'append');
    [segment, writtenBytes] = [next, next.sizeBytes];
    sequence++;
    state.live = live;
    journal.segments = [...journal.segments, next];
    try {
      storeIndex(journal, full);
    } catch { /* it can be made again from the segment, at the next open */ }
  };

  const writer: JournalWriter = {
    inTurn: (step) => {
      const run = turn.then(() => {
        if (dead !== undefined) throw dead;
        return step();
      });
      turn = run.catch(() => { /* told to whoever waits for it */ });
      return run;
    },
    get sequence() { return sequence; },
    makeRoom: async () => {
      if (writtenBytes >= settings.segmentBytes) await roll();
    },
    write: (batch, lengthBytes, written, publish) => {
      const place = writtenBytes;
      try {
        writeFully(files, fd, batch, lengthBytes, place);
      } catch (thrown) {
        try {
          files.truncate(fd, place);
        } catch (alsoThrown) {
          throw die(failed(alsoThrown, 'taking back an append that could not be written'));
        }
        throw isFull(thrown) ? diskFull(directory, 'an append', thrown) : die(failed(thrown, 'a write'));
      }
      const own = segment;
      const ownSequence = sequence++;
      writtenBytes += lengthBytes;
      written(own, place);
      const publishAll = (): void => {
        own.sizeBytes = place + lengthBytes;
        own.lastSequence = ownSequence;
        publish();
      };
      if (settings.fsync !== 'always') {
        publishAll();
        if (settings.fsync === 'interval') syncLater();
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        unsynced.push({ publish: publishAll, resolve, reject });
        startSync();
      });
    },
    sync: async () => {
      while (syncing !== undefined) await syncing;
      if (dead !== undefined) throw dead;
      try {
        await files.sync(fd);
      } catch (thrown) {
        throw die(failed(thrown, 'a sync'));
      }
    },
    close: async () => {
      await turn;
      clearTimeout(timer);
      while (syncing !== undefined) await syncing;
      try {
        if (dead === undefined) await leave();
      } finally {
        files.close(fd);
      }
    },
  };

  /** The mark of an orderly end: with it behind, damage to the last append is not taken for a torn write. */
  const leave = async (): Promise<void> => {
    const mark = jsonBatch('closed', {}, sequence, state.log);
    try {
      writeFully(files, fd, mark, mark.length, writtenBytes);
    } catch (thrown) {
      files.truncate(fd, writtenBytes);
      if (!isFull(thrown)) throw failed(thrown, 'a write');
    }
    await files.sync(fd).catch((thrown: unknown) => { throw failed(thrown, 'a sync'); });
  };
  return writer;
}

/** Makes a segment with its header and what is known so far; it appears as a whole, on the disk. Returns its size in bytes. */
export async function createSegment(files: LogFiles, directory: string, number: number, { state }: Pick<Journal, 'state'>, sequence: number, live: readonly SegmentRange[]): Promise<number> {
  const data = Buffer.concat([writeSegmentHeader(number, 0, state.log), jsonBatch('snapshot', snapshotOf(state, live), sequence, state.log)]);
  await replaceDurably(files, directory, segmentPath(directory, number), (fd) => { writeFully(files, fd, data, data.length, 0); });
  return data.length;
}

/** Fills a file beside its place, and moves it there once it is on the disk. */
export async function replaceDurably(files: LogFiles, directory: string, path: string, fill: (fd: number) => void | Promise<void>): Promise<void> {
  const fresh = `${path}.new`;
  const fd = files.open(fresh, 'write');
  try {
    await fill(fd);
    await files.sync(fd);
  } catch (thrown) {
    files.close(fd);
    files.remove(fresh);
    throw thrown;
  }
  files.close(fd);
  files.rename(fresh, path);
  try {
    files.syncDirectory(directory);
  } catch (thrown) {
    // Whatever the code: the file is in its place already, and whether it stays there is not known.
    throw new Error(`syncing ${directory}`, { cause: thrown });
  }
}

export function isFull(thrown: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(fileErrorCode(thrown));
}

export function diskFull(directory: string, what: string, cause: unknown): LogError {
  return new LogError('disk-full', `${directory}: no space left on the device; ${what} was not written, and nothing of it is in the log. `
    + 'Make room, or let the log keep less (log.embedded.retention), then start again', cause);
}
