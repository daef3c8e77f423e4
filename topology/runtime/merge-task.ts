// Runs the merge task of a pair: reads the words of its reconcile tasks, composes the pair's decisions of them, writes each before the verdicts
// that rest on it, and lets the merge processor make and chain those.
//
// A word is held in memory while it counts, and read again at a start: its place in the log is the committed position until it counts no more.
// So however far a reconcile task is ahead, the log is the buffer.
import { COMPOSED_NOTHING, composeDecisions, firstGateUs, reachesGate, type ComposedPlace } from '../../processors/compose.ts';
import { decisionOf } from '../../processors/decision.ts';
import type { ShardVerdict } from '../../processors/merge-processor.ts';
import type { Processor } from '../../processors/processor.ts';
import type { Word } from '../../processors/word.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { PartitionReader } from '../log/log.ts';
import type { InputPosition } from './commit.ts';
import type { RecordCollector } from './record-collector.ts';
import { createWordReader } from './words.ts';

export interface MergeTask {
  place(): ComposedPlace;
  /** Of each reconcile task, from where its words are still needed. */
  positions(): InputPosition[];
  /** Publishes as words come, without end. */
  follow(pace: MergePace): Promise<void>;
}

export interface MergePace {
  /** Waits until there may be something to read; false: stop. */
  more(): Promise<boolean>;
  /** After each step: commits if it is time, lets the event loop turn; throws when the task is to stop. */
  pause(): Promise<void>;
}

export interface MergeTaskParts {
  readonly settings: PairSettings;
  /** Of the words of each reconcile task, in their order; they do not wait. */
  readonly readers: readonly PartitionReader[];
  readonly merge: Processor<ShardVerdict>;
  readonly collector: RecordCollector;
  readonly from: ComposedPlace | undefined;
}

export function createMergeTask({ settings, readers, merge, collector, from }: MergeTaskParts): MergeTask {
  const sources = readers.map(reader => ({ at: { topic: reader.topic, partition: reader.partition }, words: createWordReader(reader) }));
  let place = from ?? COMPOSED_NOTHING;

  return {
    place: () => place,
    positions: () => sources.map(({ at, words }) => ({ ...at, offset: words.word === undefined || reachesGate(place, words.word) ? words.begin : words.end })),
    async follow({ more, pause }) {
      for (;;) {
        const words = await gather();
        if (words === undefined) {
          if (!(await more())) return;
          continue;
        }
        close(words);
        await pause();
      }
    },
  };

  /** Of each reconcile task the word that counts; undefined: not all of them have said it yet. */
  async function gather(): Promise<Word[] | undefined> {
    const missing = await Promise.all(sources.map(({ words }) => readTo(words)));
    if (missing.includes(false)) return undefined;
    const gathered = sources.map(({ words }) => words.word as Word);
    if (place.gateUs !== null) return gathered;
    place = { ...place, gateUs: firstGateUs(gathered) };
    return gather();
  }

  async function readTo(words: ReturnType<typeof createWordReader>): Promise<boolean> {
    while (words.word === undefined || !reachesGate(place, words.word)) if (!(await words.next())) return false;
    return true;
  }

  function close(words: readonly Word[]): void {
    const composition = composeDecisions(settings, place, words);
    for (let step = composition.next(); ; step = composition.next()) {
      if (step.done === true) {
        place = step.value;
        return;
      }
      const { record, results } = step.value;
      collector.collect('audit', record);
      for (const one of results) merge.process(one);
      merge.punctuate?.(decisionOf(settings, record));
    }
  }
}
