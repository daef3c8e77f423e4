// Applications on a broker of ours, each with its own topics and its own user: what the tests of errors and of `doctor` are about.
import { ok } from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { AppendRecord, Log } from '../../topology/log/log.ts';
import { appendTo } from '../support/append.ts';
import type { TestBroker } from '../support/kafka-broker.ts';
import { runStub, type Ran } from '../support/stub-cli.ts';
import { placeIn, type TopicPlace } from './topics.ts';

/** So long may anything here take, however loaded the machine. */
const BOUND_MS = 120_000;
const OUTPUTS = ['verdicts', 'manifests', 'audit', 'status', 'deadLetters'];

export interface KafkaPlaces {
  /** Properties of a client that comes as `alice`, who lacks nothing. */
  readonly alice: Readonly<Record<string, string>>;
  /** The same as somebody whom `setPassword` has made, with the password `NAME-secret`; names itself anew every few seconds. */
  userOf(name: string): Readonly<Record<string, string>>;
  /** A configuration: inputs `APP.s` and `APP.t`, the pair `p`, outputs `APP.verdicts`, … `kafka`: other settings of the log. */
  place(app: string, kafka?: object): TopicPlace;
  ownTopicsOf(app: string): string[];
  /** Twenty changes, from that number on, into both inputs. */
  put(app: string, from: number): Promise<void>;
  /** In this process. */
  run(at: TopicPlace, signal?: AbortSignal): Promise<Ran>;
  tell(command: readonly string[], at: TopicPlace): Promise<Ran & { readonly findings: readonly Finding[] }>;
  /** Both inputs, to that offset; throws where the service ends before. */
  untilRead(app: string, offset: number, service: Promise<unknown>): Promise<void>;
}

export interface Finding { readonly state: string }

/** `log`: with every right. */
export function createKafkaPlaces(folder: string, { saslBootstrap = '' }: TestBroker, log: Log): KafkaPlaces {
  const sasl = (mechanism: string, name: string): Record<string, string> => ({ 'security.protocol': 'SASL_PLAINTEXT', 'sasl.mechanism': mechanism, 'sasl.username': name, 'sasl.password': `${name}-secret` });
  const alice = sasl('SCRAM-SHA-512', 'alice');
  return {
    alice, userOf: name => sasl('SCRAM-SHA-256', name),
    place: (app, kafka = {}) => placeIn(join(folder, app), { kafka: { bootstrapServers: saslBootstrap, properties: alice, ...kafka } }, {
      application: app,
      pairs: [{
        name: 'p', source: { topic: `${app}.s`, format: 'debezium-json' }, target: { topic: `${app}.t`, format: 'debezium-json' }, key: ['id'],
        match: { by: 'origin', source: 'source.lsn', target: 'after.origin' }, columns: { ignore: ['origin'] }, window: { size: '1s', lateness: '1s', lag: '2s', skew: '1s' },
      }],
    }, { outputs: Object.fromEntries(OUTPUTS.map(output => [output, `${app}.${output}`])) }),
    ownTopicsOf: app => [...OUTPUTS.map(output => `${app}.${output}`), ...['merge-changelog', 'reconcile-changelog', 'windows'].map(own => `${app}-p-${own}`)],
    async put(app, from) {
      for (const side of ['s', 't']) await log.createTopic(`${app}.${side}`, { partitions: 1, cleanup: 'delete' });
      await appendTo(log, { records: changes(app, from, 20), positions: [], group: '' }, 'connector');
    },
    run: ({ configFile }, signal = AbortSignal.timeout(BOUND_MS)) => runStub(['run', '--config', configFile], { signal }),
    async tell(command, { configFile }) {
      const ran = await runStub([...command, '--config', configFile, '-o', 'jsonl']);
      return { ...ran, findings: ran.out.split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Finding) };
    },
    async untilRead(app, offset, service) {
      let ended: unknown;
      void service.then(how => { ended = how; });
      const isRead = async (topic: string): Promise<boolean> => (await log.committed(`${app}/p/reconcile/0`, { topic, partition: 0 }) ?? 0) >= offset;
      for (const untilMs = performance.now() + BOUND_MS; !(await isRead(`${app}.s`) && await isRead(`${app}.t`)); await setTimeout(100)) {
        ok(ended === undefined, `it has ended: ${JSON.stringify(ended)}`);
        ok(performance.now() < untilMs, `${app} is not read to ${offset}`);
      }
    },
  };
}

function changes(app: string, from: number, count: number): AppendRecord[] {
  return [`${app}.s`, `${app}.t`].flatMap(topic => Array.from({ length: count }, (_, i) => {
    const [id, timestampMs] = [from + i, 1_700_000_000_000 + (from + i) * 1000];
    const value = { before: null, after: { id, origin: id }, op: 'c', ts_ms: 1, source: { connector: 'postgresql', ts_ms: timestampMs, lsn: id, sequence: `[null,"${id}"]`, snapshot: 'false' } };
    return { topic, partition: 0, key: Buffer.from(`{"id":${id}}`), value: Buffer.from(JSON.stringify(value)), timestampMs };
  }));
}
