// Trap 19. Nothing comes any more: the last windows close by heartbeats that went through the databases, and the verdicts name that evidence. Without
// heartbeats they stay open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppendRecord } from '../../topology/log/log.ts';
import { change, live, openLog, placeOf, recordsOf, START_MS, write } from './place.ts';

const ROWS = 10;
const written = (topic: 'src' | 'tgt'): AppendRecord[] => Array.from({ length: ROWS }, (_, i) => change(topic, { id: i, atMs: i * 1000 + (topic === 'tgt' ? 300 : 0), lsn: 100 + i }));
const beats = (topic: string): AppendRecord[] => Array.from({ length: 40 }, (_, i) => ({ ...change('src', { id: 1, atMs: i * 1000, lsn: 5000 + i }), topic }));

for (const heartbeats of [true, false]) {
  void test(`trap 19: an idle stream ${heartbeats ? 'with' : 'without'} heartbeats`, async (t) => {
    const place = placeOf(t, heartbeats ? { source: ', heartbeat: { topic: hs }, delivery: exactly-once' } : {});
    const [pair] = place.config.pairs;
    const pairs = heartbeats ? [{ ...pair, target: { ...pair.target, heartbeat: { topic: 'ht', files: [] }, delivery: 'exactly-once' as const } }] : [pair];
    const log = await openLog(place);
    await write(log, [...written('src'), ...written('tgt'), ...(heartbeats ? [...beats('hs'), ...beats('ht')] : [])], heartbeats ? { hs: 1, ht: 1 } : {});
    await live(place, { log, more: { pairs, logNowMs: () => START_MS + 60_000 } });
    await log.close();
    const { verdicts, manifests } = await recordsOf(place);
    assert.deepEqual(manifests, []);
    assert.equal(verdicts.length, heartbeats ? ROWS : 5);
    if (heartbeats) assert.deepEqual(new Set(verdicts[ROWS - 1].evidence.map(({ tier }) => tier)), new Set(['heartbeat-action']));
  });
}
