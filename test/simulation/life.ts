// One life of a service: it runs its tasks until they have nothing left to do, it is asked to end, or it dies. What dies leaves nothing behind: from
// that moment on nothing of it reaches the log or a disk, also not what its other tasks would still commit on their way out.
import type { PairSettings } from '../../schemas/pair.ts';
import { StoreError } from '../../stores/store-error.ts';
import type { StoreEngine } from '../../stores/store.ts';
import { runService } from '../../topology/cli/service.ts';
import type { AppendBatch, Log, LogWriter, TopicPartition } from '../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import { AppendEnded } from '../../topology/runtime/append-ended.ts';
import type { Assignment } from '../../topology/runtime/assignment.ts';
import { CommitLost } from '../../topology/runtime/commit.ts';
import { taskName } from '../../topology/runtime/task-id.ts';
import type { Quiet } from '../support/quiet-clock.ts';
import type { Death, Kind, Outcome } from './coverage.ts';
import { diskOf, openDisk, wipe, type DiskPlan, type Disks } from './disks.ts';

/** What happens to a service; each is asked where it can happen. */
export interface LifePlan extends DiskPlan {
  dies(point: Death): boolean;
  /** Whether it is asked to end, between two records. */
  letsGo(): boolean;
  append(): Outcome | 'done';
  /** Whether the disk of a task fails where its commit is written. */
  breaks(): boolean;
  /** Whether it turns out to be damaged there. */
  rots(): boolean;
  /** Milliseconds that the clock goes on, each time it is asked. */
  tick(): number;
  readonly sliceRecords: number;
}

export const COMMIT_INTERVAL_MS = 100;

export interface LifeParts {
  readonly pairs: readonly PairSettings[];
  readonly worker: number;
  readonly quiet: Quiet;
  readonly plan: LifePlan;
  readonly disks: Disks;
  readonly covers: (kind: Kind) => void;
  /** Whether the log died under it. */
  readonly logDied: () => boolean;
  readonly assignment?: Assignment;
  readonly onTakenOver?: () => void;
}

class Crash extends Error {}

export interface Life {
  /** False: it died, or could not go on. */
  run(): Promise<boolean>;
  /** That have taken place. */
  readonly commits: number;
}

export function lifeOf({ pairs, worker, quiet, plan, disks, covers, logDied, assignment, onTakenOver }: LifeParts): Life {
  const dead = new AbortController();
  const die = (): void => { dead.abort(); };
  const check = (): void => {
    if (dead.signal.aborted) throw new Crash('dead');
  };
  const point = (death: Death): void => {
    check();
    if (!plan.dies(death)) return;
    covers(`dies ${death}`);
    die();
    check();
  };
  let commits = 0;
  const log = withFate(quiet.log, { plan, covers, check, fails: die, took: () => { commits++; } });

  const signal = AbortSignal.any([quiet.signal, dead.signal]);
  function pass(): void {
    if (plan.dies('between records')) {
      covers('dies between records');
      die();
    } else if (plan.letsGo()) {
      covers('asked to end');
      quiet.stop();
    }
  }

  function written(when: 'before' | 'after', isCommit: boolean): void {
    check();
    if (!isCommit) point('restoring');
    else if (when === 'before' && plan.breaks()) {
      covers('disk breaks');
      throw new StoreError('io', 'the disk does not answer');
    } else if (when === 'before' && plan.rots()) {
      covers('disk rots');
      throw new StoreError('corrupt', 'a block is damaged');
    }
  }

  async function openStore(name: string, changelog: TopicPartition, anew: boolean): Promise<StoreEngine> {
    let isOpen = false;
    const disk = diskOf(disks, name);
    if (anew) wipe(disk);
    const engine = await openDisk(disk, { plan, log, changelog, covers, written: when => { written(when, isOpen); } });
    isOpen = true;
    return engine;
  }

  return {
    get commits() { return commits; },
    async run() {
      covers('life');
      try {
        await runService({
          application: 'sim', pairs, outputs: DEFAULT_OUTPUTS, commitIntervalMs: COMMIT_INTERVAL_MS, owner: `worker-${worker}:1`, signal, log, sliceRecords: plan.sliceRecords,
          clock: {
            ...quiet.clock,
            // It does not throw: who asks what time it is does not expect that.
            nowMs() {
              if (!signal.aborted) pass();
              return quiet.clock.nowMs();
            },
          },
          say: line => {
            if (line.endsWith('taken over by another service')) covers('handover fenced');
            if (line.endsWith('it goes back to its last commit')) covers('goes back');
          },
          openStore: (task, changelog, _, __, anew) => openStore(`${worker} ${taskName(task)}`, changelog, anew),
          crashPoint: point,
          ...(assignment === undefined ? {} : { assignment }), ...(onTakenOver === undefined ? {} : { onTakenOver }),
        });
        return !dead.signal.aborted && !logDied();
      } catch (error) {
        if (dead.signal.aborted || logDied() || error instanceof CommitLost || (error instanceof StoreError && (error.reason === 'io' || error.reason === 'corrupt'))) return false;
        throw error;
      } finally {
        if (logDied()) covers('dies in the append');
      }
    },
  };
}

interface Fate { readonly plan: LifePlan; readonly covers: (kind: Kind) => void; readonly check: () => void; readonly fails: () => void; readonly took: () => void }

/** The log as a life sees it, with what becomes of its commits; what it says of its status takes place. */
function withFate(log: Log, { plan, covers, check, fails, took }: Fate): Log {
  const writerOf = (writer: LogWriter, id: string): LogWriter => {
    let isMute = false;
    return {
      async append(batch: AppendBatch) {
        check();
        const outcome = batch.positions.length === 0 ? 'done' : plan.append();
        if (outcome !== 'done') covers(`append ${outcome}`);
        if (outcome === 'done' || outcome === 'answer lost' || outcome === 'unanswered, done') {
          await writer.append(batch);
          if (batch.positions.length > 0) took();
        }
        if (outcome === 'done') return;
        if (outcome === 'given up') throw new AppendEnded(id);
        isMute = outcome === 'unanswered, done' || outcome === 'unanswered, not done';
        throw new Error(outcome);
      },
      async committed(group, at) {
        check();
        if (!isMute) return writer.committed(group, at);
        fails();
        throw new Error('nobody answers');
      },
    };
  };
  return {
    ...log,
    async writer(id) {
      check();
      return writerOf(await log.writer(id), id);
    },
  };
}
