// Property 6: one injected fault gives exactly that class, once, for each class; and (17) one drop more is one `missing` more.
import { test } from 'node:test';
import { INJECTIONS, injected, isPut, laterOf, within } from '../simulation/injections.ts';
import { seeds } from '../simulation/prng.ts';
import { checkPlan, forSeeds } from '../simulation/property.ts';
import { sourceHistory } from '../simulation/source-history.ts';
import { CLEAN, workload } from '../simulation/workload.ts';

for (const [i, injection] of INJECTIONS.entries()) {
  void test(`property 6: ${injection.kind} gives ${injection.gives.join(' and ')}, once (${String(i)})`, async () => {
    let tried = 0;
    await forSeeds(seeds(5_001 + 100 * i, 20), (seed) => injected(seed, injection), async (plan) => {
      if (plan.faults.length === 0) return [];
      tried++;
      const found = (await checkPlan(plan, true)).records.filter((r) => r.record === 'manifest');
      const classes = found.map((m) => m.class);
      return classes.join() === injection.gives.join() ? [] : found.map((m) => `${m.class} ${JSON.stringify(m.key)} ${m.window.start}`).concat('classes');
    });
    if (tried === 0) throw new Error('no plan had a place for the fault');
  });
}

void test('property 6: two puts in the wrong order give reordered, once', async () => {
  await forSeeds(seeds(6_101, 30), (seed) => {
    const plan = workload(seed, { ...CLEAN, events: 80 });
    const changes = sourceHistory(plan);
    const fitting = changes.filter((c) => {
      const later = laterOf(plan, c);
      return isPut(c) && c.planned.kind === 'put' && later.length === 1 && later.every((l) => isPut(l) && l.planned.kind === 'put' && l.planned.timeUs + l.planned.lagUs < c.planned.timeUs + within(plan));
    });
    const c = fitting.at(0);
    return c === undefined ? plan : { ...plan, faults: [{ kind: 'reordered', changeId: c.planned.id, atUs: c.planned.timeUs + within(plan), value: c.planned.value }] };
  }, async (plan) => {
    if (plan.faults.length === 0) return [];
    const classes = (await checkPlan(plan, true)).records.filter((r) => r.record === 'manifest').map((m) => m.class);
    return classes.join() === 'reordered' ? [] : [`classes: ${classes.join()}`];
  });
});
