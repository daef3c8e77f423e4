// A pair of several tasks: they say what one task over the same partitions says; they die, and change hands between two services, and say it all the
// same (properties 4 and 19).
import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_OUTPUTS } from '../../topology/reconcile.ts';
import { add, type Coverage } from '../simulation/coverage.ts';
import { handoverDifferences } from '../simulation/handover.ts';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import { seeds } from '../simulation/prng.ts';
import { forSeeds } from '../simulation/property.ts';
import { firstDifference, liveOn, outputsOf, runLives, serviceDifferences, UNDISTURBED, withPairs } from '../simulation/service.ts';
import { ROUGH, spread, workload, type WorkloadOptions } from '../simulation/workload.ts';

const OPTIONS: WorkloadOptions = { ...ROUGH, events: 60 };

/** What three tasks say otherwise than one. `part`: what is compared of a record, '' for nothing. */
async function splitDifference(plan: Plan, part: (line: string) => string = line => line): Promise<readonly string[]> {
  const linesOf = (partitioning: 'direct' | 'repartition'): Promise<string[]> => withPairs(realize(plan), { partitions: 3 }, async (pairs, durable) => {
    const chosen = pairs.map(pair => ({ ...pair, partitioning }));
    await liveOn(chosen, UNDISTURBED, durable);
    // Of what comes after the last decision a task may have read more, and buried some of it.
    return (await outputsOf(durable.logDisk.log, chosen)).filter(line => !line.startsWith(DEFAULT_OUTPUTS.deadLetters)).map(part).filter(line => line !== '');
  });
  return firstDifference(await linesOf('direct'), await linesOf('repartition'), 'split');
}

function tornOf(line: string): string {
  return line.startsWith(DEFAULT_OUTPUTS.verdicts) && line.includes('"torn":') ? line.replace(/.*("window":\{[^}]*\}).*("torn":.*\]),"watermarks".*/, '$1 $2') : '';
}

for (const matchBy of ['origin', 'version', 'alignment'] as const) {
  test(`three tasks give the decisions, verdicts and manifests of one over three partitions (${matchBy})`, async () => {
    await forSeeds(seeds(19_001, 8), seed => workload(seed, { ...OPTIONS, plan: { matchBy } }), plan => splitDifference(plan));
  });

  test(`property 4: three tasks that die and start again give the bytes of some that did not (${matchBy})`, async () => {
    let lives = 0;
    await forSeeds(seeds(19_101, 5), seed => workload(seed, { ...OPTIONS, plan: { matchBy } }), async plan => {
      const found = await serviceDifferences(realize(plan), plan.seed, 3);
      lives += found.lives;
      return found.lines;
    });
    ok(lives > 10, `only ${lives} lives: the property says little`);
  });
}

test('what is torn over windows and tasks is told as by one task, and by tasks that die and start again', async () => {
  let torn = 0;
  // Small windows, many of which close by what the logs hold. Of a row that a shard has forgotten the number of tasks can be seen (processors/DESIGN.md),
  // so what is torn is compared, and nothing else; and L is longer than most changes are late.
  const window = { sizeUs: 250_000, latenessUs: 300_000, lagUs: 2_500_000, skewUs: 50_000 };
  await forSeeds(seeds(19_301, 5), seed => spread(workload(seed, { ...OPTIONS, events: 100, plan: { window } })), async plan => {
    const lines = await splitDifference(plan, tornOf);
    torn += (await runLives(realize(plan), UNDISTURBED, { partitions: 3 })).lines.filter(line => line.includes('"torn":')).length;
    return lines.length > 0 ? lines : (await serviceDifferences(realize(plan), plan.seed, 3)).lines;
  });
  ok(torn > 3, `only ${torn} verdicts with torn transactions: the property says little`);
});

test('property 19: two services that hand tasks to each other, and take them from each other, leave the one chain of a service alone', async () => {
  const sum: Coverage = {};
  await forSeeds(seeds(19_201, 12), seed => workload(seed, OPTIONS), async plan => {
    const { lines, covered } = await handoverDifferences(realize(plan), plan.seed, 1 + plan.seed % 3);
    add(sum, covered);
    return lines;
  });
  for (const kind of ['asked', 'taken', 'fenced', 'standby promoted'] as const) ok((sum[`handover ${kind}`] ?? 0) > 5, `${JSON.stringify(sum)}: the property says little`);
});
