// What goes wrong between `paritas run` and a real broker: each has a message that names what and where, says what to do, and has its exit code, at
// the start and in mid-run; and `doctor` finds it beforehand. Without a broker of our own the tests are skipped, and counted so.
import { doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import { setPassword, withhold, type Right } from '../support/kafka-acls.ts';
import { startKafkaBroker, type TestBroker } from '../support/kafka-broker.ts';
import type { Ran } from '../support/stub-cli.ts';
import { doctorTests } from './kafka-doctor.ts';
import { createKafkaPlaces, type KafkaPlaces } from './kafka-places.ts';
import { startRun, type ServiceProcess } from './process.ts';
import { end, type TopicPlace } from './topics.ts';

type Name = Readonly<Record<'app' | 'user', string>>;

/** A right that is taken away. What run says without it, and doctor; undefined: nothing, for it is not needed then. */
interface RightRow {
  readonly of: (name: Name) => Omit<Right, 'user'>;
  readonly start: RegExp | undefined;
  readonly midRun: RegExp | undefined;
  readonly doctor: RegExp | undefined;
}

const topic = (suffix: string, operation: Right['operation']): RightRow['of'] => ({ app }) => ({ resource: 'topic', name: `${app}${suffix}`, operation });
const lacks = (operation: string): RegExp => new RegExp(`"state":"fail","text":"this user has no ${operation} on it","remedy":"kafka-acls\\.sh --add .*--operation ${operation}`);

const RIGHTS: readonly RightRow[] = [
  { of: topic('.s', 'READ'), start: /\.s.*TOPIC_AUTHORIZATION_FAILED to \w+; this user needs READ on the topic/, midRun: /\.s-0.*TOPIC_AUTHORIZATION_FAILED to Fetch; this user needs READ on the topic/, doctor: lacks('READ') },
  { of: topic('.t', 'DESCRIBE'), start: /topic "[\w-]+\.t": .*TOPIC_AUTHORIZATION_FAILED to Metadata; this user needs DESCRIBE on the topic/, midRun: undefined, doctor: /TOPIC_AUTHORIZATION_FAILED to Metadata; this user needs DESCRIBE/ },
  ...['.audit', '.verdicts', '-p-reconcile-changelog', '-p-windows', '-p-merge-changelog'].map((suffix): RightRow => {
    const says = new RegExp(`${suffix}-0: .*TOPIC_AUTHORIZATION_FAILED to Produce.*; this user needs WRITE on the topic`);
    return { of: topic(suffix, 'WRITE'), start: says, midRun: says, doctor: lacks('WRITE') };
  }),
  // As long as there is nothing to restore.
  { of: topic('-p-merge-changelog', 'READ'), start: undefined, midRun: undefined, doctor: lacks('READ') },
  // It says which chain the pair is at, and who cannot see it must not take it for not there.
  { of: topic('-chains', 'DESCRIBE'), start: /-chains".*TOPIC_AUTHORIZATION_FAILED to Metadata; this user needs DESCRIBE on the topic/, midRun: undefined, doctor: /-chains.*TOPIC_AUTHORIZATION_FAILED to Metadata; this user needs DESCRIBE/ },
  { of: topic('.status', 'WRITE'), start: undefined, midRun: undefined, doctor: lacks('WRITE') },
  { of: ({ app }) => ({ resource: 'group', name: app, operation: 'READ' }), start: /group "[\w-]+".*GROUP_AUTHORIZATION_FAILED to JoinGroup; this user needs READ on the group/, midRun: /group "[\w-]+".*GROUP_AUTHORIZATION_FAILED to \w+; this user needs READ on the group/, doctor: lacks('READ') },
  { of: ({ app }) => ({ resource: 'group', name: `${app}/p/reconcile/0`, operation: 'READ' }), start: /p\/reconcile\/0".*GROUP_AUTHORIZATION_FAILED to \w+; this user needs READ on the group/, midRun: /p\/reconcile\/0".*GROUP_AUTHORIZATION_FAILED to TxnOffsetCommit; this user needs READ on the group/, doctor: lacks('READ') },
  { of: ({ app }) => ({ resource: 'transactional-id', name: `${app}/p/reconcile/0`, operation: 'WRITE' }), start: /p\/reconcile\/0".*TRANSACTIONAL_ID_AUTHORIZATION_FAILED to \w+; this user needs WRITE on the transactional-id/, midRun: /TRANSACTIONAL_ID_AUTHORIZATION_FAILED to \w+; this user needs WRITE on the transactional-id/, doctor: /TRANSACTIONAL_ID_AUTHORIZATION_FAILED to \w+; this user needs WRITE/ },
  { of: ({ app }) => ({ resource: 'transactional-id', name: `${app}/p/merge`, operation: 'DESCRIBE' }), start: /p\/merge".*TRANSACTIONAL_ID_AUTHORIZATION_FAILED to FindCoordinator; this user needs WRITE on the transactional-id/, midRun: undefined, doctor: /TRANSACTIONAL_ID_AUTHORIZATION_FAILED to FindCoordinator; this user needs WRITE/ },
  // Since Kafka 2.8 who may write to some topic may do so idempotently.
  { of: () => ({ resource: 'cluster', name: 'kafka-cluster', operation: 'IDEMPOTENT_WRITE' }), start: undefined, midRun: undefined, doctor: undefined },
];

const broker = await startKafkaBroker();
const whyNot = typeof broker === 'string' ? broker : broker.saslBootstrap === undefined ? 'the broker is not one that was started here: its users and rules are its own' : undefined;
if (typeof broker === 'string' || whyNot !== undefined) {
  process.stderr.write(`SKIPPED: errors of a Kafka broker: ${whyNot}\n`);
  test('errors of a Kafka broker: authentication, rights, topics, outages', { skip: whyNot });
} else await testsWith(broker);

async function testsWith(own: TestBroker): Promise<void> {
  const { bootstrap } = own;
  const folder = mkdtempSync(join(tmpdir(), 'paritas-kafka-errors-'));
  const log = await openKafkaLog({ bootstrapServers: [bootstrap] });
  const places = createKafkaPlaces(folder, own, log);
  after(async () => {
    await log.close();
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('at the start', { concurrency: 3 }, () => {
    const starts: readonly (readonly [what: string, code: number, says: RegExp, kafka: (places: KafkaPlaces) => object])[] = [
      ['a wrong password', 5, /SASL_AUTHENTICATION_FAILED.*check user and password, or the token, in log\.kafka\.properties/, ({ alice }) => ({ properties: { ...alice, 'sasl.password': 'wrong' } })],
      ['nothing listens', 4, /127\.0\.0\.1:1: connection refused/, () => ({ bootstrapServers: '127.0.0.1:1', properties: {} })],
      ['no user, where one is wanted', 4, /security\.protocol is not what this port wants/, () => ({ properties: {} })],
      ['a topic that is not there', 2, /pair "p": the log has no topic start-3\.s; it has /, () => ({})],
    ];
    for (const [n, [what, code, says, kafka]] of starts.entries()) {
      test(`${what}: exit ${code}`, async () => { await ends(places.run(places.place(`start-${n}`, kafka(places))), code, says); });
    }

    test('a broker that is too old: exit 2, with what it lacks', async t => {
      // Kafka 2.3 answers the question for versions that it does not know in the oldest form: UNSUPPORTED_VERSION.
      const old = createServer(socket => socket.on('data', data => socket.write(Buffer.concat([Buffer.of(0, 0, 0, 10), data.subarray(8, 12), Buffer.of(0, 35, 0, 0, 0, 0)]))));
      await new Promise<void>(resolve => { old.listen(0, '127.0.0.1', resolve); });
      t.after(() => old.close());
      const { port } = old.address() as { port: number };
      await ends(places.run(places.place('old', { bootstrapServers: `127.0.0.1:${port}`, properties: {} })), 2, /the broker does not take Produce 12, .*: Kafka 4\.0 or later is needed/);
    });

    test('may not make topics: exit 5, and doctor warns of each; once an administrator has made them it runs', async () => {
      const [app, user] = ['no-create', 'maker'];
      await setPassword(bootstrap, user, 'maker-secret');
      await withhold(bootstrap, { user, resource: 'cluster', name: 'kafka-cluster', operation: 'CREATE' });
      await places.put(app, 0);
      const at = places.place(app, { properties: places.userOf(user) });
      for (const own of places.ownTopicsOf(app)) await withhold(bootstrap, { user, resource: 'topic', name: own, operation: 'CREATE' });
      const doctor = await places.tell(['doctor'], at);
      equal(doctor.code, 0, doctor.out);
      equal(doctor.out.match(/not there yet, and this user may not create it","remedy":"kafka-acls\.sh --add .*--operation CREATE --topic no-create/g)?.length, 8, doctor.out);
      await ends(places.run(at), 5, /no-create.*TOPIC_AUTHORIZATION_FAILED to CreateTopics.*; this user needs CREATE on the topic/);
      equal((await places.tell(['topics', 'apply'], places.place(`${app}`, { bootstrapServers: bootstrap, properties: {} }))).code, 0);
      await runs(places.place(app, { properties: places.userOf(user) }), app);
    });

    for (const [n, { of, start, doctor }] of RIGHTS.entries()) {
      const name = { app: `right-${n}`, user: `user-${n}` };
      const right = of(name);
      test(`without ${right.operation} on ${right.resource} ${right.name}: ${start === undefined ? 'it runs' : 'exit 5'}`, async () => {
        await places.put(name.app, 0);
        await setPassword(bootstrap, name.user, `${name.user}-secret`);
        await withhold(bootstrap, { ...right, user: name.user });
        const at = places.place(name.app, { properties: places.userOf(name.user) });
        if (start === undefined) await runs(at, name.app);
        else await ends(places.run(at), 5, start);
        const told = await places.tell(['doctor'], at);
        equal(told.code, doctor === undefined ? 0 : 5, told.out);
        if (doctor !== undefined) match(told.out, doctor);
      });
    }
  });

  describe('in mid-run', { concurrency: 3 }, () => {
    for (const [n, { of, midRun }] of RIGHTS.entries()) {
      if (midRun === undefined) continue;
      const name = { app: `taken-${n}`, user: `user-${n}` };
      const right = of(name);
      test(`${right.operation} on ${right.resource} ${right.name} is taken: exit 5`, async () => {
        await places.put(name.app, 0);
        const at = places.place(name.app, { properties: places.userOf(name.user) });
        await meanwhile(at, name.app, 5, midRun, async () => {
          await withhold(bootstrap, { ...right, user: name.user });
          // A fetch that waits was allowed before: what is put now it may still bring, and then the commit is what is refused. The next one is not allowed.
          if (right.resource !== 'topic' || right.operation !== 'READ') await places.put(name.app, 20);
        });
      });
    }

    test('the password is changed: the next time that it names itself: exit 5', async () => {
      await places.put('changed', 0);
      await setPassword(bootstrap, 'carol', 'carol-secret');
      const at = places.place('changed', { properties: places.userOf('carol') });
      await meanwhile(at, 'changed', 5, /SASL_AUTHENTICATION_FAILED.*check user and password, or the token, in log\.kafka\.properties/, () => setPassword(bootstrap, 'carol', 'another'));
    });

    const gone: readonly (readonly [what: string, suffix: string, says: RegExp, again: boolean])[] = [
      ['an input is deleted', '.s', /"gone-0\.s" was deleted while it was in use; start again/, false],
      ['an input is deleted and made anew', '.s', /"gone-1\.s" was deleted and made anew: offsets of the old one mean nothing/, true],
      ['an output is deleted', '.verdicts', /"gone-2\.verdicts" was deleted while it was in use; start again: an output is made anew/, false],
      ['a changelog is deleted', '-p-reconcile-changelog', /"gone-3-p-reconcile-changelog" was deleted while it was in use; start again/, false],
    ];
    for (const [n, [what, suffix, says, again]] of gone.entries()) {
      test(`${what}: exit 2`, async () => {
        const app = `gone-${n}`;
        await places.put(app, 0);
        await meanwhile(places.place(app), app, 2, says, async () => {
          await log.deleteTopic(`${app}${suffix}`);
          if (again) await log.createTopic(`${app}${suffix}`, { partitions: 1, cleanup: 'delete' });
          if (suffix !== '.s') await places.put(app, 20);
        });
      });
    }
  });

  doctorTests(places, log, bootstrap);

  /** To the end of what there is, then it is asked to end: 0. */
  async function runs(at: TopicPlace, app: string): Promise<void> {
    const stop = new AbortController();
    const running = places.run(at, stop.signal);
    await places.untilRead(app, 20, running);
    stop.abort();
    equal((await running).code, 0, (await running).err);
  }

  async function meanwhile(at: TopicPlace, app: string, code: number, says: RegExp, happens: () => Promise<void>): Promise<void> {
    const running = places.run(at);
    await places.untilRead(app, 20, running);
    await happens();
    await ends(running, code, says);
  }

  describe('the broker goes away', () => {
    // A broker that starts on a slow machine takes more than the minute that is the default.
    test('and comes back: it says so, and goes on', async () => {
      await places.put('outage', 0);
      const at = places.place('outage', { properties: { ...places.alice, 'default.api.timeout.ms': 600_000 } });
      const service = startRun(at.configFile);
      await places.untilRead('outage', 20, service.gone);
      await own.kill?.();
      await untilSaid(service, /Kafka: 127\.0\.0\.1:\d+: .*; it is tried again for 600 s, and goes on when it is mended/);
      await own.start?.();
      await untilSaid(service, /Kafka: mended after \d+ s, it goes on/);
      await places.put('outage', 20);
      await places.untilRead('outage', 40, service.gone);
      equal((await end(service)).code, 0, service.lines.join('\n'));
    });

    test('for good: it is tried for a while, then exit 4', async () => {
      const at = places.place('outage', { properties: { ...places.alice, 'default.api.timeout.ms': 3000 } });
      const service = startRun(at.configFile);
      ok(await service.running, service.lines.join('\n'));
      await own.kill?.();
      equal((await service.gone).code, 4, service.lines.join('\n'));
      // Which of its ways to be gone is met last is chance: a request that was under way is reset, a later one refused.
      match(service.lines.join('\n'), /Kafka: 127\.0\.0\.1:\d+: .*; it is tried again for 3 s.*(\n.*)*paritas: .*127\.0\.0\.1:\d+: (connection re|the broker closed|no answer).*; it was tried for \d+ s, then given up \(default\.api\.timeout\.ms\)/);
      doesNotMatch(service.lines.join('\n'), /ECONN|EPIPE/);
    });
  });
}

async function ends(running: Promise<Ran>, code: number, says: RegExp): Promise<void> {
  const ran = await running;
  match(ran.err, says);
  equal(ran.code, code, ran.err);
}

async function untilSaid(service: ServiceProcess, what: RegExp): Promise<void> {
  for (const untilMs = performance.now() + 90_000; !service.lines.some(line => what.test(line)); await setTimeout(50)) {
    ok(service.child.exitCode === null && performance.now() < untilMs, service.lines.join('\n'));
  }
}
