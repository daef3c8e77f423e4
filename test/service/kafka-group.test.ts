// Three instances on Kafka, killed and stopped: the short form of `npm run kill:kafka`. Without a broker it is skipped, and counted so.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { prng } from '../simulation/prng.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { groupKill, prepare } from './group-kill.ts';
import { startRun, type ServiceProcess } from './process.ts';
import { end, linesIn, runUntil } from './topics.ts';

const broker = await startKafkaBroker();
const title = 'trap 8: three instances, killed with -9 and stopped for longer than their session, say what one says';
if (typeof broker === 'string') {
  process.stderr.write(`SKIPPED: paritas run on Kafka, several instances: ${broker}\n`);
  test(title, { skip: broker });
} else {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-group-'));
  after(async () => {
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  test(title, async () => {
    const { killed, stopped, records, differences } = await groupKill({
      bootstrapServers: [broker.bootstrap], folder, application: `group-${Date.now().toString(36)}`, instances: 3, partitions: 4, events: 10_000, kills: 4,
      // A broker that is not ours need not allow shorter ones.
      sessionMs: broker.restart === undefined ? 6000 : 2000, random: prng(5),
    });
    deepEqual(differences, []);
    equal(killed + stopped, 4);
    ok(killed > 0 && stopped > 0 && records > 20, `${killed} killed, ${stopped} stopped, ${records} records: that says little`);
  });

  test('trap 14: a standby takes over without restoring what it has', async () => {
    const { places: [first, second], should } = await prepare({
      bootstrapServers: [broker.bootstrap], folder: join(folder, 'standby'), application: `standby-${Date.now().toString(36)}`, instances: 2, partitions: 2, events: 10_000,
      sessionMs: broker.restart === undefined ? 6000 : 2000, standbyReplicas: 1,
    });
    equal((await runUntil(first, should)).code, 0);
    const services = [startRun(first.configFile)];
    await says(services[0], () => runningIn(services[0]) === 3);
    services.push(startRun(second.configFile));
    await says(services[1], lines => lines.filter(line => line.endsWith(': standby')).length >= 3 && runningIn(services[1]) >= 1 && runningIn(services[0]) + runningIn(services[1]) === 3);
    match(services[1].lines.join('\n'), /restoring: offset \d+ of \d+/);
    await setTimeout(1500);
    const before = services[1].lines.length;
    services[0].child.kill('SIGKILL');
    await says(services[1], () => runningIn(services[1]) === 3);
    deepEqual(services[1].lines.slice(before).filter(line => /offset|wiped|given up/.test(line)), []);
    equal((await end(services[1])).code, 0);
    deepEqual((await linesIn(first)).sort(), should.lines.toSorted());
  });
}

function runningIn({ lines }: ServiceProcess): number {
  const last = new Map(lines.flatMap(line => {
    const [, task, state] = /^(\S+): (running|suspended|closed)$/.exec(line) ?? [];
    return task === undefined ? [] : [[task, state] as const];
  }));
  return [...last.values()].filter(state => state === 'running').length;
}

async function says(service: ServiceProcess, holds: (lines: readonly string[]) => boolean): Promise<void> {
  for (const untilMs = performance.now() + 60_000; !holds(service.lines); await setTimeout(50)) {
    ok(performance.now() < untilMs && service.child.exitCode === null, service.lines.join('\n'));
  }
}
