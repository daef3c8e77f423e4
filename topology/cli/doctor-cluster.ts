// What `doctor` looks at in a Kafka cluster: can it be reached and used, are the topics there, as they must be, and kept long enough. What this user
// may do there: doctor-rights.ts.
import { sideOf, type PairSettings } from '../../schemas/pair.ts';
import { SIDES } from '../../schemas/change-event.ts';
import type { Config } from '../config.ts';
import { openKafkaAdmin, type ClusterTopic, type KafkaAdmin } from '../log/kafka/admin.ts';
import { atChains } from './at-chains.ts';
import { fail, looking, ok, warn, type Finding } from './doctor-finding.ts';
import { grant, mayCreate, mayCommit, mayUse } from './doctor-rights.ts';
import { ownTopics } from './own-topics.ts';
import { reconcileTasksOf, type PairPlan } from './pair-plan.ts';
import { chainsTopicOf } from '../runtime/chains.ts';
import { topicsOf, type TopicsLog } from './side-input.ts';
import { plural } from './text.ts';

type KafkaSettings = Extract<Config['log'], { kind: 'kafka' }>;

/** `records`: what is found in the topics themselves, once everything about them is. */
export async function examineCluster(config: Config, settings: KafkaSettings, pairs: readonly PairSettings[], records: (topics: TopicsLog) => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const servers = settings.bootstrapServers.join(',');
  return looking('cluster', servers, async () => {
    const admin = await openKafkaAdmin(settings);
    try {
      const findings = [admin.transactions === 'v2' ? ok('cluster', servers, 'answers, and is new enough')
        : warn('cluster', servers, 'answers; its transactions are those before KIP-890, which log.kafka.allowTransactionsV1 allows', 'kafka-features.sh upgrade --feature transaction.version=2, from Kafka 4.0 on')];
      findings.push(...await looking('brokers', servers, () => brokers(admin)));
      for (const pair of pairs) findings.push(...await examinePair(admin, pair));
      findings.push(...await looking('own topics', config.application, () => examineOwn(admin, config, pairs)));
      return [...findings, ...await records(topicsOf(admin.log))];
    } finally {
      await admin.close();
    }
  });
}

async function brokers(admin: KafkaAdmin): Promise<Finding[]> {
  const found = await admin.brokers();
  const bad = found.filter(({ problem }) => problem !== undefined);
  if (bad.length === 0) return [ok('brokers', found.map(({ address }) => address).join(','), `${plural(found.length, 'broker')}, each can be reached`)];
  return bad.map(({ address, problem }) => fail('brokers', address, problem instanceof Error ? problem.message : String(problem), 'advertised.listeners of the broker must name an address that can be reached from here', 'unreachable'));
}

async function examinePair(admin: KafkaAdmin, pair: PairSettings): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const counts: number[] = [];
  for (const side of SIDES) {
    const { topic, files, transactions, heartbeat } = sideOf(pair, side);
    if (files.length > 0) continue;
    findings.push(...await looking('topic', topic, async () => {
      const there = await admin.topic(topic);
      if (there === undefined) return [missing(topic)];
      counts.push(there.partitions);
      return [...mayUse('topic', topic, there, ['READ']), ...kept(topic, there, pair)];
    }));
    for (const beside of [transactions?.topic, heartbeat?.topic]) {
      if (beside !== undefined) findings.push(...await looking('topic', beside, async () => { const there = await admin.topic(beside); return there === undefined ? [missing(beside)] : mayUse('topic', beside, there, ['READ']); }));
    }
  }
  if (counts.length === 2) findings.push(samePartitions(pair, counts[0], counts[1]));
  return findings;
}

function missing(topic: string): Finding {
  return fail('topic', topic, 'there is no such topic, or this user may not know of it', 'name the topic that the connector writes; or grant READ on it');
}

/** A change that is gone before it is read was judged by nobody: the service refuses to go on behind it. */
function kept(topic: string, { configs }: ClusterTopic, { window }: PairSettings): Finding[] {
  if (configs === undefined) return [warn('retention', topic, 'not known: this user may not see the configuration', grant('DESCRIBE_CONFIGS', 'topic', topic))];
  const alter = (setting: string): string => `kafka-configs.sh --alter --topic ${topic} --add-config ${setting}`;
  if (configs.get('cleanup.policy')?.includes('compact') === true) {
    return [fail('retention', topic, 'it is compacted: changes that a later one of their key replaced are taken, and would be called missing', alter('cleanup.policy=delete'))];
  }
  const [keptMs, neededMs] = [Number(configs.get('retention.ms')), (window.sizeUs + window.latenessUs + window.lagUs + window.skewUs) / 1000];
  if (keptMs < 0) return [ok('retention', topic, 'kept for ever')];
  const text = `kept for ${hours(keptMs)}; a window needs its records for ${hours(neededMs)}`;
  if (keptMs < neededMs) return [fail('retention', topic, text, alter(`retention.ms=${DAY_MS}`))];
  return [keptMs < DAY_MS ? warn('retention', topic, `${text}, and a service that stands still for longer than the rest loses changes`, alter(`retention.ms=${7 * DAY_MS}`)) : ok('retention', topic, text)];
}

const DAY_MS = 86_400_000;

function hours(ms: number): string {
  return ms < 3_600_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 360_000) / 10} h`;
}

function samePartitions({ name, partitioning, source: { transactions }, target }: PairSettings, source: number, count: number): Finding {
  if (source === count) return ok('partitions', name, `${plural(source, 'partition')} on both sides`);
  const what = `the source has ${plural(source, 'partition')}, the target ${count}: the pair cannot be split by partitions`;
  const remedy = 'give both topics the same number of partitions, and let the same keys decide on both';
  if (partitioning === 'repartition' || (transactions ?? target.transactions) !== undefined) return warn('partitions', name, what, remedy);
  return fail('partitions', name, what, `${remedy}; or set partitioning: repartition for the pair, which then runs as one task`);
}

/** Without those whose topics are not there or do not fit: that is told of the topics. */
async function plansOf(admin: KafkaAdmin, pairs: readonly PairSettings[]): Promise<PairPlan[]> {
  const plans: PairPlan[] = [];
  for (const pair of pairs) {
    const counts = new Map<string, number>();
    for (const { topic, files } of [pair.source, pair.target]) if (files.length === 0) counts.set(topic, (await admin.topic(topic))?.partitions ?? NaN);
    const reconcileTasks = await reconcileTasksOf(pair, topic => Promise.resolve(counts.get(topic) ?? NaN)).catch(() => NaN);
    if (!Number.isNaN(reconcileTasks)) plans.push({ pair, reconcileTasks });
  }
  return plans;
}

async function examineOwn(admin: KafkaAdmin, config: Config, settings: readonly PairSettings[]): Promise<readonly Finding[]> {
  // Rejects where it may be there and this user may not know of it.
  await admin.topic(chainsTopicOf(config.application));
  const plans = await plansOf(admin, await atChains(config.application, settings, admin.log));
  const findings: Finding[] = [];
  for (const own of ownTopics(config, plans)) {
    findings.push(...await looking('own topic', own.topic, async () => {
      const there = await admin.topic(own.topic);
      if (there === undefined) return mayCreate(admin, own);
      return [...mayUse('own topic', own.topic, there, ['READ', 'WRITE', 'DESCRIBE_CONFIGS']), ...admin.differences(own.topic, own.settings, there).map(different => fail('own topic', own.topic, different.what, different.remedy))];
    }));
  }
  return [...findings, ...await mayCommit(admin, config.application, plans)];
}
