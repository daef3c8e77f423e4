// Runs one reconcile task: reads its partitions in step by event time, gives each record to the intake, closes windows as its own evidence comes,
// and says what was found in them to the merge task of the pair. It decides nothing: what the pair's windows rest on, the merge task writes.
import { hasSpoken, warmUpUntilUs, type PartitionClaim } from '../../processors/claims.ts';
import { boundsOf, NO_EVIDENCE } from '../../processors/evidence.ts';
import type { ShardVerdict } from '../../processors/merge-processor.ts';
import { openWindows, type ReconcileProcessor } from '../../processors/reconcile-processor.ts';
import type { TransactionCounts } from '../../processors/transaction-counts.ts';
import type { Word } from '../../processors/word.ts';
import { SOURCE, TARGET } from '../../schemas/change-event.ts';
import { recordsPerSlice } from '../../schemas/limits.ts';
import type { VerifyPlace } from './co-partitioning.ts';
import type { PairTaskParts, TaskPlace } from './pair-task.ts';
import { createPartitionGroup } from './partition-group.ts';
import { createRecordIntake, markHeadlessOf } from './record-intake.ts';

export interface ReconcileTask {
  /** Where it stands now: between two records, or after a closing. */
  place(): TaskPlace;
  /** Closes windows as evidence comes, without end. `more` waits until there may be something to read; false: stop. */
  follow(more: () => Promise<boolean>): Promise<void>;
  readonly recordsRead: number;
  /** End of the window that is next to close; -Infinity before every partition has said something. */
  readonly gateUs: number;
}

type OfPairTask = 'settings' | 'members' | 'auxiliaries' | 'evidence' | 'noteTime' | 'decoders' | 'collector' | 'commit' | 'pause' | 'from' | 'sliceRecords';

export interface ReconcileTaskParts extends Pick<PairTaskParts, OfPairTask> {
  readonly counts: TransactionCounts;
  /** The one shard. What it passes on goes to `heard`. */
  readonly shard: ReconcileProcessor;
  /** What the shard has said since it was last taken from. */
  readonly heard: ShardVerdict[];
  readonly say: (word: Word) => void;
  /** One of several tasks of the pair, each with a partition of its own. */
  readonly several?: { readonly isFirst: boolean; readonly verify: VerifyPlace } | undefined;
}

export function createReconcileTask(
  {
    settings, members, auxiliaries = [], counts, evidence = [NO_EVIDENCE, NO_EVIDENCE], noteTime = () => undefined, decoders, collector, commit, pause, from,
    sliceRecords = recordsPerSlice, shard: processor, heard, say, several,
  }: ReconcileTaskParts,
): ReconcileTask {
  const { shard } = processor;
  const claims: readonly PartitionClaim[] = members.map(member => member.claim);
  const intake = createRecordIntake({ settings, members, shards: [processor], decoders, collector, counts, from, verify: several?.verify, buriesBeside: several?.isFirst });
  const group = createPartitionGroup(members, settings.window, intake.take, () => pause(intake.recordsRead), sliceRecords, { members: auxiliaries, take: intake.takeBeside, evidence, noteTime }, from?.gateUs ?? undefined);
  /** Of those since its partitions have had a record. */
  let words = from?.decisions ?? 0;

  return {
    get recordsRead() {
      return intake.recordsRead;
    },
    get gateUs() {
      return group.gateUs;
    },
    place: () => ({ recordsRead: intake.recordsRead, deadLetters: intake.deadLetters, decisions: words, gateUs: Number.isFinite(group.gateUs) ? group.gateUs : null, evidenceFrom: null }),
    async follow(more) {
      while (!(await group.prime(several !== undefined))) if (!(await more())) return;
      for (;;) {
        const { gateUs } = group;
        const upToUs = await group.advance(true);
        if (upToUs !== undefined) {
          closeUpTo(gateUs, upToUs);
          // To close a window takes as long as to read it: a slice of its own.
          await pause(intake.recordsRead);
        } else if (!(await more())) return;
        await commit();
      }
    },
  };

  function closeUpTo(gateUs: number, upToUs: number): void {
    for (const claim of claims) markHeadlessOf(claim, shard, upToUs);
    if (claims.some(hasSpoken) && words++ === 0) shard.warmUpUntilUs = warmUpUntilUs(claims, settings.window);
    const endsUs = openWindows(shard, upToUs).map(window => (window + 1) * settings.window.sizeUs);
    const results = endsUs.flatMap(close);
    if ((endsUs.at(-1) ?? -Infinity) < upToUs) results.push(...close(upToUs));
    say({ gateUs, upToUs, claims, bounds: [boundsOf(evidence[SOURCE], settings.window), boundsOf(evidence[TARGET], settings.window)], endsUs, results });
  }

  function close(closeUpToUs: number): Word['results'] {
    counts.settle(closeUpToUs, false);
    processor.closeUpTo(closeUpToUs);
    return heard.splice(0).map(({ result }) => ({ closeUpToUs, result }));
  }
}
