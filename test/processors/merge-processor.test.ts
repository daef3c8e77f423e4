// When verdicts are published: once at the end, or at each close and again when amended. The last word on a window is the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAIN_START } from '../../processors/chain.ts';
import { decisionOf, type Decision } from '../../processors/decision.ts';
import type { Finding } from '../../processors/finding.ts';
import type { KeyValueStore } from '../../processors/key-value.ts';
import { createMergeProcessor, type Publishing, type ShardVerdict } from '../../processors/merge-processor.ts';
import { COUNT, createTally } from '../../processors/tally.ts';
import { publish } from '../../processors/verdict.ts';
import { verifyChains } from '../../processors/verify-chain.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { DecisionRecord, OutputRecord, VerdictRecord } from '../../schemas/records.ts';
import { formatTime } from '../../schemas/time.ts';
import { realize } from '../simulation/logs.ts';
import { seeds } from '../simulation/prng.ts';
import { toCapture, toConfig } from '../simulation/render.ts';
import { ROUGH, workload } from '../simulation/workload.ts';
import { check } from '../support/check.ts';

const Z = 1_000_000;
const PAIR = { name: 'orders', configHash: 'c', match: { by: 'origin' }, policy: 'exact', window: { sizeUs: Z, latenessUs: 0, lagUs: 0, skewUs: 0, retainUs: 0 } } as unknown as PairSettings;

function decisionAt(window: number): Decision {
  const record: DecisionRecord = { record: 'decision', decisionId: `d${window}`, pair: 'orders', closeUpTo: formatTime((window + 1) * Z), frontiers: [], claims: [], overrides: [], takenAt: '' };
  return decisionOf(PAIR, record);
}

function word(window: number, counts: Partial<Record<keyof typeof COUNT, number>>, more: Partial<ShardVerdict['result']> = {}, shard = 0): ShardVerdict {
  const tally = createTally();
  for (const [name, n] of Object.entries(counts)) tally[COUNT[name as keyof typeof COUNT]] = n;
  const result = { window, tally, sums: new BigUint64Array(8), findings: [], resolved: [], amended: new Map(), schema: [], undecidable: false, loads: 0, openDivergences: 0, targetElides: false, transactions: [], ...more };
  return { shard, result };
}

function finding(name: Finding['class'], window: number, id: number): Finding {
  return { class: name, window, key: Buffer.from([id]), source: undefined, target: undefined, columns: [], hint: undefined, attribution: 'origin' };
}

function merge(publishing: Publishing, store = storeOf(new Map())): { verdicts: VerdictRecord[]; say: (...words: ShardVerdict[]) => string[]; finish: () => string[] } {
  const verdicts: VerdictRecord[] = [];
  const processor = createMergeProcessor(PAIR, publishing)({
    forward: (_child, value) => void ((value as OutputRecord).record === 'verdict' && verdicts.push(value as VerdictRecord)), store: () => store,
  });
  const fresh = (call: () => void): string[] => {
    const before = verdicts.length;
    call();
    return verdicts.slice(before).map(({ window, status, counts }) => `${Date.parse(window.start) / 1000} ${status} missing ${counts.missing} late ${counts.lateApplied}`);
  };
  return {
    verdicts,
    say: (...words) => fresh(() => {
      words.forEach(one => processor.process(one));
      processor.punctuate?.(decisionAt(words[words.length - 1].result.window));
    }),
    finish: () => fresh(() => processor.finish?.()),
  };
}

function storeOf(entries: Map<string, Buffer>): KeyValueStore {
  return {
    get: key => entries.get(key.toString()),
    put: (key, value) => void entries.set(key.toString(), value),
    delete: key => void entries.delete(key.toString()),
    range: (gte, lt) => [...entries].map(([key, value]) => [Buffer.from(key), value] as const).filter(([key]) => key.compare(gte) >= 0 && key.compare(lt) < 0),
  };
}

const MISSING = word(1, { sourceEvents: 1, missing: 1 }, { findings: [] });

void test('at close: final at once, amended when the missing change is applied, one chain', () => {
  const { verdicts, say, finish } = merge('at-close');
  assert.deepEqual(say({ ...MISSING, result: { ...MISSING.result, findings: [unprinted('missing', 1)] } }), ['1 final missing 1 late 0']);
  assert.deepEqual(say(word(2, { sourceEvents: 1, targetEvents: 1, matched: 1 })), ['2 final missing 0 late 0']);
  assert.deepEqual(say(word(3, { sourceEvents: 1 }, { amended: new Map([[1, 1]]), findings: [unprinted('late_applied', 1)] })), ['1 amended missing 1 late 1', '3 final missing 0 late 0']);
  assert.deepEqual(finish(), []);
  assert.equal(verdicts[0].verdictId, verdicts[2].verdictId);
  const ids = new Set(verdicts.map(({ previousVerdictHash }) => previousVerdictHash));
  assert.equal(ids.size, 4);
  assert.equal(verdicts[0].previousVerdictHash, CHAIN_START);
});

void test('a restart between the close and what amends it: one chain, and the same words', () => {
  const missing = { ...MISSING, result: { ...MISSING.result, findings: [unprinted('missing', 1)] } };
  const clean = word(2, { sourceEvents: 1, targetEvents: 1, matched: 1 }, { openDivergences: 1 });
  const late = word(3, { sourceEvents: 1 }, { amended: new Map([[1, 1]]), findings: [unprinted('late_applied', 1)] }, 1);
  const undisturbed = merge('at-close');
  for (const one of [missing, clean, late]) undisturbed.say(one);
  const entries = new Map<string, Buffer>();
  const verdicts = [missing, clean, late].flatMap(one => {
    const life = merge('at-close', storeOf(entries));
    life.say(one);
    return life.verdicts;
  });
  assert.deepEqual(verdicts, undisturbed.verdicts);
  assert.deepEqual([verdicts.length, verdicts[3].counts.openDivergences], [4, '1']);
  assert.deepEqual([...entries.keys()], ['head']);
});

void test('at the end: each window once, amended where it was', () => {
  const { say, finish } = merge('at-end');
  assert.deepEqual(say({ ...MISSING, result: { ...MISSING.result, findings: [unprinted('missing', 1)] } }), []);
  assert.deepEqual(say(word(3, { sourceEvents: 1 }, { amended: new Map([[1, 1]]), findings: [unprinted('late_applied', 1)] })), []);
  assert.deepEqual(finish(), ['1 amended missing 1 late 1', '3 final missing 0 late 0']);
});

void test('the words of two shards on one window are one verdict', () => {
  const { verdicts, say } = merge('at-close');
  assert.deepEqual(say(word(1, { sourceEvents: 1, matched: 1 }, {}, 0), word(1, { sourceEvents: 2, matched: 2 }, {}, 1)), ['1 final missing 0 late 0']);
  assert.deepEqual([verdicts.length, verdicts[0].counts.matched], [1, '3']);
});

/** A finding whose key prints: the canonical bytes of no columns. */
function unprinted(name: Finding['class'], window: number): Finding {
  return { ...finding(name, window, 0), key: Buffer.alloc(0) };
}

void test('a manifest beyond the bound: counted in the verdict, and hashed as if it were not cut', () => {
  const decision = decisionAt(1);
  const { result } = word(1, { sourceEvents: 3, missing: 3 }, { findings: [1, 2, 3].map(() => unprinted('missing', 1)) });
  const whole = publish(PAIR, result, decision, 'final', CHAIN_START);
  const cut = publish(PAIR, result, decision, 'final', CHAIN_START, 1);
  assert.deepEqual([whole.verdict.detailCut, cut.verdict.detailCut, cut.verdict.coreHash, cut.manifest.length], [undefined, '2', whole.verdict.coreHash, 3]);
  assert.deepEqual(cut.manifest.map(record => record.severity), ['error', undefined, undefined]);
});

void test('whole runs: published at close, the last word on every window is that of a check but for its link, and the chain holds', async () => {
  let amended = 0;
  for (const seed of seeds(8_601, 25)) {
    const history = realize(workload(seed, { ...ROUGH, events: 600, faults: 60 }));
    const run = async (publish: 'at-end' | 'at-close'): Promise<readonly OutputRecord[]> =>
      (await check({ pair: toConfig(history.plan) }, toCapture(history, 'source'), toCapture(history, 'target'), { complete: false, publish })).records;
    const closing = await run('at-close');
    const lastWords = (records: readonly OutputRecord[]): unknown[] => {
      const last = new Map(records.filter(r => r.record === 'verdict').map(verdict => [verdict.verdictId, { ...verdict, previousVerdictHash: '' }]));
      return [...last.values()].sort((a, b) => (a.window.start < b.window.start ? -1 : 1));
    };
    assert.deepEqual(lastWords(closing), lastWords(await run('at-end')), `seed ${seed}`);
    amended += closing.filter(r => r.record === 'verdict' && r.status === 'amended').length;
    if (closing.some(r => r.record === 'verdict')) assert.deepEqual(verifyChains(closing.map((record, i) => ({ at: `${i}`, record }))).map(({ broken }) => broken), [undefined], `seed ${seed}`);
  }
  assert.ok(amended > 0);
});
