// Makes a failing plan small: drops disturbances, faults, keys and changes, and plain settings for odd ones, as long as it still fails.
// Every choice of a plan is stored with its item (plan.ts), so what is left runs as it did before.
import type { Plan } from './plan.ts';

/** The smallest plan found that still fails; `fails` is asked at most `tries` times. */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>, tries = 600): Promise<Plan> {
  let best = plan;
  let left = tries;
  const attempt = async (candidate: Plan): Promise<boolean> => {
    if (left <= 0) return false;
    left--;
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let before = ''; before !== JSON.stringify(best) && left > 0;) {
    before = JSON.stringify(best);
    for (const simpler of simplerSettings(best)) await attempt({ ...best, ...simpler });
    for (const name of ['disturbances', 'faults', 'beats', 'changes'] as const) await dropItems(name, () => best, attempt);
    for (const key of new Set(best.changes.map((c) => c.key))) await attempt({ ...best, changes: best.changes.filter((c) => c.key !== key) });
  }
  return best;
}

/** Halves first, then quarters, down to single items. */
async function dropItems(name: 'disturbances' | 'faults' | 'beats' | 'changes', best: () => Plan, attempt: (plan: Plan) => Promise<boolean>): Promise<void> {
  const items = (): readonly unknown[] => best()[name] ?? [];
  for (let size = Math.ceil(items().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < items().length;) {
      const kept = [...items()];
      kept.splice(at, size);
      if (!(await attempt({ ...best(), [name]: kept }))) at += size;
    }
  }
}

function simplerSettings(plan: Plan): Partial<Plan>[] {
  return [
    { partitions: { source: 1, target: 1 } }, { jitterUs: 0 }, { transactionBlocks: false }, { tombstones: false }, { holes: false },
    { identity: { source: 'default', target: plan.identity.target } }, { resolutionUs: { source: 1, target: 1 } },
    { changes: plan.changes.map((c) => ({ ...c, lagUs: 0 })) },
  ];
}
