import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { openRemoteMember, serveMember } from '../../../topology/log/remote/remote-member.ts';
import { createCoordinator } from '../../../topology/runtime/group-coordinator.ts';
import type { GroupProtocol } from '../../../topology/runtime/membership.ts';
import type { Clock } from '../../../topology/runtime/pacer.ts';
import { ACCEPTABLE_LAG, type GroupSettings, type GroupUnderTest, membershipContract } from '../../contracts/membership-contract.ts';

const [HEARTBEAT_MS, SESSION_MS] = [100, 1000];

membershipContract('coordinator in the process', settings => open(settings, member => member));
membershipContract('coordinator at the other end of a port', settings => open(settings, member => {
  const { port1, port2 } = new MessageChannel();
  serveMember(port1, member);
  return openRemoteMember(port2);
}));

function open({ tasks, standbyReplicas }: GroupSettings, reach: (member: GroupProtocol) => GroupProtocol): Promise<GroupUnderTest> {
  const { clock, pass } = handClock();
  const coordinator = createCoordinator({ tasks, settings: { standbyReplicas, acceptableLag: ACCEPTABLE_LAG }, sessionMs: SESSION_MS, clock });
  return Promise.resolve({
    member: instance => reach(coordinator.member(instance)),
    setTasks: changed => coordinator.setTasks(changed),
    clock, heartbeatMs: HEARTBEAT_MS, sessionMs: SESSION_MS,
    async tick() {
      pass(HEARTBEAT_MS / 4);
      for (let turns = 0; turns < 3; turns++) await setImmediate();
    },
    close: () => Promise.resolve(),
  });
}

/** A clock that goes on only when it is told to. */
function handClock(): { clock: Clock; pass(ms: number): void } {
  let nowMs = 0;
  const sleepers = new Set<{ untilMs: number; wake(): void }>();
  return {
    clock: {
      nowMs: () => nowMs,
      sleep: (ms, signal) => new Promise(resolve => {
        const sleeper = { untilMs: nowMs + ms, wake: () => { sleepers.delete(sleeper); resolve(); } };
        sleepers.add(sleeper);
        if (signal.aborted) sleeper.wake();
        signal.addEventListener('abort', sleeper.wake, { once: true });
      }),
    },
    pass(ms) {
      nowMs += ms;
      for (const sleeper of [...sleepers]) if (sleeper.untilMs <= nowMs) sleeper.wake();
    },
  };
}
