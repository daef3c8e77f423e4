// npm run bench:kafka: paritas on a real Kafka broker, exactly once, and beside it the same join as a good user of Kafka Streams would write it
// (peer/), over the same topics in the same run. As JSON: events of both topics per CPU-second of each process, start and end included, and their
// ratios. CPU-seconds, not wall time: the broker and whatever else runs takes its share of the machine. Nothing is asserted here.
//
//   npm run bench:kafka -- --changes 250000
//   npm run bench:kafka -- --changes 1000000 --peer --repeat 3
//   npm run bench:kafka -- --only catch-up,rocksdb-cached --peer
//
// The broker is the one at PARITAS_TEST_BOOTSTRAP, whose topics the next bench uses again, or one of its own.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { paritasOnKafka, type Contender } from './on-kafka.ts';
import { buildPeer, peerOnKafka } from './peer.ts';
import { shopTopics } from './shop-topics.ts';

const PARTITIONS = 4;
const OURS = { 'catch-up': 'catch-up', 'live-pace': 'live' } as const;
const PEERS = ['rocksdb-cached', 'write-behind'] as const;
/** What one is held against the other for: the peer has one figure, that of catching up. */
const RATIOS = Object.keys(OURS).flatMap(ours => PEERS.map(peer => [ours, peer] as const));

const { values: flags } = parseArgs({ options: { changes: { type: 'string', default: '250000' }, repeat: { type: 'string', default: '1' }, only: { type: 'string' }, peer: { type: 'boolean', default: false } } });
const only = flags.only?.split(',');
const names = [...Object.keys(OURS), ...(flags.peer ? PEERS : [])].filter(name => only?.includes(name) ?? true);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const broker = await startKafkaBroker();
if (typeof broker === 'string') throw new Error(broker);
const log = await openKafkaLog({ bootstrapServers: [broker.bootstrap] });
try {
  const jar = names.some(name => !(name in OURS)) ? buildPeer() : '';
  const topics = await shopTopics(log, Number(flags.changes), PARTITIONS);
  const rounds: Record<string, Contender>[] = [];
  for (let n = 1; n <= Number(flags.repeat); n++) {
    const round: Record<string, Contender> = {};
    for (const name of names) {
      say(`round ${n}: ${name}, load ${loadavg()[0].toFixed(1)}`);
      round[name] = name in OURS ? await paritasOnKafka(log, broker.bootstrap, topics, OURS[name as keyof typeof OURS]) : await peerOnKafka(log, broker.bootstrap, topics, name, jar);
      say(JSON.stringify(round[name]));
    }
    rounds.push(round);
  }
  const ratios = RATIOS.flatMap(([ours, peer]) => {
    const each = rounds.flatMap(round => (ours in round && peer in round ? [round[ours].eventsPerCpuSecond / round[peer].eventsPerCpuSecond] : []));
    return each.length === 0 ? [] : [[`${ours} to ${peer}`, spread(each, 2)]];
  });
  process.stdout.write(`${JSON.stringify({
    events: topics.records, partitions: PARTITIONS, node: process.version, cpu: cpus()[0]?.model, cores: cpus().length,
    eventsPerCpuSecond: Object.fromEntries(names.map(name => [name, spread(rounds.map(round => round[name].eventsPerCpuSecond), 0)])),
    ratios: Object.fromEntries(ratios) as object, rounds,
  }, null, 2)}\n`);
} finally {
  await log.close();
  await broker.stop();
}

function spread(values: readonly number[], digits: number): { median: number; least: number; most: number } {
  const sorted = values.map(value => Number(value.toFixed(digits))).sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], least: sorted[0], most: sorted[sorted.length - 1] };
}
