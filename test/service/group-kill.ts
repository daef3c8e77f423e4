// Several instances of `paritas run` share the tasks of one application on Kafka, and are killed with -9, or stopped for longer than their
// session and let go on, at random moments. What they have said in the end is what one instance says that nobody disturbs.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { openDurableLog } from '../../topology/log/durable/durable-log.ts';
import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import type { Prng } from '../simulation/prng.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { openFeed, type Feed } from '../support/kafka-feed.ts';
import { startRun } from './process.ts';
import { capturedRecords, end, fill, linesIn, placeIn, positionsIn, runCalmly, type Said, type TopicPlace } from './topics.ts';

/** Instances over one cluster. */
export interface GroupPlace {
  readonly bootstrapServers: readonly string[];
  readonly folder: string;
  /** Distinct for each run on one cluster. */
  readonly application: string;
  readonly instances: number;
  readonly partitions: number;
  readonly events: number;
  readonly sessionMs: number;
  readonly standbyReplicas?: number;
  /** The inputs come while the instances run, a part with each kill; otherwise they are there beforehand. */
  readonly isFed?: boolean;
}

export interface GroupPlan extends GroupPlace {
  readonly kills: number;
  readonly random: Prng;
  /** Happens beside each of the kills: what becomes of the brokers meanwhile. The place tells the topics and groups. */
  readonly disturb?: ((place: TopicPlace, kill: number) => Promise<string | undefined>) | undefined;
  readonly say?: (line: string) => void;
}

export interface GroupRun {
  readonly killed: number;
  readonly stopped: number;
  /** How often an instance that went on was told that it had been given up, and tasks that it found to be another's by then. */
  readonly givenUp: number;
  readonly takenOver: number;
  /** What happened to the brokers. */
  readonly disturbances: readonly string[];
  /** Records of the inputs that were committed at each kill, of all: the load that there was. */
  readonly readAtKills: readonly number[];
  readonly records: number;
  /** What one instance says that nobody disturbs. */
  readonly should: readonly string[];
  /** Empty: none. */
  readonly differences: readonly string[];
}

/** So long may they take after the last kill. */
const END_MS = 300_000;

export async function groupKill(plan: GroupPlan): Promise<GroupRun> {
  const { places, should, feed } = await prepare(plan);
  const { kills, random, say, sessionMs, disturb } = plan;
  const disturbances: string[] = [];
  const readAtKills: number[] = [];
  const tally = { killed: 0, stopped: 0 };
  const said: string[] = [];
  const services = places.map(place => startRun(place.configFile));
  const differences: string[] = [];
  try {
    await Promise.all(services.map(service => Promise.race([service.running, setTimeout(10_000)])));
    for (let kill = 1; kill <= kills; kill++) {
      const fed = feed((kill - 1) / kills, kill / kills);
      const disturbed = disturb?.(places[0], kill);
      await setTimeout(random.int(2000));
      readAtKills.push(readOf(await positionsIn(places[0])));
      const at = random.int(services.length);
      if (random.chance(1 / 3)) {
        tally.stopped++;
        services[at].child.kill('SIGSTOP');
        await setTimeout(sessionMs + 1000 + random.int(1000));
        services[at].child.kill('SIGCONT');
      } else {
        tally.killed++;
        services[at].child.kill('SIGKILL');
        await services[at].gone;
        said.push(...services[at].lines);
        services[at] = startRun(places[at].configFile);
      }
      const what = await disturbed;
      if (what !== undefined) disturbances.push(what);
      await fed;
      say?.(`${kill}: ${tally.killed} killed, ${tally.stopped} stopped, ${(await linesIn(places[0])).length} of ${should.lines.length} records said${what === undefined ? '' : `; ${what}`}`);
    }
    await untilDone(places[0], should);
  } catch (error) {
    differences.push(String(error));
  }
  for (const service of services) {
    const { code, lines } = await end(service);
    said.push(...lines);
    // One that was started just now has not begun to listen to signals.
    const isYoung = lines.length === 0 && (await service.gone).signal === 'SIGTERM';
    if (code !== 0 && !isYoung) differences.push(`an instance ended with ${code}: ${lines.slice(-5).join('\n')}`);
  }
  const is = (await linesIn(places[0])).sort();
  return { ...tally, disturbances, readAtKills, givenUp: said.filter(line => line.includes('has not heard of this instance')).length, takenOver: said.filter(line => line.includes('taken over')).length, records: is.length, should: should.lines, differences: [...differences, ...differencesOf(is, should.lines.toSorted())] };
}

export interface Prepared {
  readonly places: TopicPlace[];
  readonly should: Said;
  /** Writes that part of the inputs, from 0 to 1; each part once, in order. */
  readonly feed: (from: number, to: number) => Promise<void>;
}

/** The same records in a log directory and in the cluster, and what one instance says of the former. */
export async function prepare({ bootstrapServers, folder, application, instances, partitions, events, sessionMs, standbyReplicas = 0, isFed = false }: GroupPlace): Promise<Prepared> {
  const { sourceFiles, targetFiles } = generateCapture({ events, out: join(folder, 'generated'), faultsEvery: 500 });
  const topics = [`${application}.source`, `${application}.target`];
  const sides = [capturedRecords(sourceFiles[0], topics[0], partitions), capturedRecords(targetFiles[0], topics[1], partitions)];
  const records = sides.flat();
  const directory = join(folder, 'log');
  const log = await openDurableLog({ directory, fsync: 'never' }, { nowMs: Date.now });
  await fill(log, records);
  await log.close();
  const cluster = await openKafkaLog({ bootstrapServers });
  for (const topic of topics) await cluster.createTopic(topic, { partitions, cleanup: 'delete' });
  await cluster.close();
  // As they would come: both sides at once, each in its order.
  const inOrder = sides.flatMap(side => side.map((record, i) => ({ record, at: i / side.length }))).sort((a, b) => a.at - b.at).map(({ record }) => record);
  const feed = async (from: number, to: number): Promise<void> => {
    feeding ??= await openFeed(bootstrapServers);
    await feeding.write(inOrder.slice(Math.round(from * inOrder.length), Math.round(to * inOrder.length)));
    if (to === 1) feeding.close();
  };
  let feeding: Feed | undefined;
  if (!isFed) await feed(0, 1);
  const side = (topic: string): object => ({ topic, format: 'debezium-json', replicaIdentity: 'full' });
  const pair = {
    name: 'orders', source: side(topics[0]), target: side(topics[1]), key: ['id'], match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' },
    window: { size: '1s', lateness: '500ms', lag: '2000ms', skew: '100ms' }, columns: { ignore: ['origin_lsn'] },
  };
  const outputs = Object.fromEntries([['deadLetters', 'dead-letters'], ...['verdicts', 'manifests', 'audit', 'status'].map(name => [name, name])].map(([name, topic]) => [name, `${application}.${topic}`]));
  const properties = { 'session.timeout.ms': sessionMs, 'heartbeat.interval.ms': 100 };
  const config = { application, pairs: [pair], outputs };
  return {
    feed: isFed ? feed : () => Promise.resolve(),
    should: await runCalmly(placeIn(join(folder, 'calm'), { embedded: { directory, fsync: 'never' } }, config)),
    places: Array.from({ length: instances }, (_, i) => placeIn(join(folder, `instance-${i}`), { kafka: { bootstrapServers, properties } }, config, { state: { directory: './state', standbyReplicas } })),
  };
}

async function untilDone(place: TopicPlace, should: Said): Promise<void> {
  for (const untilMs = performance.now() + END_MS; performance.now() < untilMs; await setTimeout(200)) {
    if (await positionsIn(place) === should.positions && (await linesIn(place)).length >= should.lines.length) return;
  }
  throw new Error(`they did not come to the end: ${await positionsIn(place)}`);
}

function readOf(positions: string): number {
  return positions.split('\n').reduce((sum, line) => sum + Number(line.split('@')[1]), 0);
}

/** `is`: as somebody else has read them, values only. Of the lines of this run, which are topic, key and value. */
export function differencesOfValues(is: readonly string[], lines: readonly string[]): string[] {
  return differencesOf(is.toSorted(), lines.map(line => line.slice(line.indexOf('{"record"'))).sort());
}

function differencesOf(is: readonly string[], should: readonly string[]): string[] {
  const [missing, surplus] = [new Set(should).difference(new Set(is)), new Set(is).difference(new Set(should))];
  const counts = is.length === should.length ? [] : [`${is.length} records, and should be ${should.length}`];
  return [...counts, ...[...missing].slice(0, 3).map(line => `missing: ${line}`), ...[...surplus].slice(0, 3).map(line => `surplus: ${line}`)];
}

