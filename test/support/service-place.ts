// A small service over a log in memory whose inputs are topics, with its state in RocksDB: run to the end of what there is, asked what it has said.
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { stringify } from 'yaml';

import { partitionOfKey } from '../../schemas/murmur2.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import { planPair, tasksOf } from '../../topology/cli/pair-plan.ts';
import { runService, type ServiceParts } from '../../topology/cli/service.ts';
import { openTaskStore } from '../../topology/cli/task-store.ts';
import { loadConfig, type Config } from '../../topology/config.ts';
import { openEmbeddedLog } from '../../topology/log/embedded-log.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { appendTo } from './append.ts';
import { outputLines } from './output-lines.ts';
import { untilQuiet } from './quiet-clock.ts';
import { tempFolder } from './temp-folder.ts';

/** As in the configuration file; what is left out is as it is in `placeOf`. */
export type PairText = Readonly<Record<string, unknown>>;

export interface ServicePlace {
  readonly log: Log;
  /** The configuration with these pairs; without any, the one pair `orders`. */
  config(...pairs: readonly PairText[]): Config;
  /** To the end of the inputs. Rejects with what stopped it. */
  run(config: Config, more?: Partial<ServiceParts>): Promise<void>;
  said(): Promise<{ readonly lines: string[]; readonly records: OutputRecord[] }>;
}

export const ORDERS: PairText = {
  name: 'orders', source: { topic: 's', format: 'debezium-json' }, target: { topic: 't', format: 'debezium-json' }, match: { by: 'origin', source: 'source.lsn', target: 'after.origin' },
  columns: { ignore: ['origin'] }, window: { size: '1s', lateness: '1s', lag: '2s', skew: '1s' },
};

export async function placeOf(t: TestContext, { partitions = 2 }: { partitions?: number } = {}): Promise<ServicePlace> {
  const folder = tempFolder(t);
  const log = openEmbeddedLog();
  for (const topic of ['s', 't']) await log.createTopic(topic, { partitions, cleanup: 'delete' });
  await appendTo(log, { records: changes(partitions, 0, 40), positions: [], group: '' });
  return {
    log,
    config(...pairs) {
      const file = { 'paritas.yaml': stringify({ application: 'shop', state: { directory: join(folder, 'state') }, pairs: pairs.length === 0 ? [ORDERS] : pairs.map(pair => ({ ...ORDERS, ...pair })) }) };
      return loadConfig(join(tempFolder(t, file), 'paritas.yaml'));
    },
    async run(config, more = {}) {
      let tasks = 0;
      for (const pair of config.pairs) tasks += tasksOf(await planPair(pair, 'shop', log)).length;
      const quiet = untilQuiet(log, { tasks, commitIntervalMs: 5 });
      await runService({
        application: 'shop', owner: 'host:1', pairs: config.pairs, outputs: config.outputs, commitIntervalMs: 5, say: () => undefined, ...quiet,
        openStore: (task, changelog, onProgress) => openTaskStore({ config, task, log, changelog, say: () => undefined, onProgress }), ...more,
      });
    },
    async said() {
      const lines = await outputLines(log, loadConfig(join(tempFolder(t, { 'paritas.yaml': stringify({ application: 'shop', pairs: [ORDERS] }) }), 'paritas.yaml')).outputs);
      return { lines, records: lines.map(line => JSON.parse(line.slice(line.indexOf('{'))) as OutputRecord) };
    },
  };
}

/** One change a second on each side. Of each nine one is lost, of each seven one has another value; one record cannot be read. */
export function changes(partitions: number, from: number, to: number): AppendRecord[] {
  return Array.from({ length: to - from }, (_, i) => from + i).flatMap(n => {
    const key = `{"id":${n % 13}}`;
    const at = { partition: partitionOfKey(Buffer.from(key), 0, key.length, partitions), key: Buffer.from(key), timestampMs: 1_700_000_000_000 + n * 1000 };
    const value = (after: object): Buffer => Buffer.from(JSON.stringify({
      before: null, after, op: 'u', source: { connector: 'postgresql', ts_ms: 1_700_000_000_000 + n * 1000, lsn: n + 1, sequence: `[null,"${n + 1}"]`, snapshot: 'false' },
    }));
    const source = { ...at, topic: 's', value: value({ id: n % 13, n }) };
    if (n % 9 === 8) return [source];
    return [source, { ...at, topic: 't', value: n === 20 ? Buffer.from('no change') : value({ id: n % 13, n: n % 7 === 6 ? -n : n, origin: n + 1 }) }];
  });
}
