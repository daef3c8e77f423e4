// Gaps against the oracle: a target that lost a run of changes (ruling 24).
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from '../oracle/oracle.ts';
import { differences } from '../simulation/compare.ts';
import { realize } from '../simulation/logs.ts';
import type { Plan, PlannedFault } from '../simulation/plan.ts';
import { prng, seeds } from '../simulation/prng.ts';
import { checkHistory, checkPlan, forSeeds } from '../simulation/property.ts';
import { CLEAN, ROUGH, workload, type WorkloadOptions } from '../simulation/workload.ts';

const gapsOf = async (plan: Plan): Promise<string[]> =>
  (await checkPlan(plan, true)).records.filter(record => record.record === 'manifest' && record.class === 'gap').map(record => (record.record === 'manifest' ? record.hint ?? '' : ''));

/** A sink that skipped a stretch of the source: every change of it is missing. */
function outage(seed: number, options: WorkloadOptions, length: number): Plan {
  const plan = workload(seed, options);
  const first = prng(seed).int(Math.max(1, plan.changes.length - length));
  const lost = plan.changes.filter(change => change.id >= first && change.id < first + length);
  return { ...plan, faults: [...plan.faults, ...lost.map((change): PlannedFault => ({ kind: 'missing', changeId: change.id, atUs: change.timeUs, value: change.value }))] };
}

/** A delete after the stretch goes with the first lost one of its row (ruling 8), which breaks the run. */
const putsOnly = (plan: Plan): Plan => ({ ...plan, changes: plan.changes.map(change => (change.kind === 'read' ? change : { ...change, kind: 'put' })) });

for (const complete of [true, false]) {
  test(`a run of lost changes: the check agrees with the oracle (${complete ? 'complete' : 'by evidence'})`, async () => {
    await forSeeds(seeds(9_001, 40), seed => outage(seed, ROUGH, 60 + seed % 60), async plan => {
      const history = realize(plan);
      return differences(judge(history, plan.window, { complete }), await checkHistory(history, complete), complete);
    });
  });
}

test('a long run is one coverage gap, a short one is none', async () => {
  for (const seed of seeds(9_101, 20)) {
    const gaps = await gapsOf(putsOnly(outage(seed, CLEAN, 110)));
    deepEqual(gaps, ['coverage-gap'], `seed ${seed}`);
    equal((await gapsOf(putsOnly(outage(seed, CLEAN, 40)))).length, 0, `seed ${seed}`);
  }
});
