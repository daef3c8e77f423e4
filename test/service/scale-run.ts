// npm run scale:kafka -- [--instances 1,2,4] [--partitions 8] [--events n]: the tasks of one application over so many instances on a Kafka broker, each
// number of them with all that the topics have. Prints who read how much, whether they said the same as one over the embedded log, byte by byte,
// and how long a partition stood still while the last instance was added, and while it was ended, with standbys that have the state.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout } from 'node:timers/promises';

import { startKafkaBroker } from '../support/kafka-broker.ts';
import { prepare } from './group-kill.ts';
import { startRun, type ServiceProcess } from './process.ts';
import { end, linesIn, positionsIn } from './topics.ts';

const { values } = parseArgs({ options: { instances: { type: 'string', default: '1,2,4' }, partitions: { type: 'string', default: '8' }, events: { type: 'string', default: '40000' } } });
const partitions = Number(values.partitions);
const broker = await startKafkaBroker();
if (typeof broker === 'string') throw new Error(broker);
const folder = mkdtempSync(join(tmpdir(), 'paritas-scale-'));
let failed = false;
try {
  for (const instances of values.instances.split(',').map(Number)) {
    const { places, should } = await prepare({
      bootstrapServers: [broker.bootstrap], folder: join(folder, String(instances)), application: `scale-${instances}-${Date.now().toString(36)}`, instances, partitions, events: Number(values.events),
      sessionMs: 6000, standbyReplicas: instances > 1 ? 1 : 0,
    });
    const services = places.map(place => startRun(place.configFile));
    const fromMs = performance.now();
    await until(services, async () => tasksOf(services).size === partitions + 1 && await positionsIn(places[0]) === should.positions && (await linesIn(places[0])).length >= should.lines.length);
    const wallSeconds = (performance.now() - fromMs) / 1000;
    const shares = services.map(({ lines }) => runningIn(lines).size);
    const handOverMs = instances > 1 ? await handOver(services) : undefined;
    for (const service of services) await end(service);
    const said = (await linesIn(places[0])).sort();
    const same = said.length === should.lines.length && said.every((line, i) => line === should.lines.toSorted()[i]);
    failed ||= !same || Math.max(...shares) - Math.min(...shares) > 1;
    process.stdout.write(`${JSON.stringify({ instances, partitions, records: said.length, same, tasksEach: shares, wallSeconds: Number(wallSeconds.toFixed(1)), ...(handOverMs === undefined ? {} : { handOverMs: Math.round(handOverMs) }) })}\n`);
  }
} finally {
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** Ends the last instance, whose tasks the standbys take over: from the signal until all tasks run again. Its own commit and its leaving are in it. */
async function handOver(services: ServiceProcess[]): Promise<number> {
  // The standbys have what was committed last.
  await setTimeout(3000);
  const leaving = services.pop();
  if (leaving === undefined) return NaN;
  const fromMs = performance.now();
  const [, ms] = await Promise.all([
    end(leaving),
    until(services, () => Promise.resolve(tasksOf(services).size === partitions + 1), 10).then(() => performance.now() - fromMs),
  ]);
  return ms;
}

function tasksOf(services: readonly ServiceProcess[]): Set<string> {
  return new Set(services.flatMap(({ lines }) => [...runningIn(lines)]));
}

function runningIn(lines: readonly string[]): Set<string> {
  const last = new Map(lines.flatMap(line => {
    const [, task, state] = /^(\S+): (running|suspended|closed)$/.exec(line) ?? [];
    return task === undefined ? [] : [[task, state] as const];
  }));
  return new Set([...last].filter(([, state]) => state === 'running').map(([task]) => task));
}

async function until(services: readonly ServiceProcess[], holds: () => Promise<boolean>, everyMs = 200): Promise<void> {
  for (const untilMs = performance.now() + 300_000; !(await holds()); await setTimeout(everyMs)) {
    if (performance.now() > untilMs || services.some(({ child }) => child.exitCode !== null)) throw new Error(services.map(({ lines }) => lines.slice(-8).join('\n')).join('\n--\n'));
  }
}
