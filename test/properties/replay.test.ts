// Properties 9, 11 and 12: verdicts rest on the events and on recorded decisions, and on nothing else.
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionRecord } from '../../schemas/records.ts';
import { formatTime } from '../../schemas/time.ts';
import type { History, LogRecord } from '../simulation/history.ts';
import { realize } from '../simulation/logs.ts';
import type { Plan } from '../simulation/plan.ts';
import { seeds } from '../simulation/prng.ts';
import { apart, checkHistory, cores, forSeeds } from '../simulation/property.ts';
import { toCapture, toConfig } from '../simulation/render.ts';
import { ROUGH, workload } from '../simulation/workload.ts';
import { checkAndReplay, judged, type Captures, type Replayed } from '../support/replay.ts';

function capturesOf(history: History): Captures {
  return { source: toCapture(history, 'source'), target: toCapture(history, 'target') };
}

/** Begins in mid-stream: of each partition a share is gone. */
function beheaded({ source, target }: Captures, share: number): Captures {
  const cut = (lines: readonly string[]): string[] => [...Map.groupBy(lines, line => (JSON.parse(line) as { partition: number }).partition).values()]
    .flatMap(part => part.slice(Math.floor(part.length * share)));
  return { source: cut(source), target: cut(target) };
}

function replayOf(plan: Plan, complete: boolean, more: { share?: number; shards?: number } = {}): Promise<Replayed> {
  return checkAndReplay(toConfig(plan), beheaded(capturesOf(realize(plan)), more.share ?? 0), complete, more);
}

for (const complete of [true, false]) {
  void test(`property 11: a replay from the decisions gives the bytes that were printed (${complete ? 'complete' : 'by evidence'})`, async () => {
    await forSeeds(seeds(8_001, 60), seed => workload(seed, { ...ROUGH, truncates: seed % 5 === 0 }), async plan => {
      const { recorded, recomputed } = await replayOf(plan, complete, { share: plan.seed % 4 === 0 ? 0.3 : 0, shards: 1 + (plan.seed % 2) });
      const lines = apart(judged(recorded), judged(recomputed));
      if (lines.length === 0) equal(judged(recomputed).join('\n'), judged(recorded).join('\n'));
      return lines;
    });
  });
}

/** The rule of semantics.md §3, on the printed decisions alone. */
function isLate({ side, partition, offset, content }: LogRecord, sizeUs: number, decisions: readonly DecisionRecord[]): boolean {
  if (content.kind !== 'row') return false;
  const endUs = (Math.floor(content.change.timeUs / sizeUs) + 1) * sizeUs;
  return decisions.some(decision => decision.closeUpTo >= formatTime(endUs)
    && decision.frontiers.some(frontier => frontier.side === side && frontier.partition === partition && Number(frontier.offset) <= offset));
}

void test('property 9: a record is a late dead letter exactly where a decision says so, or it was sent before; and it changes no core', async () => {
  let late = 0;
  await forSeeds(seeds(8_201, 40), seed => workload(seed, { ...ROUGH, disturbances: 8 }), async plan => {
    const history = realize(plan);
    const checked = await checkHistory(history, true);
    const decisions = checked.records.filter(record => record.record === 'decision');
    const at = (side: string, partition?: number, offset?: number | string): string => `${side} ${partition}@${offset}`;
    const letters = new Set(checked.records.filter(r => r.record === 'dead-letter' && r.reason === 'late').map(r => (r.record === 'dead-letter' ? at(r.side, r.partition, r.offset) : '')));
    late += letters.size;
    const without = (log: readonly LogRecord[]): LogRecord[] => log.filter(r => !letters.has(at(r.side, r.partition, r.offset)));
    const seen = new Set<string>();
    const wrong: string[] = [];
    for (const record of [...history.source, ...history.target]) {
      const { content } = record;
      const identity = content.kind === 'row' ? `${record.side} ${content.change.seq} ${content.change.lsn} ${content.change.key} ${content.change.op}` : '';
      const place = at(record.side, record.partition, record.offset);
      if (letters.has(place) !== (isLate(record, plan.window.sizeUs, decisions) && !seen.has(identity))) wrong.push(`${place} ${letters.has(place) ? 'is' : 'is not'} a late dead letter`);
      seen.add(identity);
    }
    const bare = await checkHistory({ plan, source: without(history.source), target: without(history.target) }, true);
    return [...wrong, ...apart(cores(checked), cores(bare))];
  });
  equal(late > 0, true);
});

void test('property 12: a clock that returns garbage changes decisions, and of verdicts only what they cite of them', async () => {
  const core = (records: Replayed['recorded']): unknown[] => records.filter(r => r.record === 'verdict').map(({ window, change, state, status, counts, digests, coreHash }) => ({ window, change, state, status, counts, digests, coreHash }));
  for (const seed of seeds(8_401, 10)) {
    const plan = workload(seed, ROUGH);
    const { recorded, recomputed } = await checkAndReplay(toConfig(plan), capturesOf(realize(plan)), true, {
      change: records => records.map((record, i) => (record.record === 'decision' ? { ...record, takenAt: formatTime(((i * 7919) % 13 - 6) * 1e15), decisionId: `${i}` } : record)),
    });
    deepEqual(core(recomputed), core(recorded), `seed ${seed}`);
    deepEqual(recomputed.filter(r => r.record === 'decision'), recorded.filter(r => r.record === 'decision'));
  }
});
