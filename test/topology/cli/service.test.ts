// The service at its start: what it refuses, and what it begins with. (That it goes on byte for byte: test/properties/service.test.ts.)
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { bytesPerSlice, outputBytesMax } from '../../../schemas/limits.ts';
import type { PairSettings } from '../../../schemas/pair.ts';
import type { OutputRecord, TaskRecord, VerdictRecord } from '../../../schemas/records.ts';
import { openMemoryStore } from '../../../stores/memory-store.ts';
import type { Clock } from '../../../topology/runtime/pacer.ts';
import { runService, type ServiceParts } from '../../../topology/cli/service.ts';
import { loadConfig } from '../../../topology/config.ts';
import { openDurableLog, type DurableLog } from '../../../topology/log/durable/durable-log.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import type { AppendBatch, Log } from '../../../topology/log/log.ts';
import { DEFAULT_OUTPUTS } from '../../../topology/reconcile.ts';
import { restoreStore } from '../../../topology/runtime/restoration.ts';
import { groupOf } from '../../../topology/runtime/task-id.ts';
import { STATE_FAMILIES } from '../../../topology/runtime/task-state.ts';
import { appendTo, withAppends } from '../../support/append.ts';
import { untilQuiet } from '../../support/quiet-clock.ts';
import { simulatedFiles } from '../../support/simulated-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function line(offset: number, second: number): string {
  const value = JSON.stringify({
    before: null, after: { id: offset, origin: offset }, op: 'c', ts_ms: 1,
    source: { connector: 'postgresql', ts_ms: 1_700_000_000_000 + second * 1000, lsn: offset, sequence: `[null,"${offset}"]`, snapshot: 'false' },
  });
  return `${JSON.stringify({ topic: 't', partition: 0, offset, timestamp: 1_700_000_000_000 + second * 1000, key: `{"id":${offset}}`, value })}\n`;
}

function pairIn(t: TestContext, first = 0): { pair: PairSettings; folder: string } {
  const folder = tempFolder(t, {
    'paritas.yaml': `application: shop
pairs:
  - name: orders
    source: { file: s.jsonl, topic: t }
    target: { file: t.jsonl, topic: t }
    match: { by: origin, source: source.lsn, target: after.origin }
    columns: { ignore: [origin] }
    window: { size: 1s, lateness: 1s, lag: 2s, skew: 1s }
`,
  });
  for (const side of ['s', 't']) writeFileSync(join(folder, `${side}.jsonl`), Array.from({ length: 20 }, (_, i) => line(first + i, i).replaceAll('"topic":"t"', `"topic":"${side}"`)).join(''));
  const [pair] = loadConfig(join(folder, 'paritas.yaml')).pairs;
  return { pair: { ...pair, source: { ...pair.source, topic: 's' } }, folder };
}

/** Runs to the end of the captures, on a store of its own each time. */
async function runToEnd(pair: PairSettings, log: Log, more: Partial<ServiceParts> = {}): Promise<string[]> {
  const said: string[] = [];
  const quiet = untilQuiet(log, { tasks: 2 * (more.pairs?.length ?? 1), commitIntervalMs: 1 });
  await runService({
    application: 'shop', pairs: [pair], outputs: DEFAULT_OUTPUTS, commitIntervalMs: 1, owner: 'host:1', log: quiet.log, signal: quiet.signal, say: text => void said.push(text), clock: quiet.clock,
    openStore: (_, changelog) => restoreStore({ log, changelog, open: () => Promise.resolve(openMemoryStore(STATE_FAMILIES)), wipe: () => undefined, nowMs: () => 0 }),
    ...more,
  });
  return said;
}

const GROUP = groupOf('shop', { pair: 'orders', subTopology: 'reconcile', partition: 0 });

const verdictsOf = (log: Log): Promise<number> => log.endOffset({ topic: DEFAULT_OUTPUTS.verdicts, partition: 0 });

void test('it says what each pair does, and gives verdicts as windows close', async (t) => {
  const { pair } = pairIn(t);
  const log = openEmbeddedLog();
  const said = await runToEnd(pair, log);
  for (const task of ['orders/reconcile/0', 'orders/merge']) {
    assert.deepEqual(said.filter(line => line.startsWith(`${task}:`)), ['restoring', 'running', 'suspended', 'closed'].map(state => `${task}: ${state}`));
  }
  const verdicts = await verdictsOf(log);
  assert.ok(verdicts > 10);
  assert.equal(await log.committed(GROUP, { topic: 's', partition: 0 }), 20);
  await runToEnd(pair, log);
  assert.equal(await verdictsOf(log), verdicts, 'a second start repeats nothing');
});

void test('the status topic says who has the task, how far it is, and which partition holds the windows since when', async (t) => {
  const { pair } = pairIn(t);
  const log = openEmbeddedLog();
  const stop = new AbortController();
  let ms = 0;
  // Both of its tasks wait for what never comes, a minute each time.
  await runToEnd(pair, log, {
    signal: stop.signal, logNowMs: () => 1_700_000_100_000 + ms,
    clock: { nowMs: () => ms, sleep: bothAsleep(2, () => void ((ms += 60_000) > 200_000 && stop.abort())) },
  });
  const reader = await log.open({ topic: DEFAULT_OUTPUTS.status, partition: 0 }, 0);
  const last = new Map<string, OutputRecord>();
  while (await reader.fill()) while (reader.next()) last.set(reader.record.data.toString('utf8', reader.record.keyStart, reader.record.keyEnd), JSON.parse(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd)) as OutputRecord);
  const { at, since, ...task } = last.get('orders/reconcile/0') as TaskRecord;
  assert.deepEqual(task, { record: 'task', pair: 'orders', task: 'orders/reconcile/0', state: 'closed', owner: 'host:1', recordsRead: '40', openWindows: '5', eventsBuffered: '10', openDivergences: '0' });
  assert.deepEqual([at, since], Array(2).fill('2023-11-14T22:19:00.000000Z'));
  assert.deepEqual(last.get('orders/source/s/0'), {
    record: 'status', pair: 'orders', side: 'source', topic: 's', partition: 0, watermark: '2023-11-14T22:13:38.000000Z', lagMs: '322000', stalled: true, since: '2023-11-14T22:16:00.000000Z',
    reason: 'its last commit time is 2023-11-14T22:13:39.000000Z; the window that ends at 2023-11-14T22:13:36.000000Z closes once a commit time of 2023-11-14T22:13:40.000000Z was read',
  });
});

void test('dead letters that come as fast as they are read do not wait for the interval: no append is much larger than the bound', async (t) => {
  const { pair } = pairIn(t);
  const log = openEmbeddedLog();
  const [count, valueBytes] = [400, 64 << 10];
  const value = Buffer.from('x'.repeat(valueBytes));
  for (const topic of ['s', 't']) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
  for (let n = 0; n < count; n++) await appendTo(log, { records: ['s', 't'].map(topic => ({ topic, partition: 0, key: null, value })), positions: [], group: 'test' });
  const appends: number[] = [];
  const bytesOf = ({ records }: AppendBatch): number => records.reduce((sum, record) => sum + (record.value?.length ?? 0), 0);
  const watched = withAppends(log, (writer, batch) => {
    appends.push(bytesOf(batch));
    return writer.append(batch);
  });
  const intervalMs = 60_000;
  const quiet = untilQuiet(watched, { tasks: 2, commitIntervalMs: intervalMs });
  const [source, target] = [pair.source, pair.target].map(side => ({ ...side, files: [] }));
  await runToEnd({ ...pair, source, target }, quiet.log, { commitIntervalMs: intervalMs, signal: quiet.signal, clock: quiet.clock });
  assert.equal(await log.endOffset({ topic: DEFAULT_OUTPUTS.deadLetters, partition: 0 }), 2 * count);
  const letters = appends.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(letters > 4 * outputBytesMax, `${letters} bytes of dead letters`);
  // A slice more, each letter with its value as base64.
  assert.ok(Math.max(...appends) < outputBytesMax + 2 * bytesPerSlice, `an append of ${Math.max(...appends)} bytes`);
});

void test('positions that the log has forgotten are refused, with the command that puts them back', async (t) => {
  const { pair } = pairIn(t);
  const log = openEmbeddedLog();
  await runToEnd(pair, log);
  const none = (): Promise<undefined> => Promise.resolve(undefined);
  const forgetful: Log = { ...log, committed: none, writer: async id => ({ ...await log.writer(id), committed: none }) };
  await assert.rejects(runToEnd(pair, forgetful), {
    code: 'state', message: /is none\. A Kafka broker forgets .* kafka-consumer-groups\.sh --group shop\/orders\/\w+(\/0)? --reset-offsets --topic [\w-]+:0 --to-offset \d+ --execute$/,
  });
});

void test('positions changed by hand are refused, naming both', async (t) => {
  const { pair } = pairIn(t);
  const log = openEmbeddedLog();
  await runToEnd(pair, log);
  await appendTo(log, { records: [], positions: [{ topic: 't', partition: 0, offset: 3 }], group: GROUP });
  await assert.rejects(runToEnd(pair, log), { code: 'state', message: /^task orders\/reconcile\/0: the state has read t-0 to 20, and the committed position of the group shop\/orders\/reconcile\/0 is 3\. / });
});

void test('a capture that was cut is refused', async (t) => {
  const { pair, folder } = pairIn(t);
  const log = openEmbeddedLog();
  await runToEnd(pair, log);
  truncateSync(join(folder, 's.jsonl'), line(0, 0).length * 3);
  await assert.rejects(runToEnd(pair, log), { code: 'input', message: /^s-0: the capture ends at offset \d+, and it was read to 20 before/ });
});

void test('a topic that the log has not is refused, with those it has', async (t) => {
  const { pair } = pairIn(t);
  const noFile = { ...pair, source: { ...pair.source, files: [] } };
  await assert.rejects(runToEnd(noFile, openEmbeddedLog()), { code: 'input', message: /^pair "orders": the log has no topic s; it has .*shop-orders-windows/ });
});

void test('captures that begin in mid-stream', async (t) => {
  const { pair } = pairIn(t, 1000);
  const log = openEmbeddedLog();
  await runToEnd(pair, log);
  assert.ok(await verdictsOf(log) > 10);
  await runToEnd(pair, log);
});

void test('topics: a partition that falls silent lets its windows close by the clock of the log and the declared capture delay', async (t) => {
  const { pair } = pairIn(t);
  const verdictsAt = async (logNowMs: (() => number) | undefined): Promise<number> => {
    const log = openEmbeddedLog();
    for (const topic of ['s', 't']) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
    const records = ['s', 't'].flatMap(topic => Array.from({ length: topic === 's' ? 8 : 20 }, (_, i) => {
      const { key, value, timestamp } = JSON.parse(line(i, i)) as { key: string; value: string; timestamp: number };
      return { topic, partition: 0, key: Buffer.from(key), value: Buffer.from(value), timestampMs: timestamp };
    }));
    await appendTo(log, { records, positions: [], group: 'writer' });
    const source = { ...pair.source, topic: 's', files: [], captureDelayUs: 1_000_000 };
    await runToEnd({ ...pair, source, target: { ...pair.target, topic: 't', files: [] } }, log, logNowMs === undefined ? {} : { logNowMs });
    return verdictsOf(log);
  };
  const byData = await verdictsAt(undefined);
  assert.equal(await verdictsAt(() => 1_700_000_000_000), byData, 'a clock that has not come further proves nothing more');
  // The clock less the delay, the skew, the lag and the lateness lets windows to the 12th second close.
  assert.ok(await verdictsAt(() => 1_700_000_017_000) > byData + 4);
});

void test('other settings than those of the state are refused, with old and new; outputs and another pair may change', async (t) => {
  const { pair } = pairIn(t);
  const log = openEmbeddedLog();
  await runToEnd(pair, log);
  const verdicts = await verdictsOf(log);
  const other: PairSettings = { ...pair, configHash: 'other', window: { ...pair.window, lagUs: 9_000_000 } };
  await assert.rejects(runToEnd(other, log), /pair "orders": its state was made under other settings[^]*\n {2}window\.lagUs: was 2000000, is 9000000\n[^]*paritas state reset --pair orders --execute/);
  assert.equal(await verdictsOf(log), verdicts);
  await runToEnd(pair, log, { outputs: { ...DEFAULT_OUTPUTS, verdicts: 'elsewhere' }, pairs: [pair, { ...other, name: 'orders-2' }] });
  assert.equal(await verdictsOf(log), verdicts);
  assert.ok(await log.endOffset({ topic: 'elsewhere', partition: 0 }) > 0);
});

/** Rows of both sides in a log whose topics keep a second; each side's, by their numbers. */
async function keptForASecond(sides: Readonly<Record<'s' | 't', readonly number[]>>): Promise<DurableLog> {
  const log = await openDurableLog({ directory: 'log', fsync: 'always', segmentBytes: 600 }, { files: simulatedFiles(), lock: () => () => { /* one process */ }, newId: () => Buffer.alloc(16, 7) });
  for (const topic of ['s', 't'] as const) {
    await log.createTopic(topic, { partitions: topic === 's' ? 2 : 1, cleanup: 'delete', retention: { ageMs: 1000 } });
    await appendRows(log, topic, sides[topic]);
  }
  return log;
}

async function appendRows(log: Log, topic: string, numbers: readonly number[], partition = 0): Promise<void> {
  for (const n of numbers) {
    const { key, value, timestamp } = JSON.parse(line(n, n)) as { key: string; value: string; timestamp: number };
    await appendTo(log, { records: [{ topic, partition, key: Buffer.from(key), value: Buffer.from(value), timestampMs: timestamp }], positions: [], group: 'writer' });
  }
}

/** How many verdicts of each kind were given. */
async function changesIn(log: Log): Promise<Record<string, number>> {
  const reader = await log.open({ topic: DEFAULT_OUTPUTS.verdicts, partition: 0 }, 0);
  const counts: Record<string, number> = {};
  while (await reader.fill()) {
    while (reader.next()) {
      const { change } = JSON.parse(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd)) as VerdictRecord;
      counts[change] = (counts[change] ?? 0) + 1;
    }
  }
  return counts;
}

const upTo = (end: number, from = 0): number[] => Array.from({ length: end - from }, (_, i) => from + i);
const atSecond = (second: number): number => 1_700_000_000_000 + second * 1000;
const inTopics = (pair: PairSettings): PairSettings => ({ ...pair, partitioning: 'repartition', source: { ...pair.source, files: [] }, target: { ...pair.target, topic: 't', files: [] } });

void test('retention that overtakes a reader while it runs stops the service, and the next start says the same', async (t) => {
  const { pair } = pairIn(t);
  const log = await keptForASecond({ s: upTo(200), t: [0] });
  await appendRows(log, 's', [0, 199], 1);
  const stop = new AbortController();
  let waits = 0;
  const gone = (what: string): RegExp => new RegExp(`^pair "orders": s-0 was read to offset \\d+, and ${what}\\. No verdict can speak of what is gone: put the log back, or begin a new chain beside this one: paritas state reset --pair orders --execute`);
  await assert.rejects(runToEnd(inTopics(pair), log, {
    signal: stop.signal,
    clock: {
      nowMs: () => waits,
      async sleep() {
        if (waits++ > 50) return stop.abort();
        if (waits !== 1) return;
        await log.maintain(atSecond(190));
        await appendRows(log, 't', upTo(200, 1));
      },
    },
  }), { code: 'state', message: gone("s-0@\\d+: the record to read next is gone by the topic's retention, and the first that is left is 1\\d\\d") });
  const verdicts = await verdictsOf(log);
  await assert.rejects(runToEnd(inTopics(pair), log), { code: 'state', message: gone('its log begins at 1\\d\\d now: retention has taken \\d+ offsets that were not read') });
  assert.equal(await verdictsOf(log), verdicts, 'what was said before stands, and nothing is added');
});

void test('a partition of which retention has left nothing begins where its log begins: the first windows are undecidable, and a second start goes on', async (t) => {
  const { pair } = pairIn(t);
  const log = await keptForASecond({ s: upTo(20), t: upTo(20) });
  await appendRows(log, 's', upTo(30, 25), 1);
  // The newest segment stays, so other topics have to fill it.
  await appendRows(log, 't', upTo(60, 20));
  await log.maintain(atSecond(70));
  await appendRows(log, 's', upTo(90, 70));
  await appendRows(log, 't', upTo(90, 70));
  assert.deepEqual([await log.beginningOffset({ topic: 's', partition: 1 }), await log.endOffset({ topic: 's', partition: 1 })], [5, 5]);
  const silent = { ...inTopics(pair), source: { ...inTopics(pair).source, captureDelayUs: 1_000_000 } };
  await runToEnd(silent, log, { logNowMs: () => atSecond(89) });
  const verdicts = await verdictsOf(log);
  assert.deepEqual(await changesIn(log), { undecidable: 4, parity: 10 });
  assert.equal(await log.committed(GROUP, { topic: 's', partition: 1 }), 5);
  await runToEnd(silent, log, { logNowMs: () => atSecond(89) });
  assert.equal(await verdictsOf(log), verdicts);
});

/** A sleep that ends when all tasks are in it, or when its own signal wakes it. */
function bothAsleep(tasks: number, pass: () => void): Clock['sleep'] {
  const asleep = new Set<() => void>();
  return (_, signal) => new Promise(resolve => {
    const wake = (): void => {
      asleep.delete(wake);
      resolve();
    };
    if (signal.aborted) return wake();
    signal.addEventListener('abort', wake, { once: true });
    if (asleep.add(wake).size < tasks) return;
    pass();
    for (const one of [...asleep]) one();
  });
}
