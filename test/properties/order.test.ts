// Properties 1, 3, 7, 11: what must not matter. Disorder within lateness, the number of partitions, the order of lines between
// partitions and records sent again leave every coreHash as it was; the same files give the same bytes.
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../support/check.ts';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import type { Prng } from '../simulation/prng.ts';
import { prng, seeds } from '../simulation/prng.ts';
import { apart, checkPlan, cores, forSeeds } from '../simulation/property.ts';
import { toCapture, toConfig } from '../simulation/render.ts';
import { CLEAN, workload } from '../simulation/workload.ts';

const FAULTY = { ...CLEAN, faults: 10 };

async function sameCores(plan: Plan, other: Plan): Promise<readonly string[]> {
  return apart(cores(await checkPlan(plan, true)), cores(await checkPlan(other, true)));
}

void test('property 1: a permutation within lateness changes no coreHash', async () => {
  await forSeeds(seeds(3_001, 30), (seed) => workload(seed, { ...FAULTY, plan: { jitterUs: 0 } }), async (plan) => {
    return sameCores(plan, { ...plan, jitterUs: plan.window.latenessUs, jitterSeed: plan.seed });
  });
});

void test('property 7: other numbers of partitions change no coreHash', async () => {
  await forSeeds(seeds(3_101, 30), (seed) => workload(seed, FAULTY), async (plan) => {
    return sameCores(plan, { ...plan, partitions: { source: 1 + (plan.partitions.source % 3), target: 1 + ((plan.partitions.target + 1) % 3) } });
  });
});

void test('property 3: records sent again change no coreHash', async () => {
  await forSeeds(seeds(3_201, 30), (seed) => workload(seed, FAULTY), async (plan) => {
    const resend = (side: 'source' | 'target', at: number) => ({ kind: 'resend', side, partition: 0, at, count: 15 }) as const;
    return sameCores(plan, { ...plan, disturbances: [resend('source', 0.3), resend('target', 0.5), resend('source', 0.8), resend('target', 0.9)] });
  });
});

/** Lines of one file, the partitions taken in turns at random; each partition keeps its order. */
function interleaved(lines: readonly string[], random: Prng): string[] {
  const queues = Map.groupBy(lines, (line) => (JSON.parse(line) as { partition: number }).partition);
  const mixed: string[] = [];
  for (let left = [...queues.values()]; left.length > 0; left = left.filter((queue) => queue.length > 0)) mixed.push(random.pick(left).shift() ?? '');
  return mixed;
}

void test('property 1: another order of lines between partitions changes no byte', async () => {
  await forSeeds(seeds(3_301, 30), (seed) => workload(seed, { ...FAULTY, disturbances: 3 }), async (plan) => {
    const history = realize(plan);
    const random = prng(plan.seed);
    const [source, target] = [toCapture(history, 'source'), toCapture(history, 'target')];
    for (const complete of [true, false]) {
      const first = await check({ pair: toConfig(plan) }, source, target, { complete });
      const second = await check({ pair: toConfig(plan) }, interleaved(source, random), interleaved(target, random), { complete });
      const lines = apart(first.text.split('\n'), second.text.split('\n'));
      if (lines.length > 0) return lines;
    }
    return [];
  });
});

void test('property 11: the same files give the same bytes', async () => {
  for (const seed of seeds(3_401, 5)) {
    const plan = workload(seed, FAULTY);
    equal((await checkPlan(plan, true)).text, (await checkPlan(plan, true)).text);
  }
});

void test('property 1: without --complete, the windows that both logs close have one coreHash', async () => {
  for (const seed of seeds(3_501, 15)) {
    const plan = workload(seed, { ...FAULTY, plan: { jitterUs: 0 } });
    const [a, b] = [cores(await checkPlan(plan, false)), cores(await checkPlan({ ...plan, partitions: { source: 1, target: 1 } }, false))];
    const n = Math.min(a.length, b.length);
    // Late applications amend; a window amended in one run only may differ where the other run ends before the amendment.
    const end = Math.max(0, n - Math.ceil((4 * plan.window.lagUs) / plan.window.sizeUs) - 40);
    deepEqual(a.slice(0, end), b.slice(0, end), `seed ${String(seed)}`);
  }
});
