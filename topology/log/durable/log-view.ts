// A durable log as another process sees it that does not write: no lock, nothing changed, only whole batches. It takes in what is appended
// when it is asked or followed, and reads the directory again when the writer has begun, rewritten or removed a segment.
import { logPollMs, logRacesMax } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import type { LogQuery, LogReader } from '../log.ts';
import { openJournalReader } from './journal-reader.ts';
import type { ReadableJournal } from './journal-reader.ts';
import { isSegment, readJournal, segmentNumbers, segmentPath } from './journal.ts';
import type { Journal, Segment } from './journal.ts';
import { diskFiles, fileErrorCode } from './log-files.ts';
import type { LogFiles } from './log-files.ts';
import { queryOf } from './log-query.ts';
import { foldBatch, takeTopics, topicsOf } from './log-state.ts';
import { indexBatch } from './segment-index.ts';
import { walkBatches } from './segment-walk.ts';

export interface LogView extends LogQuery, LogReader {
  close(): Promise<void>;
}

export interface LogViewPorts { readonly files?: LogFiles; readonly pollMs?: number }

/** Whether a log was ever opened there. */
export function hasLog(directory: string, files: LogFiles = diskFiles): boolean {
  return segmentNumbers(files, directory).length > 0;
}

/** Opens the log of a directory for reading, whether or not a process writes it. Throws LogError `damaged`, and where there is no log. */
export async function openLogView(directory: string, ports: LogViewPorts = {}): Promise<LogView> {
  const files = ports.files ?? diskFiles;
  const journal = readSettled(files, directory);
  let tail = openTail(journal);
  let closed = false;
  const timers = new Map<NodeJS.Timeout, () => void>();

  /** Takes in what the last segment holds by now. */
  const takeIn = (): boolean => {
    const segment = last(journal);
    const toBytes = files.sizeBytes(tail);
    if (toBytes < segment.sizeBytes) {
      throw new LogError('failed', `${segmentPath(directory, segment.number)}: became shorter while it was read: what a loss of power left unfinished was cut off. Read the log again from its beginning`);
    }
    const end = walkBatches({ files, fd: tail, log: journal.state.log, fromBytes: segment.sizeBytes, toBytes, lastSequence: segment.lastSequence }, (data, at, head, place) => {
      foldBatch(journal.state, data, at, head);
      indexBatch(segment.index, data, at, head, place);
    });
    const grew = end.endBytes > segment.sizeBytes;
    segment.sizeBytes = end.endBytes;
    segment.lastSequence = end.lastSequence;
    return grew;
  };
  const reload = (): void => {
    const fresh = readSettled(files, directory);
    if (fresh.state.log.hex !== journal.state.log.hex) throw new LogError('failed', `${directory}: another log is there now than the one that was being read. Read it from its beginning`);
    files.close(tail);
    takeOver(journal, fresh);
    tail = openTail(journal);
  };
  const refresh = (): void => {
    if (closed || takeIn()) return;
    const { number } = last(journal);
    // While the last segment is in its place and has no successor there is nothing else to see.
    if (isSegment(journal, number) && !isSegment(journal, number + 1)) return;
    reload();
  };
  const source: ReadableJournal = {
    journal,
    get closed() { return closed; },
    refresh,
    reload,
    more: (handWake) => new Promise((resolve) => {
      const timer = setTimeout(() => { wake(); }, ports.pollMs ?? logPollMs);
      const wake = (): void => {
        clearTimeout(timer);
        timers.delete(timer);
        resolve();
      };
      timers.set(timer, wake);
      handWake(wake);
    }),
  };
  const check = (): void => {
    if (closed) throw new LogError('closed', `the log ${directory} is closed`);
    refresh();
  };
  return Promise.resolve({
    ...queryOf(journal.state, check),
    open: async (at, offset, { follow = false } = {}) => {
      check();
      return openJournalReader(source, at, offset, follow);
    },
    close: async () => {
      if (closed) return;
      closed = true;
      files.close(tail);
      for (const wake of timers.values()) wake();
    },
  });
}

function last({ segments }: Journal): Segment {
  return segments[segments.length - 1];
}

function openTail(journal: Journal): number {
  return journal.files.open(segmentPath(journal.directory, last(journal).number), 'read');
}

/** Reads the directory; a writer may begin or remove a segment meanwhile, and then it is read again. */
function readSettled(files: LogFiles, directory: string): Journal {
  for (let attempts = 1; ; attempts++) {
    const numbers = segmentNumbers(files, directory);
    if (numbers.length === 0) throw new LogError('unknown-topic', `${directory}: there is no log. Start "paritas run" first, or check log.embedded.directory`);
    try {
      return readJournal(files, directory, numbers).journal;
    } catch (thrown) {
      const mayBeRace = fileErrorCode(thrown) === 'ENOENT' || (thrown instanceof LogError && thrown.reason === 'damaged');
      if (!mayBeRace || attempts === logRacesMax) throw thrown;
    }
  }
}

/** Partitions and segments that are known stay the objects they are: readers hold them. */
function takeOver(journal: Journal, { state, segments }: Journal): void {
  const own = journal.state;
  takeTopics(own, topicsOf(state));
  for (const [id, { beginOffset, endOffset, nextOffset }] of state.partitions.entries()) Object.assign(own.partitions[id], { beginOffset, endOffset, nextOffset });
  own.positions = state.positions;
  own.live = state.live;
  journal.segments = segments.map((fresh) => {
    const known = journal.segments.find(({ number, generation }) => number === fresh.number && generation === fresh.generation);
    if (known === undefined) return fresh;
    known.sizeBytes = fresh.sizeBytes;
    known.lastSequence = fresh.lastSequence;
    for (const [id, index] of fresh.index) known.index.set(id, index);
    return known;
  });
}
