// Properties 8 and 13: a partition without evidence lets no window pass it, and is named; watermarks and frontiers never go back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionRecord } from '../../schemas/records.ts';
import { formatUs } from '../simulation/compare.ts';
import type { Disturbance, Plan } from '../simulation/plan.ts';
import { realize } from '../simulation/logs.ts';
import { seeds } from '../simulation/prng.ts';
import { checkHistory, checkPlan, forSeeds } from '../simulation/property.ts';
import { toCapture, toConfig, topicOf } from '../simulation/render.ts';
import { CLEAN, ROUGH, workload } from '../simulation/workload.ts';
import { check } from '../support/check.ts';

const horizonUs = (plan: Plan, side: 'source' | 'target'): number => plan.window.latenessUs + plan.window.lagUs + (side === 'source' ? plan.window.skewUs : 0);

test('property 8: a declared partition that has no record holds every window, and is named', async () => {
  for (const seed of seeds(8_601, 20)) {
    const plan = workload(seed, CLEAN);
    const side = seed % 2 === 0 ? 'source' : 'target';
    const pair = toConfig(plan);
    const silent = plan.partitions[side];
    const config = { ...pair, [side]: { ...(pair[side] as Record<string, unknown>), partitions: silent + 1 } };
    const history = realize(plan);
    const { records, exitCode } = await check({ pair: config }, toCapture(history, 'source'), toCapture(history, 'target'));
    assert.equal(records.some(record => record.record === 'verdict' || record.record === 'manifest'), false, `seed ${seed}: a verdict without evidence`);
    assert.equal(exitCode, 3, `seed ${seed}`);
    const stalled = records.filter(record => record.record === 'status' && record.stalled);
    assert.ok(stalled.some(status => status.record === 'status' && status.topic === topicOf(side) && status.partition === silent && status.reason !== ''), `seed ${seed}: ${JSON.stringify(stalled)}`);
  }
});

test('property 8: where a partition falls silent no window behind its claim closes', async () => {
  await forSeeds(seeds(8_651, 40), seed => workload(seed, CLEAN), async plan => {
    const side = plan.seed % 2 === 0 ? 'source' : 'target';
    const stall: Disturbance = { kind: 'stall', side, partition: 0, at: 0.4 };
    const history = realize({ ...plan, disturbances: [stall] });
    const claimUs = Math.max(...history[side].flatMap(({ partition, content }) => (partition === 0 && content.kind === 'row' ? [content.change.timeUs] : [])));
    const { records } = await checkHistory(history, false);
    return records.flatMap(record => {
      if (record.record !== 'verdict') return [];
      const endUs = Date.parse(record.window.end) * 1000;
      return endUs <= claimUs - horizonUs(plan, side) ? [] : [`a verdict for the window that ends ${record.window.end}, beyond the evidence of ${side} partition 0`];
    });
  });
});

test('property 13: from decision to decision no watermark, frontier or closed frontier goes back', async () => {
  await forSeeds(seeds(8_701, 40), seed => workload(seed, { ...ROUGH, plan: { jitterUs: 0 } }), async plan => {
    const { records } = await checkPlan({ ...plan, jitterUs: 4 * plan.window.latenessUs + 500_000 }, plan.seed % 2 === 0);
    const decisions = records.filter((record): record is DecisionRecord => record.record === 'decision');
    return decisions.slice(1).flatMap((decision, i) => back(decisions[i], decision));
  });
});

function back(before: DecisionRecord, after: DecisionRecord): string[] {
  const watermarks = after.claims.filter(({ watermark }, i) => watermark < before.claims[i].watermark).map(claim => `the watermark of ${claim.side} ${claim.partition} goes back to ${claim.watermark}`);
  const frontiers = after.frontiers.filter(({ offset }, i) => Number(offset) < Number(before.frontiers[i].offset)).map(at => `the frontier of ${at.side} ${at.partition} goes back to ${at.offset}`);
  return [...watermarks, ...frontiers, ...(after.closeUpTo < before.closeUpTo ? [`closed up to ${after.closeUpTo} after ${before.closeUpTo}`] : [])];
}

test('property 13: a decision\'s frontier lies behind the last record that it had read, its watermark the lateness before the greatest commit time', async () => {
  for (const seed of seeds(8_751, 10)) {
    const plan = workload(seed, CLEAN);
    const history = realize(plan);
    const { records } = await checkHistory(history, true);
    const last = records.findLast((record): record is DecisionRecord => record.record === 'decision');
    for (const { side, partition, offset } of last?.frontiers ?? []) {
      const ofPartition = history[side].filter(record => record.partition === partition);
      assert.equal(Number(offset), (ofPartition.at(-1)?.offset ?? -1) + 1, `seed ${seed}: ${side} ${partition}`);
      const greatestUs = Math.max(...ofPartition.flatMap(({ content }) => (content.kind === 'row' ? [content.change.timeUs] : [])));
      const claim = last?.claims.find(other => other.side === side && other.partition === partition);
      assert.equal(claim?.watermark, formatUs(greatestUs - plan.window.latenessUs), `seed ${seed}: ${side} ${partition}`);
    }
  }
});
