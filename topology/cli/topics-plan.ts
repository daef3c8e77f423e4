// What `topics` finds in the log of a configuration, and makes there.
import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config, LogSettings } from '../config.ts';
import { LogError } from '../log/embedded-error.ts';
import type { KafkaAdmin, TopicDifference } from '../log/kafka/admin.ts';
import { atChains } from './at-chains.ts';
import { hasLogToRead, openLogToRead } from './open-log.ts';
import { ownTopics, type OwnTopic } from './own-topics.ts';
import { reconcileTasksOf, type PairPlan } from './pair-plan.ts';

export interface PlannedTopic extends OwnTopic { readonly state: 'there' | 'missing' | 'made' | 'differs'; readonly differences: readonly TopicDifference[] }

export async function planTopics(config: Config, settings: readonly PairSettings[], isApplied: boolean): Promise<PlannedTopic[]> {
  if (config.log.kind === 'embedded') {
    const wanted = ownTopics(config, await plansIn(config.log, config.application, settings));
    return isApplied ? applyEmbedded(config.log, wanted) : planEmbedded(config.log, wanted);
  }
  const { openKafkaAdmin } = await import('../log/kafka/admin.ts');
  const admin = await openKafkaAdmin(config.log);
  try {
    const pairs = await atChains(config.application, settings, admin.log);
    const planned: PlannedTopic[] = [];
    for (const topic of ownTopics(config, await plansOf(pairs, async topic => (await admin.topic(topic))?.partitions))) planned.push(await planOne(admin, topic, isApplied));
    return planned;
  } finally {
    await admin.close();
  }
}

async function planOne(admin: KafkaAdmin, own: OwnTopic, isApplied: boolean): Promise<PlannedTopic> {
  const there = await admin.topic(own.topic);
  if (there !== undefined) {
    const differences = admin.differences(own.topic, own.settings, there);
    return { ...own, state: differences.length === 0 ? 'there' : 'differs', differences };
  }
  if (isApplied) await admin.create(own.topic, own.settings);
  return { ...own, state: isApplied ? 'made' : 'missing', differences: [] };
}

/** How many partitions a pair's own topics have follows from its inputs: they must be there. */
async function plansOf(pairs: readonly PairSettings[], partitions: (topic: string) => Promise<number | undefined>): Promise<PairPlan[]> {
  const plans: PairPlan[] = [];
  for (const pair of pairs) {
    const there = async (topic: string): Promise<number> => {
      const count = await partitions(topic);
      if (count !== undefined) return count;
      throw new ParitasError('input', `pair "${pair.name}": there is no topic ${topic} yet, and how many partitions the pair's own topics have follows from it; make the input topics first`);
    };
    plans.push({ pair, reconcileTasks: await reconcileTasksOf(pair, there) });
  }
  return plans;
}

async function plansIn(settings: Embedded, application: string, pairs: readonly PairSettings[]): Promise<PairPlan[]> {
  const log = hasLogToRead(settings) ? await openLogToRead(settings) : undefined;
  try {
    const known = await log?.topics() ?? [];
    return await plansOf(log === undefined ? pairs : await atChains(application, pairs, log), topic => (known.includes(topic) ? log?.partitions(topic) : undefined) ?? Promise.resolve(undefined));
  } finally {
    await log?.close();
  }
}

type Embedded = Extract<LogSettings, { kind: 'embedded' }>;

async function planEmbedded(settings: Embedded, wanted: readonly OwnTopic[]): Promise<PlannedTopic[]> {
  const log = hasLogToRead(settings) ? await openLogToRead(settings) : undefined;
  try {
    const known = await log?.topics() ?? [];
    return await Promise.all(wanted.map(async (own): Promise<PlannedTopic> => {
      if (log === undefined || !known.includes(own.topic)) return { ...own, state: 'missing', differences: [] };
      const partitions = await log.partitions(own.topic);
      return partitions === own.settings.partitions ? { ...own, state: 'there', differences: [] } : differing(own, `has ${partitions} partitions, and must have ${own.settings.partitions}`);
    }));
  } finally {
    await log?.close();
  }
}

/** Takes the lock of the directory. */
async function applyEmbedded(settings: Embedded, wanted: readonly OwnTopic[]): Promise<PlannedTopic[]> {
  const { openDurableLog } = await import('../log/durable/durable-log.ts');
  const log = await openDurableLog(settings, { nowMs: Date.now });
  try {
    const known = await log.topics();
    const planned: PlannedTopic[] = [];
    for (const own of wanted) {
      planned.push(await log.createTopic(own.topic, own.settings).then((): PlannedTopic => ({ ...own, state: known.includes(own.topic) ? 'there' : 'made', differences: [] }), (error: unknown) => {
        if (error instanceof LogError && error.reason === 'topic-differs') return differing(own, error.message);
        throw error;
      }));
    }
    return planned;
  } finally {
    await log.close();
  }
}

function differing(own: OwnTopic, what: string): PlannedTopic {
  return { ...own, state: 'differs', differences: [{ what, remedy: 'another application has made it: choose another name, or another log directory' }] };
}
