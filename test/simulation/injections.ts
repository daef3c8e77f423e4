// One fault put into a clean plan, at a place where its own trace is the only one: what a hurt row does to later changes of its key is the
// oracle's business.
import type { Class } from '../../schemas/records.ts';
import type { FaultKind, Plan, PlannedFault } from './plan.ts';
import { prng } from './prng.ts';
import type { SourceChange } from './source-history.ts';
import { sourceHistory } from './source-history.ts';
import { CLEAN, workload } from './workload.ts';

export interface Injection {
  readonly kind: FaultKind;
  readonly gives: readonly Class[];
  /** When the harm is done, after the change; horizons of the plan. */
  readonly afterUs: (plan: Plan) => number;
  /** Whether the harm leaves only its own trace: `later` are the changes of the key behind this one. */
  readonly fits: (change: SourceChange, later: readonly SourceChange[], plan: Plan) => boolean;
}

export const isPut = (c: SourceChange | undefined): boolean => c !== undefined && (c.op === 'create' || c.op === 'update');
const last = (c: SourceChange, later: readonly SourceChange[]): boolean => isPut(c) && later.length === 0;
export const within = (plan: Plan): number => plan.window.lagUs - plan.window.skewUs;
const beyond = (plan: Plan): number => 2 * plan.window.lagUs + plan.window.skewUs + plan.window.sizeUs;
// The next change must lie clear of the harm: what the clocks may blur (skew, whole seconds) is kept out.
const clear = (c: SourceChange, next: SourceChange | undefined, us: number): boolean => next === undefined || next.timeUs - c.timeUs > us;

export const INJECTIONS: readonly Injection[] = [
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
export function injected(seed: number, injection: Injection, policy?: Plan['policy']): Plan {
  const random = prng(seed * 31);
  // Every seed has its whole table, so that rare shapes (a last delete) are found; no truncates.
  const plan = workload(seed, { ...CLEAN, events: 80, ...(policy === undefined ? {} : { policy, plan: { identity: { source: 'full', target: 'full' } } }) });
  const changes = sourceHistory(plan).filter((c) => c.op !== 'read' && c.planned.kind !== 'move');
  const fitting = changes.filter((c) => injection.fits(c, laterOf(plan, c), plan));
  return fitting.length === 0 ? plan : { ...plan, faults: [faultAt(random.pick(fitting), injection, plan)] };
}

export function laterOf(plan: Plan, change: SourceChange): SourceChange[] {
  const all = sourceHistory(plan).filter((c) => c.key === change.key);
  return all.slice(all.findIndex((c) => c.lsn === change.lsn && c.seq === change.seq) + 1);
}

function faultAt(change: SourceChange, injection: Injection, plan: Plan): PlannedFault {
  return { kind: injection.kind, changeId: change.planned.id, atUs: change.planned.timeUs + injection.afterUs(plan), value: { v: 'harm', n: -1 } };
}
