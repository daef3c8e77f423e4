// The plans that once found an error, smallest form, replayed in their profile before any new seed. A file that cannot be read as a plan fails the run:
// a regression that is silently skipped guards nothing.
import { readdirSync, readFileSync } from 'node:fs';
import type { Plan } from './plan.ts';
import { PROFILES } from './profiles.ts';

const DIRECTORY = new URL('./regressions/', import.meta.url);

export interface Regression { readonly name: string; readonly why: string; readonly complete: boolean; readonly profile: string; readonly plan: Plan }

export function regressions(): Regression[] {
  return readdirSync(DIRECTORY).filter((name) => name.endsWith('.json')).sort().map((name) => {
    return parseRegression(name, readFileSync(new URL(name, DIRECTORY), 'utf8'));
  });
}

/** Throws where the text is no regression. */
export function parseRegression(name: string, text: string): Regression {
  const value = JSON.parse(text) as Partial<Omit<Regression, 'name'>>;
  const plan: Partial<Plan> | undefined = value.plan;
  const whole = typeof value.why === 'string' && typeof value.complete === 'boolean' && plan !== undefined && typeof plan.seed === 'number'
    && (plan.matchBy === 'origin' || plan.matchBy === 'version' || plan.matchBy === 'alignment') && typeof plan.jitterUs === 'number' && plan.window !== undefined
    && [plan.window.sizeUs, plan.window.latenessUs, plan.window.lagUs, plan.window.skewUs].every(Number.isSafeInteger)
    && Array.isArray(plan.changes) && plan.changes.length > 0 && plan.changes.every((c) => Number.isSafeInteger(c.timeUs) && Number.isSafeInteger(c.lsn))
    && Array.isArray(plan.faults) && Array.isArray(plan.disturbances);
  const profile = value.profile ?? 'rough';
  if (!whole || !Object.hasOwn(PROFILES, profile)) throw new Error(`${name}: not a whole regression`);
  return { name, why: value.why ?? '', complete: value.complete ?? false, profile, plan: plan as Plan };
}
