// A reset: the second chain is that of a service that has never run, beside the first one; and wherever a reset is cut short, it is healed by running it
// again, or by starting the service.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { verifyChains } from '../../../processors/verify-chain.ts';
import type { OutputRecord } from '../../../schemas/records.ts';
import { executeReset, planReset, RESET_POINTS, type ResetPlan, type ResetPoint } from '../../../topology/cli/reset-pair.ts';
import type { Config } from '../../../topology/config.ts';
import { readChains } from '../../../topology/runtime/chains.ts';
import { appendTo } from '../../support/append.ts';
import { changes, placeOf, type ServicePlace } from '../../support/service-place.ts';

async function reset({ log }: ServicePlace, config: Config, cutAt?: ResetPoint): Promise<ResetPlan> {
  const plan = await planReset(config, config.pairs[0], log);
  await executeReset(config, plan, log, 0, point => { if (point === cutAt) throw new Error(`cut ${point}`); });
  return plan;
}

async function ranOnce(t: TestContext): Promise<{ place: ServicePlace; config: Config; first: string[] }> {
  const place = await placeOf(t);
  const config = place.config();
  await place.run(config);
  const { lines, records } = await place.said();
  assert.ok(records.filter(({ record }) => record === 'manifest').length > 5 && records.some(({ record }) => record === 'dead-letter'), 'there is something to say');
  return { place, config, first: lines };
}

/** Without what names the chain: what is left is what was said. */
function plain(record: OutputRecord): object {
  const names = new Set(['chain', 'verdictId', 'manifestId', 'decisionId', 'previousVerdictHash']);
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

const isOf = (chain: number) => (record: OutputRecord): boolean => (('chain' in record ? record.chain : undefined) ?? 1) === chain;
const idsOf = (records: readonly OutputRecord[]): string[] => records.flatMap(record => (record.record === 'verdict' ? [record.verdictId] : record.record === 'manifest' ? [record.manifestId] : record.record === 'decision' ? [record.decisionId] : []));

void test('after a reset the next start says all over again what a service says that has never run, under ids of its own; what was said stays', async t => {
  const { place, config, first } = await ranOnce(t);
  const plan = await reset(place, config);
  assert.deepEqual([plan.ends, plan.begins, plan.reconcileTasks], [1, 2, 2]);
  assert.deepEqual(plan.topics, ['shop-orders-reconcile-changelog', 'shop-orders-merge-changelog', 'shop-orders-windows']);
  assert.deepEqual(plan.groups, ['shop/orders/reconcile/0', 'shop/orders/reconcile/1', 'shop/orders/merge']);
  assert.deepEqual(plan.directories, ['merge', 'reconcile-0', 'reconcile-1']);
  assert.deepEqual((await place.said()).lines, first, 'nothing was said by the reset');
  assert.equal(await place.log.committed('shop/orders/reconcile/0', { topic: 's', partition: 0 }), undefined);

  await place.run(config);
  const { lines, records } = await place.said();
  assert.deepEqual(lines.filter((_, i) => isOf(1)(records[i])), first, 'of the first chain every byte is there, and no more');
  const [before, after] = [records.filter(isOf(1)), records.filter(isOf(2))];
  assert.deepEqual(after.map(plain), before.map(plain));
  assert.equal(new Set(idsOf(records)).size, idsOf(records).length, 'no id twice');
  assert.deepEqual(verifyChains(records.map((record, i) => ({ at: String(i), record }))).map(({ chain, verdicts, broken }) => [chain ?? 1, verdicts > 10, broken]), [[1, true, undefined], [2, true, undefined]]);

  // It goes on as any chain does, and a third one comes after it.
  await appendTo(place.log, { records: changes(2, 40, 50), positions: [], group: '' });
  await place.run(config);
  await reset(place, config);
  await place.run(config);
  const all = (await place.said()).records;
  assert.deepEqual(all.filter(isOf(3)).map(plain), all.filter(isOf(2)).map(plain));
  assert.equal(new Set(idsOf(all)).size, idsOf(all).length);
  assert.deepEqual((await place.log.topics()).filter(topic => topic.startsWith('shop-orders')).sort(), ['shop-orders-merge-changelog-3', 'shop-orders-reconcile-changelog-3', 'shop-orders-windows-3']);
});

for (const point of RESET_POINTS) {
  void test(`cut short at ${point}: run again it is done, and no chain is left out; and so is a start without it`, async t => {
    const { place: undisturbed, config: calm } = await ranOnce(t);
    await reset(undisturbed, calm);
    await undisturbed.run(calm);
    const should = (await undisturbed.said()).lines;
    for (const again of [true, false]) {
      const { place, config, first } = await ranOnce(t);
      await assert.rejects(reset(place, config, point), { message: `cut ${point}` });
      if (again) await reset(place, config);
      await place.run(config);
      assert.deepEqual((await place.said()).lines, !again && point === 'before-chain' ? first : should, again ? 'run again' : 'started');
      const left = (await place.log.topics()).filter(topic => /^shop-orders-\w+(-changelog)?$/.test(topic));
      if (again) assert.deepEqual([left, (await readChains('shop', place.log)).map(({ chain }) => chain)], [[], [2]]);
    }
  });
}

void test('a service that was not stopped appends nothing more, and one that starts meanwhile is told', async t => {
  const { place, config, first } = await ranOnce(t);
  const old = await place.log.writer('shop/orders/merge');
  const record = { topic: config.outputs.verdicts, partition: 0, key: Buffer.from('k'), value: Buffer.from('{}') };
  await reset(place, config);
  await assert.rejects(old.append({ records: [record], positions: [], group: 'shop/orders/merge' }), { name: 'WriterFenced' });
  assert.deepEqual((await place.said()).lines, first);

  // It has planned, and opens its tasks' writers once the reset is over.
  await place.run(config);
  const log = {
    ...place.log,
    async writer(id: string) {
      if (id.includes('/status/')) await reset(place, config);
      return place.log.writer(id);
    },
  };
  await assert.rejects(place.run(config, { log }), { code: 'state', message: /^pair "orders": it was reset to chain 3 while this service started; start again$/ });
  assert.deepEqual((await place.log.topics()).filter(topic => /^shop-orders-.*-2$/.test(topic)), [], 'it has made nothing of the old chain anew');
});

void test('where nothing has run there is nothing to reset; a changelog that was deleted by hand is refused at the start, and a reset resolves it', async t => {
  const place = await placeOf(t);
  const config = place.config();
  assert.deepEqual(await reset(place, config), { pair: config.pairs[0], ends: undefined, begins: 1, reconcileTasks: 2, topics: [], groups: [], directories: [], cut: [] });
  await place.run(config);
  const first = (await place.said()).records;
  for (const topic of (await place.log.topics()).filter(name => name.startsWith('shop-'))) await place.log.deleteTopic(topic);
  await assert.rejects(place.run(config), { code: 'state', message: /^task orders\/reconcile\/\d: there is no state, its changelog is gone or empty, and the committed position of the group .* is \d+\. .*paritas state reset --pair orders --execute/ });
  assert.deepEqual((await reset(place, config)).ends, 1);
  await place.run(config);
  assert.deepEqual((await place.said()).records.filter(isOf(2)).map(plain), first.map(plain));
});
