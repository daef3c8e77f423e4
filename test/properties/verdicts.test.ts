// Properties 5, 9, 15, 17: a clean run is parity everywhere; a late record changes no verdict; digests differ exactly when something is
// reported; swapped sides swap the classes; later clocks move the windows and nothing else.
import { test } from 'node:test';
import type { Class, OutputRecord } from '../../schemas/records.ts';
import type { CheckResult } from '../simulation/compare.ts';
import type { History, LogRecord } from '../simulation/history.ts';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import { seeds } from '../simulation/prng.ts';
import { apart, checkHistory, checkPlan, cores, forSeeds } from '../simulation/property.ts';
import { sourceHistory } from '../simulation/source-history.ts';
import { CLEAN, ROUGH, workload } from '../simulation/workload.ts';

void test('property 5: a clean run is parity in every window', async () => {
  await forSeeds(seeds(4_001, 60), (seed) => workload(seed, CLEAN), async (plan) => {
    const result = await checkPlan(plan, true);
    const odd = result.records.filter((r) => r.record === 'manifest' || r.record === 'dead-letter' || (r.record === 'verdict' && r.change !== 'parity'));
    return [...odd.map((r) => JSON.stringify(r)), ...(result.exitCode === 0 ? [] : [`exit ${String(result.exitCode)}`])];
  });
});

void test('property 9: a late record goes to the dead letters and changes no verdict', async () => {
  await forSeeds(seeds(4_101, 40), (seed) => workload(seed, { ...CLEAN, faults: 5, plan: { partitions: { source: 1, target: 1 } } }), async (plan) => {
    const history = realize(plan);
    const side = plan.seed % 2 === 0 ? 'source' : 'target';
    const before = await checkHistory(history, false);
    if (cores(before).length === 0) return [];
    const after = await checkHistory(withLate(history, side), false);
    const letters = after.records.filter((r) => r.record === 'dead-letter').map((d) => `${d.side} ${d.reason}`);
    return [...apart(cores(before), cores(after)), ...(letters.join() === `${side} late` ? [] : [`dead letters: ${letters.join()}`])];
  });
});

/** Adds a change of a new key, as old as the first record of the run, at the end of a log. */
function withLate(history: History, side: 'source' | 'target'): History {
  const first = history[side].find((r) => r.content.kind === 'row');
  const last = history[side].at(-1);
  if (first?.content.kind !== 'row' || last === undefined) return history;
  const change = { ...first.content.change, op: 'create', key: 999, seq: 90_000_000, lsn: 90_000_008, before: null, after: { v: 'late', n: 1, tag: null } } as const;
  const late: LogRecord = { ...last, offset: last.offset + 1, content: { kind: 'row', change } };
  return { ...history, [side]: [...history[side], late] };
}

void test('property 15: the digests differ exactly when the manifest is not empty', async () => {
  await forSeeds(seeds(4_201, 60), (seed) => workload(seed, ROUGH), async (plan) => {
    const { records } = await checkPlan(plan, plan.seed % 2 === 0);
    const reported = new Set(records.filter((r) => r.record === 'manifest').filter((m) => m.class !== 'collapsed' && m.class !== 'elided').map((m) => m.verdictId));
    return records.filter((r) => r.record === 'verdict')
      .filter((v) => (v.digests.source !== v.digests.target) !== reported.has(v.verdictId))
      .map((v) => `${v.window.start}: ${reported.has(v.verdictId) ? 'findings but equal digests' : 'no findings but digests differ'}`);
  });
});

/** Classes and keys of all findings, sorted. */
function classes(result: CheckResult, as: (found: Class) => Class = (found) => found): string[] {
  return result.records.filter((r) => r.record === 'manifest').map((m) => `${as(m.class)} ${String(m.key['id'])}`).sort();
}

/** Ruling 28: match `version`, skew at least lag, no deletes; only faults that leave no trace but one. */
function swappable(seed: number): Plan {
  const plan = workload(seed, { ...CLEAN, faults: 10, plan: { matchBy: 'version', resolutionUs: { source: 1, target: 1 } } });
  return {
    ...plan, window: { ...plan.window, lagUs: 2 * plan.window.lagUs, skewUs: 2 * plan.window.lagUs },
    changes: plan.changes.filter((c) => c.kind === 'put'),
    faults: plan.faults.filter((f) => f.kind === 'missing' || f.kind === 'mismatch' || f.kind === 'oob-insert-foreign'),
  };
}

void test('property 17: swapping the sides swaps missing and unexpected, and keeps mismatches', async () => {
  await forSeeds(seeds(4_301, 40), swappable, async (plan) => {
    const history = realize(plan);
    const other = (log: readonly LogRecord[], side: 'source' | 'target'): LogRecord[] => log.map((r) => ({ ...r, side }));
    const swapped = { plan, source: other(history.target, 'source'), target: other(history.source, 'target') };
    const swap = (found: Class): Class => (found === 'missing' ? 'unexpected' : found === 'unexpected' ? 'missing' : found);
    return apart(classes(await checkHistory(history, true)), classes(await checkHistory(swapped, true), swap));
  });
});

/** A change whose loss leaves its own trace alone: a put of a key without any other harm, which an update follows or nothing. */
function oneMoreDrop(plan: Plan): Plan | undefined {
  const hurt = new Set(plan.faults.map((fault) => plan.changes.find((c) => c.id === fault.changeId)?.key));
  const changes = sourceHistory(plan);
  const dropped = changes.find((c) => c.planned.kind === 'put' && c.key !== null && !hurt.has(c.key) && !changes.some((other) => other.key === c.key && (other.op === 'delete' || other.op === 'create') && other !== c));
  return dropped === undefined ? undefined : { ...plan, faults: [...plan.faults, { kind: 'missing', changeId: dropped.planned.id, atUs: 0, value: dropped.planned.value }] };
}

void test('property 17: one drop more is one missing more, and nothing else', async () => {
  let tried = 0;
  await forSeeds(seeds(4_351, 40), (seed) => workload(seed, { ...CLEAN, faults: 5 }), async (plan) => {
    const more = oneMoreDrop(plan);
    if (more === undefined) return [];
    tried++;
    const [before, after] = [classes(await checkPlan(plan, true)), classes(await checkPlan(more, true))];
    const key = plan.changes.find((c) => c.id === more.faults.at(-1)?.changeId)?.key ?? -1;
    return apart([...before, `missing ${String(key)}`].sort(), after).concat(after.length === before.length + 1 ? [] : [`${String(before.length)} findings, then ${String(after.length)}`]);
  });
  if (tried === 0) throw new Error('no plan had a change to drop');
});

void test('property 17: times that are all later by whole windows give the same verdicts, later', async () => {
  await forSeeds(seeds(4_401, 20), (seed) => workload(seed, ROUGH), async (plan) => {
    const byUs = 3_000_000 * 7;
    const later = {
      ...plan, changes: plan.changes.map((c) => ({ ...c, timeUs: c.timeUs + byUs })), faults: plan.faults.map((f) => ({ ...f, atUs: f.atUs + byUs })),
    };
    return apart(timeless(await checkPlan(plan, true)), timeless(await checkPlan(later, true)));
  });
});

function timeless(result: CheckResult): string[] {
  const line = (r: OutputRecord): string => {
    switch (r.record) {
      case 'verdict': return `verdict ${r.change} ${r.state} ${r.status} ${JSON.stringify(r.counts)}`;
      case 'manifest': return `manifest ${r.class} ${JSON.stringify(r.key)} ${r.source?.offset ?? '-'} ${r.target?.offset ?? '-'}`;
      case 'resolved': return `resolved ${JSON.stringify(r.key)}`;
      case 'dead-letter': return `dead-letter ${r.side} ${String(r.partition)} ${String(r.offset)} ${r.reason}`;
      case 'decision': case 'status': case 'task': case 'schema': case 'summary': return r.record;
    }
  };
  return result.records.map((r, i) => `${String(i)} ${line(r)}`);
}
