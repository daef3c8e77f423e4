// What a service says of itself in the status topic: of each task who has it, what it is doing and how far it is, and of each partition its watermark
// and whether it is stalled. Written when a task changes its state and every few seconds; never per record, and never in the way of one. It is no
// output that has to be the same on every run: times and owners are in it.
import { statusEveryMs } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { chainOf, type OutputRecord, type Restoring, type StatusRecord, type TaskRecord, type TaskState } from '../../schemas/records.ts';
import { formatTime, parseTime } from '../../schemas/time.ts';
import type { AppendRecord } from '../log/log.ts';
import type { PairTask } from './pair-task.ts';
import { keyOf } from './record-collector.ts';
import type { RestoreProgress } from './restoration.ts';
import { createStalls } from './stalls.ts';
import { heldUs, NOTHING_OPEN, openOf, statusOf } from './summary.ts';

/** What is watched of a running task. */
export type WatchedTask = Pick<PairTask, 'shards' | 'members' | 'evidence' | 'recordsRead'>;

export interface StatusParts {
  /** `host:pid`. */
  readonly owner: string;
  readonly topic: string;
  readonly write: (records: readonly AppendRecord[]) => Promise<void>;
  readonly nowMs: () => number;
  /** The time of day, milliseconds since the epoch; without it records have no times. */
  readonly wallMs: (() => number) | undefined;
  /** One line for the operator: a report that could not be written. The next one has it all again. */
  readonly say: (line: string) => void;
}

export interface TaskReporter {
  state(to: TaskState): void;
  restoring(progress: RestoreProgress): void;
  /** From now on it is told how far the task is. */
  watch(task: WatchedTask): void;
}

export interface StatusReporter {
  add(pair: PairSettings, task: string): TaskReporter;
  /** Writes a report if it is time. Does not wait for it. */
  turned(): void;
  /** The records as they are now. */
  records(): OutputRecord[];
  /** Waits for what is being written. */
  flushed(): Promise<void>;
}

interface Entry { readonly pair: PairSettings; readonly task: string; state: TaskState; since: string | undefined; restoring: Restoring | undefined; watched: WatchedTask | undefined }

export function createStatusReporter({ owner, topic, write, nowMs, wallMs, say }: StatusParts): StatusReporter {
  const entries = new Map<string, Entry>();
  const stalls = createStalls(nowMs, wallMs);
  let lastMs = -Infinity;
  /** Of each key the newest: what a log that does not answer holds up is one report, and not one behind the other. */
  const waiting = new Map<string, AppendRecord>();
  let isWriting = false;
  let writing: Promise<void> = Promise.resolve();
  const wall = (): string | undefined => (wallMs === undefined ? undefined : formatTime(wallMs() * 1000));

  function report(of: Iterable<Entry>): void {
    for (const record of [...of].flatMap(recordsOf)) {
      const key = keyOf(record);
      waiting.delete(key);
      waiting.set(key, { topic, partition: 0, key: Buffer.from(key), value: Buffer.from(JSON.stringify(record)) });
    }
    if (isWriting) return;
    isWriting = true;
    writing = writeWaiting();
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const records = [...waiting.values()];
      waiting.clear();
      await write(records).catch((error: unknown) => { say(`the status was not written: ${error instanceof Error ? error.message : String(error)}`); });
    }
    isWriting = false;
  }

  function turned(): void {
    const now = nowMs();
    if (now - lastMs < statusEveryMs) return;
    lastMs = now;
    report(entries.values());
  }

  function recordsOf({ pair, task, state, since, restoring, watched }: Entry): OutputRecord[] {
    const at = wall();
    const record: TaskRecord = { record: 'task', pair: pair.name, ...chainOf(pair), task, state, owner, ...(since === undefined ? {} : { since }), ...(at === undefined ? {} : { at }) };
    if (state === 'restoring' && restoring !== undefined) return [{ ...record, restoring }];
    if (watched === undefined) return [record];
    const open = openOf(watched);
    const divergences = watched.shards.reduce((sum, { shard }) => sum + shard.openDivergences, 0);
    const counts = { recordsRead: String(watched.recordsRead), openWindows: String(open.windows.size), eventsBuffered: String(open.pending), openDivergences: String(divergences) };
    const quiet = statusOf(pair, watched, NOTHING_OPEN);
    const partitions = statusOf(pair, watched, open).map((holding, i) => withLag(stalls.judge(holding, quiet[i], heldUs(pair, open), pair.window)));
    return [{ ...record, ...counts }, ...partitions];
  }

  function withLag(status: StatusRecord): StatusRecord {
    if (status.watermark === undefined || wallMs === undefined) return status;
    const { watermark, stalled, reason, since, ...place } = status;
    const lagMs = String(Math.round(wallMs() - parseTime(watermark) / 1000));
    return { ...place, watermark, lagMs, stalled, reason, ...(since === undefined ? {} : { since }) };
  }

  return {
    turned,
    records: () => [...entries.values()].flatMap(recordsOf),
    flushed: () => writing,
    add(pair, task) {
      const entry: Entry = { pair, task, state: 'created', since: wall(), restoring: undefined, watched: undefined };
      entries.set(task, entry);
      return {
        state(to) {
          [entry.state, entry.since] = [to, wall()];
          report([entry]);
          if (to === 'closed') entry.watched = undefined;
        },
        restoring(progress) {
          entry.restoring = printProgress(progress);
          turned();
        },
        watch(watched) {
          entry.watched = watched;
        },
      };
    },
  };
}

function printProgress({ done, total, recordsPerSecond, remainingMs }: RestoreProgress): Restoring {
  return { done: String(done), total: String(total), recordsPerSecond: String(Math.round(recordsPerSecond)), remainingMs: String(Math.round(remainingMs)) };
}
