// The peer: the join by origin on Kafka Streams' Processor API (peer/), as a process of its own, measured from outside.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import type { Log } from '../../topology/log/log.ts';
import { exactness, findingsOfPeer } from './exactness.ts';
import type { Contender } from './on-kafka.ts';
import type { ShopTopics } from './shop-topics.ts';

/** By Maven, where the jars of the test broker come from too. Returns the folder of all jars. */
export function buildPeer(): string {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'paritas-test', 'kafka-streams-peer');
  execFileSync('mvn', ['-q', '-B', '-Dstyle.color=never', '-f', join(import.meta.dirname, 'peer/pom.xml'), `-Dbuilt=${folder}`, 'package'], { stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });
  return folder;
}

/** `store`: rocksdb, rocksdb-cached or write-behind. */
export async function peerOnKafka(log: Log, bootstrap: string, topics: ShopTopics, store: string, jars: string): Promise<Contender> {
  const application = `bench-${store}-${Date.now().toString(36)}`;
  const [verdicts, manifests] = [`${application}-verdicts`, `${application}-manifests`];
  for (const topic of [verdicts, manifests]) await log.createTopic(topic, { partitions: topics.partitions, cleanup: 'delete' });
  const state = mkdtempSync(join(tmpdir(), 'paritas-peer-'));
  const environment = {
    BOOTSTRAP: bootstrap, SOURCE_TOPIC: topics.source, TARGET_TOPIC: topics.target, VERDICT_TOPIC: verdicts, MANIFEST_TOPIC: manifests, APP_ID: application, STATE_DIR: state,
    STORE: store, COMMIT_MS: '1000', WINDOW_MS: '1000', LAG_MS: '600', LATENESS_MS: '100',
  };
  try {
    const [fromMs, before] = [performance.now(), childSeconds()];
    const java = ['-Xms256m', '-Xmx1g', '-XX:+UseSerialGC', '-cp', [join(jars, 'peer.jar'), join(jars, 'lib/*')].join(delimiter), 'peer.ProcessorPeer'];
    const maxRssMb = await peakOf(java, environment);
    const [cpuSeconds, wallSeconds] = [childSeconds() - before, (performance.now() - fromMs) / 1000];
    return {
      eventsPerCpuSecond: Math.round(topics.records / cpuSeconds), maxRssMb: Math.round(maxRssMb), wallSeconds: Number(wallSeconds.toFixed(1)),
      exact: exactness(topics, await findingsOfPeer(log, verdicts, manifests)),
    };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** Its greatest resident size, as it was seen. */
function peakOf(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('java', args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'inherit', 'inherit'] });
    let peakMb = 0;
    const timer = setInterval(() => { peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(readProc(`${child.pid}/status`))?.[1] ?? 0) / 1024); }, 250);
    child.on('exit', code => {
      clearInterval(timer);
      if (code === 0) resolve(peakMb);
      else reject(new Error(`the peer ended with ${code}`));
    });
    child.on('error', reject);
  });
}

/** CPU-seconds of the children of this process that have ended: Linux tells it in hundredths (proc_pid_stat(5), fields 16 and 17). */
function childSeconds(): number {
  const stat = readProc('self/stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}
