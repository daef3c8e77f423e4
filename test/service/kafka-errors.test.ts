// What goes wrong between `paritas run` and a real broker, at the start and in mid-run: each has a message that names what and where, says what to
// do, and has its exit code. Without a broker of our own its tests are skipped, and counted so.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import type { Log } from '../../topology/log/log.ts';
import { withhold, type Right } from '../support/kafka-acls.ts';
import { startKafkaBroker, type TestBroker } from '../support/kafka-broker.ts';
import { runStub, type Ran } from '../support/stub-cli.ts';
import { startRun, type ServiceProcess } from './process.ts';
import { end, fill, placeIn, positionsIn, type TopicPlace } from './topics.ts';

const broker = await startKafkaBroker();
const whyNot = typeof broker === 'string' ? broker : broker.saslBootstrap === undefined ? 'the broker is not one that was started here: its users and rules are its own' : undefined;
if (typeof broker === 'string' || whyNot !== undefined) {
  process.stderr.write(`SKIPPED: errors of a Kafka broker: ${whyNot}\n`);
  test('errors of a Kafka broker: authentication, rights, topics, outages', { skip: whyNot });
} else testsWith(broker);

function testsWith({ bootstrap, saslBootstrap = '', kill, start, stop }: TestBroker): void {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-kafka-errors-'));
  after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const records = (name: string, from: number, count: number): Parameters<typeof fill>[1] => [`${name}.s`, `${name}.t`].flatMap(topic => Array.from({ length: count }, (_, i) => {
    const [id, timestampMs] = [from + i, 1_700_000_000_000 + (from + i) * 1000];
    const value = { before: null, after: { id, origin: id }, op: 'c', ts_ms: 1, source: { connector: 'postgresql', ts_ms: timestampMs, lsn: id, sequence: `[null,"${id}"]`, snapshot: 'false' } };
    return { topic, partition: 0, key: Buffer.from(`{"id":${id}}`), value: Buffer.from(JSON.stringify(value)), timestampMs };
  }));
  const put = async (name: string, from: number): Promise<void> => {
    const log = await openKafkaLog({ bootstrapServers: [bootstrap] });
    await fill(log, records(name, from, 20));
    await log.close();
  };
  const alice = { 'security.protocol': 'SASL_PLAINTEXT', 'sasl.mechanism': 'SCRAM-SHA-512', 'sasl.username': 'alice', 'sasl.password': 'alice-secret' };
  const place = (name: string, kafka: object = {}): TopicPlace => placeIn(join(folder, name), { kafka: { bootstrapServers: saslBootstrap, properties: alice, ...kafka } }, {
    application: name,
    pairs: [{
      name: 'p', source: { topic: `${name}.s`, format: 'debezium-json' }, target: { topic: `${name}.t`, format: 'debezium-json' }, key: ['id'],
      match: { by: 'origin', source: 'source.lsn', target: 'after.origin' }, columns: { ignore: ['origin'] }, window: { size: '1s', lateness: '1s', lag: '2s', skew: '1s' },
    }],
  }, { outputs: Object.fromEntries(['verdicts', 'manifests', 'audit', 'status', 'deadLetters'].map(output => [output, `${name}.${output}`])) });
  const runIn = ({ configFile }: TopicPlace): Promise<Ran> => runStub(['run', '--config', configFile], { signal: AbortSignal.timeout(60_000) });

  const starts: readonly (readonly [what: string, code: number, says: RegExp, kafka: object])[] = [
    ['a wrong password', 5, /SASL_AUTHENTICATION_FAILED.*check user and password, or the token, in log\.kafka\.properties/, { properties: { ...alice, 'sasl.password': 'wrong' } }],
    ['nothing listens', 4, /127\.0\.0\.1:1: connection refused/, { bootstrapServers: '127.0.0.1:1', properties: {} }],
    ['no user, where one is wanted', 4, /security\.protocol is not what this port wants/, { properties: {} }],
    ['a topic that is not there', 2, /pair "p": the log has no topic start-3\.s; it has /, {}],
  ];
  for (const [n, [what, code, says, kafka]] of starts.entries()) {
    test(`at the start: ${what}: exit ${code}`, async () => {
      const ran = await runIn(place(`start-${n}`, kafka));
      match(ran.err, says);
      equal(ran.code, code);
    });
  }

  const rights: readonly (readonly [right: Omit<Right, 'user'>, says: RegExp])[] = [
    [{ resource: 'topic', name: 'rights-0.s', operation: 'READ' }, /rights-0\.s.*TOPIC_AUTHORIZATION_FAILED to \w+; this user needs READ on the topic/],
    [{ resource: 'topic', name: 'rights-1.t', operation: 'DESCRIBE' }, /topic "rights-1\.t": .*TOPIC_AUTHORIZATION_FAILED to Metadata; this user needs DESCRIBE on the topic/],
    [{ resource: 'topic', name: 'rights-2.audit', operation: 'WRITE' }, /rights-2\.audit-0: .*TOPIC_AUTHORIZATION_FAILED to Produce.*; this user needs WRITE on the topic/],
    [{ resource: 'group', name: 'rights-3/p/reconcile/0', operation: 'READ' }, /group "rights-3\/p\/reconcile\/0".*GROUP_AUTHORIZATION_FAILED to \w+; this user needs READ on the group/],
    [{ resource: 'transactional-id', name: 'rights-4/p/reconcile/0', operation: 'WRITE' }, /"rights-4\/p.*TRANSACTIONAL_ID_AUTHORIZATION_FAILED to \w+; this user needs WRITE on the transactional-id/],
  ];
  for (const [n, [right, says]] of rights.entries()) {
    test(`without ${right.operation} on ${right.resource} ${right.name}: exit 5`, async () => {
      await put(`rights-${n}`, 0);
      await withhold(bootstrap, { ...right, user: 'alice' });
      const ran = await runIn(place(`rights-${n}`));
      match(ran.err, says);
      equal(ran.code, 5);
    });
  }

  test('a right that is taken in mid-run: exit 5', async () => {
    await put('taken', 0);
    const at = place('taken');
    const service = startRun(at.configFile);
    await untilRead(at, service, 20);
    await withhold(bootstrap, { user: 'alice', resource: 'topic', name: 'taken.s', operation: 'READ' });
    equal((await service.gone).code, 5, service.lines.join('\n'));
    match(service.lines.join('\n'), /taken\.s-0.*TOPIC_AUTHORIZATION_FAILED to Fetch; this user needs READ on the topic/);
  });

  const told = async (command: string[], { configFile }: TopicPlace): Promise<Ran & { findings: Finding[] }> => {
    const ran = await runStub([...command, '--config', configFile, '-o', 'jsonl']);
    return { ...ran, findings: ran.out.split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Finding) };
  };

  test('topics: planned, made once, and nothing differs from what run makes; doctor finds all of it well', async () => {
    await put('well', 0);
    const at = place('well');
    const states = async (command: 'plan' | 'apply'): Promise<string[]> => {
      const { code, findings, err } = await told(['topics', command], at);
      equal(code, 0, err);
      equal(findings.length, 8);
      return [...new Set(findings.map(({ state }) => state))];
    };
    deepEqual(await states('plan'), ['missing']);
    const before = await told(['doctor'], at);
    deepEqual([before.code, before.findings.filter(({ state }) => state !== 'ok')], [0, []], before.out);
    deepEqual(await states('apply'), ['made']);
    deepEqual(await states('apply'), ['there']);
    const service = startRun(at.configFile);
    await untilRead(at, service, 20);
    equal((await end(service)).code, 0, service.lines.join('\n'));
    deepEqual(await states('plan'), ['there']);
    const log = await openKafkaLog({ bootstrapServers: [bootstrap] });
    const made = (await log.topics()).filter(topic => topic.startsWith('well'));
    await log.close();
    deepEqual(made, ['well-p-merge-changelog', 'well-p-reconcile-changelog', 'well-p-windows', 'well.audit', 'well.deadLetters', 'well.manifests', 'well.s', 'well.status', 'well.t', 'well.verdicts']);
  });

  const ills: readonly (readonly [what: string, make: (log: Log, name: string) => Promise<void>, code: number, says: RegExp])[] = [
    ['a topic of the wrong cleanup policy', async (log, name) => log.createTopic(`${name}-p-merge-changelog`, { partitions: 1, cleanup: 'delete' }), 2,
      /ill-0-p-merge-changelog.*has cleanup\.policy=delete, and it must be compact.*kafka-configs\.sh --alter --topic ill-0-p-merge-changelog --add-config cleanup\.policy=compact/],
    ['an input that is compacted', async (log, name) => log.createTopic(`${name}.s`, { partitions: 1, cleanup: 'compact' }), 2, /"check":"retention","subject":"ill-1\.s","state":"fail","text":"it is compacted/],
    ['an input that is not kept for as long as a window needs it', async (log, name) => log.createTopic(`${name}.s`, { partitions: 1, cleanup: 'delete', retention: { ageMs: 4000 } }), 2,
      /"subject":"ill-2\.s","state":"fail","text":"kept for 4 s; a window needs its records for 5 s"/],
    ['a missing right', async (_, name) => withhold(bootstrap, { user: 'alice', resource: 'topic', name: `${name}.t`, operation: 'READ' }), 5, /"subject":"ill-3\.t","state":"fail","text":"this user has no READ on it"/],
    ['sides that are split differently', async (log, name) => log.createTopic(`${name}.t`, { partitions: 2, cleanup: 'delete' }), 2, /"check":"partitions","subject":"p","state":"fail","text":"the source has 1 partition, the target 2/],
  ];
  for (const [n, [what, make, code, says]] of ills.entries()) {
    test(`doctor: ${what}: ${code}`, async () => {
      const name = `ill-${n}`;
      const log = await openKafkaLog({ bootstrapServers: [bootstrap] });
      await make(log, name);
      for (const topic of [`${name}.s`, `${name}.t`]) if (!(await log.topics()).includes(topic)) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
      await log.close();
      const ran = await told(['doctor'], place(name));
      match(ran.out, says);
      equal(ran.code, code, ran.out);
      if (n > 0) return;
      const planned = await told(['topics', 'plan'], place(name));
      equal(planned.code, 2);
      match(planned.err, says);
      const started = await runIn(place(name));
      match(started.err, says);
      equal(started.code, 2);
    });
  }

  test('doctor: nothing listens: 4; a topic that is not there: 2', async () => {
    const unreachable = await told(['doctor'], place('nowhere', { bootstrapServers: '127.0.0.1:1', properties: {} }));
    match(unreachable.out, /"state":"fail","text":"127\.0\.0\.1:1: connection refused/);
    equal(unreachable.code, 4);
    const missing = await told(['doctor'], place('nowhere'));
    match(missing.out, /"subject":"nowhere\.s","state":"fail","text":"there is no such topic/);
    equal(missing.code, 2);
  });

  test('a broker that is too old: exit 2, with what it lacks', async t => {
    // Kafka 2.3 answers the question for versions that it does not know in the oldest form: UNSUPPORTED_VERSION.
    const old = createServer(socket => socket.on('data', data => socket.write(Buffer.concat([Buffer.of(0, 0, 0, 10), data.subarray(8, 12), Buffer.of(0, 35, 0, 0, 0, 0)]))));
    await new Promise<void>(resolve => { old.listen(0, '127.0.0.1', resolve); });
    t.after(() => old.close());
    const { port } = old.address() as { port: number };
    const ran = await runIn(place('old', { bootstrapServers: `127.0.0.1:${port}`, properties: {} }));
    match(ran.err, /the broker does not take Produce 12, .*: Kafka 4\.0 or later is needed/);
    equal(ran.code, 2);
  });

  test('the broker goes away and comes back: it says so, and goes on', async () => {
    await put('outage', 0);
    // A broker that starts on a slow machine takes more than the minute that is the default.
    const at = place('outage', { properties: { ...alice, 'default.api.timeout.ms': 600_000 } });
    const service = startRun(at.configFile);
    await untilRead(at, service, 20);
    await kill?.();
    await untilSaid(service, /Kafka: 127\.0\.0\.1:\d+: .*; it is tried again for 600 s, and goes on when it is mended/);
    await start?.();
    await untilSaid(service, /Kafka: mended after \d+ s, it goes on/);
    await put('outage', 20);
    await untilRead(at, service, 40);
    equal((await end(service)).code, 0, service.lines.join('\n'));
  });

  test('the broker goes away for good: it is tried for a while, then exit 4', async () => {
    const at = place('outage', { properties: { ...alice, 'default.api.timeout.ms': 3000 } });
    const service = startRun(at.configFile);
    ok(await service.running, service.lines.join('\n'));
    await kill?.();
    equal((await service.gone).code, 4, service.lines.join('\n'));
    // Which of its ways to be gone is met last is chance: a request that was under way is reset, a later one refused.
    match(service.lines.join('\n'), /Kafka: 127\.0\.0\.1:\d+: .*; it is tried again for 3 s.*(\n.*)*paritas: .*127\.0\.0\.1:\d+: (connection re|the broker closed|no answer).*; it was tried for \d+ s, then given up \(default\.api\.timeout\.ms\)/);
    doesNotMatch(service.lines.join('\n'), /ECONN|EPIPE/);
  });
}

interface Finding { readonly state: string }

/** Both sides' only partition, to that offset. */
async function untilRead(place: TopicPlace, service: ServiceProcess, offset: number): Promise<void> {
  const untilMs = performance.now() + 60_000;
  for (;;) {
    const positions = await positionsIn(place);
    if (positions.split('\n').every(line => Number(line.split('@')[1]) >= offset)) return;
    ok(service.child.exitCode === null && performance.now() < untilMs, `${positions}\n${service.lines.join('\n')}`);
    await setTimeout(100);
  }
}

async function untilSaid(service: ServiceProcess, what: RegExp): Promise<void> {
  for (const untilMs = performance.now() + 90_000; !service.lines.some(line => what.test(line)); await setTimeout(50)) {
    ok(service.child.exitCode === null && performance.now() < untilMs, service.lines.join('\n'));
  }
}
