// Group membership against a real broker. Without one it is skipped, with the reason.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openGroupMember } from '../../../../topology/log/kafka/group-member.ts';
import type { Share, TaskName } from '../../../../topology/runtime/assignor.ts';
import { createMembership } from '../../../../topology/runtime/membership.ts';
import type { Clock } from '../../../../topology/runtime/pacer.ts';
import { ACCEPTABLE_LAG, membershipContract } from '../../../contracts/membership-contract.ts';
import { startKafkaBroker } from '../../../support/kafka-broker.ts';

const clock: Clock = { nowMs: () => performance.now(), sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined) };
const broker = await startKafkaBroker();

if (typeof broker === 'string') describe('group membership by Kafka', { skip: broker }, () => undefined);
else {
  const run = process.pid.toString(36) + Date.now().toString(36);
  let groups = 0;
  // Ours allows shorter sessions than a broker does by default.
  const sessionMs = broker.restart === undefined ? 6000 : 1500;
  after(() => broker.stop());

  membershipContract("Kafka's classic protocol", ({ tasks: first, standbyReplicas }) => {
    let tasks: readonly TaskName[] = first;
    const group = `members-${run}-${groups++}`;
    return Promise.resolve({
      member: instance => openGroupMember({
        bootstrapServers: [broker.bootstrap], group, instance, tasks: () => tasks, assignor: { standbyReplicas, acceptableLag: ACCEPTABLE_LAG }, sessionMs, roundMs: 10_000,
      }),
      setTasks: changed => { tasks = changed; },
      clock, heartbeatMs: 50, sessionMs,
      tick: () => setTimeout(10),
      close: () => Promise.resolve(),
    });
  });

  test('a coordinator that is gone for a while: nobody loses anything', { skip: broker.restart === undefined ? 'the broker is not ours to restart' : false }, async () => {
    const tasks = ['orders/reconcile/0', 'orders/reconcile/1'];
    const stop = new AbortController();
    const said: string[] = [];
    const members = ['one', 'two'].map(() => {
      const protocol = openGroupMember({ bootstrapServers: [broker.bootstrap], group: `restart-${run}`, tasks: () => tasks, assignor: { standbyReplicas: 0, acceptableLag: 0 }, sessionMs: 30_000, roundMs: 10_000 });
      const membership = createMembership({ protocol, lags: () => ({}), acceptableLag: 0, heartbeatMs: 50, repeatMs: 60_000, clock, say: line => void said.push(line) });
      const shares: Share[] = [];
      const ended = (async () => { for await (const share of membership.shares(stop.signal)) shares.push(share); })();
      return { membership, shares, ended };
    });
    const isShared = (): boolean => members.every(({ shares }) => shares.at(-1)?.active.length === 1);
    while (!isShared()) await setTimeout(10);
    const before = members.map(({ shares }) => shares.length);
    await broker.restart?.();
    await setTimeout(1000);
    // There may be another round, but in none does a task move.
    for (const [i, { shares }] of members.entries()) for (const { active } of shares.slice(before[i])) assert.deepEqual(active, shares[before[i] - 1].active);
    assert.deepEqual(said, []);
    await members[0].membership.leave();
    while (members[1].shares.at(-1)?.active.length !== 2) await setTimeout(10);
    stop.abort();
    for (const { ended, membership } of members) await Promise.all([ended, membership.leave()]);
  });
}
