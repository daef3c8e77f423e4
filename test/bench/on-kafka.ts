// paritas over the topics of a cluster: `paritas run` as it is, catching up, and at live pace (paced-run.ts).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { loadConfig, type Config } from '../../topology/config.ts';
import type { Log } from '../../topology/log/log.ts';
import { changelogOf, groupOf, type TaskId } from '../../topology/runtime/task-id.ts';
import { exactness, findingsOfParitas, type Exactness } from './exactness.ts';
import { metered } from './metered.ts';
import { eachRecord } from './read-topic.ts';
import type { ShopTopics } from './shop-topics.ts';

const MAIN = join(import.meta.dirname, '../../topology/cli/paritas.mjs');
const PACED = join(import.meta.dirname, 'paced-run.ts');
/** Of both sides, as the history has them. */
const EVENTS_PER_SECOND = 2000;

export interface Contender {
  readonly eventsPerCpuSecond: number;
  readonly maxRssMb: number;
  readonly wallSeconds: number;
  readonly exact: Exactness;
  readonly [figure: string]: unknown;
}

export async function paritasOnKafka(log: Log, bootstrap: string, topics: ShopTopics, pace: 'catch-up' | 'live'): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-bench-'));
  try {
    const configFile = join(folder, 'paritas.yaml');
    writeFileSync(configFile, configOf(bootstrap, topics, pace === 'live' ? '200ms' : '1s'));
    const config = loadConfig(configFile);
    const fromMs = performance.now();
    const { child, ended } = pace === 'live' ? metered(PACED, [configFile, String(EVENTS_PER_SECOND)]) : metered(MAIN, ['run', '--config', configFile]);
    // An end before its time is told by `ended`.
    ended.catch(() => undefined);
    await untilDone(log, config, topics, () => child.exitCode !== null);
    child.kill('SIGTERM');
    const { cpuSeconds, maxRssMb, sliceP50Ms, sliceP99Ms, sliceCpuP99Ms } = await ended;
    const wallSeconds = (performance.now() - fromMs) / 1000;
    const { commits, changelogBytes, changelogRecords } = await changelogsIn(log, config, topics);
    return {
      eventsPerCpuSecond: Math.round(topics.records / cpuSeconds), maxRssMb: Math.round(maxRssMb), sliceP50Ms: round(sliceP50Ms), sliceP99Ms: round(sliceP99Ms), sliceCpuP99Ms: round(sliceCpuP99Ms), wallSeconds: round(wallSeconds),
      cpuMicrosecondsPerEvent: round((cpuSeconds * 1e6) / topics.records),
      // Of all tasks together: each has a transaction of its own.
      eventsPerCommit: Math.round((topics.records * topics.partitions) / commits), changelogBytesPerEvent: round(changelogBytes / topics.records), changelogRecordsPerEvent: round(changelogRecords / topics.records, 4),
      exact: exactness(topics, await findingsOfParitas(log, config.outputs)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(bootstrap: string, { source, target }: ShopTopics, interval: string): string {
  const application = `bench-${Date.now().toString(36)}`;
  const outputs = [['deadLetters', 'dead-letters'], ...['verdicts', 'manifests', 'audit', 'status'].map(name => [name, name])].map(([name, topic]) => `${name}: ${application}.${topic}`);
  return `application: ${application}
log: { kafka: { bootstrapServers: ['${bootstrap}'] } }
state: { directory: ./state }
commit: { interval: ${interval} }
pairs:
  - name: orders
    source: { topic: ${source}, format: debezium-json, replicaIdentity: full }
    target: { topic: ${target}, format: debezium-json, replicaIdentity: full }
    key: [id]
    match: { by: origin, source: source.lsn, target: after.origin_lsn }
    window: { size: 1s, lateness: 100ms, lag: 600ms, skew: 0ms }
    columns: { ignore: [origin_lsn] }
outputs: { ${outputs.join(', ')} }
`;
}

/** Until all is read and nothing more is said for a second. */
async function untilDone(log: Log, { application, outputs }: Config, topics: ShopTopics, isOver: () => boolean): Promise<void> {
  const inputs = [topics.source, topics.target].flatMap(topic => tasksOver(topics).map(task => ({ task, at: { topic, partition: task.partition } })));
  const ends = await Promise.all(inputs.map(({ at }) => log.endOffset(at)));
  for (let before = -1; !isOver(); await setTimeout(1000)) {
    const committed = await Promise.all(inputs.map(({ task, at }) => log.committed(groupOf(application, task), at)));
    // The last offset is the marker of the transaction that wrote the records.
    if (!committed.every((offset, i) => (offset ?? 0) >= ends[i] - 1)) continue;
    const now = await log.endOffset({ topic: outputs.verdicts, partition: 0 });
    if (now === before) return;
    before = now;
  }
}

function tasksOver({ partitions }: ShopTopics): TaskId[] {
  return Array.from({ length: partitions }, (_, partition) => ({ pair: 'orders', subTopology: 'reconcile', partition }));
}

async function changelogsIn(log: Log, { application }: Config, topics: ShopTopics): Promise<{ commits: number; changelogBytes: number; changelogRecords: number }> {
  const found = { commits: 0, changelogBytes: 0, changelogRecords: 0 };
  await eachRecord(log, changelogOf(application, tasksOver(topics)[0]).topic, ({ data, keyStart, keyEnd, valueStart, valueEnd }) => {
    found.changelogRecords++;
    found.changelogBytes += keyEnd - keyStart + valueEnd - valueStart;
    if (data.toString('latin1', keyStart, keyEnd).endsWith('taskplace')) found.commits++;
  });
  return found;
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
