// What `topics` finds in the log of a configuration, and makes there.
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config, LogSettings } from '../config.ts';
import { LogError } from '../log/embedded-error.ts';
import type { KafkaAdmin, TopicDifference } from '../log/kafka/admin.ts';
import { hasLogToRead, openLogToRead } from './open-log.ts';
import { ownTopics, type OwnTopic } from './own-topics.ts';

export interface PlannedTopic extends OwnTopic { readonly state: 'there' | 'missing' | 'made' | 'differs'; readonly differences: readonly TopicDifference[] }

export async function planTopics(config: Config, pairs: readonly PairSettings[], isApplied: boolean): Promise<PlannedTopic[]> {
  const wanted = ownTopics(config, pairs);
  if (config.log.kind === 'embedded') return isApplied ? applyEmbedded(config.log, wanted) : planEmbedded(config.log, wanted);
  const { openKafkaAdmin } = await import('../log/kafka/admin.ts');
  const admin = await openKafkaAdmin(config.log);
  try {
    const planned: PlannedTopic[] = [];
    for (const topic of wanted) planned.push(await planOne(admin, topic, isApplied));
    return planned;
  } finally {
    admin.close();
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
