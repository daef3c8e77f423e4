// Match mode `alignment` through the whole check, over the same plans as the other modes: no alarm where there is no fault, some alarm where
// one changes what the target logs, and nothing that depends on the order of arrival or on how the shards are cut. What the aligner
// itself makes of a key is tested against a naive search beside it (test/processors).
import assert, { fail } from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../support/check.ts';
import type { CheckResult } from '../simulation/compare.ts';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import { seeds } from '../simulation/prng.ts';
import { apart, cores, forSeeds } from '../simulation/property.ts';
import { toCapture, toConfig } from '../simulation/render.ts';
import { INJECTIONS, injected } from '../simulation/injections.ts';
import { CLEAN, ROUGH, workload } from '../simulation/workload.ts';

/** The plans' targets log every update, so a no-op is never elided. */
async function aligned(plan: Plan, options: { complete?: boolean; shards?: number } = {}): Promise<CheckResult> {
  const history = realize(plan);
  return check({ pair: toConfig(plan) }, toCapture(history, 'source'), toCapture(history, 'target'), { complete: true, ...options });
}

const byAlignment = { matchBy: 'alignment' } as const;
const FAULTY = { ...CLEAN, faults: 10, plan: byAlignment };

async function sameCores(plan: Plan, other: Plan): Promise<readonly string[]> {
  return apart(cores(await aligned(plan)), cores(await aligned(other)));
}

test('alignment: no alarm where there is no fault', async () => {
  // The first three once took the load of a snapshot row for an update's application, at the edge of a window.
  await forSeeds([300_004, 300_586, 401_296, ...seeds(8_001, 60)], seed => workload(seed, { ...CLEAN, plan: byAlignment }), async plan => {
    const { records } = await aligned(plan);
    return records.filter(record => record.record === 'manifest').map(found => `${found.class} ${JSON.stringify(found.key)} ${found.window.start}`);
  });
});

/**
 * Each change of the key writes a value of its own: then the class is no guess either, but for a delete, of which cannot be told whether it is
 * out of band or repeats an earlier one.
 */
function isDistinct(plan: Plan): boolean {
  return plan.changes.every(change => change.kind !== 'put' || change.value.v?.startsWith('u') === true);
}

for (const [i, injection] of INJECTIONS.entries()) {
  test(`alignment: ${injection.kind} raises an alarm on its key alone (${i})`, async () => {
    let tried = 0;
    await forSeeds(seeds(9_001 + 100 * i, 30), seed => ({ ...injected(seed, injection), ...byAlignment }), async plan => {
      if (plan.faults.length === 0 || !isDistinct(plan)) return [];
      tried++;
      const key = String(plan.changes.find(change => change.id === plan.faults[0].changeId)?.key);
      const found = (await aligned(plan)).records.filter(record => record.record === 'manifest');
      const told = (kind: string): boolean => found.some(record => record.class === kind || (injection.kind === 'oob-delete' && record.class === 'duplicate'));
      const right = found.every(record => String(record.key['id']) === key) && injection.gives.every(told);
      return right ? [] : [`${injection.kind} of ${key}: ${found.map(record => `${record.class} ${JSON.stringify(record.key)}`).join(', ') || 'nothing'}`];
    });
    assert.ok(tried > 0, 'no plan had a place for the fault');
  });
}

test('alignment: the counts add up, whatever happens', async () => {
  await forSeeds(seeds(8_101, 60), seed => workload(seed, { ...ROUGH, plan: byAlignment }), async plan => {
    const { records } = await aligned(plan);
    return records.filter(record => record.record === 'verdict').flatMap(({ window, counts }) => {
      const n = (name: keyof typeof counts): number => Number(counts[name]);
      const own = records.filter(record => record.record === 'manifest' && record.window.start === window.start);
      const of = (kind: string): number => own.filter(record => record.record === 'manifest' && record.class === kind).length;
      const wrong = (['missing', 'unexpected', 'mismatch', 'duplicate', 'reordered'] as const).filter(kind => n(kind) !== of(kind));
      const target = n('targetEvents') - n('duplicate') - n('unexpected') - n('lateApplied');
      const source = n('sourceEvents') - n('missing') - n('elided');
      return [...wrong.map(kind => `${window.start}: ${kind} ${counts[kind]}, told ${of(kind)}`), ...(source === target ? [] : [`${window.start}: ${source} and ${target} applied`])];
    });
  });
});

test('alignment: a permutation within lateness changes no coreHash', async () => {
  await forSeeds(seeds(8_201, 30), seed => workload(seed, { ...FAULTY, plan: { ...byAlignment, jitterUs: 0 } }), plan => (
    sameCores(plan, { ...plan, jitterUs: plan.window.latenessUs, jitterSeed: plan.seed })));
});

test('alignment: other numbers of partitions change no coreHash', async () => {
  await forSeeds(seeds(8_301, 30), seed => workload(seed, FAULTY), plan => (
    sameCores(plan, { ...plan, partitions: { source: 1 + (plan.partitions.source % 3), target: 1 + ((plan.partitions.target + 1) % 3) } })));
});

test('alignment: records sent again change no coreHash', async () => {
  const resend = (side: 'source' | 'target', at: number) => ({ kind: 'resend', side, partition: 0, at, count: 15 }) as const;
  await forSeeds(seeds(8_401, 30), seed => workload(seed, FAULTY), plan => (
    sameCores(plan, { ...plan, disturbances: [resend('source', 0.3), resend('target', 0.5), resend('source', 0.8), resend('target', 0.9)] })));
});

test('alignment: one shard and five print the same bytes', async () => {
  for (const seed of seeds(8_501, 20)) {
    const plan = workload(seed, { ...ROUGH, plan: byAlignment });
    for (const complete of [true, false]) {
      const [one, five] = [(await aligned(plan, { complete, shards: 1 })).text.split('\n'), (await aligned(plan, { complete, shards: 5 })).text.split('\n')];
      const at = one.findIndex((line, i) => line !== five[i]);
      if (at >= 0 || one.length !== five.length) fail(`seed ${seed}, line ${at + 1}\n  one  ${one[at]}\n  five ${five[at]}`);
    }
  }
});
