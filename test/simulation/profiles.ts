// The kinds of run that the simulator tries a seed in: which plan a seed gives, and what must be true of it.
import { unexplainedKeys } from '../oracle/explained.ts';
import { judge } from '../oracle/oracle.ts';
import type { CheckResult } from './compare.ts';
import { differences } from './compare.ts';
import type { Coverage } from './coverage.ts';
import type { History } from './history.ts';
import { INJECTIONS, injected } from './injections.ts';
import { handoverDifferences } from './handover.ts';
import { realize } from './logs.ts';
import type { Plan } from './plan.ts';
import { prng } from './prng.ts';
import { checkHistory } from './property.ts';
import { serviceDifferences } from './service.ts';
import { widened } from './widen.ts';
import { beating, CLEAN, ROUGH, spread, type WorkloadOptions, withGaps, workload } from './workload.ts';

export interface Trial {
  /** What is wrong, one line each; empty where nothing is. */
  readonly lines: readonly string[];
  readonly sourceEvents: number;
  readonly targetEvents: number;
  /** What happened to the service, where there is one. */
  readonly covered?: Coverage;
}

export interface Profile {
  readonly about: string;
  /** `events`: source changes, about; left out, what the profile has. */
  planOf(seed: number, events?: number): Plan;
  /** `complete`: the ends of the logs are declared. */
  trial(plan: Plan, complete: boolean): Promise<Trial>;
}

export const PROFILES: Readonly<Record<string, Profile>> = {
  clean: {
    about: 'no fault: parity in every window, and the oracle agrees',
    planOf: (seed, events) => widened(workload(seed, sized(CLEAN, events)), false),
    trial: (plan, complete) => onHistory(plan, async history => [...await againstOracle(history, complete), ...(complete ? alarms(await checkHistory(history, true)) : [])]),
  },
  rough: {
    about: 'faults, disorder, records sent again, late or unreadable: the oracle agrees',
    planOf: (seed, events) => widened(workload(seed, sized(ROUGH, events)), true),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  truncates: {
    about: 'the same with truncates',
    planOf: (seed, events) => widened(workload(seed, sized({ ...ROUGH, truncates: true }, events)), true),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  gaps: {
    about: 'stretches that a connector never wrote, and runs that the target lost: the oracle agrees',
    planOf: seed => withGaps(seed),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  holes: {
    about: 'stretches that a connector never wrote, shown by the numbers and ENDs of transactions: the oracle agrees',
    planOf: (seed, events) => withGaps(seed, sized({ ...CLEAN, faults: 6, plan: { transactionBlocks: true, ends: true } }, events)),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  carried: {
    about: 'a carried column that either log often does not have, beside faults, disorder and truncates: the oracle agrees',
    planOf: (seed, events) => carrying(widened(workload(seed, sized({ ...ROUGH, truncates: seed % 2 === 0 }, events)), true)),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  evidence: {
    about: 'transaction topics whose ENDs close the last windows, beside faults that tear transactions: the oracle agrees',
    planOf: (seed, events) => widened(workload(seed, sized({ ...CLEAN, faults: seed % 3 === 0 ? 0 : 12, plan: { transactionBlocks: true, ends: true } }, events)), false),
    trial: (plan, complete) => onHistory(plan, async history => [...await againstOracle(history, complete), ...(complete && plan.faults.length === 0 ? alarms(await checkHistory(history, true)) : [])]),
  },
  heartbeats: {
    about: 'rows of a heartbeat table, and what only looks like one, that close the last windows, beside faults and disorder: the oracle agrees',
    planOf: (seed, events) => beating(widened(workload(seed, sized({ ...(seed % 2 === 0 ? ROUGH : CLEAN), truncates: seed % 5 === 0 }, events)), seed % 2 === 0)),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  torn: {
    about: 'transactions whose statements have times of their own and lie in several windows and shards, some of them torn: the oracle agrees',
    planOf: (seed, events) => spread(widened(workload(seed, sized({ ...(seed % 2 === 0 ? ROUGH : CLEAN), ...(seed % 7 === 0 ? { policy: 'collapse' } : {}) }, events)), false)),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete, 1 + plan.seed % 3)),
  },
  collapse: {
    about: 'policy collapse, a sink that merges, beside faults and disorder: the oracle agrees',
    planOf: (seed, events) => widened(workload(seed, sized({ ...ROUGH, policy: 'collapse' }, events)), true),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  replay: {
    about: 'policy replay, a sink that is thrown back, beside faults and disorder: the oracle agrees',
    planOf: (seed, events) => widened(workload(seed, sized({ ...ROUGH, policy: 'replay' }, events)), true),
    trial: (plan, complete) => onHistory(plan, history => againstOracle(history, complete)),
  },
  'aligned-clean': {
    about: 'match alignment, no fault: no alarm',
    planOf: (seed, events) => widened(workload(seed, sized({ ...CLEAN, plan: { matchBy: 'alignment' } }, events)), false),
    trial: (plan, complete) => onHistory(plan, async history => alarms(await checkHistory(history, complete))),
  },
  'aligned-collapse': {
    about: 'match alignment, policy collapse, a sink that merges and no fault: no alarm',
    planOf: (seed, events) => widened(workload(seed, sized({ ...CLEAN, policy: 'collapse', plan: { matchBy: 'alignment' } }, events)), false),
    trial: (plan, complete) => onHistory(plan, async history => alarms(await checkHistory(history, complete))),
  },
  'aligned-rough': {
    about: 'match alignment, faults: an alarm on each key that no legal run explains, and on no other',
    planOf: (seed, events) => widened(workload(seed, sized({ ...CLEAN, faults: 12, plan: { matchBy: 'alignment' } }, events)), false),
    trial: plan => onHistory(plan, async history => misjudged(history, await checkHistory(history, true))),
  },
  'aligned-rough-collapse': {
    about: 'the same by policy collapse, with a sink that merges',
    planOf: (seed, events) => widened(workload(seed, sized({ ...CLEAN, faults: 12, policy: 'collapse', plan: { matchBy: 'alignment' } }, events)), false),
    trial: plan => onHistory(plan, async history => misjudged(history, await checkHistory(history, true))),
  },
  'aligned-replay': {
    about: 'match alignment, policy replay, a sink that is thrown back and no fault: no alarm',
    planOf: (seed, events) => widened(workload(seed, sized({ ...CLEAN, policy: 'replay', plan: ALIGNED_WHOLE }, events)), false),
    trial: (plan, complete) => onHistory(plan, async history => alarms(await checkHistory(history, complete))),
  },
  'aligned-rough-replay': {
    about: 'the same with faults: an alarm on each key that no legal run explains, and on no other',
    planOf: (seed, events) => widened(workload(seed, sized({ ...CLEAN, faults: 12, policy: 'replay', plan: ALIGNED_WHOLE }, events)), false),
    trial: plan => onHistory(plan, async history => misjudged(history, await checkHistory(history, true))),
  },
  'aligned-faulty': {
    about: 'match alignment, one fault: an alarm on its key, and on no other',
    planOf: seed => ({ ...injected(seed, prng(seed).pick(INJECTIONS)), matchBy: 'alignment' }),
    trial: plan => onHistory(plan, async history => misplaced(plan, await checkHistory(history, true))),
  },
  service: {
    about: 'two pairs of one to three reconcile tasks that die, fail to commit, change workers, disks and logs: the bytes of an undisturbed run',
    planOf: (seed, events = 50) => (seed % 4 === 0 ? carrying : same)(workload(seed, { ...ROUGH, events, truncates: seed % 6 === 0, plan: { matchBy: (['origin', 'version', 'alignment'] as const)[seed % 3] } })),
    // A truncate is refused where there are several.
    trial: plan => onService(plan, history => serviceDifferences(history, plan.seed, plan.seed % 6 === 0 ? 1 : tasksFor(plan))),
  },
  handover: {
    about: 'two services that hand tasks to each other, take them, follow each other and die: the one chain of an undisturbed run',
    planOf: (seed, events = 50) => workload(seed, { ...ROUGH, events, plan: { matchBy: (['origin', 'version', 'alignment'] as const)[seed % 3] } }),
    trial: plan => onService(plan, history => handoverDifferences(history, plan.seed, tasksFor(plan))),
  },
};

/** With a carried column, which many updates leave as it is, and the logs then often do not have. */
export function carrying(plan: Plan): Plan {
  const ids = plan.changes.map(({ id }) => id);
  const held = new Map<number, string | null>();
  const changes = plan.changes.map(change => {
    const last = held.get(change.key);
    const v = change.id % 3 === 0 || last === undefined ? change.value.v : last;
    held.set(change.key, v);
    return { ...change, value: { ...change.value, v } };
  });
  const unavailable = { source: ids.filter(id => id % 3 !== 0), target: ids.filter(id => id % 5 < 2) };
  return { ...plan, changes, carry: ['v'], identity: { source: 'default', target: 'default' }, unavailable };
}

/** Whether a repeat is one cannot be told where its columns are not known: no placeholders. */
const ALIGNED_WHOLE = { matchBy: 'alignment', identity: { source: 'full', target: 'full' } } as const;

function same(plan: Plan): Plan {
  return plan;
}

/** Reconcile tasks of a pair. */
function tasksFor({ seed }: Plan): number {
  return 1 + Math.floor(seed / 3) % 3;
}

function sized(options: WorkloadOptions, events: number | undefined): WorkloadOptions {
  return events === undefined ? options : { ...options, events };
}

async function onHistory(plan: Plan, judged: (history: History) => Promise<readonly string[]>): Promise<Trial> {
  const history = realize(plan);
  return { lines: await judged(history), sourceEvents: rows(history.source), targetEvents: rows(history.target) };
}

async function onService(plan: Plan, ran: (history: History) => Promise<Pick<Trial, 'lines' | 'covered'>>): Promise<Trial> {
  const history = realize(plan);
  return { ...await ran(history), sourceEvents: rows(history.source), targetEvents: rows(history.target) };
}

function rows(log: History['source']): number {
  return log.filter(record => record.content.kind === 'row').length;
}

/** Property 2: the verdicts, their counts and their manifests are those of the naive oracle. */
export async function againstOracle(history: History, complete: boolean, shards = 1): Promise<readonly string[]> {
  return differences(judge(history, history.plan.window, { complete }), await checkHistory(history, complete, shards), complete);
}

function alarms(result: CheckResult): string[] {
  return result.records.flatMap(record => {
    if (record.record === 'manifest') return [`${record.class} ${JSON.stringify(record.key)} in the window from ${record.window.start}`];
    return record.record === 'verdict' && record.change !== 'parity' ? [`${record.change} in the window from ${record.window.start}`] : [];
  });
}

function misjudged(history: History, result: CheckResult): string[] {
  const [unexplained, doubtful] = [unexplainedKeys(history, false), unexplainedKeys(history, true)];
  const found = new Set(result.records.flatMap(record => (record.record === 'manifest' && record.class !== 'gap' ? [Number(record.key['id'])] : [])));
  return [
    ...[...unexplained].filter(key => !found.has(key)).map(key => `no alarm on key ${key}, which no legal run explains`),
    ...[...found].filter(key => !doubtful.has(key)).map(key => `an alarm on key ${key}, which a legal run explains`),
  ];
}

/** The faults' keys, each with an alarm, and no other key. */
function misplaced(plan: Plan, result: CheckResult): string[] {
  const hurt = new Set(plan.faults.map(fault => String(plan.changes.find(change => change.id === fault.changeId)?.key)));
  const found = new Set(result.records.flatMap(record => (record.record === 'manifest' ? [String(record.key['id'])] : [])));
  return [
    ...[...hurt].filter(key => isVisible(plan, key) && !found.has(key)).map(key => `no alarm on key ${key}`),
    ...[...found].filter(key => !hurt.has(key)).map(key => `an alarm on key ${key}, which is clean`),
  ];
}

/**
 * A fault that leaves what the target logs of the key as it was cannot be seen by anybody who compares images. Nor can one that leaves what a
 * clean target without the snapshot row's load logs (ruling 14): a lost no-op right behind a snapshot row of the same value.
 */
function isVisible(plan: Plan, key: string): boolean {
  const images = (of: Plan): string[] => realize(of).target
    .flatMap(({ content }) => (content.kind === 'row' && String(content.change.key) === key ? [content.change] : []))
    .sort((a, b) => a.seq - b.seq || a.lsn - b.lsn)
    .map(({ after }) => JSON.stringify([after?.v, after?.n]));
  const isRead = plan.changes.some(change => change.kind === 'read' && String(change.key) === key);
  const clean = images({ ...plan, faults: [] });
  const hurt = images(plan).join();
  return hurt !== clean.join() && !(isRead && hurt === clean.slice(1).join());
}
