// npm run same:kafka -- [--events n] [--partitions n] [--faults-every n]: a generated history of both sides, so many records in all, over the
// embedded log and over Kafka; they say the same, byte by byte, or it ends with 1 and the first difference.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startKafkaBroker } from '../support/kafka-broker.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { inBothLogs, sayTheSame } from './both-logs.ts';
import { capturedRecords } from './topics.ts';

const { values } = parseArgs({ options: { events: { type: 'string', default: '200000' }, partitions: { type: 'string', default: '4' }, 'faults-every': { type: 'string', default: '500' } } });
const [events, partitions] = [Number(values.events), Number(values.partitions)];
const broker = await startKafkaBroker();
if (typeof broker === 'string') throw new Error(broker);
const folder = mkdtempSync(join(tmpdir(), 'paritas-same-'));
try {
  const name = `same-${Date.now().toString(36)}`;
  const { sourceFiles, targetFiles } = generateCapture({ events: events / 2, out: join(folder, 'generated'), faultsEvery: Number(values['faults-every']) });
  const topics = [`${name}.source`, `${name}.target`];
  const side = (topic: string): object => ({ topic, format: 'debezium-json', replicaIdentity: 'full' });
  const pair = {
    name: 'orders', source: side(topics[0]), target: side(topics[1]), key: ['id'], match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' },
    window: { size: '1s', lateness: '500ms', lag: '2000ms', skew: '100ms' }, columns: { ignore: ['origin_lsn'] },
  };
  const records = [...capturedRecords(sourceFiles[0], topics[0], partitions), ...capturedRecords(targetFiles[0], topics[1], partitions)];
  const said = await sayTheSame(await inBothLogs(folder, broker.bootstrap, name, [pair], records));
  process.stdout.write(`${JSON.stringify({ events: records.length, partitions, same: true, ...said })}\n`);
} finally {
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
}
