// Brings a task's local store to the end of its changelog: the tail that it lacks, or everything where there is no store, or none that can be
// believed. A store is believed if it opens, says of which changelog it is, and stands within it; whatever else is found is wiped, for the
// changelog has it all.
//
// Counter-example to believing what opens: a store whose write-ahead log was cut opens at an older state. Its position lies in the same database and
// is older too, so the tail makes it whole. Of what opens with a hole the engine says so (rocksdb-manifest.ts).
import { logTombstoneMs, restoreBatchBytes } from '../../schemas/limits.ts';
import { finishExpiry } from '../../stores/expired-ranges.ts';
import { StoreError } from '../../stores/store-error.ts';
import { OFFSETS_FAMILY, type StoreEngine, type WriteOp } from '../../stores/store.ts';
import type { LogQuery, LogReader, PartitionReader, TopicPartition } from '../log/log.ts';
import { changelogPosition, fromChangelog, storedPosition, type CopyBytes } from './changelog.ts';
import { Stopping } from './pacer.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface RestoreProgress {
  /** Offsets passed and to pass: compaction leaves holes, so there may be fewer records. */
  readonly done: number;
  readonly total: number;
  readonly recordsPerSecond: number;
  /** Milliseconds, at the rate so far. */
  readonly remainingMs: number;
}

export interface RestoreParts {
  readonly log: LogReader & Pick<LogQuery, 'topicId' | 'beginningOffset' | 'endOffset'>;
  readonly changelog: TopicPartition;
  /** Opens the store in its directory. Throws StoreError. */
  readonly open: () => Promise<StoreEngine>;
  /** Deletes what is in the directory; the store is closed. */
  readonly wipe: () => void;
  readonly nowMs: () => number;
  readonly onProgress?: (progress: RestoreProgress) => void;
  /** Aborted: restoring ends with `Stopping`; what is done of it need not be done again. */
  readonly signal?: AbortSignal | undefined;
  /** One line for the operator: why a store was wiped. */
  readonly say?: (line: string) => void;
  /** Bytes written to the store at once; left out, `restoreBatchBytes`. For tests: a small state is restored in one write. */
  readonly batchBytes?: number;
}

/** The open store, at the end that the changelog had when it was asked. Throws StoreError for what wiping does not help. */
export async function restoreStore(parts: RestoreParts): Promise<StoreEngine> {
  const engine = await openBelievable(parts);
  try {
    engine.write([identity(await parts.log.topicId(parts.changelog.topic), parts.changelog.partition, parts.nowMs())]);
    await applyTail(engine, parts);
    return engine;
  } catch (thrown) {
    await engine.close();
    throw thrown;
  }
}

async function openBelievable(parts: RestoreParts): Promise<StoreEngine> {
  let why: string;
  try {
    const engine = await parts.open();
    const doubt = await whyDoubted(engine, parts).catch((thrown: unknown) => reasonToWipe(thrown));
    if (doubt === undefined) return engine;
    await engine.close();
    why = doubt;
  } catch (thrown) {
    why = reasonToWipe(thrown);
  }
  parts.say?.(`the local state is wiped and restored from ${parts.changelog.topic}: ${why}`);
  parts.wipe();
  return parts.open();
}

/** The last commit may have left something to be deleted. */
async function whyDoubted(engine: StoreEngine, parts: RestoreParts): Promise<string | undefined> {
  finishExpiry(engine);
  return doubtOf(engine, parts);
}

/** What a wipe cannot heal (a lock, a full disk) is thrown on. */
function reasonToWipe(thrown: unknown): string {
  if (thrown instanceof StoreError && thrown.corruptsState) return thrown.message;
  throw thrown;
}

/** Why the store is not a part of this changelog; undefined: it is, or is empty. */
export async function doubtOf(engine: StoreEngine, { log, changelog, nowMs }: Pick<RestoreParts, 'changelog' | 'nowMs'> & { readonly log: Pick<LogQuery, 'topicId' | 'beginningOffset' | 'endOffset'> }): Promise<string | undefined> {
  const known = readIdentity(engine);
  const position = storedPosition(engine);
  if (known === undefined) return position === 0 ? undefined : 'it does not say of which changelog it is';
  if (known.topicId !== (await log.topicId(changelog.topic))) return 'it belongs to another changelog of that name';
  if (known.partition !== changelog.partition) return `it belongs to partition ${known.partition} of the changelog`;
  const [begin, end] = [await log.beginningOffset(changelog), await log.endOffset(changelog)];
  if (position > end) return `it is at offset ${position}, and the changelog ends at ${end}`;
  if (position < begin) return `it is at offset ${position}, and the changelog begins at ${begin}`;
  // A deletion that was compacted away is not in the tail: what was deleted would live on.
  if (position < end && nowMs() - known.openedAtMs > logTombstoneMs / 2) return 'it is behind the changelog, and may be older than the deletions that are kept there';
  return undefined;
}

/** What the changelog has more than the store, up to the end that it has now. */
export async function applyTail(engine: StoreEngine, { log, changelog, nowMs, onProgress, signal, batchBytes = restoreBatchBytes }: Omit<RestoreParts, 'open' | 'wipe'>): Promise<void> {
  const from = storedPosition(engine);
  const begunMs = nowMs();
  // The end first. Counter-example: a standby opens a reader, the task commits, and the end is asked: the store would claim what was not read.
  const end = await log.endOffset(changelog);
  const reader = await log.open(changelog, from);
  const batch = createBatchBytes();
  let ops: WriteOp[] = [];
  let records = 0;
  const flush = (next: number): void => {
    engine.write([...ops, changelogPosition(next)]);
    ops = [];
    batch.clear();
    const seconds = Math.max(nowMs() - begunMs, 1) / 1000;
    const done = next - from;
    onProgress?.({ done, total: end - from, recordsPerSecond: records / seconds, remainingMs: done === 0 ? 0 : ((end - next) * seconds * 1000) / done });
  };
  try {
    do {
      while (reader.next()) {
        ops.push(fromChangelog(reader.record, batch.copy));
        records++;
        if (batch.sizeBytes >= batchBytes) flush(reader.position);
      }
    } while (await moreOf(reader, signal));
    if (from < end) flush(Math.max(end, reader.position));
  } finally {
    await reader.close();
  }
}

async function moreOf(reader: PartitionReader, signal: AbortSignal | undefined): Promise<boolean> {
  const more = await unlessAborted(signal, reader.fill());
  if (more === undefined) throw new Stopping();
  return more;
}

/** The bytes of one batch, in memory that each batch uses again (a store copies what it is given): a buffer for each value would be garbage of the size of the changelog. */
function createBatchBytes(): { readonly copy: CopyBytes; readonly sizeBytes: number; clear(): void } {
  // Made when there is something to copy: a standby looks at a changelog every second.
  let memory: Buffer | undefined;
  let [filled, sizeBytes] = [0, 0];
  return {
    copy(data, start, end) {
      const length = end - start;
      sizeBytes += length;
      memory ??= Buffer.allocUnsafeSlow(2 * restoreBatchBytes);
      // More than a batch in itself.
      if (filled + length > memory.length) return Buffer.from(data.subarray(start, end));
      data.copy(memory, filled, start, end);
      return memory.subarray(filled, filled += length);
    },
    get sizeBytes() {
      return sizeBytes;
    },
    clear() {
      filled = sizeBytes = 0;
    },
  };
}

interface Identity { readonly topicId: string; readonly partition: number; readonly openedAtMs: number }

const IDENTITY_KEY = Buffer.from('of');

function identity(topicId: string, partition: number, openedAtMs: number): WriteOp {
  return { family: OFFSETS_FAMILY, key: IDENTITY_KEY, value: Buffer.from(JSON.stringify({ topicId, partition, openedAtMs } satisfies Identity)) };
}

function readIdentity(engine: StoreEngine): Identity | undefined {
  const bytes = engine.get(OFFSETS_FAMILY, IDENTITY_KEY);
  return bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8')) as Identity;
}
