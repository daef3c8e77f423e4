// What may change under a pair that has run, and what needs a new chain: the table of deploy/RUNBOOK.md, row by row. A refused start has changed nothing,
// names what differs and the command that resolves it; after that command the start goes through, and the second chain stands beside the first.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';

import { verifyChains } from '../../../processors/verify-chain.ts';
import { openMemoryStore } from '../../../stores/memory-store.ts';
import { executeReset, planReset } from '../../../topology/cli/reset-pair.ts';
import type { Config } from '../../../topology/config.ts';
import { restoreStore } from '../../../topology/runtime/restoration.ts';
import { STATE_FAMILIES } from '../../../topology/runtime/task-state.ts';
import { appendTo } from '../../support/append.ts';
import { changes, ORDERS, placeOf, type PairText, type ServicePlace } from '../../support/service-place.ts';

interface Row {
  /** As in the runbook's table. */
  readonly name: string;
  /** What becomes of the pairs of the configuration. */
  readonly pairs?: readonly PairText[];
  /** What becomes of the log. */
  readonly log?: (place: ServicePlace) => Promise<void>;
  /** What becomes of the rest of the configuration. */
  readonly whole?: (config: Config) => Config;
  /** What a refused start says differs; undefined: it goes on in place. */
  readonly refused?: RegExp;
}

const orders = (more: PairText): readonly PairText[] => [{ ...more }];
const side = (topic: string, more: PairText): PairText => ({ topic, format: 'debezium-json', ...more });
const window = (more: PairText): readonly PairText[] => orders({ window: { ...ORDERS['window'] as PairText, ...more } });
const columns = (more: PairText): readonly PairText[] => orders({ columns: { ignore: ['origin'], ...more } });

const ROWS: readonly Row[] = [
  { name: 'nothing' },
  { name: 'names of `outputs`', whole: config => ({ ...config, outputs: { ...config.outputs, status: 'elsewhere.status' } }) },
  { name: '`commit.interval`, `workers`, `status`', whole: config => ({ ...config, commit: { intervalUs: 9_000_000 }, workers: 3 }) },
  { name: '`state.directory` moved, or deleted', whole: config => ({ ...config, state: { ...config.state, directory: `${config.state.directory}-moved` } }) },
  { name: 'another pair', pairs: [ORDERS, { name: 'more' }] },
  { name: 'a pair removed', pairs: [{ name: 'more' }] },
  { name: 'a pair renamed', pairs: [{ name: 'renamed' }] },
  { name: '`match`', pairs: orders({ match: { by: 'alignment' } }), refused: /\n {2}match\.by: was "origin", is "alignment"\n/ },
  { name: '`policy`', pairs: orders({ policy: 'collapse' }), refused: /\n {2}policy: was "exact", is "collapse"\n/ },
  { name: '`key`', pairs: orders({ key: ['id'] }), refused: /\n {2}key: was null, is \["id"\]\n/ },
  { name: '`columns`', pairs: columns({ ignore: ['origin', 'n'] }), refused: /\n {2}columns\.ignore: was \["origin"\], is \["origin","n"\]\n/ },
  { name: '`columns`', pairs: columns({ rename: { m: 'n' } }), refused: /\n {2}columns\.rename\.m: was not set, is \["n"\]\n/ },
  { name: '`columns`', pairs: columns({ types: { n: 'int64' } }), refused: /\n {2}columns\.types\.n\.source: was not set, is "int64"\n/ },
  { name: '`columns`', pairs: columns({ mask: ['n'] }), refused: /\n {2}columns\.mask: was \[\], is \["n"\]\n/ },
  { name: '`columns`', pairs: columns({ carry: ['n'] }), refused: /\n {2}columns\.carry: was \[\], is \["n"\]\n/ },
  { name: '`window.size`', pairs: window({ size: '2s' }), refused: /\n {2}window\.sizeUs: was 1000000, is 2000000\n/ },
  { name: '`window.lateness`, `lag`, `skew`, `retain`', pairs: window({ lateness: '3s' }), refused: /\n {2}window\.latenessUs: was 1000000, is 3000000\n/ },
  { name: '`window.lateness`, `lag`, `skew`, `retain`', pairs: window({ lag: '1s' }), refused: /\n {2}window\.lagUs: was 2000000, is 1000000\n/ },
  { name: '`window.lateness`, `lag`, `skew`, `retain`', pairs: window({ retain: '2h' }), refused: /\n {2}window\.retainUs: was 3600000000, is 7200000000\n/ },
  { name: '`format`, and what a side says of its connector', pairs: orders({ source: side('s', { replicaIdentity: 'full' }) }), refused: /\n {2}source\.replicaIdentity: was .*, is "full"\n/ },
  { name: '`format`, and what a side says of its connector', pairs: orders({ target: side('t', { format: 'auto' }) }), refused: /\n {2}target\.format: was "debezium-json", is "auto"\n/ },
  { name: '`partitioning`', pairs: orders({ partitioning: 'repartition' }), refused: /it ran as 2 reconcile tasks, and there would be 1 now/ },
  { name: 'partitions of an input', log: place => made(place, 3), refused: /it ran as 2 reconcile tasks, and there would be 3 now/ },
  { name: 'an input topic made anew', log: place => made(place, 2), refused: /the topic [st] is not the one that was read before|[st]-\d was read to offset \d+, and its log ends at/ },
  { name: 'another version of the program: rules', log: place => withPlace(place, state => ({ ...state, settings: { ...state.settings, rules: '1' } })), refused: /\n {2}rules: was 1, is \d+ \(of the program: another version judges otherwise\)\n/ },
  { name: 'another version of the program: format of the state', log: place => withPlace(place, state => ({ ...state, format: 99 })), refused: /the state of the task is of format 99, and this version reads format \d+/ },
];

/** The inputs with other topics of their names. */
async function made({ log }: ServicePlace, partitions: number): Promise<void> {
  for (const topic of ['s', 't']) {
    await log.deleteTopic(topic);
    await log.createTopic(topic, { partitions, cleanup: 'delete' });
  }
  await appendTo(log, { records: changes(partitions, 0, 30), positions: [], group: '' });
}

interface Place { readonly format: number; readonly settings: Record<string, string> }

/** As if another version had written the state of the first reconcile task. */
async function withPlace({ log }: ServicePlace, change: (place: Place) => Place): Promise<void> {
  const at = { topic: 'shop-orders-reconcile-changelog', partition: 0 };
  const reader = await log.open(at, 0);
  let last: { key: Buffer; value: Buffer } | undefined;
  do {
    while (reader.next()) {
      const { data, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
      const key = Buffer.from(data.subarray(keyStart, keyEnd));
      if (key.toString().endsWith('taskplace')) last = { key, value: Buffer.from(data.subarray(valueStart, valueEnd)) };
    }
  } while (await reader.fill());
  assert.ok(last !== undefined);
  const place = change(JSON.parse(last.value.toString('utf8', 1)) as Place);
  await appendTo(log, { records: [{ ...at, key: last.key, value: Buffer.concat([last.value.subarray(0, 1), Buffer.from(JSON.stringify(place))]) }], positions: [], group: '' });
}

/** The local state is made anew each time: it is the log that refuses. */
function run(place: ServicePlace, config: Config): Promise<void> {
  return place.run(config, { openStore: (_, changelog) => restoreStore({ log: place.log, changelog, open: () => Promise.resolve(openMemoryStore(STATE_FAMILIES)), wipe: () => undefined, nowMs: () => 0 }) });
}

/** What broke a chain, by pair and chain. */
async function chainsOf(place: ServicePlace): Promise<Record<string, string | undefined>> {
  const { records } = await place.said();
  return Object.fromEntries(verifyChains(records.map((record, i) => ({ at: String(i), record }))).map(({ pair, chain, broken }) => [`${pair} ${chain ?? 1}`, broken?.what]));
}

async function goesOn(t: TestContext, { pairs = [ORDERS], log, whole = config => config }: Row): Promise<void> {
  const place = await placeOf(t);
  await run(place, place.config());
  const { lines } = await place.said();
  await log?.(place);
  const config = whole(place.config(...pairs));
  await appendTo(place.log, { records: changes(2, 40, 60), positions: [], group: '' });
  await run(place, config);
  const after = (await place.said()).lines;
  const ofOrders = (all: readonly string[]): string[] => all.filter(line => line.includes('"pair":"orders"'));
  assert.deepEqual(ofOrders(after).filter(line => lines.includes(line)), ofOrders(lines), 'what was said stays, and is not said again');
  const isRun = config.pairs.some(({ name }) => name === 'orders');
  assert.equal(ofOrders(after).length > ofOrders(lines).length, isRun, isRun ? 'the chain goes on' : 'it rests');
  assert.deepEqual(await chainsOf(place), { 'orders 1': undefined, ...Object.fromEntries(config.pairs.map(({ name }) => [`${name} 1`, undefined])) });
}

async function needsNewChain(t: TestContext, { pairs = [ORDERS], log }: Row, refused: RegExp): Promise<void> {
  const place = await placeOf(t);
  await run(place, place.config());
  const { lines } = await place.said();
  await log?.(place);
  const config = place.config(...pairs);
  await assert.rejects(run(place, config), (error: Error) => {
    assert.match(error.message, refused);
    assert.match(error.message, /paritas state reset --pair orders --execute/);
    return true;
  });
  assert.deepEqual((await place.said()).lines, lines, 'a refused start says nothing');
  await executeReset(config, await planReset(config, config.pairs[0], place.log), place.log, 0);
  await run(place, config);
  const after = (await place.said()).lines;
  assert.deepEqual(after.filter(line => !line.includes('"chain":2')), lines);
  assert.ok(after.filter(line => line.includes('"record":"verdict"') && line.includes('"chain":2')).length >= 5);
  assert.deepEqual(await chainsOf(place), { 'orders 1': undefined, 'orders 2': undefined });
}

describe('what may change under a pair that has run', () => {
  for (const row of ROWS) {
    test(`${row.name}: ${row.refused === undefined ? 'in place' : `a new chain (${row.refused.source.replaceAll(/\\n \{2\}|\\n|\\/g, '').slice(0, 60)})`}`, async t => {
      await (row.refused === undefined ? goesOn(t, row) : needsNewChain(t, row, row.refused));
    });
  }

  test('a record of the changelog in a later format is refused by its place, and a reset resolves it', async t => {
    await needsNewChain(t, {
      name: '', log: async ({ log }) => { await appendTo(log, { records: [{ topic: 'shop-orders-reconcile-changelog', partition: 0, key: Buffer.from('\u0004taskx'), value: Buffer.from([9]) }], positions: [], group: '' }); },
    }, /the changelog cannot be restored from: shop-orders-reconcile-changelog-0@\d+ is of format 9, and this version reads format 1/);
  });

  test('the runbook has these rows, and says of each what is so', () => {
    const runbook = readFileSync(join(import.meta.dirname, '../../../deploy/RUNBOOK.md'), 'utf8');
    const rows = runbook.slice(runbook.indexOf('| what changes |')).split('\n\n')[0].split('\n').slice(2).map(line => line.split('|').map(cell => cell.trim()));
    const told = Object.fromEntries(rows.map(([, name, how]) => [name, how]));
    const found = Object.fromEntries(ROWS.filter(({ name }) => name !== 'nothing').map(({ name, refused }) => [name, refused === undefined ? 'in place' : 'new chain']));
    assert.deepEqual(told, found);
  });
});

