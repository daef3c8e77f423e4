// Property 6: one injected fault gives exactly that class, once, for each class; and (17) one drop more is one `missing` more.
// A fault is only put where its own trace is the only one: what a hurt row does to later deletes is the oracle's business, not ours.
import { test } from 'node:test';
import type { Class } from '../../schemas/records.ts';
import type { FaultKind, Plan, PlannedFault } from '../simulation/plan.ts';
import { prng, seeds } from '../simulation/prng.ts';
import { checkPlan, forSeeds } from '../simulation/property.ts';
import type { SourceChange } from '../simulation/source-history.ts';
import { sourceHistory } from '../simulation/source-history.ts';
import { CLEAN, workload } from '../simulation/workload.ts';

interface Injection {
  readonly kind: FaultKind;
  readonly gives: readonly Class[];
  /** When the harm is done, after the change; horizons of the plan. */
  readonly afterUs: (plan: Plan) => number;
  /** Whether the harm leaves only its own trace: `later` are the changes of the key behind this one. */
  readonly fits: (change: SourceChange, later: readonly SourceChange[], plan: Plan) => boolean;
}

const isPut = (c: SourceChange | undefined): boolean => c !== undefined && (c.op === 'create' || c.op === 'update');
const last = (c: SourceChange, later: readonly SourceChange[]): boolean => isPut(c) && later.length === 0;
const within = (plan: Plan): number => plan.window.lagUs - plan.window.skewUs;
const beyond = (plan: Plan): number => 2 * plan.window.lagUs + plan.window.skewUs + plan.window.sizeUs;
// The next change must lie clear of the harm: what the clocks may blur (skew, whole seconds) is kept out.
const clear = (c: SourceChange, next: SourceChange | undefined, us: number): boolean => next === undefined || next.timeUs - c.timeUs > us;

const INJECTIONS: readonly Injection[] = [
  { kind: 'missing', gives: ['missing'], afterUs: () => 0, fits: (c, later) => isPut(c) && (c.op === 'update' || later[0]?.op !== 'delete') },
  { kind: 'missing', gives: ['missing'], afterUs: () => 0, fits: (c, _, plan) => c.op === 'delete' && plan.identity.target === 'full' },
  { kind: 'mismatch', gives: ['mismatch'], afterUs: () => 0, fits: isPut },
  { kind: 'duplicate', gives: ['duplicate'], afterUs: () => 0, fits: isPut },
  { kind: 'stale', gives: ['duplicate'], afterUs: beyond, fits: last },
  { kind: 'stale', gives: ['duplicate'], afterUs: within, fits: (c, later, plan) => isPut(c) && later.length === 1 && later.every(isPut) && !clear(c, later[0], plan.window.skewUs) },
  { kind: 'late', gives: ['missing', 'late_applied'], afterUs: beyond, fits: last },
  { kind: 'oob-update', gives: ['unexpected'], afterUs: within, fits: last },
  { kind: 'oob-delete', gives: ['unexpected'], afterUs: within, fits: last },
  { kind: 'oob-insert', gives: ['unexpected'], afterUs: within, fits: (c, later) => c.op === 'delete' && later.length === 0 },
  { kind: 'oob-insert-foreign', gives: ['unexpected'], afterUs: within, fits: (c, later) => c.op === 'delete' && later.length === 0 },
];

/** A clean plan with one fault; without one where nothing in the plan fits it. */
function injected(seed: number, injection: Injection): Plan {
  const random = prng(seed * 31);
  // Every seed has its whole table, so that rare shapes (a last delete) are found; no truncates.
  const plan = workload(seed, { ...CLEAN, events: 80 });
  const changes = sourceHistory(plan).filter((c) => c.op !== 'read' && c.planned.kind !== 'move');
  const fitting = changes.filter((c) => injection.fits(c, laterOf(plan, c), plan));
  return fitting.length === 0 ? plan : { ...plan, faults: [faultAt(random.pick(fitting), injection, plan)] };
}

function laterOf(plan: Plan, change: SourceChange): SourceChange[] {
  const all = sourceHistory(plan).filter((c) => c.key === change.key);
  return all.slice(all.findIndex((c) => c.lsn === change.lsn && c.seq === change.seq) + 1);
}

function faultAt(change: SourceChange, injection: Injection, plan: Plan): PlannedFault {
  return { kind: injection.kind, changeId: change.planned.id, atUs: change.planned.timeUs + injection.afterUs(plan), value: { v: 'harm', n: -1 } };
}

for (const [i, injection] of INJECTIONS.entries()) {
  void test(`6: ${injection.kind} gives ${injection.gives.join(' and ')}, once (${String(i)})`, async () => {
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

void test('6: two puts in the wrong order give reordered, once', async () => {
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
