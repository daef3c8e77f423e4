// Gaps (semantics.md §7, §13; ruling 24) against the oracle: stretches that a connector never wrote, and runs that the target lost.
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../simulation/plan.ts';
import { againstOracle } from '../simulation/profiles.ts';
import { realize } from '../simulation/logs.ts';
import { seeds } from '../simulation/prng.ts';
import { checkPlan, forSeeds } from '../simulation/property.ts';
import { CLEAN, outage, withGaps, workload } from '../simulation/workload.ts';

async function gapsOf(plan: Plan): Promise<string[]> {
  const { records } = await checkPlan(plan, true);
  return records.flatMap(record => (record.record === 'manifest' && record.class === 'gap' ? [record.hint ?? ''] : []));
}

/** A delete after the stretch goes with the first lost one of its row (ruling 8), which breaks the run. */
const putsOnly = (plan: Plan): Plan => ({ ...plan, changes: plan.changes.map(change => (change.kind === 'read' ? change : { ...change, kind: 'put' })) });

for (const complete of [true, false]) {
  test(`dropped stretches and lost runs: the check agrees with the oracle (${complete ? 'complete' : 'by evidence'})`, async () => {
    await forSeeds(seeds(9_001, 60), withGaps, plan => againstOracle(realize(plan), complete));
  });
}

test('a long run is one coverage gap, a short one is none', async () => {
  for (const seed of seeds(9_101, 20)) {
    deepEqual(await gapsOf(putsOnly(outage(workload(seed, CLEAN), 110))), ['coverage-gap'], `seed ${seed}`);
    deepEqual(await gapsOf(putsOnly(outage(workload(seed, CLEAN), 40))), [], `seed ${seed}`);
  }
});

test('a stretch that the source connector never wrote is an evidence gap, where before images are whole', async () => {
  let found = 0;
  const list = seeds(9_201, 20);
  for (const seed of list) {
    const plan = putsOnly(workload(seed, { ...CLEAN, plan: { identity: { source: 'full', target: 'full' }, partitions: { source: 1, target: 1 } } }));
    const dropped: Plan = { ...plan, disturbances: [{ kind: 'drop', side: 'source', partition: 0, at: 0.4, count: 20 }] };
    const gaps = await gapsOf(dropped);
    ok(gaps.every(hint => hint === 'evidence-gap'), `seed ${seed}: ${gaps.join()}`);
    if (gaps.length > 0) found++;
  }
  // Of forty keys twenty changes may be the first, or lead back to an earlier value.
  ok(found >= list.length * 0.7, `${found} of ${list.length}`);
});
