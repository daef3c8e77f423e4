// Property 14: one partition, or a whole side, says nothing for ten horizons, and what is held in memory and in the state stays as it was: the log is the buffer.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { stringify } from 'yaml';
import { openMemoryStore } from '../../stores/memory-store.ts';
import { openWriteOverlay } from '../../stores/write-overlay.ts';
import { wirePair } from '../../topology/cli/wire-pair.ts';
import { loadConfig } from '../../topology/config.ts';
import { openCaptures } from '../../topology/log/capture-log.ts';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import { createReconcileTask } from '../../topology/runtime/reconcile-task.ts';
import { openTaskState, STATE_FAMILIES } from '../../topology/runtime/task-state.ts';
import { tempFolder } from '../support/temp-folder.ts';

const WINDOW = { size: '1s', lateness: '1s', lag: '5s', skew: '1s', retain: '10s' };
const HORIZON_S = 5 + 1 + 1;
const PER_SECOND = 10;
const SECONDS = 10 * HORIZON_S;

/** `second`: when it is committed; the row's partition is its id's parity. */
function line(side: string, id: number, second: number): string {
  const ms = 1_700_000_000_000 + Math.round(second * 1000);
  const value = JSON.stringify({
    before: null, after: { id, origin: id }, op: 'c', ts_ms: ms,
    source: { connector: 'postgresql', ts_ms: ms, lsn: id, sequence: `[null,"${id}"]`, snapshot: 'false' },
  });
  return `${JSON.stringify({ topic: side, partition: id % 2, offset: Math.floor(id / 2), timestamp: ms, key: `{"id":${id}}`, value })}\n`;
}

/** Peak of live slots and of the bytes of the state, and records read, while these partitions of the target are silent from `silentFromS` on. */
async function peak(t: TestContext, silent: readonly number[], silentFromS: number): Promise<{ live: number; stateBytes: number; read: number }> {
  const ids = Array.from({ length: SECONDS * PER_SECOND }, (_, i) => i);
  const folder = tempFolder(t, {});
  writeFileSync(join(folder, 's.jsonl'), ids.map(id => line('s', id, id / PER_SECOND)).join(''));
  writeFileSync(join(folder, 't.jsonl'), ids.filter(id => !silent.includes(id % 2) || id / PER_SECOND < silentFromS).map(id => line('t', id, id / PER_SECOND + 0.2)).join(''));
  const pair = { name: 'orders', source: { file: 's.jsonl', topic: 's' }, target: { file: 't.jsonl', topic: 't' }, match: { by: 'origin', source: 'source.lsn', target: 'after.origin' }, window: WINDOW, columns: { ignore: ['origin'] } };
  writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'bounds', pairs: [pair] }));
  const [settings] = loadConfig(join(folder, 'paritas.yaml')).pairs;
  const logs = [await openCaptures(settings.source.files, { topic: 's', skipBadLines: false }), await openCaptures(settings.target.files, { topic: 't', skipBadLines: false })] as const;
  const engine = openMemoryStore(STATE_FAMILIES);
  const overlay = openWriteOverlay(engine);
  const nodes = wirePair(settings, [{ rows: logs[0].partitions, beside: [] }, { rows: logs[1].partitions, beside: [] }], {
    outputs: DEFAULT_OUTPUTS, shards: 1, overlay, memory: 'window.retain', part: { subTopology: 'reconcile', onward: () => undefined },
  });
  const state = openTaskState({ ...nodes, engine, overlay, claims: nodes.members.map(({ claim }) => claim) });
  const bytes = (): number => STATE_FAMILIES.flatMap(family => engine.range(family)).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  let [live, stateBytes, looks] = [0, 0, 0];
  const look = (): Promise<void> => {
    live = Math.max(live, nodes.shards[0].shard.slots.live);
    nodes.collector.drain();
    // A commit of the state now and then.
    if (looks++ % 20 === 0) {
      engine.write(state.seal(task.place()));
      stateBytes = Math.max(stateBytes, bytes());
    }
    return Promise.resolve();
  };
  const task = createReconcileTask({ ...nodes, shard: nodes.shards[0], heard: [], say: () => undefined, commit: look, pause: look, from: undefined, sliceRecords: 1 });
  await task.follow(() => Promise.resolve(false));
  for (const log of logs) await log.close();
  return { live, stateBytes, read: task.recordsRead };
}

for (const [what, silent] of [['a partition', [1]], ['a side', [0, 1]]] as const) {
  test(`property 14: ${what} stalled for ten horizons: what is held stays within what the horizons need`, async (t) => {
    const flowing = await peak(t, [], Infinity);
    const stalled = await peak(t, silent, 2);
    // Each side is read to the horizon of the next window; closed windows stay for as long as an event may refer to them.
    const bound = 2 * PER_SECOND * (2 * HORIZON_S + 4);
    assert.ok(flowing.live <= bound && flowing.read > SECONDS * PER_SECOND * 1.9, JSON.stringify(flowing));
    assert.ok(stalled.live <= bound, JSON.stringify({ stalled, bound }));
    assert.ok(stalled.stateBytes <= flowing.stateBytes, JSON.stringify({ stalled, flowing }));
    assert.ok(stalled.read < 2 * PER_SECOND * (HORIZON_S + 4), 'the log is the buffer: what lies beyond the horizon is not read');
  });
}
