// `paritas run --workers n`: the same bytes with any number of workers, and when one of them dies.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { runWorkers } from '../../topology/cli/run-workers.ts';
import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { capturedRecords, fill, linesIn, placeIn, positionsIn, runCalmly, runUntil, type Said, type TopicPlace } from './topics.ts';

const PARTITIONS = 4;
const folder = mkdtempSync(join(tmpdir(), 'paritas-workers-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { sourceFiles, targetFiles } = generateCapture({ events: 8000, out: join(folder, 'generated'), faultsEvery: 500 });
let should: Said;

before(async () => {
  should = await runCalmly(await place('calm'));
  ok(should.lines.length > 20, `only ${should.lines.length} records: they say little`);
});

for (const workers of [2, 4]) {
  test(`${workers} workers say what one says`, async () => {
    const at = await place(`workers-${workers}`, { workers });
    const { code, lines } = await runUntil(at, should);
    equal(code, 0, lines.join('\n'));
    deepEqual((await linesIn(at)).sort(), should.lines.toSorted());
    equal(await positionsIn(at), should.positions);
    equal(lines.filter(line => line.endsWith(': running')).length >= PARTITIONS + 1, true, lines.join('\n'));
  });
}

test('a worker that dies is replaced, the others go on with its tasks, and nothing is said twice or not at all', async () => {
  const at = await place('dying', { workers: 2 });
  const stop = new AbortController();
  const said: string[] = [];
  const run = runWorkers(partsOf(at, stop.signal, line => void said.push(line)), dyingScript('dying', 'once'));
  const untilMs = performance.now() + 60_000;
  const isDone = async (): Promise<boolean> => said.some(line => line.includes('died')) && await positionsIn(at) === should.positions && (await linesIn(at)).length >= should.lines.length;
  while (performance.now() < untilMs && !(await isDone())) await setTimeout(100);
  stop.abort();
  await run;
  deepEqual((await linesIn(at)).sort(), should.lines.toSorted());
  match(said.join('\n'), /worker 1 has died, and another one takes its place: shot/);
  deepEqual(said.filter(line => line.includes('wiped')), []);
});

test('one that dies again and again stops the service', async () => {
  const at = await place('dying-always', { workers: 2 });
  await rejects(runWorkers(partsOf(at, new AbortController().signal, () => undefined), dyingScript('always', 'always')), /worker 1 has died 4 times, at last of: shot/);
});

test('what stops a task stops all workers, and says why', async () => {
  const at = await place('refused', { workers: 2 });
  await runCalmly({ ...at, config: { ...at.config, workers: 1 } });
  // Another window: this state does not go on with it.
  const other = placeIn(join(folder, 'refused'), { embedded: { directory: join(folder, 'refused-log') } }, { application: 'shop', pairs: [{ ...PAIR, window: { ...PAIR.window, size: '2s' } }] }, { workers: 2 });
  await rejects(runWorkers(partsOf(other, new AbortController().signal, () => undefined)), /made under other settings/);
});

const side = (topic: string): object => ({ topic, format: 'debezium-json', replicaIdentity: 'full' });
const PAIR = {
  name: 'orders', source: side('source.orders'), target: side('target.orders'), key: ['id'], match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' },
  window: { size: '1s', lateness: '500ms', lag: '2000ms', skew: '100ms' }, columns: { ignore: ['origin_lsn'] },
};

async function place(name: string, more: object = {}): Promise<TopicPlace> {
  const directory = join(folder, `${name}-log`);
  const log = await openDurableLog({ directory, fsync: 'never' }, { nowMs: Date.now });
  await fill(log, [...capturedRecords(sourceFiles[0], 'source.orders', PARTITIONS), ...capturedRecords(targetFiles[0], 'target.orders', PARTITIONS)]);
  await log.close();
  return placeIn(join(folder, name), { embedded: { directory, fsync: 'never' } }, { application: 'shop', pairs: [PAIR] }, more);
}

function partsOf({ config }: TopicPlace, signal: AbortSignal, say: (line: string) => void): Parameters<typeof runWorkers>[0] {
  const clock = { nowMs: () => performance.now(), sleep: (ms: number, end: AbortSignal) => setTimeout(ms, undefined, { signal: end }).then(() => undefined, () => undefined) };
  return { config, pairs: config.pairs, clock, signal, say };
}

/** A worker whose first is shot in the middle of its work. */
function dyingScript(name: string, when: 'once' | 'always'): URL {
  const [script, mark] = [join(folder, `${name}.ts`), join(folder, `${name}.shot`)];
  writeFileSync(script, `
    import { existsSync, writeFileSync } from 'node:fs';
    import { workerData } from 'node:worker_threads';
    const isShot = workerData.worker === 1 && (${when === 'always'} || !existsSync(${JSON.stringify(mark)}));
    if (isShot) setTimeout(() => { writeFileSync(${JSON.stringify(mark)}, ''); throw new Error('shot'); }, 1500);
    await import(${JSON.stringify(join(import.meta.dirname, '../../topology/cli/run-worker.ts'))});
  `);
  return new URL(`file://${script}`);
}

