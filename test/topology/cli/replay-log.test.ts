// A service's own outputs, recomputed from the logs and its decisions: `paritas replay` without a file.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { stringify } from 'yaml';

import { openMemoryStore } from '../../../stores/memory-store.ts';
import { runCheck, runReplay } from '../../../topology/cli/check-engine.ts';
import { runService } from '../../../topology/cli/service.ts';
import { loadConfig } from '../../../topology/config.ts';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import { restoreStore } from '../../../topology/runtime/restoration.ts';
import { STATE_FAMILIES } from '../../../topology/runtime/task-state.ts';
import { realize } from '../../simulation/logs.ts';
import { toCapture, toConfig } from '../../simulation/render.ts';
import { ROUGH, workload } from '../../simulation/workload.ts';
import { runStub } from '../../support/stub-cli.ts';
import { untilQuiet } from '../../support/quiet-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const engine = { runCheck, runReplay, explainKey: () => Promise.resolve([]) };

/** A folder with a configuration, its captures, and the log that a service has written over them. */
async function served(folder: string, seed: number): Promise<void> {
  const history = realize(workload(seed, { ...ROUGH, events: 500, faults: 40 }));
  for (const side of ['source', 'target'] as const) writeFileSync(join(folder, `${side}.jsonl`), toCapture(history, side).map(line => `${line}\n`).join(''));
  const pair = toConfig(history.plan) as { source: object; target: object };
  const files = { ...pair, source: { ...pair.source, file: 'source.jsonl' }, target: { ...pair.target, file: 'target.jsonl' } };
  writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'shop', log: { embedded: { directory: './log', fsync: 'never' } }, pairs: [files] }));
  const config = loadConfig(join(folder, 'paritas.yaml'));
  assert.ok(config.log.kind === 'embedded');
  const log = await openDurableLog(config.log, { nowMs: () => 0 });
  await runService({
    owner: 'host:1', application: 'shop', pairs: config.pairs, outputs: config.outputs, commitIntervalMs: 5, say: () => undefined, ...untilQuiet(log, { tasks: 2, commitIntervalMs: 5 }),
    openStore: (_, changelog) => restoreStore({ log, changelog, open: () => Promise.resolve(openMemoryStore(STATE_FAMILIES)), wipe: () => undefined, nowMs: () => 0 }),
  });
  await log.close();
}

void test('every record of a service is recomputed byte by byte; under another configuration it says so', async (t) => {
  const folder = tempFolder(t, {});
  await served(folder, 42);
  const argv = ['replay', '--config', 'paritas.yaml', '-o', 'jsonl'];
  const { code, out, err } = await runStub(argv, { cwd: folder, engine });
  const [summary] = out.trimEnd().split('\n').map(text => JSON.parse(text) as Record<string, string>).filter(({ record }) => record === 'replay');
  assert.deepEqual([code, summary['differing'], summary['missing'], summary['extra']], [0, '0', '0', '0'], out + err);
  assert.ok(Number(summary['decisions']) > 10 && Number(summary['equal']) > 30, out);
  const other = await runStub([...argv, '--lag', '77s'], { cwd: folder, engine });
  assert.equal(other.code, 2);
  assert.match(other.err, /paritas\.audit-0@\d+|paritas\.verdicts-0@\d+/);
});

void test('no log and no file: says what to give', async (t) => {
  const folder = tempFolder(t, { 'paritas.yaml': 'application: shop\npairs:\n  - { name: a, source: { file: s }, target: { file: t }, match: { by: alignment } }\n' });
  const { code, err } = await runStub(['replay', '--config', 'paritas.yaml'], { cwd: folder, engine });
  assert.equal(code, 2);
  assert.match(err, /nothing to compare with: give --from FILE.*log directory a service has written/);
});
