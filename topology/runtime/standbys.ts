// Standbys: tasks that run elsewhere, whose state is kept here too. Each follows its changelog, so that whoever takes the task over restores the
// tail alone. A standby writes nothing to the log and decides nothing: one that fails is given up, and costs time when its task comes.
import type { Share, TaskName } from './assignor.ts';
import { type Clock, Stopping } from './pacer.ts';

/** The local store of a task that runs elsewhere, restored; whoever runs the task opens the same one once this is closed. */
export interface StandbyStore {
  /** Brings it to the end that the changelog has now. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export interface StandbyParts {
  /** Restores what there is. Rejects where the task is not known here, or its directory is not free. With the signal it and `catchUp` end with `Stopping`. */
  readonly open: (task: TaskName, signal: AbortSignal) => Promise<StandbyStore>;
  /** Milliseconds between two looks at a changelog. */
  readonly everyMs: number;
  readonly clock: Clock;
  /** One line for the operator. */
  readonly say: (line: string) => void;
}

export interface Standbys {
  /** Records that are lacking, as far as that is known: none once a standby was at the end. */
  lags(): Readonly<Record<TaskName, number>>;
  /** Ends those that are not in the share: their stores are closed when it resolves. */
  end(share: Share): Promise<void>;
  /** Begins those of the share that are not there. What ran here before is closed. */
  begin(share: Share): void;
}

export function createStandbys({ open, everyMs, clock, say }: StandbyParts): Standbys {
  const standbys = new Map<TaskName, { readonly stop: AbortController; readonly ended: Promise<void>; isWarm: boolean }>();

  async function follow(task: TaskName, signal: AbortSignal, warm: () => void): Promise<void> {
    say(`${task}: standby`);
    const store = await open(task, signal);
    try {
      warm();
      while (!signal.aborted) {
        await clock.sleep(everyMs, signal);
        if (!signal.aborted) await store.catchUp();
      }
    } finally {
      await store.close();
    }
  }

  return {
    lags: () => Object.fromEntries([...standbys].flatMap(([task, { isWarm }]) => (isWarm ? [[task, 0]] : []))),
    async end({ standby }) {
      const gone = [...standbys].filter(([task]) => !standby.includes(task));
      for (const [, { stop }] of gone) stop.abort();
      for (const [task, { ended }] of gone) {
        await ended;
        standbys.delete(task);
      }
    },
    begin({ standby }) {
      for (const task of standby.filter(name => !standbys.has(name))) {
        const stop = new AbortController();
        const warm = (): void => {
          const own = standbys.get(task);
          if (own?.stop === stop) own.isWarm = true;
        };
        const ended = follow(task, stop.signal, warm).catch((error: unknown) => {
          if (error instanceof Stopping) return;
          standbys.delete(task);
          say(`${task}: the standby is given up: ${error instanceof Error ? error.message : String(error)}`);
        });
        standbys.set(task, { stop, ended, isWarm: false });
      }
    },
  };
}
