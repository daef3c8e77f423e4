// Runs profiles over many seeds, and makes the first plan that fails small. What a run says is here; how it is called is in sim.ts.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { PROFILES, type Profile } from './profiles.ts';
import { add, type Coverage } from './coverage.ts';
import type { Plan } from './plan.ts';
import { prng } from './prng.ts';
import { shrink } from './shrink.ts';

export interface Failure { readonly profile: string; readonly seed: number; readonly events: number | undefined; readonly complete: boolean; readonly lines: readonly string[] }

export interface Totals {
  seeds: number; runs: number; sourceEvents: number; targetEvents: number;
  /** By profile, what happened to the services. */
  readonly covered: Record<string, Coverage>;
}

export function noTotals(): Totals {
  return { seeds: 0, runs: 0, sourceEvents: 0, targetEvents: 0, covered: {} };
}

/** Tries one seed in one of the profiles, in turn, or in each of them. */
export async function trySeed(profiles: readonly string[], each: boolean, seed: number, totals: Totals, events?: number): Promise<Failure[]> {
  const failures: Failure[] = [];
  const complete = isComplete(seed);
  totals.seeds++;
  for (const name of each ? profiles : [profiles[seed % profiles.length]]) {
    const profile = PROFILES[name];
    totals.runs++;
    const lines = await told(profile, profile.planOf(seed, events), complete, totals, name);
    if (lines.length > 0) failures.push({ profile: name, seed, events, complete, lines });
  }
  return failures;
}

/** Half of the seeds are judged with their ends declared; of the others the open windows are judged too. */
export function isComplete(seed: number): boolean {
  return prng(seed ^ 0x5eed).chance(0.5);
}

/** A crash of the check is a failure like any other. */
export async function told(profile: Profile, plan: Plan, complete: boolean, totals?: Totals, name = ''): Promise<readonly string[]> {
  try {
    const { lines, sourceEvents, targetEvents, covered = {} } = await profile.trial(plan, complete);
    if (totals !== undefined) {
      totals.sourceEvents += sourceEvents;
      totals.targetEvents += targetEvents;
      add(totals.covered[name] ??= {}, covered);
    }
    return lines;
  } catch (error) {
    return [`threw ${error instanceof Error ? error.stack ?? error.message : String(error)}`];
  }
}

/** All that is needed to see the failure again: the seed with its profile, and the smallest plan that was found to fail, as a file. */
export async function describeFailure({ profile: name, seed, events, complete, lines }: Failure, profile: Profile = PROFILES[name]): Promise<string> {
  const plan = profile.planOf(seed, events);
  const small = await shrink(plan, async candidate => (await told(profile, candidate, complete)).length > 0);
  const file = join(tmpdir(), `paritas-${name}-${seed}.json`);
  const smallLines = await told(profile, small, complete);
  writeFileSync(file, `${JSON.stringify({ why: `${name}, seed ${seed}: ${smallLines[0]}`, profile: name, complete, plan: small })}\n`);
  return [
    `seed ${seed} fails in profile ${name} (${complete ? 'ends declared' : 'by evidence alone'}):`, ...indented(lines),
    `made small, ${plan.changes.length} changes to ${small.changes.length}, faults ${JSON.stringify(small.faults.map(fault => fault.kind))}, log ${JSON.stringify(small.disturbances.map(item => item.kind))}:`,
    ...indented(smallLines),
    `again, this seed:      npm run sim -- --profile ${name} --seed ${seed} --count 1${events === undefined ? '' : ` --events ${events}`}`,
    `again, made small:     npm run sim -- --plan ${file}`,
    'a file under test/simulation/regressions keeps it for ever, once `why` says what was wrong',
  ].join('\n');
}

function indented(lines: readonly string[]): string[] {
  const shown = lines.slice(0, 20).map(line => `  ${line}`);
  return lines.length > shown.length ? [...shown, `  … and ${lines.length - shown.length} more`] : shown;
}
