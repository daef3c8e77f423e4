// Policies (semantics.md §10): what a batching sink or one that is thrown back may do is no discrepancy, and a real fault beside it is one.
import { test } from 'node:test';
import { INJECTIONS, injected, isPut, type Injection } from '../simulation/injections.ts';
import { seeds } from '../simulation/prng.ts';
import { checkPlan, forSeeds } from '../simulation/property.ts';
import type { Plan } from '../simulation/plan.ts';
import { CLEAN, workload } from '../simulation/workload.ts';

for (const [policy, matchBy] of [['collapse', undefined], ['replay', undefined], ['collapse', 'alignment'], ['replay', 'alignment']] as const) {
  void test(`${policy}${matchBy === undefined ? '' : ` by ${matchBy}`}: what the policy allows is parity in every window, and digests are equal`, async () => {
    let used = 0;
    await forSeeds(seeds(7_101, 60), (seed) => ({ ...allowed(seed, policy), ...(matchBy === undefined ? {} : { matchBy }) }), async (plan) => {
      const result = await checkPlan(plan, true);
      const verdicts = result.records.filter((r) => r.record === 'verdict');
      used += policy === 'collapse' ? verdicts.reduce((sum, v) => sum + Number(v.counts.collapsed), 0) : (plan.replays ?? []).length;
      const odd = result.records.filter((r) => r.record === 'manifest' || r.record === 'dead-letter' || (r.record === 'verdict' && (r.change !== 'parity' || (r.state !== 'parity' && !plan.changes.some((c) => c.kind === 'read')) || r.digests.source !== r.digests.target)));
      const unsaid = verdicts.filter((v) => v.counts.collapsed !== '0' && !v.notObservable.includes('missing'));
      return [...[...odd, ...unsaid].map((r) => JSON.stringify(r)), ...(result.exitCode === 0 ? [] : [`exit ${String(result.exitCode)}`])];
    });
    if (used < 100) throw new Error(`the sinks did little of what the policy allows: ${String(used)}`);
  });
}

/** A lost put that has a later one is a legal collapse; a repeat of the last version is a legal replay. */
const UNDER: Readonly<Record<'collapse' | 'replay', (injection: Injection) => Injection | undefined>> = {
  collapse: (injection) => (injection.kind === 'missing' && injection.fits !== INJECTIONS[1].fits ? { ...injection, fits: (c, later) => isPut(c) && later.length === 0 } : injection),
  replay: (injection) => (injection.kind === 'duplicate' || injection.kind === 'stale' ? undefined : injection),
};

for (const policy of ['collapse', 'replay'] as const) {
  for (const [i, before] of INJECTIONS.entries()) {
    const injection = UNDER[policy](before);
    if (injection === undefined) continue;
    void test(`${policy}: ${injection.kind} gives ${injection.gives.join(' and ')}, once (${String(i)})`, async () => {
      let tried = 0;
      await forSeeds(seeds(7_301 + 100 * i, 15), (seed) => injected(seed, injection, policy), async (plan) => {
        if (plan.faults.length === 0) return [];
        tried++;
        const found = (await checkPlan(plan, true)).records.filter((r) => r.record === 'manifest');
        return found.map((m) => m.class).join() === injection.gives.join() ? [] : found.map((m) => `${m.class} ${JSON.stringify(m.key)} ${m.window.start}`).concat('classes');
      });
      if (tried === 0) throw new Error('no plan had a place for the fault');
    });
  }
}

function allowed(seed: number, policy: Plan['policy']): Plan {
  return workload(seed, { ...CLEAN, policy, plan: { identity: { source: 'full', target: 'full' } } });
}
