// Property 2: for every window the verdict, its counts and its manifest are those of the naive oracle, with and without --complete,
// whatever the faults, the disorder and the disturbances of the logs.
import { deepEqual, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import { seeds } from '../simulation/prng.ts';
import { againstOracle, PROFILES } from '../simulation/profiles.ts';
import { checkPlan, forSeeds } from '../simulation/property.ts';
import { parseRegression, regressions } from '../simulation/regressions.ts';
import { ROUGH, workload } from '../simulation/workload.ts';

async function disagreement(plan: Plan, complete: boolean): Promise<readonly string[]> {
  return againstOracle(realize(plan), complete);
}

for (const { name, why, complete, profile, plan } of regressions()) {
  void test(`property 2: regression ${name}: ${why}`, async () => { deepEqual((await PROFILES[profile].trial(plan, complete)).lines, []); });
}

void test('a regression that is no plan fails the run', () => {
  throws(() => parseRegression('x.json', '{"why":"no plan","complete":true,"plan":{"seed":1}}'), /not a whole regression/);
  throws(() => parseRegression('x.json', '{"why":'), SyntaxError);
});

void test('property 2: complete: the check agrees with the oracle', async () => {
  await forSeeds(seeds(1, 60), (seed) => workload(seed, ROUGH), async (plan) => disagreement(plan, true));
});

void test('property 2: not complete: the check agrees with the oracle, open windows included', async () => {
  await forSeeds(seeds(1_001, 60), (seed) => workload(seed, ROUGH), async (plan) => disagreement(plan, false));
});

void test('property 2: with truncates: the check agrees with the oracle', async () => {
  await forSeeds(seeds(2_001, 30), (seed) => workload(seed, { ...ROUGH, truncates: true }), async (plan) => disagreement(plan, plan.seed % 2 === 0));
});

/** Profiles of the simulator with what is beside the rows, and what shows in a check's output that it was there at all. */
const BESIDE = { evidence: '"heartbeat-action"', heartbeats: '"heartbeat-action"', torn: '"torn":', holes: '"detail":"the (source|target)\'s transaction' } as const;

for (const [profile, shows] of Object.entries(BESIDE)) {
  void test(`property 2: ${PROFILES[profile].about}`, async () => {
    let shown = 0;
    await forSeeds(seeds(3_001, 30), PROFILES[profile].planOf, async (plan) => {
      const isComplete = plan.seed % 2 === 0;
      if (new RegExp(shows).test((await checkPlan(plan, isComplete)).text)) shown++;
      return (await PROFILES[profile].trial(plan, isComplete)).lines;
    });
    ok(shown > 3, `only in ${shown} of the runs: the property says little`);
  });
}

void test('property 10: with timestamp inversions and legal collapse the check agrees with the oracle', async () => {
  await forSeeds(seeds(7_001, 60), (seed) => workload(seed, { ...ROUGH, policy: 'collapse' }), async (plan) => disagreement(plan, plan.seed % 2 === 0));
});

void test('policy replay: the check agrees with the oracle', async () => {
  await forSeeds(seeds(7_501, 60), (seed) => workload(seed, { ...ROUGH, policy: 'replay', plan: { identity: { source: 'full', target: 'full' } } }), async (plan) => disagreement(plan, plan.seed % 2 === 0));
});
