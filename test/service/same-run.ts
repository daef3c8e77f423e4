// npm run same:kafka -- [--events n] [--partitions n] [--faults-every n]: a generated history of both sides, so many records in all, over the
// embedded log and over Kafka; they say the same, byte by byte, or it ends with 1 and the first difference.
//
// npm run same:kafka -- --captures: instead of it each table of each real capture, against each of its targets. (A table of each is in `npm test`.)
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { fixtures } from '../support/captures.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { captureOverTopics, inBothLogs, sayTheSame } from './both-logs.ts';
import { capturedRecords } from './topics.ts';

const { values } = parseArgs({ options: {
  events: { type: 'string', default: '200000' }, partitions: { type: 'string', default: '4' }, 'faults-every': { type: 'string', default: '500' }, captures: { type: 'boolean', default: false },
} });
const broker = await startKafkaBroker();
if (typeof broker === 'string') throw new Error(broker);
const { bootstrap } = broker;
const folder = mkdtempSync(join(tmpdir(), 'paritas-same-'));
const name = `same-${Date.now().toString(36)}`;
const tell = (told: object): void => void process.stdout.write(`${JSON.stringify(told)}\n`);
try {
  await (values.captures ? captures() : generated());
} finally {
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function generated(): Promise<void> {
  const [events, partitions] = [Number(values.events), Number(values.partitions)];
  const { sourceFiles, targetFiles } = generateCapture({ events: events / 2, out: join(folder, 'generated'), faultsEvery: Number(values['faults-every']) });
  const topics = [`${name}.source`, `${name}.target`];
  const side = (topic: string): object => ({ topic, format: 'debezium-json', replicaIdentity: 'full' });
  const pair = {
    name: 'orders', source: side(topics[0]), target: side(topics[1]), key: ['id'], match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' },
    window: { size: '1s', lateness: '500ms', lag: '2000ms', skew: '100ms' }, columns: { ignore: ['origin_lsn'] },
  };
  const records = [...capturedRecords(sourceFiles[0], topics[0], partitions), ...capturedRecords(targetFiles[0], topics[1], partitions)];
  const said = await sayTheSame(await inBothLogs(folder, bootstrap, name, [pair], records));
  tell({ events: records.length, partitions, same: true, ...said });
}

/** One capture after another: each pair is a task for each partition, and one that merges. */
async function captures(): Promise<void> {
  for (const capture of readdirSync(fixtures).sort()) {
    const found = (['tgt', 'tgtm'] as const).flatMap(target => ['orders', 'customers', 'items'].flatMap(table => captureOverTopics(capture, table, target, `${name}.${target}`) ?? []));
    if (found.length === 0) continue;
    const said = await sayTheSame(await inBothLogs(folder, bootstrap, `${name}-${capture}`, found.map(({ pair }) => pair), found.flatMap(({ records }) => records)));
    tell({ capture, pairs: found.length, same: true, ...said });
  }
}
