// What the contract of the group protocols does not reach: shares that are given again, and tasks that an instance does not know.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Share } from '../../../topology/runtime/assignor.ts';
import { groupAssignment } from '../../../topology/runtime/group-assignment.ts';
import { createMembership, type GroupProtocol, type Membership } from '../../../topology/runtime/membership.ts';
import { taskName, type TaskId } from '../../../topology/runtime/task-id.ts';

const TASK: TaskId = { pair: 'orders', subTopology: 'reconcile', partition: 0 };
const SHARE: Share = { active: [taskName(TASK)], standby: [], warmup: [] };

test('a share is given once more after a while, without a round: a task that was fenced by one that is dead begins again', async () => {
  let joins = 0;
  const protocol: GroupProtocol = { join: () => Promise.resolve((joins++, SHARE)), heartbeat: () => Promise.resolve(false), leave: () => Promise.resolve() };
  const clock = { nowMs: () => 0, sleep: (ms: number) => setTimeout(ms) };
  const stop = new AbortController();
  const shares: Share[] = [];
  const membership = createMembership({ protocol, lags: () => ({}), acceptableLag: 0, heartbeatMs: 1, repeatMs: 5, clock, say: () => undefined });
  for await (const share of membership.shares(stop.signal)) {
    shares.push(share);
    if (shares.length === 3) stop.abort();
  }
  await membership.leave();
  assert.deepEqual([shares, joins], [[SHARE, SHARE, SHARE], 1]);
});

test('a task that the instance does not know is said once, and the others are run', async () => {
  const given: Share = { ...SHARE, active: ['lines/merge', ...SHARE.active] };
  const membership: Membership = { async* shares() { yield await Promise.resolve(given); yield given; }, leave: () => Promise.resolve() };
  const said: string[] = [];
  const sets: (readonly TaskId[])[] = [];
  for await (const set of groupAssignment({ membership, tasks: [TASK], say: line => void said.push(line) })(new AbortController().signal)) sets.push(set);
  assert.deepEqual(sets, [[TASK], [TASK]]);
  assert.deepEqual(said, ["lines/merge: not in this instance's configuration, which was given it to run: start all instances with one configuration"]);
});
