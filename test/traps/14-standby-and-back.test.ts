// Trap 14. Two workers in turn run the tasks and follow them as standbys, and rows change all the while: whoever takes a task over reads what the other
// one has written last, never what it wrote itself when it had the task before.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import type { Row } from '../../stores/store.ts';
import { openDirectoryOf, openStandbyStore } from '../../topology/cli/task-store.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { createStandbys } from '../../topology/runtime/standbys.ts';
import { changelogOf, taskName, type TaskId } from '../../topology/runtime/task-id.ts';
import { STATE_FAMILIES } from '../../topology/runtime/task-state.ts';
import { change, live, openLog, outputsOf, placeOf, undisturbed, wiped, write, type Place } from './place.ts';

const TASKS: readonly TaskId[] = [{ pair: 'orders', subTopology: 'reconcile', partition: 0 }, { pair: 'orders', subTopology: 'merge', partition: 0 }];

/** Five rows that change again and again; every seventh change is not applied, every eleventh comes late. */
const changes = Array.from({ length: 48 }, (_, i) => i).flatMap(i => [
  change('src', { id: i % 5, atMs: i * 1000, lsn: 100 + i, v: `v${i}` }),
  ...(i % 7 === 3 ? [] : [change('tgt', { id: i % 5, atMs: i * 1000 + (i % 11 === 5 ? 4500 : 300), lsn: 100 + i, v: `v${i}` })]),
]).sort((a, b) => (a.timestampMs ?? 0) - (b.timestampMs ?? 0));
const STAGES = 4;
const stage = (n: number): AppendRecord[] => changes.slice(n * changes.length / STAGES, (n + 1) * changes.length / STAGES);

for (const follows of ['to the end', 'half of it', 'nothing'] as const) {
  void test(`trap 14: active, standby, active, standby; the standby has followed ${follows}`, async (t) => {
    const expected = await undisturbed(t, changes);
    assert.ok(expected.some(line => line.includes('"class":"missing"')) && expected.some(line => line.includes('"class":"late_applied"')));
    const place = placeOf(t);
    const workers = ['a', 'b'].map(name => ({ ...place, config: { ...place.config, state: { ...place.config.state, directory: join(place.folder, `state-${name}`) } } }));
    const log = await openLog(place);
    const [active, followed]: [string[], string[]] = [[], []];
    for (let n = 0; n < STAGES; n++) {
      const [worker, other] = n % 2 === 0 ? workers : workers.toReversed();
      const records = stage(n);
      await write(log, records.slice(0, 10));
      const standby = await follow(other, log, followed);
      active.push(...await live(worker, { log, idle: async times => {
        if (follows === 'half of it' && times === 1) await standby.look();
        if (times === 1) await write(log, records.slice(10));
        return times === 1;
      } }));
      if (follows === 'to the end') await standby.look();
      await standby.end();
    }
    const last = await follow(workers[0], log, followed);
    await last.end();
    await log.close();
    assert.deepEqual(wiped([...active, ...followed]), []);
    assert.deepEqual(followed.filter(line => line.includes('given up')), []);
    // A standby that was at the end leaves nothing to restore to who takes the task over, and one that was not leaves the tail.
    assert.equal(active.some(line => line.includes('restoring: offset')), follows !== 'to the end');
    assert.deepEqual(await outputsOf(place), expected);
    assert.deepEqual(await contentOf(workers[0]), await contentOf(workers[1]));
  });
}

interface Following { look(): Promise<void>; end(): Promise<void> }

/** Standbys of all tasks, which look at their changelogs when they are told to; resolves when they are warm. */
async function follow({ config }: Place, log: Log, said: string[]): Promise<Following> {
  const say = (line: string): void => void said.push(line);
  const waiting: (() => void)[] = [];
  const standbys = createStandbys({
    open: async name => {
      const task = TASKS.find(known => taskName(known) === name) as TaskId;
      // Before the first start there is no changelog yet.
      await log.createTopic(changelogOf('shop', task).topic, { partitions: 1, cleanup: 'compact' });
      return openStandbyStore({ config, task, log, changelog: changelogOf('shop', task), say });
    },
    everyMs: 1, say,
    clock: { nowMs: () => 0, sleep: (_, signal) => new Promise(resolve => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => { resolve(); });
    }) },
  });
  const allWait = async (): Promise<void> => { while (waiting.length < TASKS.length) await setImmediate(); };
  standbys.begin({ active: [], standby: TASKS.map(taskName), warmup: [] });
  await allWait();
  return {
    async look() {
      for (const wake of waiting.splice(0)) wake();
      await allWait();
    },
    end: () => standbys.end({ active: [], standby: [], warmup: [] }),
  };
}

/** Of both tasks every row of every family, but for what says whose it is and how far. */
async function contentOf({ config }: Place): Promise<Record<string, Row[]>> {
  const content: Record<string, Row[]> = {};
  for (const task of TASKS) {
    const directory = openDirectoryOf(config, task);
    const engine = await openRocksdbStore(directory.path, STATE_FAMILIES);
    for (const family of STATE_FAMILIES) content[`${taskName(task)} ${family}`] = engine.range(family);
    await engine.close();
    directory.close();
  }
  return content;
}
