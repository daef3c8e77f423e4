// The shell of one shard: takes decoded events, closes windows at decisions, passes on what each window says. The thinking is in shard.ts
// (what enters), closing.ts and judge.ts (what is said).
import type { ChangeEvent } from '../schemas/change-event.ts';
import type { RawRecord } from '../schemas/raw-record.ts';
import { createComparator, type ColumnEquality } from './comparator.ts';
import { createWindowCloser } from './closing.ts';
import { createElementHasher } from './digest.ts';
import { createGhosts } from './ghosts.ts';
import { createHistory } from './history.ts';
import type { KeyValueStore } from './key-value.ts';
import type { PartitionClaim } from './claims.ts';
import type { PairContext } from '../schemas/decoder.ts';
import type { Processor, ProcessorContext } from './processor.ts';
import { type Entered, enter } from './enter.ts';
import { createShard, type Shard } from './shard.ts';
import type { ShardVerdict } from './merge-processor.ts';
import { expandTruncates } from './truncates.ts';

/** A decoded change and where it was read; one object, overwritten by each record. */
export interface EventInput {
  side: number;
  /** Index of the topic-partition in the pair's table. */
  partition: number;
  record: RawRecord;
  event: ChangeEvent;
  /** False where another shard counts the record: a truncate goes to all of them. */
  counted: boolean;
}

export interface ReconcileProcessor extends Processor<EventInput> {
  readonly shard: Shard;
  /** What became of the last event. */
  entered: Entered;
  /** Closes the windows that end at or before this, microseconds; a decision does so too. */
  closeUpTo(closeUpToUs: number): void;
}

/** How long closed windows are remembered (ruling 11): a one-shot run has no reason to forget. */
export type Memory = 'for-ever' | 'window.retain';

export const RECONCILE_STORES = ['history', 'ghosts', 'divergences', 'findings', 'rows', 'carried'] as const;

/** `partitionsOf`: those whose changes the shard has. `alone`: false where the pair has other shards. */
export function createReconcileProcessor(
  context: PairContext, partitionsOf: (shard: number) => readonly PartitionClaim[], columnEquals: ColumnEquality, memory: Memory = 'for-ever', alone = true,
): (processorContext: ProcessorContext) => ReconcileProcessor {
  let shards = 0;
  return processorContext => {
    const number = shards++;
    const store = (name: (typeof RECONCILE_STORES)[number]): KeyValueStore => processorContext.store(name);
    const maskKey = context.settings.columns.mask.length > 0 ? Buffer.from(context.settings.columns.maskKey, 'hex') : Buffer.alloc(0);
    const shard = createShard({
      settings: context.settings, context, partitions: partitionsOf(number),
      stores: { history: store('history'), ghosts: store('ghosts'), divergences: store('divergences'), findings: store('findings'), rows: store('rows'), carried: store('carried') },
      history: createHistory(store('history'), context.settings.window.sizeUs, memory === 'window.retain'), ghosts: createGhosts(store('ghosts')),
      comparator: createComparator(context, columnEquals), hasher: createElementHasher(maskKey),
    });
    const close = createWindowCloser(shard, alone);
    const processor: ReconcileProcessor = {
      shard,
      entered: 'taken',
      process(input) {
        processor.entered = enter(shard, input.side, input.partition, input.record.offset, input.event, input.counted);
      },
      punctuate: ({ closeUpToUs }) => { processor.closeUpTo(closeUpToUs); },
      closeUpTo(closeUpToUs) {
        expandTruncates(shard, closeUpToUs);
        for (const window of openWindows(shard, closeUpToUs)) {
          const result = close(window);
          if (result !== undefined) processorContext.forward('merge', { shard: number, result } satisfies ShardVerdict);
        }
        shard.closedUpToUs = closeUpToUs;
      },
    };
    return processor;
  };
}

/** Windows that hold anything and end at or before that time, in order. */
export function openWindows(shard: Shard, upToUs: number): number[] {
  const { sizeUs } = shard.settings.window;
  const first = shard.closedUpToUs / sizeUs;
  const windows = new Set([...shard.slots.windows(), ...shard.tallies.open.keys(), ...shard.undecidable, ...shard.streamGaps.keys()]);
  return [...windows].filter(window => window >= first && (window + 1) * sizeUs <= upToUs).sort((a, b) => a - b);
}
