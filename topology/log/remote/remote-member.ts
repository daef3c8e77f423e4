// A member of a group whose coordinator lives with the owner of the log, over a MessagePort of its own.
import type { MessagePort } from 'node:worker_threads';
import type { Share } from '../../runtime/assignor.ts';
import type { GroupProtocol, MemberState } from '../../runtime/membership.ts';
import { answerCalls, createCaller } from './calls.ts';

interface MemberCalls {
  join(state: MemberState): Promise<Share>;
  heartbeat(): Promise<boolean>;
  leave(): Promise<void>;
  /** Answered at the next round: a question that waits is how the owner speaks first. */
  nextRound(): Promise<void>;
}

/** The owner's end. */
export function serveMember(port: MessagePort, member: GroupProtocol): void {
  let round = Promise.withResolvers<void>();
  member.listen?.(() => {
    round.resolve();
    round = Promise.withResolvers<void>();
  });
  answerCalls<MemberCalls>(port, {
    join: state => member.join(state),
    heartbeat: () => member.heartbeat(),
    leave: () => member.leave(),
    nextRound: () => round.promise,
  });
}

export function openRemoteMember(port: MessagePort): GroupProtocol {
  const caller = createCaller<MemberCalls>(port);
  let wake = (): void => undefined;
  const hear = (): void => void caller.call('nextRound', []).then(() => { wake(); hear(); }, () => undefined);
  hear();
  return {
    join: state => caller.call('join', [state]),
    heartbeat: () => caller.call('heartbeat', []),
    async leave() {
      await caller.call('leave', []);
      caller.close();
    },
    listen: call => { wake = call; },
  };
}
