// Property 4: a crash and a restore at any point change nothing. The shards' state is committed at random records, the process thrown away at
// others, and what is put out is that of a run that nobody disturbed.
import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { randomCrashes, runWithCrashes, undisturbed } from '../simulation/crash.ts';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import { prng, seeds } from '../simulation/prng.ts';
import { carrying } from '../simulation/profiles.ts';
import { forSeeds } from '../simulation/property.ts';
import { CLEAN, ROUGH, spread, withGaps, workload } from '../simulation/workload.ts';

let crashes = 0;

async function differences(plan: Plan, most = 3): Promise<readonly string[]> {
  const history = realize(plan);
  const random = prng(plan.seed);
  const [shards, complete] = [1 + random.int(most), random.chance(0.5)];
  const expected = await undisturbed(history, shards, complete);
  const perCommit = random.pick([3, 15, 60]);
  const run = await runWithCrashes(history, randomCrashes(random, shards, complete, perCommit, perCommit * random.pick([1, 3])));
  crashes += run.crashes;
  const at = run.lines.findIndex((line, i) => line !== expected.lines[i]);
  if (at < 0 && run.lines.length === expected.lines.length) return [];
  return [`after ${run.crashes} crashes, line ${at + 1} of ${run.lines.length} (${expected.lines.length})`, `  is   ${run.lines[at]}`, `  not  ${expected.lines[at]}`];
}

for (const matchBy of ['origin', 'version', 'alignment'] as const) {
  test(`property 4: crashes and restores at any record change no byte (${matchBy})`, async () => {
    crashes = 0;
    const all = seeds(8_001, 60);
    await forSeeds(all, (seed) => workload(seed, { ...ROUGH, truncates: matchBy !== 'alignment' && seed % 2 === 0, plan: { matchBy } }), plan => differences(plan));
    ok(crashes >= 2 * all.length, `only ${crashes} crashes: the property says little`);
  });
}

test('4: crashes and restores at any record leave the evidence gaps what they are', async () => {
  crashes = 0;
  const all = seeds(8_401, 60);
  await forSeeds(all, seed => withGaps(seed, { ...ROUGH, plan: { matchBy: 'version', identity: { source: 'full', target: 'full' } } }), plan => differences(plan));
  ok(crashes >= 2 * all.length, `only ${crashes} crashes: the property says little`);
});

test('4: crashes and restores at any record leave what is carried what it is', async () => {
  crashes = 0;
  const all = seeds(8_601, 30);
  await forSeeds(all, seed => carrying(workload(seed, { ...ROUGH, truncates: seed % 2 === 0 })), plan => differences(plan));
  ok(crashes >= 2 * all.length, `only ${crashes} crashes: the property says little`);
});

test('4: crashes and restores at any record leave the torn transactions what they are, also those of several commit times, whatever shards they lie in', async () => {
  crashes = 0;
  let torn = 0;
  const all = seeds(8_501, 20);
  await forSeeds(all, seed => spread(workload(seed, { ...CLEAN, events: 80 })), async plan => {
    torn += (await undisturbed(realize(plan), 1, true)).lines.filter(line => line.includes('"torn":')).length;
    return differences(plan);
  });
  ok(torn >= all.length, `only ${torn} verdicts with torn transactions: the property says little`);
  ok(crashes >= 2 * all.length, `only ${crashes} crashes: the property says little`);
});
