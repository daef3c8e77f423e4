// Runs a property over many plans: regressions first, then seeds. The first plan that fails is made small and told with all that is
// needed to run it again; saved under test/simulation/regressions it guards for ever.
import { check } from '../support/check.ts';
import type { CheckResult } from './compare.ts';
import { realize } from './logs.ts';
import type { History } from './history.ts';
import type { Plan } from './plan.ts';
import { toBeside, toCapture, toConfig } from './render.ts';
import { shrink } from './shrink.ts';

/** What is wrong with a plan's run, one line each; empty where nothing is. */
export type Failures = (plan: Plan) => Promise<readonly string[]>;

/** Throws for the first seed whose plan fails. */
export async function forSeeds(seeds: readonly number[], planOf: (seed: number) => Plan, failures: Failures): Promise<void> {
  for (const seed of seeds) {
    const plan = planOf(seed);
    const lines = await told(plan, failures);
    if (lines.length === 0) continue;
    const small = await shrink(plan, async (candidate) => (await told(candidate, failures)).length > 0);
    throw new Error([
      `seed ${String(seed)} fails (run it alone with PARITAS_SEED=${String(seed)}):`, ...lines.slice(0, 20),
      '', 'made small:', ...(await told(small, failures)).slice(0, 20), '', JSON.stringify(small),
    ].join('\n'));
  }
}

/** A crash of the check is a failure like any other. */
async function told(plan: Plan, failures: Failures): Promise<readonly string[]> {
  try {
    return await failures(plan);
  } catch (error) {
    return [`threw ${error instanceof Error ? error.stack ?? error.message : String(error)}`];
  }
}

export async function checkPlan(plan: Plan, complete: boolean): Promise<CheckResult> {
  return checkHistory(realize(plan), complete);
}

export async function checkHistory(history: History, complete: boolean, shards = 1): Promise<CheckResult> {
  return check({ pair: toConfig(history.plan) }, toCapture(history, 'source'), toCapture(history, 'target'), { complete, shards, beside: toBeside(history) });
}

/** Window start and coreHash of each verdict, as lines. */
export function cores(result: CheckResult): string[] {
  return result.records.filter((r) => r.record === 'verdict').map((v) => `${v.window.start} ${v.coreHash}`);
}

/** Lines of `a` that `b` has not, and the other way round. */
export function apart(a: readonly string[], b: readonly string[]): string[] {
  return [...a.filter((line) => !b.includes(line)).map((line) => `first only:  ${line}`), ...b.filter((line) => !a.includes(line)).map((line) => `second only: ${line}`)];
}
