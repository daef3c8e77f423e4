// Trap 12. The owner of a task is slow to let go of it: whoever is to have it next is told so, and never begins with an empty store in its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runService } from '../../topology/cli/service.ts';
import { openDirectoryOf, openTaskStore } from '../../topology/cli/task-store.ts';
import { groupOf, taskName, type TaskId } from '../../topology/runtime/task-id.ts';
import { altered, live, liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

void test('trap 12: the directory is still held when the next owner opens it', async (t) => {
  const expected = await undisturbed(t, [...rows(20), ...rows(10, 20)]);
  const place = placeOf(t);
  for (const from of [0, 20]) {
    const log = await openLog(place);
    await write(log, rows(from === 0 ? 20 : 10, from));
    await log.close();
    if (from === 0) await liveOn(place);
  }
  const slow = openDirectoryOf(place.config, { pair: 'orders', subTopology: 'reconcile', partition: 0 });
  await assert.rejects(liveOn(place), /held by this process /);
  slow.close();
  const said = await liveOn(place);
  assert.deepEqual(wiped(said), []);
  assert.ok(!said.some(line => line.includes('restoring: offset')), 'the store was as its last commit left it');
  assert.deepEqual(await outputsOf(place), expected);
});

const PAIRS = ['orders', 'customers'];
const TASKS: readonly TaskId[] = PAIRS.flatMap(pair => [{ pair, subTopology: 'reconcile', partition: 0 }, { pair, subTopology: 'merge', partition: 0 }] as const);
const SLOW = 'orders/reconcile/0';

void test('trap 12: of the directories that are let go one is slow: the others are free at once, what is kept goes on, and nobody begins with nothing', async (t) => {
  const expected = await undisturbed(t, [...rows(20), ...rows(10, 20)], PAIRS);
  const place = placeOf(t, { pairs: PAIRS });
  const { config } = place;
  const log = await openLog(place);
  await write(log, rows(20));
  await live(place, { log });

  const [revoke, disk, stop] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>(), new AbortController()];
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  let ms = 0;
  const service = runService({
    application: config.application, pairs: config.pairs, outputs: config.outputs, commitIntervalMs: 60, log, owner: 'host:1', say, signal: stop.signal,
    clock: { nowMs: () => (ms += 20), sleep: () => setImmediate() },
    async *assignment(signal) {
      yield TASKS;
      await revoke.promise;
      yield TASKS.filter(({ pair }) => pair === 'customers');
      while (!signal.aborted) await setImmediate();
    },
    async openStore(task, changelog) {
      const engine = await openTaskStore({ config, task, log, changelog, say });
      return taskName(task) !== SLOW ? engine : altered(engine, { close: () => disk.promise.then(() => engine.close()) });
    },
  });
  const until = async (comes: () => boolean | Promise<boolean>): Promise<void> => { while (!await comes()) await Promise.race([setImmediate(), service]); };
  await until(() => TASKS.every(task => said.includes(`${taskName(task)}: running`)));
  revoke.resolve(undefined);
  await until(() => said.includes('orders/merge: closed') && said.includes(`${SLOW}: suspended`));

  assert.throws(() => openDirectoryOf(config, TASKS[0]), /held by this process /);
  openDirectoryOf(config, TASKS[1]).close();
  await write(log, rows(10, 20));
  const src = { topic: 'src', partition: 0 };
  await until(async () => await log.committed(groupOf('shop', TASKS[2]), src) === await log.endOffset(src));
  assert.ok(!said.includes(`${SLOW}: closed`));
  disk.resolve(undefined);
  await until(() => said.includes(`${SLOW}: closed`));
  stop.abort();
  await service;

  const next = await live(place, { log });
  await log.close();
  assert.deepEqual(wiped(next), []);
  assert.ok(!next.some(line => line.includes('restoring: offset')), 'each store was as its last commit left it');
  assert.deepEqual(await outputsOf(place), expected);
});
