// Where the traps are laid on Kafka: one pair of an application with names of its own, its state in RocksDB, and beside it what the same service says
// over an embedded log of the same records.
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { runService, type ServiceParts } from '../../topology/cli/service.ts';
import { openTaskStore } from '../../topology/cli/task-store.ts';
import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { fill, placeIn, runCalmly, type Said, type TopicPlace } from '../service/topics.ts';
import { openFeed } from '../support/kafka-feed.ts';
import { endingWhenQuiet } from '../support/quiet-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { rows } from './place.ts';

export interface KafkaTrap extends TopicPlace {
  /** What one service says that nobody disturbs. */
  readonly should: Said;
  /** Writes so many of the rows that are not there yet. */
  feed(seconds: number): Promise<void>;
}

const OUTPUTS = ['verdicts', 'manifests', 'audit', 'status', 'deadLetters'];
const COMMIT_MS = 40;
/** A broker on a machine that is short of processors answers late. */
const QUIET_MS = 500;

/** `seconds`: of the rows, one a second on each side; `there`: those that are there from the beginning. */
export async function kafkaTrap(t: TestContext, bootstrap: string, app: string, { seconds = 30, there = seconds, properties = {} }: { seconds?: number; there?: number; properties?: object } = {}): Promise<KafkaTrap> {
  const folder = tempFolder(t);
  const config = {
    application: app, outputs: Object.fromEntries(OUTPUTS.map(output => [output, `${app}.${output}`])),
    pairs: [{
      name: 'orders', source: { topic: `${app}.src`, format: 'debezium-json', replicaIdentity: 'full' }, target: { topic: `${app}.tgt`, format: 'debezium-json', replicaIdentity: 'full' }, key: ['id'],
      match: { by: 'origin', source: 'source.lsn', target: 'after.origin' }, columns: { ignore: ['origin'] }, window: { size: '1s', lateness: '1s', lag: '2s', skew: '1s' },
    }],
  };
  const between = (from: number, to: number): AppendRecord[] => rows(to - from, from).map(record => ({ ...record, topic: `${app}.${record.topic}` }));
  const directory = join(folder, 'log');
  const log = await openDurableLog({ directory, fsync: 'never' }, { nowMs: Date.now });
  await fill(log, between(0, seconds));
  await log.close();
  const kafka = await openKafkaLog({ bootstrapServers: [bootstrap] });
  for (const side of ['src', 'tgt']) await kafka.createTopic(`${app}.${side}`, { partitions: 1, cleanup: 'delete' });
  await kafka.close();
  const feed = await openFeed([bootstrap]);
  t.after(() => feed.close());
  let fed = 0;
  const place: KafkaTrap = {
    ...placeIn(join(folder, 'kafka'), { kafka: { bootstrapServers: [bootstrap], properties } }, config), should: await runCalmly(placeIn(join(folder, 'calm'), { embedded: { directory } }, config)),
    async feed(more) {
      await feed.write(between(fed, fed + more));
      fed += more;
    },
  };
  await place.feed(there);
  return place;
}

/** The same application with a state of its own: another host. */
export function elsewhere(trap: KafkaTrap): KafkaTrap {
  return { ...trap, config: { ...trap.config, state: { ...trap.config.state, directory: `${trap.config.state.directory}-elsewhere` } } };
}

/** A service in this process until its tasks have nothing left to do: what it said to the operator. Rejects with what stopped it. `over`: the log, which it closes. */
export async function liveOnKafka({ config }: TopicPlace, more: Partial<ServiceParts> = {}, { over, tasks = 2 }: { over?: Log; tasks?: number } = {}): Promise<string[]> {
  if (config.log.kind !== 'kafka') throw new TypeError('these traps are laid on Kafka');
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const log = over ?? await openKafkaLog({ ...config.log, say });
  try {
    await runService({
      application: config.application, pairs: config.pairs, outputs: config.outputs, commitIntervalMs: COMMIT_MS, log, owner: 'host:1', say, ...endingWhenQuiet(tasks, COMMIT_MS, QUIET_MS),
      openStore: (task, changelog, onProgress, signal) => openTaskStore({ config, task, log, changelog, say, onProgress, signal }), ...more,
    });
    return said;
  } finally {
    await log.close();
  }
}
