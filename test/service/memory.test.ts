// What a service keeps in memory does not grow with the windows it has judged, although of one change in twenty nothing comes: buffers are counted,
// for a collector that has run has left no other. (How it goes over half an hour: npm run soak.)
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { runService } from '../../topology/cli/service.ts';
import { openTaskStore } from '../../topology/cli/task-store.ts';
import { loadConfig } from '../../topology/config.ts';
import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { changesOf, FEED_PAIRS } from './feeder.ts';

const ROWS_A_WINDOW = 60;
const WARM_UP_WINDOWS = 60;
const WINDOWS = 300;
/** Times that buffers are counted after the warm-up, and at the end; of each the least counts. */
const LOOKS = 10;
const MB = 1 << 20;
/** Each pool that a small Buffer keeps is 64 KiB, and there was one at least for each of the windows: 15 MB. */
const GROWTH_MB_MAX = 5;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('240 windows later a service holds the buffers that it held', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'paritas.yaml'), `application: memory
log: { embedded: { directory: ./log, fsync: never } }
state: { directory: ./state }
${FEED_PAIRS}    window: { size: 1s, lateness: 1s, lag: 2s, skew: 1s, retain: 10s }
`);
  const config = loadConfig(join(folder, 'paritas.yaml'));
  assert.ok(config.log.kind === 'embedded');
  const log = await openDurableLog(config.log, { nowMs: Date.now });
  for (const topic of ['src', 'tgt']) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
  const stop = new AbortController();
  const failed = new AbortController();
  const service = runService({
    application: config.application, pairs: config.pairs, outputs: config.outputs, commitIntervalMs: 0, log, owner: 'memory', signal: stop.signal, say: () => undefined,
    clock: { nowMs: () => performance.now(), sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).then(() => undefined, () => undefined) },
    openStore: (task, changelog) => openTaskStore({ config, task, log, changelog, say: () => undefined }),
  }).catch((error: unknown) => {
    failed.abort();
    throw error;
  });
  const verdicts = async (): Promise<number> => ((await log.topics()).includes(config.outputs.verdicts) ? log.endOffset({ topic: config.outputs.verdicts, partition: 0 }) : 0);
  const writer = await log.writer('feeder');
  const held: number[] = [];
  let n = 0;
  for (let window = 0; window < WINDOWS; window++) {
    const records = Array.from({ length: ROWS_A_WINDOW }, () => [...changesOf({ keys: 1000, lostOneIn: 20 }, n++, 1_700_000_000_000 + Math.floor((n / ROWS_A_WINDOW) * 1000))]).flat();
    await writer.append({ records, positions: [], group: 'feeder' });
    // As it would be at the pace of the clock: a commit for each window.
    while (await verdicts() < window - 10 && !failed.signal.aborted) await setTimeout(1);
    if (window < WARM_UP_WINDOWS || (window >= WARM_UP_WINDOWS + LOOKS && window < WINDOWS - LOOKS)) continue;
    collect();
    held.push(process.memoryUsage().arrayBuffers / MB);
  }
  stop.abort();
  await service;
  await log.close();
  const [before, after] = [Math.min(...held.slice(0, LOOKS)), Math.min(...held.slice(LOOKS))];
  t.diagnostic(`${before.toFixed(1)} MB, then ${after.toFixed(1)}`);
  assert.ok(after - before < GROWTH_MB_MAX, `${before.toFixed(1)} MB, then ${after.toFixed(1)}`);
});
