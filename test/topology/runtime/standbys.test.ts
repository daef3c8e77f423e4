// Standbys: what is told of them, and that the state of a task is never open twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Share } from '../../../topology/runtime/assignor.ts';
import { groupAssignment } from '../../../topology/runtime/group-assignment.ts';
import { createStandbys, type StandbyParts, type StandbyStore } from '../../../topology/runtime/standbys.ts';
import { taskName, type TaskId } from '../../../topology/runtime/task-id.ts';

const TASK: TaskId = { pair: 'orders', subTopology: 'reconcile', partition: 0 };
const NAME = taskName(TASK);
const following = (...standby: string[]): Share => ({ active: [], standby, warmup: [] });

test('a standby lacks nothing once it is restored; ended, it is closed', async () => {
  const opened = Promise.withResolvers<StandbyStore>();
  const { log, standbys, look } = world(() => opened.promise);
  standbys.begin(following(NAME));
  assert.deepEqual(standbys.lags(), {});
  opened.resolve(storeIn(log));
  await setImmediate();
  assert.deepEqual(standbys.lags(), { [NAME]: 0 });
  look();
  await setImmediate();
  standbys.begin(following(NAME));
  await standbys.end(following());
  assert.deepEqual([log, standbys.lags()], [['catches up', 'closed'], {}]);
});

test('one that is ended while it is restored is closed when it is open', async () => {
  const opened = Promise.withResolvers<StandbyStore>();
  const { log, standbys } = world(() => opened.promise);
  standbys.begin(following(NAME));
  const ended = standbys.end(following());
  await setImmediate();
  opened.resolve(storeIn(log));
  await ended;
  assert.deepEqual(log, ['closed']);
});

test('one that fails is given up, said, and begun again with a later share', async () => {
  let opens = 0;
  const { log, said, standbys } = world(() => (opens++ === 0 ? Promise.reject(new Error('locked')) : Promise.resolve(storeIn(log))));
  standbys.begin(following(NAME));
  await setImmediate();
  assert.deepEqual([standbys.lags(), said], [{}, [`${NAME}: standby`, `${NAME}: the standby is given up: locked`]]);
  standbys.begin(following(NAME));
  await setImmediate();
  assert.deepEqual(standbys.lags(), { [NAME]: 0 });
  await standbys.end(following());
});

test('a task begins when its standby is closed, and a standby when its task is', async () => {
  const { log, standbys } = world(() => Promise.resolve((log.push('standby open'), storeIn(log))));
  const active: Share = { active: [NAME], standby: [], warmup: [] };
  const membership = { async* shares() { yield await Promise.resolve(following(NAME)); yield active; yield following(NAME); yield following(); }, leave: () => Promise.resolve() };
  for await (const set of groupAssignment({ membership, tasks: [TASK], standbys, say: () => undefined })(new AbortController().signal)) {
    await setImmediate();
    log.push(set.length === 0 ? 'no task' : 'task');
  }
  assert.deepEqual(log, ['no task', 'standby open', 'closed', 'task', 'no task', 'standby open', 'closed', 'no task']);
});

function world(open: StandbyParts['open']): { log: string[]; said: string[]; standbys: ReturnType<typeof createStandbys>; look(): void } {
  const [log, said]: string[][] = [[], []];
  let look = (): void => undefined;
  const clock = { nowMs: () => 0, sleep: (_: number, signal: AbortSignal) => new Promise<void>(resolve => { look = resolve; signal.addEventListener('abort', () => resolve()); if (signal.aborted) resolve(); }) };
  return { log, said, standbys: createStandbys({ open, everyMs: 1, clock, say: line => void said.push(line) }), look: () => look() };
}

function storeIn(log: string[]): StandbyStore {
  return { catchUp: () => Promise.resolve(void log.push('catches up')), close: () => Promise.resolve(void log.push('closed')) };
}
