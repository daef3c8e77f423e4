// What can be asked of a durable log, by its writer and by readers in other processes alike: answers from its state in memory.
import type { LogQuery, TopicPartition } from '../log.ts';
import { partitionOf, topicOf } from './log-state.ts';
import type { LogState } from './log-state.ts';

/** `check`: throws where nothing may be asked any more, and takes in what is new. */
export function queryOf(state: LogState, check: () => void): LogQuery {
  const answer = async <T>(ask: () => T): Promise<T> => {
    check();
    return ask();
  };
  return {
    topics: () => answer(() => [...state.topics.keys()]),
    topicId: (topic) => answer(() => `${state.log.hex}.${topicOf(state, topic).number}`),
    partitions: (topic) => answer(() => topicOf(state, topic).partitions.length),
    beginningOffset: (at) => answer(() => partitionOf(state, at).beginOffset),
    endOffset: (at) => answer(() => partitionOf(state, at).endOffset),
    committed: (group: string, at: TopicPartition) => answer(() => state.positions.get(group)?.get(partitionOf(state, at).id)),
  };
}
