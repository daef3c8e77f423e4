// npm run kill:kafka -- [--kills n] [--events n] [--instances n] [--seed n]: several instances on a Kafka broker of its own, killed and stopped.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { prng } from '../simulation/prng.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { groupKill } from './group-kill.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' }, events: { type: 'string', default: '30000' }, instances: { type: 'string', default: '3' }, seed: { type: 'string', default: '1' } } });
const broker = await startKafkaBroker();
if (typeof broker === 'string') throw new Error(broker);
const folder = mkdtempSync(join(tmpdir(), 'paritas-group-'));
try {
  const run = await groupKill({
    bootstrap: broker.bootstrap, folder, application: `group-${Date.now().toString(36)}`, instances: Number(values.instances), partitions: 4,
    events: Number(values.events), kills: Number(values.kills), sessionMs: broker.restart === undefined ? 6000 : 2000, random: prng(Number(values.seed)),
    say: line => { process.stdout.write(`${line}\n`); },
  });
  process.stdout.write(`${JSON.stringify(run, undefined, 2)}\n`);
  process.exitCode = run.differences.length === 0 ? 0 : 1;
} finally {
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
}
