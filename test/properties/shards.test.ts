// Property 7, second half: the number of shards changes no record. Shard windows are merged by sums, unions and minima (property 16), so
// the whole output of one shard, of two and of five is the same, byte by byte.
import { fail, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { packagesHere, type RocksdbPackage } from '../../stores/rocksdb-platform.ts';
import { realize } from '../simulation/logs.ts';
import { seeds } from '../simulation/prng.ts';
import { toCapture, toConfig } from '../simulation/render.ts';
import { ROUGH, spread, workload } from '../simulation/workload.ts';
import { check } from '../support/check.ts';

/** Says the first line that differs; the whole output would hide it. */
function same(actual: string, expected: string, what: string): void {
  if (actual === expected) return;
  const [a, b] = [actual.split('\n'), expected.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  fail(`${what}: line ${at + 1}\n  is   ${a[at]}\n  not  ${b[at]}`);
}

for (const complete of [true, false]) {
  test(`property 7: one shard, two and five print the same bytes (${complete ? 'complete' : 'by evidence'})`, async () => {
    for (const seed of seeds(7_001, 25)) {
      const history = realize(workload(seed, ROUGH));
      const run = async (shards: number): Promise<string> =>
        (await check({ pair: toConfig(history.plan) }, toCapture(history, 'source'), toCapture(history, 'target'), { complete, shards })).text;
      const one = await run(1);
      for (const shards of [2, 5]) same(await run(shards), one, `seed ${seed}, ${shards} shards`);
    }
  });
}

test('property 7: nor of what is torn, where the changes of a transaction lie in several windows and shards', async () => {
  let torn = 0;
  for (const seed of seeds(7_301, 25)) {
    const history = realize(spread(workload(seed, ROUGH)));
    const run = async (shards: number): Promise<string> =>
      (await check({ pair: toConfig(history.plan) }, toCapture(history, 'source'), toCapture(history, 'target'), { complete: seed % 2 === 0, shards })).text;
    const one = await run(1);
    for (const shards of [2, 5]) same(await run(shards), one, `seed ${seed}, ${shards} shards`);
    torn += one.split('"torn":').length - 1;
  }
  ok(torn > 25, `only ${torn} verdicts with torn transactions: the property says little`);
});

test('a state store in RocksDB and one in memory print the same bytes', async () => {
  for (const seed of seeds(7_501, 3)) {
    const history = realize(workload(seed, ROUGH));
    const run = async (store: 'memory' | RocksdbPackage): Promise<string> =>
      (await check({ pair: toConfig(history.plan) }, toCapture(history, 'source'), toCapture(history, 'target'), { complete: true, store })).text;
    const inMemory = await run('memory');
    for (const name of packagesHere()) same(await run(name), inMemory, `seed ${seed}, ${name}`);
  }
});
