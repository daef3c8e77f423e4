// seed -> plan: skewed keys; values from many, fifty or three; A-B-A; no-ops; deletes and re-inserts; key changes; several rows at one
// lsn; commit times that go back by up to the skew; interleaved transactions; heavy-tailed lag; every class of fault.
import type { Disturbance, Plan, PlannedBeat, PlannedChange, PlannedFault, PlanWindow, Value } from './plan.ts';
import { FAULTS } from './plan.ts';
import type { Prng } from './prng.ts';
import { prng } from './prng.ts';

export interface WorkloadOptions {
  /** Source changes, about. */
  readonly events: number;
  readonly faults: number;
  readonly disturbances: number;
  readonly truncates: boolean;
  /** Lateness may be less than the disorder: only the oracle knows what then happens. */
  readonly tightLateness: boolean;
  readonly plan: Partial<Plan>;
  /** Of `collapse` also a batching sink, of `replay` one that is thrown back. */
  readonly policy?: Plan['policy'];
}
export const CLEAN: WorkloadOptions = { events: 150, faults: 0, disturbances: 0, truncates: false, tightLateness: false, plan: {} };
export const ROUGH: WorkloadOptions = { events: 150, faults: 12, disturbances: 4, truncates: false, tightLateness: true, plan: {} };

const START_US = 1_700_000_000_123_457;

export function workload(seed: number, options: WorkloadOptions): Plan {
  const random = prng(seed);
  const resolutionUs = { source: random.chance(0.15) ? 1_000_000 : 1, target: random.chance(0.15) ? 1_000_000 : 1 };
  const window = options.plan.window ?? planWindow(random, resolutionUs.target > 1 || resolutionUs.source > 1, options.tightLateness);
  const settings = {
    seed, window, resolutionUs,
    matchBy: random.pick(['origin', 'origin', 'version'] as const),
    identity: { source: random.pick(['full', 'default'] as const), target: random.pick(['full', 'full', 'full', 'default', 'invented'] as const) },
    partitions: { source: 1 + random.int(3), target: 1 + random.int(3) },
    transactionBlocks: random.chance(0.5), tombstones: random.chance(0.5), holes: random.chance(0.5),
    jitterUs: random.chance(0.5) ? random.int(window.latenessUs + 1) : 0, jitterSeed: random.int(2 ** 31),
    ...options.plan,
  };
  const changes = plannedChanges(random, settings.window, settings.resolutionUs.target, options);
  const faults = Array.from({ length: random.int(options.faults + 1) }, () => plannedFault(random, changes, settings.window));
  const disturbances = Array.from({ length: random.int(options.disturbances + 1) }, () => disturbance(random, settings.partitions));
  return { ...settings, changes, faults, disturbances, ...sink(random, options.policy, changes) };
}

/** Drawn after everything else: a plan of policy `exact` stays what it was. */
function sink(random: Prng, policy: Plan['policy'], changes: readonly PlannedChange[]): Partial<Plan> {
  const some = (of: number): readonly PlannedChange[] => changes.filter(() => random.chance(of));
  switch (policy) {
    case undefined: return {};
    case 'collapse': return { policy, merged: some(random.pick([0.3, 0.8])).map((change) => change.id) };
    case 'replay': return { policy, replays: some(0.1).map((change) => ({ changeId: change.id, count: 1 + random.int(6) })) };
  }
}

/** A sink that skipped a stretch of the source: every change of it is missing. */
export function outage(plan: Plan, length: number): Plan {
  const first = prng(plan.seed).int(Math.max(1, plan.changes.length - length));
  const lost = plan.changes.filter((change) => change.id >= first && change.id < first + length);
  return { ...plan, faults: [...plan.faults, ...lost.map((change): PlannedFault => ({ kind: 'missing', changeId: change.id, atUs: change.timeUs, value: change.value }))] };
}

/** With a row of a heartbeat table on each side now and then, until some time after the last change; of some the order is not that of their times. */
export function beating(plan: Plan): Plan {
  const random = prng(plan.seed ^ 0x510e527f);
  const times = plan.changes.map((change) => change.timeUs);
  const [fromUs, toUs] = [Math.min(...times), Math.max(...times) + random.int(4 * (plan.window.lagUs + plan.window.latenessUs + plan.window.sizeUs))];
  const beats = (['source', 'target'] as const).flatMap((side) => {
    const at = Array.from({ length: random.int(14) }, () => fromUs + random.int(toUs - fromUs + 1)).sort((a, b) => a - b);
    return at.map((timeUs): PlannedBeat => ({
      side, kind: random.chance(0.75) ? 'row' : random.pick(['read', 'timer', 'garbage'] as const), timeUs: random.chance(0.2) ? timeUs - random.int(plan.window.latenessUs + 1) : timeUs,
    }));
  });
  return { ...plan, beats, ...(random.chance(0.3) ? { graceUs: random.int(plan.window.lagUs) } : {}) };
}

/** As MySQL times them: every four transactions of the plan are the statements of one, each at a time of its own. Some changes are lost; most windows lose none. */
export function spread(plan: Plan): Plan {
  const lost = plan.changes.filter((change) => change.id % 16 === 4);
  return {
    ...plan, transactionBlocks: true, changes: plan.changes.map((change) => ({ ...change, tx: Math.floor(change.tx / 4) })),
    faults: [...plan.faults, ...lost.map((change): PlannedFault => ({ kind: 'missing', changeId: change.id, atUs: change.timeUs, value: change.value }))],
  };
}

/** Stretches lost before they were logged, on either side, and in every third plan a run that the target lost. */
export function withGaps(seed: number, options: WorkloadOptions = ROUGH): Plan {
  const random = prng(seed ^ 0x6a09e667);
  const plan = workload(seed, options);
  const drops = Array.from({ length: 1 + random.int(3) }, (): Disturbance => {
    const side = random.pick(['source', 'target'] as const);
    return { kind: 'drop', side, partition: random.int(plan.partitions[side]), at: random.next(), count: 1 + random.int(20) };
  });
  const dropped = { ...plan, disturbances: [...plan.disturbances, ...drops] };
  return seed % 3 === 0 ? outage(dropped, 60 + seed % 60) : dropped;
}

function planWindow(random: Prng, wholeSeconds: boolean, tight: boolean): PlanWindow {
  const skewUs = wholeSeconds ? 1_000_000 + random.int(500_000) : random.pick([0, 50_000, 300_000, 1_000_000]);
  const latenessUs = tight && random.chance(0.3) ? random.int(skewUs + 1) : skewUs + random.int(2_000_000);
  return { sizeUs: random.pick([250_000, 1_000_000, 1_000_000, 3_000_000]), latenessUs, lagUs: 2 * skewUs + random.pick([200_000, 1_000_000, 4_000_000]), skewUs };
}

/** Where the source's log stands. Positions are (seq, lsn): the end of the last commit, then the row's own place. */
interface SourceLog { clockUs: number; lsn: number; seq: number; tx: number; readonly reserved: number[] }

/** Transactions in commit order. Some rows have taken their place in the log before the transaction that commits before theirs. */
function plannedChanges(random: Prng, window: PlanWindow, targetResolutionUs: number, options: WorkloadOptions): PlannedChange[] {
  const keys = random.pick([3, 8, 40]);
  const pool = random.pick(['unique', 'fifty', 'three'] as const);
  const stepUs = random.pick([5_000, 60_000, 250_000]);
  const log: SourceLog = { clockUs: START_US + random.int(3_000_000), lsn: 1_000, seq: 0, tx: 700, reserved: [] };
  const last = new Map<number, Value>();
  const lagUs = (): number => (window.skewUs > 0 && targetResolutionUs === 1 && random.chance(0.1)
    ? -random.int(window.skewUs) : random.heavyTail(100_000, window.lagUs - 2 * window.skewUs));
  const changes: PlannedChange[] = [];
  const add = (kind: PlannedChange['kind'], key: number, timeUs: number, lsn: number): void => {
    const kept = last.get(key);
    const chosen = kept !== undefined && random.chance(0.1) ? kept : value(random, pool, changes.length);
    last.set(key, chosen);
    changes.push({ id: changes.length, kind, key, toKey: random.int(keys), value: chosen, timeUs, seq: log.seq, lsn, tx: log.tx, lagUs: lagUs() });
  };
  for (let key = 0, n = random.chance(0.5) ? random.int(keys) : 0; key < n; key++) add('read', key, log.clockUs, log.lsn);
  log.seq = log.lsn + 4;
  while (changes.length < options.events) {
    log.clockUs += Math.floor(-Math.log(1 - random.next()) * stepUs) + (random.chance(0.02) ? random.int(5_000_000) : 0);
    transaction(random, log, log.clockUs - (random.chance(0.25) ? random.int(window.skewUs + 1) : 0), keys, options.truncates, add);
  }
  return changes;
}

function transaction(
  random: Prng, log: SourceLog, timeUs: number, keys: number, truncates: boolean,
  add: (kind: PlannedChange['kind'], key: number, timeUs: number, lsn: number) => void,
): void {
  log.tx++;
  if (random.chance(0.1)) log.reserved.push(log.lsn += 8);
  const reserved = random.chance(0.3) ? log.reserved.shift() : undefined;
  const touched = new Set<number>();
  for (let row = 0, rows = reserved !== undefined || random.chance(0.7) ? 1 : 1 + random.int(4); row < rows; row++) {
    const key = Math.min(keys - 1, Math.floor(keys * random.next() ** 2));
    const kind = truncates && random.chance(0.01) ? 'truncate' : random.pick(['put', 'put', 'put', 'delete', random.chance(0.2) ? 'move' : 'put'] as const);
    // One place for several rows (COPY) only where no key has two changes there: the place and the key are the identity.
    const shared = touched.size > 0 && kind !== 'move' && kind !== 'truncate' && !touched.has(key) && random.chance(0.4);
    if (reserved === undefined && !shared) { log.lsn += 8; touched.clear(); }
    if (kind !== 'move' && kind !== 'truncate') touched.add(key);
    add(kind, key, timeUs, reserved ?? log.lsn);
  }
  log.lsn += 8;
  log.seq = log.lsn;
}

function value(random: Prng, pool: 'unique' | 'fifty' | 'three', id: number): Value {
  switch (pool) {
    case 'unique': return { v: `u${String(id)}`, n: id };
    case 'fifty': { const i = random.int(50); return { v: `f${String(i)}`, n: i }; }
    case 'three': { const i = random.int(3); return { v: i === 2 ? null : `t${String(i)}`, n: 7 }; }
  }
}

function plannedFault(random: Prng, changes: readonly PlannedChange[], window: PlanWindow): PlannedFault {
  const change = random.pick(changes);
  const atUs = change.timeUs + random.pick([random.int(window.lagUs), random.int(2 * window.lagUs), window.lagUs + window.sizeUs + random.int(4 * window.lagUs)]);
  return { kind: random.pick(FAULTS), changeId: change.id, atUs, value: random.chance(0.3) ? random.pick(changes).value : { v: 'harm', n: -1 } };
}

function disturbance(random: Prng, partitions: Plan['partitions']): Disturbance {
  const side = random.pick(['source', 'target'] as const);
  const partition = random.int(partitions[side]);
  const at = random.next();
  const kind = random.pick(['resend', 'resend', 'delay', 'delay', 'garbage'] as const);
  return kind === 'garbage' ? { kind, side, partition, at } : { kind, side, partition, at, count: 1 + random.int(kind === 'resend' ? 12 : 40) };
}
