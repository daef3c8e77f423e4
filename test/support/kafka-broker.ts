// A real Kafka broker for tests: the one at PARITAS_TEST_BOOTSTRAP, else one started here from its jars (Java 17 or newer and Maven, which fetches
// them once from wherever this machine's Maven is set to fetch), else one in Docker. Where there is none of them, it says why.
// (PARITAS_TEST_KAFKA is the version of one that is started here.) Three of them at once: kafka-cluster.ts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { brokerProcess, fetchJars, freePorts, KAFKA_VERSION, runTool, untilAnswers, whyNoJava } from './kafka-jars.ts';

export interface TestBroker {
  readonly bootstrap: string;
  /**
   * With users `alice` and `admin`, whose passwords are `NAME-secret`, by PLAIN and SCRAM, and without one by OAUTHBEARER (unsecured); undefined where the broker is not ours. `alice` may do
   * what no rule forbids (kafka-acls.ts), who comes without a name everything.
   */
  readonly saslBootstrap: string | undefined;
  /** Ours only: ends it without notice, and starts it again on the same data. */
  readonly restart: (() => Promise<void>) | undefined;
  /** Ours only: the two halves of it. */
  readonly kill: (() => Promise<void>) | undefined;
  readonly start: (() => Promise<void>) | undefined;
  /** Ours only: runs one of Kafka's own tools by its main class, and gives what it writes. */
  readonly tool: ((main: string, args: readonly string[]) => Promise<string>) | undefined;
  stop(): Promise<void>;
}

/**
 * A broker, or why there is none. `features`, e.g. `transaction.version=1`: those of a cluster that is not upgraded to the end; only one that is
 * started here has them.
 */
export async function startKafkaBroker(features: readonly string[] = []): Promise<TestBroker | string> {
  const given = process.env['PARITAS_TEST_BOOTSTRAP'];
  if (given !== undefined && given !== '' && features.length === 0) return { bootstrap: given, saslBootstrap: undefined, restart: undefined, kill: undefined, start: undefined, tool: undefined, stop: () => Promise.resolve() };
  const java = whyNoJava();
  if (java === undefined) {
    try {
      return await startOwn(fetchJars(), features);
    } catch (error) {
      return `Kafka does not start here: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  if (features.length > 0) return java;
  const docker = await startDocker().catch((error: unknown) => { process.stderr.write(`${String(error)}\n`); });
  return docker ?? `${java}, there is no Docker that runs it, and PARITAS_TEST_BOOTSTRAP is not set`;
}

async function startOwn(jars: string, features: readonly string[]): Promise<TestBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-kafka-'));
  const [port, saslPort, controllerPort] = await freePorts(3);
  const config = join(folder, 'broker.properties');
  writeFileSync(config, brokerProperties(join(folder, 'data'), port, saslPort, controllerPort));
  // Before 4.0 there was no such feature to choose, and transactions were the old ones.
  const chosen = KAFKA_VERSION.startsWith('3.') ? [] : features.flatMap(feature => ['--feature', feature]);
  const users = ['alice', 'admin'].flatMap(name => ['256', '512'].flatMap(bits => ['-S', `SCRAM-SHA-${bits}=[name=${name},password=${name}-secret]`]));
  const broker = brokerProcess(jars, config, { port, heapMegabytes: 512 });
  const kill = (): Promise<void> => broker.end('SIGKILL');
  const remove = (): void => { void kill(); rmSync(folder, { recursive: true, force: true }); };
  process.once('exit', remove);
  try {
    await runTool(jars, 'kafka.tools.StorageTool', ['format', '-t', 'AAAAAAAAAAAAAAAAAAAAAQ', '-c', config, ...users, ...chosen]);
    await broker.start();
  } catch (error) {
    await kill();
    throw error;
  }
  return {
    bootstrap: `127.0.0.1:${port}`, saslBootstrap: `127.0.0.1:${saslPort}`,
    restart: async () => { await kill(); await broker.start(); }, kill, start: () => broker.start(), tool: (main, args) => runTool(jars, main, args),
    stop: async () => { await kill(); remove(); process.removeListener('exit', remove); },
  };
}

function brokerProperties(data: string, port: number, saslPort: number, controllerPort: number): string {
  const scram = (bits: string): string => `listener.name.sasl.scram-sha-${bits}.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;`;
  return [
    'process.roles=broker,controller', 'node.id=1', `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},SASL://127.0.0.1:${saslPort},CONTROLLER://127.0.0.1:${controllerPort}`,
    'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT',
    'controller.listener.names=CONTROLLER', 'inter.broker.listener.name=PLAINTEXT', `log.dirs=${data.replaceAll('\\', '/')}`,
    'offsets.topic.replication.factor=1', 'offsets.topic.num.partitions=3', 'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1', 'transaction.state.log.num.partitions=3', 'group.initial.rebalance.delay.ms=0', 'group.min.session.timeout.ms=1000', 'auto.create.topics.enable=false',
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer', 'super.users=User:ANONYMOUS;User:admin', 'allow.everyone.if.no.acl.found=true',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    'listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="alice-secret" user_admin="admin-secret";',
    scram('256'), scram('512'),
    // Who came by SCRAM-SHA-256 names himself anew every few seconds.
    'listener.name.sasl.scram-sha-256.connections.max.reauth.ms=4000',
    'listener.name.sasl.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";', '',
  ].join('\n');
}

async function startDocker(): Promise<TestBroker | undefined> {
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) return undefined;
  const [port] = await freePorts(1);
  const settings: Record<string, string> = {
    KAFKA_NODE_ID: '1', KAFKA_PROCESS_ROLES: 'broker,controller', KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:29093`,
    KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`, KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT', KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:29093',
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1', KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1', KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const { status, stdout } = spawnSync('docker', ['run', '-d', '--rm', '-p', `${port}:${port}`, ...flags, `apache/kafka:${KAFKA_VERSION}`], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const stop = (): void => { spawnSync('docker', ['kill', stdout.trim()], { stdio: 'ignore' }); };
  process.once('exit', stop);
  await untilAnswers(port, () => true, undefined);
  return { bootstrap: `127.0.0.1:${port}`, saslBootstrap: undefined, restart: undefined, kill: undefined, start: undefined, tool: undefined, stop: () => { stop(); process.removeListener('exit', stop); return Promise.resolve(); } };
}
