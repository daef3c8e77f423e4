// How a worker takes part in a group that shares tasks out. `GroupProtocol` is the port: a coordinator in this process, Kafka's, another one
// some day (test/contracts/membership-contract.ts). What follows from it is the same for all, and here.
//
// A member never stops for a round: it goes on running what it has while the others are asked. What it is to give up it commits and closes,
// and says so by joining again; only then somebody else gets it. Fencing by the writers of the log holds whatever goes wrong here: two that
// believe they have the same task cost time, and never a verdict.
import type { MemberReport, Share, TaskName } from './assignor.ts';
import type { Clock } from './pacer.ts';
import { unlessAborted } from './unless-aborted.ts';

export type MemberState = Omit<MemberReport, 'id'>;

export interface GroupProtocol {
  /** Takes part in a round, and waits for those who must. Throws `MemberLost`. */
  join(state: MemberState): Promise<Share>;
  /** Says that the member is alive. True: a round has begun that it is to join. Throws `MemberLost`. */
  heartbeat(): Promise<boolean>;
  /** Its tasks are free at once; those of a static member wait for it until its session is over. */
  leave(): Promise<void>;
  /** Where the protocol can tell at once that a round has begun: it calls `wake`, and the next heartbeat need not wait. */
  listen?(wake: () => void): void;
}

/** The group has given the member up: it was not heard of for longer than its session. Its tasks are others' by now. */
export class MemberLost extends Error {
  override name = 'MemberLost';
}

export interface Membership {
  /** One share after the other, as an `Assignment` gives its sets: asking for the next says that nothing else runs any more. */
  shares(signal: AbortSignal): AsyncIterable<Share>;
  /** Once its tasks are closed. */
  leave(): Promise<void>;
}

export interface MembershipParts {
  readonly protocol: GroupProtocol;
  /** Of each task that is followed, and not run: records that are lacking now. */
  readonly lags: () => Readonly<Record<TaskName, number>>;
  /** As in `AssignorSettings`: with so much of a task to be taken over the member asks for the round in which it gets it. */
  readonly acceptableLag: number;
  readonly heartbeatMs: number;
  /** So long after a share it is given once more: whoever was fenced by one that is dead by now begins again. */
  readonly repeatMs: number;
  readonly clock: Clock;
  /** One line for the operator. */
  readonly say: (line: string) => void;
}

const NOTHING: Share = { active: [], standby: [], warmup: [] };

export function createMembership(parts: MembershipParts): Membership {
  const { protocol, lags, say } = parts;
  let heart: Heart | undefined;
  return {
    async* shares(signal) {
      let owned: readonly TaskName[] = [];
      while (!signal.aborted) {
        heart?.stop();
        const share = await unlessAborted(signal, protocol.join({ owned, lags: lags() }).catch(nothingIfLost));
        if (share === undefined) return;
        const isLost = share === NOTHING;
        const givesUp = owned.some(task => !share.active.includes(task));
        if (!isLost) heart = beating(share, parts);
        yield share;
        owned = share.active;
        if (isLost || givesUp) continue;
        let news = await newsOf(heart, signal);
        for (; news === 'none'; news = await newsOf(heart, signal)) yield share;
        if (news === 'lost') {
          yield nothingIfLost(new MemberLost());
          owned = [];
        }
      }
    },
    async leave() {
      heart?.stop();
      await protocol.leave();
    },
  };

  async function newsOf(of: Heart | undefined, signal: AbortSignal): Promise<'round' | 'lost' | 'none' | undefined> {
    const over = new AbortController();
    const none = parts.clock.sleep(parts.repeatMs, over.signal).then(() => 'none' as const);
    try {
      return await unlessAborted(signal, Promise.race([of?.news, none]));
    } finally {
      over.abort();
    }
  }

  function nothingIfLost(error: unknown): Share {
    if (!(error instanceof MemberLost)) throw error;
    say('the group has not heard of this instance for too long, and others have its tasks: it gives them up, and joins again');
    return NOTHING;
  }
}

interface Heart {
  /** Why to join again. Rejects with what will not pass. */
  readonly news: Promise<'round' | 'lost'>;
  stop(): void;
}

/** Goes on after the news: a member that is slow to close its tasks is alive. */
function beating({ warmup }: Share, { protocol, lags, acceptableLag, heartbeatMs, clock }: MembershipParts): Heart {
  const { promise: news, resolve, reject } = Promise.withResolvers<'round' | 'lost'>();
  const stopped = new AbortController();
  let waiting: AbortController | undefined;
  protocol.listen?.(() => waiting?.abort());
  const isWarm = (): boolean => warmup.some(task => (lags()[task] ?? Infinity) <= acceptableLag);
  const beat = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      waiting = new AbortController();
      await clock.sleep(heartbeatMs, AbortSignal.any([stopped.signal, waiting.signal]));
      if (stopped.signal.aborted) return;
      if (await protocol.heartbeat() || isWarm()) resolve('round');
    }
  };
  void beat().catch((error: unknown) => {
    if (error instanceof MemberLost) resolve('lost');
    else reject(error);
  });
  news.catch(() => undefined);
  return { news, stop: () => stopped.abort() };
}
