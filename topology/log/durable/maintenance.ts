// Keeps a log within what it is to hold, one run at a time: first it is decided and written down from where partitions begin, then segments
// are compacted and rewritten, then those in which nothing is left are removed. A crash after any step leaves a log that the next run goes on with.
import { logTombstoneMs } from '../../../schemas/limits.ts';
import type { Retention } from '../log.ts';
import { jsonBatch } from './batch-format.ts';
import { compact, isDirty } from './compaction.ts';
import { indexPath, segmentPath } from './journal.ts';
import type { Journal } from './journal.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { LogFiles } from './log-files.ts';
import { applyTrim, inRanges, rangesOf } from './log-state.ts';
import type { TrimContent } from './log-state.ts';
import { liveBytes, recordBytes, retentionTrims } from './retention.ts';
import { rewriteSegment } from './rewrite.ts';

export interface Maintenance {
  run(nowMs: number): Promise<void>;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
}

export function createMaintenance(journal: Journal, writer: JournalWriter, settings: { readonly retention?: Retention; readonly tombstoneMs?: number }): Maintenance {
  const { files, directory, state } = journal;
  let running: Promise<void> = Promise.resolve();
  let cleanedUpTo = -1;

  /** What is gone is written down before it goes: a crash between leaves files that the next start removes. */
  const trim = (content: () => TrimContent | undefined): Promise<readonly number[]> => writer.inTurn(async () => {
    if (content() === undefined) return [];
    await writer.makeRoom();
    // Again: making room may have begun a segment.
    const trimmed = content();
    if (trimmed === undefined) return [];
    const batch = jsonBatch('trim', trimmed, writer.sequence, state.log);
    const before = journal.segments;
    await writer.write(batch, batch.length, () => { /* nothing to index */ }, () => {
      applyTrim(state, trimmed);
      journal.segments = before.filter(({ number }) => inRanges(state.live, number));
    });
    await writer.sync();
    return before.map(({ number }) => number).filter((number) => !inRanges(state.live, number));
  });

  const removeEmpty = async (): Promise<void> => {
    const gone = await trim(() => {
      const left = journal.segments.filter((segment, index) => index === journal.segments.length - 1 || liveBytes(segment, state) > 0);
      return left.length === journal.segments.length ? undefined : { begin: [], live: rangesOf(left.map(({ number }) => number)) };
    });
    for (const number of gone) removeSegment(files, directory, number);
    if (gone.length > 0) files.syncDirectory(directory);
  };

  const run = async (nowMs: number): Promise<void> => {
    await trim(() => {
      const begin = retentionTrims(journal, settings.retention, nowMs);
      return begin.length === 0 ? undefined : { begin };
    });
    if (isDirty(journal, cleanedUpTo)) cleanedUpTo = await compact(journal, cleanedUpTo, nowMs - (settings.tombstoneMs ?? logTombstoneMs));
    for (const segment of journal.segments.slice(0, -1)) {
      const live = liveBytes(segment, state);
      if (live > 0 && live < recordBytes(segment) / 2) await rewriteSegment(journal, segment, (id, offset) => offset >= state.partitions[id].beginOffset);
    }
    await removeEmpty();
  };

  return {
    run: (nowMs) => {
      const started = running.then(() => run(nowMs));
      running = started.catch(() => { /* told to whoever asked for it */ });
      return started;
    },
    idle: () => running,
  };
}

/** Index first: an index without a segment would tell of a loss. */
export function removeSegment(files: LogFiles, directory: string, number: number): void {
  files.remove(indexPath(directory, number));
  files.remove(segmentPath(directory, number));
}
