// Real captures whose last windows close by what lies beside the rows, heartbeats and transactions, and not by --complete; and what of them
// proves nothing. Both databases of a capture run on one machine, so ε is short, and L is the lag that the pipeline had when idle.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { stringify } from 'yaml';

import type { DecisionRecord, StatusRecord, SummaryRecord, Tier, VerdictRecord } from '../../schemas/records.ts';
import { captureFile, capturePair, fixtures, type CaptureTarget } from '../support/captures.ts';
import { checkConfig, type Checked } from '../support/check.ts';
import { checkAndReplay, judged } from '../support/replay.ts';

type Beside = 'heartbeat' | 'transactions' | 'timer';
type Pair = Record<string, unknown>;
const SHORT = { size: '100ms', lateness: '50ms', lag: '1s', skew: '50ms' };
const EXACTLY = { delivery: 'exactly-once' };

/** The pair of a table against a target, with what is beside its rows. */
function pairWith(capture: string, table: string, beside: readonly Beside[], side: Record<string, unknown>, window: object = SHORT, target: CaptureTarget = 'tgt'): Pair {
  const pair = capturePair(capture, table, target);
  const withTopics = (name: string): Record<string, unknown> => ({ ...(pair[name === 'src' ? 'source' : 'target'] as object), ...topics(capture, name, beside), ...side });
  return { ...pair, source: withTopics('src'), target: withTopics(target), window };
}

function topics(capture: string, name: string, beside: readonly Beside[]): Record<string, unknown> {
  const heartbeat = beside.includes('timer') ? `__debezium-heartbeat.${name}` : `${name}.${name === 'tgtm' ? 'shop' : 'public'}.heartbeat`;
  return {
    ...(beside.includes('transactions') ? { transactionTopic: `${name}.transaction`, transactionFile: captureFile(capture, `${name}.transaction`) } : {}),
    ...(beside.includes('heartbeat') || beside.includes('timer') ? { heartbeat: { topic: heartbeat, file: captureFile(capture, heartbeat) } } : {}),
  };
}

async function checked(pair: Pair, complete = false): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-evidence-'));
  try {
    writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'evidence', pairs: [pair] }));
    return await checkConfig(join(folder, 'paritas.yaml'), { complete });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const verdictsOf = ({ records }: Checked): VerdictRecord[] => records.filter((r): r is VerdictRecord => r.record === 'verdict');
const stalledOf = ({ records }: Checked): StatusRecord[] => records.filter((r): r is StatusRecord => r.record === 'status' && r.stalled);
const summaryOf = ({ records }: Checked): SummaryRecord => records.at(-1) as SummaryRecord;
const openOf = (result: Checked): number => Number(summaryOf(result).windows.open);
const findingsOf = ({ records }: Checked): string[] => records.filter((r) => r.record === 'manifest').map((r) => `${r.class} ${JSON.stringify(r.key)}`).sort();
const tiersOf = (verdicts: readonly VerdictRecord[]): Set<Tier> => new Set(verdicts.flatMap(({ evidence }) => evidence.map(({ tier }) => tier)));
const sorted = (set: ReadonlySet<string>): string[] => [...set].sort();

const WITH_FAULTS = ['faults-all', 'fault-oob-update', 'fault-oob-delete', 'fault-oob-insert', 'fault-lost', 'fault-lost-converged', 'fault-duplicate', 'fault-reorder', 'toast', 'truncate-race'];
for (const capture of WITH_FAULTS) {
  for (const table of ['orders', 'customers']) {
    void test(`${capture}, ${table}: every window closes by heartbeats and transactions, and the findings are those of a complete check`, async () => {
      const result = await checked(pairWith(capture, table, ['heartbeat', 'transactions'], EXACTLY));
      assert.equal(openOf(result), 0);
      assert.deepEqual(findingsOf(result), findingsOf(await checked(capturePair(capture, table, 'tgt'), true)));
      assert.deepEqual(stalledOf(result), []);
      assert.deepEqual(sorted(tiersOf(verdictsOf(result))).filter((tier) => tier !== 'data'), ['heartbeat-action']);
      assert.ok(tiersOf(verdictsOf(result).slice(-1)).has('heartbeat-action'), 'the last one rests on them');
      for (const { confidence, evidence } of verdictsOf(result)) {
        assert.equal(confidence, evidence.every(({ tier }) => tier === 'heartbeat-action') ? 'proven' : 'assumed');
      }
    });
  }
}

const BOTH: readonly Beside[] = ['heartbeat', 'transactions'];
/** `items` has no origin. */
const ALIGNED = { match: { by: 'alignment' } };

for (const capture of WITH_FAULTS) {
  void test(`${capture}, items by alignment: every window closes by heartbeats and transactions, and the findings are those of a complete check under the same lag`, async () => {
    const pair = { ...pairWith(capture, 'items', BOTH, EXACTLY), ...ALIGNED };
    const result = await checked(pair);
    assert.deepEqual([openOf(result), stalledOf(result)], [0, []]);
    assert.ok(verdictsOf(result).length > 0 && tiersOf(verdictsOf(result).slice(-1)).has('heartbeat-action'));
    assert.deepEqual(findingsOf(result), findingsOf(await checked({ ...capturePair(capture, 'items', 'tgt'), ...ALIGNED, window: SHORT }, true)));
  });
}

void test('items by alignment: rows that were there before are loaded more than a second later; a lag that is shorter cannot tell their loads from out-of-band writes', async () => {
  const loads = [1, 2, 3, 4, 5].map((id) => `unexpected {"id":"${id}"}`);
  for (const capture of ['fault-lost', 'toast', 'truncate-race']) {
    const of = (lag: string): Promise<Checked> => checked({ ...pairWith(capture, 'items', BOTH, EXACTLY, { ...SHORT, lag }), ...ALIGNED });
    const whole = findingsOf(await checked({ ...capturePair(capture, 'items', 'tgt'), ...ALIGNED }, true));
    const long = await of('1500ms');
    assert.deepEqual([openOf(long), findingsOf(long)], [0, whole], capture);
    assert.deepEqual(findingsOf(await of('1s')).filter((line) => line.startsWith('unexpected')), loads, capture);
  }
});

/** Whole seconds: ε is a second, and of many captures the last window then lies behind the last heartbeat. */
const SECONDS = { size: '1s', lateness: '50ms', lag: '1500ms', skew: '1s' };
for (const [capture, table] of [['fault-oob-update', 'customers'], ['fault-lost', 'items'], ['toast', 'items'], ['toast', 'customers'], ['truncate-race', 'orders'], ['truncate-race', 'customers']] as const) {
  void test(`${capture}, ${table} against MariaDB: every window closes by heartbeats and transactions, and the findings are those of a complete check`, async () => {
    const match = table === 'items' ? ALIGNED : {};
    const result = await checked({ ...pairWith(capture, table, BOTH, EXACTLY, SECONDS, 'tgtm'), ...match });
    assert.deepEqual([openOf(result), stalledOf(result)], [0, []]);
    assert.deepEqual(findingsOf(result), findingsOf(await checked({ ...capturePair(capture, table, 'tgtm'), ...match }, true)));
    assert.ok(verdictsOf(result).length > 0 && tiersOf(verdictsOf(result).slice(-1)).has('heartbeat-action'));
  });
}

void test('fault-oob-insert, items against MariaDB: what the heartbeats do not reach is held by name, and of it nothing is said', async () => {
  const result = await checked({ ...pairWith('fault-oob-insert', 'items', BOTH, EXACTLY, SECONDS, 'tgtm'), ...ALIGNED });
  assert.ok(openOf(result) > 0 && stalledOf(result).length > 0);
  for (const { reason } of stalledOf(result)) assert.match(reason, /^no heartbeat since .* \(topic (src|tgtm)\./);
});

void test('without them the last windows stay open, and the partitions that hold them are named', async () => {
  const result = await checked(pairWith('faults-all', 'orders', [], {}));
  assert.ok(openOf(result) > 0);
  assert.ok(stalledOf(result).length > 0);
  for (const { reason } of stalledOf(result)) assert.match(reason, /^its last commit time is .*; the window that ends at .* closes once a commit time of .* was read$/);
});

void test('a heartbeat without an action query proves nothing: the same windows close as without, and it is said why', async () => {
  const timer = await checked(pairWith('faults-all', 'orders', ['timer'], EXACTLY));
  const none = await checked(pairWith('faults-all', 'orders', [], {}));
  assert.deepEqual(verdictsOf(timer).map(({ window, coreHash }) => [window.end, coreHash]), verdictsOf(none).map(({ window, coreHash }) => [window.end, coreHash]));
  assert.deepEqual(sorted(tiersOf(verdictsOf(timer))), ['data']);
  assert.match(stalledOf(timer)[0].reason, /^no heartbeat that went through the database: those of __debezium-heartbeat\.src are a timer's and prove nothing/);
});

void test('a connector that writes at least once: a heartbeat counts a grace later, and a verdict is never proven', async () => {
  const graced = await checked(pairWith('fault-lost', 'orders', ['heartbeat', 'transactions'], { deliveryGrace: '200ms' }));
  assert.ok(openOf(graced) <= openOf(await checked(pairWith('fault-lost', 'orders', [], {}))));
  assert.deepEqual(sorted(tiersOf(verdictsOf(graced))), ['data', 'heartbeat-grace']);
  assert.ok(verdictsOf(graced).every(({ confidence }) => confidence === 'assumed'));
  const held = await checked(pairWith('fault-lost', 'orders', ['heartbeat', 'transactions'], {}));
  assert.deepEqual(sorted(tiersOf(verdictsOf(held))), ['data'], 'none is two minutes old');
  assert.match(stalledOf(held)[0].reason, /^no heartbeat that counts in src\.transaction, src\.public\.heartbeat/);
});

void test('a declared capture delay: the time of the log is that of its records, a timer\'s heartbeats too', async () => {
  const delayed = await checked(pairWith('fault-lost', 'orders', ['timer'], { captureDelay: '100ms' }));
  assert.ok(tiersOf(verdictsOf(delayed)).has('end-offset'));
  assert.ok(verdictsOf(delayed).every(({ confidence }) => confidence === 'assumed'));
  assert.ok(openOf(delayed) < openOf(await checked(pairWith('fault-lost', 'orders', ['timer'], {}))));
  const long = await checked(pairWith('fault-lost', 'orders', ['timer'], { captureDelay: '1h' }));
  assert.deepEqual(sorted(tiersOf(verdictsOf(long))), ['data']);
  assert.match(stalledOf(long)[0].reason, /that its end was read proves no more than .* \(captureDelay\)/);
});

void test('property 8: a partition without a record holds every window and is named, until something says that it has nothing to say', async () => {
  const four = { partitions: 4 };
  const held = await checked(pairWith('fault-lost', 'orders', [], four));
  assert.deepEqual([verdictsOf(held).length, held.exitCode], [0, 3]);
  assert.deepEqual(stalledOf(held).filter(({ reason }) => reason.startsWith('no record with a commit time')).map(({ side, topic, partition }) => `${side} ${topic}-${partition}`),
    ['source src.public.orders-3', 'target tgt.public.orders-3']);
  const passed = await checked(pairWith('fault-lost', 'orders', ['heartbeat', 'transactions'], { ...EXACTLY, ...four }));
  const three = await checked(pairWith('fault-lost', 'orders', ['heartbeat', 'transactions'], EXACTLY));
  assert.deepEqual(verdictsOf(passed).map(({ coreHash }) => coreHash), verdictsOf(three).map(({ coreHash }) => coreHash));
  assert.deepEqual(verdictsOf(passed).map(({ evidence }) => evidence[3].tier), verdictsOf(passed).map(() => 'heartbeat-action'));
});

void test('main: under the lag it had, evidence closes more windows, finds nothing, and what it does not reach is held by name', async () => {
  const long = { size: '1s', lateness: '50ms', lag: '14s', skew: '50ms' };
  const result = await checked(pairWith('main', 'orders', ['heartbeat', 'transactions'], EXACTLY, long));
  const alone = await checked(pairWith('main', 'orders', [], {}, long));
  assert.deepEqual(findingsOf(result), []);
  assert.ok(openOf(result) > 0 && openOf(result) < openOf(alone), `${openOf(result)} open, ${openOf(alone)} by the data alone`);
  assert.ok(stalledOf(result).length > 0);
  for (const { reason } of stalledOf(result)) assert.match(reason, /^no heartbeat since 2026-11-30T21:14:2\d\.\d{6}Z \(topic (src|tgt)\./);
});

void test('crash-redelivery: ENDs and heartbeats that are sent again do not go back, and nothing comes late behind them', async () => {
  const result = await checked(pairWith('crash-redelivery', 'orders', ['heartbeat', 'transactions'], EXACTLY));
  const marks = result.records.filter((r): r is DecisionRecord => r.record === 'decision').map(({ closeUpTo }) => closeUpTo);
  assert.deepEqual(marks, [...marks].sort());
  assert.equal(openOf(result), 0);
  assert.equal(summaryOf(result).counts.late, '0');
  const sentAgain = (JSON.parse(readFileSync(join(fixtures, 'crash-redelivery', 'faults.json'), 'utf8')) as { class: string; table: string }[])
    .filter((fault) => fault.table === 'orders' && fault.class.startsWith('redelivered-by-'));
  assert.equal(summaryOf(result).counts.redelivered, String(sentAgain.length));
});

/** A capture of a source alone, held against itself: what its own log lets one say. */
function againstItself(capture: string, table: string, side: Record<string, unknown>, window: object = SHORT): Pair {
  const pair = capturePair(capture, table, 'tgt');
  const own = { ...(pair['source'] as object), ...side };
  return { ...pair, source: own, target: own, match: { by: 'origin', source: 'source.lsn', target: 'source.lsn' }, window };
}

void test('messages: only transactional ones prove; the others carry the time of the last commit and arrive in plenty', async () => {
  const withMessages = await checked(againstItself('messages', 'items', { ...EXACTLY, heartbeat: { topic: 'src.message', file: captureFile('messages', 'src.message') } }));
  assert.equal(openOf(withMessages), 1, 'two transactional ones, and the change comes with the second');
  for (const { reason } of stalledOf(withMessages)) assert.match(reason, /^no heartbeat since 2026-11-30T21:21:22\.391597Z \(topic src\.message\)/, 'though messages were written for four seconds more');
  const withTransactions = await checked(againstItself('messages', 'items', { ...EXACTLY, ...topics('messages', 'src', ['transactions']) }));
  assert.deepEqual([openOf(withTransactions), findingsOf(withTransactions), withTransactions.exitCode], [0, [], 0]);
  assert.deepEqual(verdictsOf(withTransactions).map(({ confidence }) => confidence), ['proven']);
});

/** The rows and the messages in one partition, in the order in which the broker had them, as a transform leaves it that routes messages to the rows. */
function routed(messages: readonly string[]): string[] {
  const records = [...oneFile('messages', ['src.public.items']), ...messages].map((line) => JSON.parse(line) as { timestamp: number });
  return records.sort((a, b) => a.timestamp - b.timestamp).map((record, offset) => JSON.stringify({ ...record, topic: 'rows', partition: 0, offset }));
}

void test('messages in the partition of the rows: a transactional one has a commit time there and counts like a row; the others say nothing', async () => {
  const messages = oneFile('messages', ['src.message']);
  const transactional = messages.filter((line) => !line.includes('\\"txId\\":null'));
  const told = async (among: readonly string[]): Promise<unknown[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'paritas-routed-'));
    try {
      writeFileSync(join(folder, 'rows.jsonl'), routed(among).join('\n'));
      const result = await checked(againstItself('messages', 'items', { file: join(folder, 'rows.jsonl'), topic: 'rows', ...EXACTLY }, { size: '1ms', lateness: '0ms', lag: '0ms', skew: '0ms' }));
      const { counts } = summaryOf(result);
      return [openOf(result), verdictsOf(result).map(({ change, confidence }) => `${change} ${confidence}`), sorted(tiersOf(verdictsOf(result))), counts.excluded, counts.deadLettered];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  assert.equal(transactional.length, 2);
  // Five rows that were read and the messages are excluded, on both sides.
  assert.deepEqual(await told([]), [1, [], [], '10', '0']);
  assert.deepEqual(await told(messages.filter((line) => !transactional.includes(line))), [1, [], [], '26', '0']);
  assert.deepEqual(await told(messages), [0, ['parity assumed'], ['data'], '30', '0'], 'the second transactional one, a millisecond behind the row');
});

void test('exactly-once: holes in the offsets are no gap, no record is there twice, and idle partitions are proven', async () => {
  for (const table of ['orders', 'customers', 'items']) {
    const result = await checked(againstItself('exactly-once', table, { ...EXACTLY, ...topics('exactly-once', 'src', ['heartbeat', 'transactions']) }));
    const { counts } = summaryOf(result);
    assert.deepEqual([openOf(result), findingsOf(result), counts.redelivered, counts.late, result.exitCode], [0, [], '0', '0', 0]);
    const proven = verdictsOf(result).filter(({ confidence }) => confidence === 'proven');
    assert.ok(proven.length > 0, 'the last windows, which no partition has a record behind');
    assert.equal(proven.at(-1), verdictsOf(result).at(-1));
  }
});

void test('snapshot: rows that were read open no window and prove nothing, those of the heartbeat table neither; the changes behind it are judged', async () => {
  const orders = await checked(againstItself('snapshot', 'orders', { ...EXACTLY, ...topics('snapshot', 'src', ['heartbeat', 'transactions']) }));
  assert.deepEqual([openOf(orders), findingsOf(orders), summaryOf(orders).counts.sourceEvents, summaryOf(orders).counts.excluded], [0, [], '3', '12']);
  const customers = await checked(againstItself('snapshot', 'customers', { ...EXACTLY, ...topics('snapshot', 'src', ['heartbeat']) }));
  assert.deepEqual([summaryOf(customers).counts.sourceEvents, openOf(customers)], ['0', 0]);
  assert.equal(customers.exitCode, 3, 'five rows were read and none was changed: no window closed, and nothing was shown');
  const readOnly = gunzipSync(readFileSync(captureFile('snapshot', 'src.public.heartbeat'))).toString().trim().split('\n').filter((line) => line.includes('\\"op\\":\\"r\\"'));
  assert.equal(readOnly.length, 1);
});

/** Rows and what is beside them as lines of one capture that name their topics. */
function oneFile(capture: string, names: readonly string[]): string[] {
  return names.flatMap((topic) => gunzipSync(readFileSync(captureFile(capture, topic))).toString().trim().split('\n').map((line) => `{"topic":${JSON.stringify(topic)},${line.slice(1)}`));
}

void test('a replay judges by the recorded decisions what heartbeats in the same file let close, byte for byte', async () => {
  const beside = (name: string): Record<string, unknown> => ({ topic: `${name}.public.orders`, heartbeat: { topic: `${name}.public.heartbeat` }, transactionTopic: `${name}.transaction`, ...EXACTLY });
  const plain = capturePair('fault-lost', 'orders', 'tgt');
  const sideOf = (name: string, key: string): Record<string, unknown> => ({ valueSchema: (plain[key] as Record<string, unknown>)['valueSchema'], replicaIdentity: 'full', ...beside(name) });
  const pair = { ...plain, source: sideOf('src', 'source'), target: sideOf('tgt', 'target'), window: SHORT };
  const of = (name: string): string[] => oneFile('fault-lost', [`${name}.public.orders`, `${name}.public.heartbeat`, `${name}.transaction`]);
  for (const complete of [false, true]) {
    const { recorded, recomputed } = await checkAndReplay(pair, { source: of('src'), target: of('tgt') }, complete);
    assert.ok(recorded.some((r) => r.record === 'verdict' && r.evidence.some(({ tier }) => tier === 'heartbeat-action')));
    assert.deepEqual(judged(recomputed), judged(recorded));
  }
});
