// Kafka's own programs from their jars (Java 17 or newer and Maven, which fetches them once from wherever this machine's Maven is set to fetch), as
// processes: brokers, and the tools that come with them. PARITAS_TEST_KAFKA is the version.
import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

export const KAFKA_VERSION: string = process.env['PARITAS_TEST_KAFKA'] ?? '4.4.0';
const READY_WITHIN_MS = 120_000;
const TOOL_WITHIN_MS = 180_000;
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>paritas.test</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>${KAFKA_VERSION}</version></dependency>
  </dependencies>
</project>`;

/** undefined: there is what they need. */
export function whyNoJava(): string | undefined {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  if (status !== 0) return 'there is no Java';
  const [, version = '0'] = /version "(\d+)/.exec(stderr) ?? [];
  if (Number(version) < 17) return `Java is ${version}, not 17 or newer`;
  return spawnSync('mvn', ['-v'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0 ? undefined : 'there is no Maven';
}

/** The folder of the jars; fetched once, and kept for the next time. */
export function fetchJars(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'paritas-test');
  const jars = join(cache, `kafka-${KAFKA_VERSION}`);
  if (existsSync(jars)) return jars;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, 'fetching-'));
  try {
    writeFileSync(join(fresh, 'pom.xml'), POM);
    execFileSync('mvn', ['-q', '-B', '-Dstyle.color=never', '-f', join(fresh, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${join(fresh, 'jars')}`], { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' });
    if (!existsSync(jars)) renameSync(join(fresh, 'jars'), jars);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return jars;
}

/** Ends with the arguments of the program: its main class first. */
export function javaArguments(jars: string, heapMegabytes: number): string[] {
  return ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', `-Xmx${heapMegabytes}m`, '-cp', [join(jars, '*')].join(delimiter)];
}

/** What it writes to its standard output. Rejects where it fails. */
export async function runTool(jars: string, main: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('java', [...javaArguments(jars, 256), main, ...args], { maxBuffer: 1 << 30, timeout: TOOL_WITHIN_MS })).stdout;
}

export interface BrokerProcess {
  start(): Promise<void>;
  /** Without notice; or asked to end, and then it hands its partitions over first. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** `port`: one at which it answers who has not named himself. */
export function brokerProcess(jars: string, config: string, { port, heapMegabytes }: { port: number; heapMegabytes: number }): BrokerProcess {
  const log = `${config}.log`;
  let running: ChildProcess | undefined;
  return {
    async start() {
      running = spawn('sh', ['-c', `exec "$0" "$@" >> '${log}' 2>&1`, 'java', ...javaArguments(jars, heapMegabytes), 'kafka.Kafka', config], { stdio: 'ignore' });
      await untilAnswers(port, () => running?.exitCode === null, log);
    },
    async end(signal) {
      const ended = running !== undefined && running.exitCode === null && running.signalCode === null ? new Promise(resolve => running?.once('exit', resolve)) : undefined;
      running?.kill(signal);
      await ended;
    },
  };
}

/** Below those that the system hands to outgoing connections. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise<boolean>(resolve => {
      const server = createServer().once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree && !ports.includes(port)) ports.push(port);
  }
  return ports;
}

/** Until it answers a Metadata request (version 1, no topics) with a broker. */
export async function untilAnswers(port: number, isAlive: () => boolean, log: string | undefined): Promise<void> {
  const untilMs = performance.now() + READY_WITHIN_MS;
  while (!(await answers(port))) {
    if (performance.now() > untilMs || !isAlive()) throw new Error(`the broker at ${port} ${isAlive() ? 'does not answer' : 'has ended'}: ${log === undefined ? '' : readFileSync(log, 'utf8').slice(-2000)}`);
    await setTimeout(200);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(Buffer.of(0, 0, 0, 14, 0, 3, 0, 1, 0, 0, 0, 1, 255, 255, 0, 0, 0, 0)));
    socket.setTimeout(2000, () => socket.destroy());
    socket.once('data', data => { resolve(data.length >= 12 && data.readInt32BE(8) > 0); socket.destroy(); });
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(false));
  });
}
