// Property 4, the service: it dies at every named point of a commit and between records, appends fail in both ways that they can, one of two
// workers starts it again on its disk, an older one, a damaged one or none; the output topics hold what an undisturbed service puts there, byte for byte, each record once.
import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import { seeds } from '../simulation/prng.ts';
import { forSeeds } from '../simulation/property.ts';
import { serviceDifferences } from '../simulation/service.ts';
import { ROUGH, workload } from '../simulation/workload.ts';

let lives = 0;

async function differences(plan: Plan): Promise<readonly string[]> {
  const found = await serviceDifferences(realize(plan), plan.seed);
  lives += found.lives;
  return found.lines;
}

for (const matchBy of ['origin', 'version', 'alignment'] as const) {
  test(`property 4: a service that dies and starts again gives the bytes of one that did not (${matchBy})`, async () => {
    lives = 0;
    await forSeeds(seeds(9_001, 7), seed => workload(seed, { ...ROUGH, events: 50, truncates: matchBy !== 'alignment' && seed % 2 === 0, plan: { matchBy } }), differences);
    ok(lives > 14, `only ${lives} lives: the property says little`);
  });
}
