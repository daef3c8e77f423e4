// The commit of a task: what it has said and changed since the last one becomes visible at once, or not at all (architecture.md §4).
//
//   1 seal     what changed of the state, as changelog records
//   2 append   outputs, changelog and input positions in one atomic append; wait for it
//   3 store    one batch of the local store: the same changes, and how far of the changelog it has; behind it what goes by range (stores/expired-ranges.ts)
//
// The local store is written last, so it is never ahead of the changelog: at whatever instruction a process dies, its store is as it was at
// some commit, and the changelog has the rest. Counter-example: with the store first, a crash before the append leaves changes in the store
// whose input is read once more.
import { ParitasError } from '../../schemas/errors.ts';
import { createRangeExpiry } from '../../stores/expired-ranges.ts';
import type { KeyRange, StoreEngine, WriteOp } from '../../stores/store.ts';
import type { AppendBatch, AppendRecord, Log, LogWriter, TopicPartition } from '../log/log.ts';
import { AppendRefused } from './append-ended.ts';
import { WriterFenced } from './writer-fenced.ts';

/** Where a process can die between two effects; the simulator picks from them. */
export const CRASH_POINTS = ['before-seal', 'before-append', 'before-store', 'before-expiry', 'after-store'] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export type InputPosition = AppendBatch['positions'][number];

/** What a commit takes from its task. */
export interface Committable {
  /** The next offset to read of each input partition, always in the same order. */
  inputPositions(): readonly InputPosition[];
  /** What changed of the state since the last call. */
  sealState(): readonly WriteOp[];
  /** Ranges of the store that what was sealed last deletes as a whole; left out: none. */
  expired?(): readonly KeyRange[];
  /** Outputs since the last call, in the order in which they were collected. */
  drainOutputs(): readonly AppendRecord[];
}

/** The append failed, and nothing of it is there: the task goes back to its last commit. */
export class CommitLost extends ParitasError {
  override name = 'CommitLost';

  constructor(group: string, cause: unknown) {
    super(cause instanceof ParitasError ? cause.code : 'state', `${group}: a commit did not take place: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export interface CommitParts {
  readonly group: string;
  readonly log: Pick<Log, 'endOffset'>;
  readonly writer: LogWriter;
  readonly changelog: TopicPartition;
  readonly toChangelog: (op: WriteOp) => AppendRecord;
  readonly engine: StoreEngine;
  /** The write that says how far of the changelog the store has. */
  readonly changelogPosition: (offset: number) => WriteOp;
  readonly task: Committable;
  readonly crashPoint?: (point: CrashPoint) => void;
}

/**
 * Commits what the task has to commit; false: nothing was read or said since the last commit. `evenIdle`: the positions are committed anew then.
 * Throws `CommitLost`, and `WriterFenced` where another process goes on with the task.
 */
export type Commit = (evenIdle?: boolean) => Promise<boolean>;

/** `committed`: the positions of the last commit; none where the task begins. */
export function createCommit(parts: CommitParts, committed: readonly InputPosition[]): Commit {
  const { group, log, writer, changelog, toChangelog, engine, changelogPosition, task, crashPoint = () => undefined } = parts;
  const store = createRangeExpiry(engine, () => { crashPoint('before-expiry'); });
  let last = committed;
  return async (evenIdle = false) => {
    const positions = task.inputPositions();
    const outputs = task.drainOutputs();
    if (outputs.length === 0 && !evenIdle && isSame(positions, last)) return false;
    crashPoint('before-seal');
    const ops = task.sealState();
    const records = [...outputs, ...ops.map(toChangelog)];
    crashPoint('before-append');
    // Before the append, for afterwards the end may be another's. Counter-example: a process is stopped behind its append, the task is taken over, and
    // the process goes on. With the end that the changelog has then, its store would claim what the other one has written, and never read it.
    const end = await log.endOffset(changelog) + ops.length;
    await appendOnce({ records, positions, group }, end);
    crashPoint('before-store');
    store.write([...ops, changelogPosition(end)], task.expired?.() ?? []);
    last = positions;
    crashPoint('after-store');
    return true;
  };

  /**
   * An append whose outcome is not known (the answer was lost) is never guessed: what was committed tells whether it took place. Positions alone
   * do not. Counter-example: windows closed and nothing was read since the last commit; the append failed, the positions were as they should
   * be, and the verdicts were gone. The changelog has grown with each commit, for the place of the task is in it. But on Kafka it grows by what was
   * aborted too: where it is known that nothing is there, nothing is asked.
   */
  async function appendOnce(batch: AppendBatch, changelogEnd: number): Promise<void> {
    try {
      await writer.append(batch);
    } catch (cause) {
      if (cause instanceof WriterFenced) throw cause;
      const lost = cause instanceof AppendRefused ? cause : await whyLost(batch.positions, changelogEnd, cause);
      if (lost !== undefined) throw new CommitLost(group, lost);
    }
  }

  /** undefined: it took place. */
  async function whyLost(positions: readonly InputPosition[], changelogEnd: number, cause: unknown): Promise<unknown> {
    try {
      return await isCommitted(positions, changelogEnd) ? undefined : cause;
    } catch (told) {
      if (told instanceof AppendRefused) return told;
      throw told;
    }
  }

  async function isCommitted(positions: readonly InputPosition[], changelogEnd: number): Promise<boolean> {
    const found = await Promise.all(positions.map(at => writer.committed(group, at)));
    return positions.every(({ offset }, i) => found[i] === offset) && await log.endOffset(changelog) >= changelogEnd;
  }
}

function isSame(a: readonly InputPosition[], b: readonly InputPosition[]): boolean {
  return a.length === b.length && a.every(({ offset }, i) => b[i].offset === offset);
}
