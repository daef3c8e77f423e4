// What else happens to a plan, drawn from a generator of its own, so that the plan of a seed stays what it was: values that come back
// (A-B-A), aborted transactions, rows of an incremental snapshot, columns too large for the log (placeholders); of a rough plan also a
// sink that is thrown back and partitions that fall silent.
import type { Disturbance, Plan, PlannedChange } from './plan.ts';
import { prng, type Prng } from './prng.ts';

export function widened(plan: Plan, rough: boolean): Plan {
  const random = prng(plan.seed ^ 0x3c6ef372);
  const changes = withSnapshot(random, withAborted(random, comingBack(random, plan.changes)));
  return rough
    ? { ...plan, changes, replays: [...plan.replays ?? [], ...throwsBack(random, changes)], disturbances: [...plan.disturbances, ...stalls(random, plan)] }
    : { ...plan, changes, unavailable: placeholders(random, plan, changes) };
}

function some<T>(random: Prng, from: readonly T[], of: number): T[] {
  return from.filter(() => random.chance(of));
}

/** A row gets the value back that it had before its last. */
function comingBack(random: Prng, changes: readonly PlannedChange[]): PlannedChange[] {
  const last = new Map<number, PlannedChange['value'][]>();
  return changes.map(change => {
    const [before, beforeThat] = last.get(change.key) ?? [];
    const value = change.kind === 'put' && beforeThat !== undefined && random.chance(0.1) ? beforeThat : change.value;
    last.set(change.key, [value, before]);
    return { ...change, value };
  });
}

/** An aborted transaction uses up a number and places in the log, and leaves nothing else. */
function withAborted(random: Prng, changes: readonly PlannedChange[]): PlannedChange[] {
  const aborted = some(random, [...new Set(changes.map(change => change.tx))], 0.1).map(tx => ({ tx, lsn: Math.max(...changes.filter(c => c.tx === tx).map(c => c.lsn)), rows: 1 + random.int(4) }));
  const used = (lsn: number): number => aborted.filter(a => a.lsn < lsn).reduce((sum, a) => sum + 8 * a.rows, 0);
  return changes.map(change => ({
    ...change, lsn: change.lsn + used(change.lsn), seq: change.seq + used(change.seq), tx: change.tx + aborted.filter(a => a.tx < change.tx).length,
  }));
}

/** Rows read again in mid-stream; they have no position of their own. */
function withSnapshot(random: Prng, changes: readonly PlannedChange[]): PlannedChange[] {
  if (random.chance(0.5)) return [...changes];
  let id = changes.length;
  return changes.flatMap(change => (change.kind !== 'read' && random.chance(0.05) ? [change, { ...change, kind: 'incremental', id: id++ }] : [change]));
}

/** A side that is declared to log full images never has one; there it would be a stored value (ruling 30). */
function placeholders(random: Prng, plan: Plan, changes: readonly PlannedChange[]): NonNullable<Plan['unavailable']> {
  const of = random.pick([0, 0.3, 1]);
  const ids = (identity: string): number[] => some(random, changes, of).map(change => change.id).filter(() => identity !== 'full');
  return { source: ids(plan.identity.source), target: ids(plan.identity.target) };
}

function throwsBack(random: Prng, changes: readonly PlannedChange[]): NonNullable<Plan['replays']> {
  return random.chance(0.5) ? [] : some(random, changes, 0.03).map(change => ({ changeId: change.id, count: 1 + random.int(6) }));
}

function stalls(random: Prng, plan: Plan): Disturbance[] {
  if (random.chance(0.85)) return [];
  const side = random.pick(['source', 'target'] as const);
  return [{ kind: 'stall', side, partition: random.int(plan.partitions[side]), at: random.next() }];
}
