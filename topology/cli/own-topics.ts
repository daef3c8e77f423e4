// The topics that `run` makes and writes: the outputs, which its pairs share, and the changelog of each pair.
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import type { TopicSettings } from '../log/log.ts';
import { changelogOf } from './service.ts';

export interface OwnTopic { readonly topic: string; readonly what: string; readonly settings: TopicSettings }

export function ownTopics({ application, outputs }: Config, pairs: readonly PairSettings[]): OwnTopic[] {
  const output = (what: string, topic: string, cleanup: TopicSettings['cleanup']): OwnTopic => ({ topic, what, settings: { partitions: 1, cleanup } });
  return [
    output('verdicts', outputs.verdicts, 'delete'), output('manifests', outputs.manifests, 'delete'), output('dead letters', outputs.deadLetters, 'delete'),
    output('decisions', outputs.audit, 'delete'), output('status', outputs.status, 'compact'),
    ...pairs.map(pair => output(`changelog of ${pair.name}`, changelogOf(application, pair).topic, 'compact')),
  ];
}
