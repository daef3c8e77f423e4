// Runs one pair over logs that end, in one task: reads its partitions in step by event time, gives each record to the intake, and closes
// windows by decisions. The numbered phases of `run` are the whole order of events. (Over logs that grow: reconcile-task.ts, merge-task.ts.)
import { beginsLate, hasSpoken, warmUpUntilUs, type PartitionClaim } from '../../processors/claims.ts';
import { newestTimestampUs } from '../../processors/compose.ts';
import { BEGINNING, COMPLETE, decisionOf } from '../../processors/decision.ts';
import { boundsOf, NO_EVIDENCE, type PairEvidence } from '../../processors/evidence.ts';
import { openWindows, type ReconcileProcessor } from '../../processors/reconcile-processor.ts';
import { takeDecision } from '../../processors/take-decision.ts';
import { createTransactionCounts, type TransactionCounts } from '../../processors/transaction-counts.ts';
import type { Decoder } from '../../schemas/decoder.ts';
import { recordsPerSlice } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { DecisionRecord } from '../../schemas/records.ts';
import { parseTime } from '../../schemas/time.ts';
import type { RecordedDecision } from '../check-types.ts';
import type { AuxiliaryMember } from './auxiliaries.ts';
import type { NodeGraph } from './node-graph.ts';
import { createPartitionGroup, type GroupMember } from './partition-group.ts';
import type { RecordCollector } from './record-collector.ts';
import { createRecordIntake, markHeadlessOf, type Routing } from './record-intake.ts';
import { frontiersOf, requireEvidence } from './recorded-decisions.ts';
import { statusOf } from './summary.ts';

/** Where a task stands beside its claims and its shards. */
export interface TaskPlace {
  readonly recordsRead: number;
  readonly deadLetters: number;
  readonly decisions: number;
  /** End of the window that is next to close; null before every partition has said something. */
  readonly gateUs: number | null;
  /** Offset from which a partition was evidence for the next decision; null before the first. */
  readonly evidenceFrom: readonly number[] | null;
}

export interface PairTask {
  /** Where it stands now: between two records, or after a closing. */
  place(): TaskPlace;
  /** Reads to the end of the input. `complete`: the ends are declared, and every window closes. */
  run(complete: boolean): Promise<void>;
  /** Reads to each recorded decision's frontiers and closes windows by it; takes none of its own. What lies beyond the last one is not read. */
  replay(decisions: readonly RecordedDecision[]): Promise<void>;
  readonly shards: readonly ReconcileProcessor[];
  readonly members: readonly GroupMember[];
  readonly evidence: PairEvidence;
  readonly recordsRead: number;
}

export interface PairTaskParts {
  readonly settings: PairSettings;
  readonly members: readonly GroupMember[];
  /** The partitions of the topics beside the rows. */
  readonly auxiliaries?: readonly AuxiliaryMember[];
  /** Holds the ENDs of transactions against the changes read; without one it is made, over the shards and the members' claims. */
  readonly counts?: TransactionCounts;
  /** What each side knows beside its rows. */
  readonly evidence?: PairEvidence;
  /** As in `Auxiliaries`. */
  readonly noteTime?: () => void;
  readonly decoders: readonly [Decoder, Decoder];
  readonly graph: NodeGraph;
  readonly collector: RecordCollector;
  /** After each closing: writes what has been collected, if it is time. */
  commit(): Promise<void>;
  /** Between slices: lets the event loop turn, reports progress, throws when the run is aborted. */
  pause(recordsRead: number): Promise<void>;
  /** When a decision is taken, microseconds. Without a clock: derived from what was read (ruling 7). */
  readonly nowUs?: (claims: readonly PartitionClaim[]) => number;
  /** Go on from here: claims and shards are as they were then, and each reader stands at its claim's frontier. */
  readonly from?: TaskPlace | undefined;
  /** As in `IntakeParts`. */
  readonly routing?: Routing | undefined;
  /** Records between two pauses. For tests. */
  readonly sliceRecords?: number;
}

export function createPairTask(
  {
    settings, members, auxiliaries = [], counts: given, evidence = [NO_EVIDENCE, NO_EVIDENCE], noteTime = () => undefined, decoders, graph, collector, commit, pause,
    nowUs = newestTimestampUs, from, routing, sliceRecords = recordsPerSlice,
  }: PairTaskParts,
): PairTask {
  const shards = graph.instances('reconcile') as unknown as readonly ReconcileProcessor[];
  const claims: readonly PartitionClaim[] = members.map(member => member.claim);
  const counts = given ?? createTransactionCounts(shards.map(({ shard }) => shard), claims);
  const intake = createRecordIntake({ settings, members, shards, decoders, collector, counts, from, routing });
  const group = createPartitionGroup(members, settings.window, intake.take, () => pause(intake.recordsRead), sliceRecords, { members: auxiliaries, take: intake.takeBeside, evidence, noteTime }, from?.gateUs ?? undefined);
  let evidenceFrom: readonly number[] | undefined = from?.evidenceFrom ?? undefined;
  let decisions = from?.decisions ?? 0;
  /** Shards of which it is not settled yet what is warm-up: at the first decision, or where their partitions had nothing, at the first one after. */
  const cold = new Set(decisions === 0 ? shards.map(({ shard }) => shard) : []);

  const task: PairTask = {
    shards, members, evidence,
    get recordsRead() {
      return intake.recordsRead;
    },
    place: () => ({
      recordsRead: intake.recordsRead, decisions, deadLetters: intake.deadLetters, gateUs: Number.isFinite(group.gateUs) ? group.gateUs : null, evidenceFrom: evidenceFrom ?? null,
    }),
    async run(complete) {
      // 1. No window closes before every partition has said something.
      if (await group.prime()) {
        const overrides = complete && claims.some(beginsLate) ? [BEGINNING] : [];
        // 2. One window after another: read each partition to its frontier, then close what all of them let close.
        for (let upToUs = await group.advance(); upToUs !== undefined; upToUs = await group.advance()) {
          closeUpTo(upToUs, overrides);
          await commit();
        }
      }
      // 3. What is left is beyond the evidence: it waits in open windows, or is declared complete.
      await group.drain();
      if (complete) closeDeclared();
      graph.finish();
      for (const status of statusOf(settings, task)) collector.collect('status', status);
      await commit();
    },
    async replay(recorded) {
      for (const decision of recorded) {
        const closeUpToUs = parseTime(decision.record.closeUpTo);
        await group.readTo(frontiersOf(decision, members), decision.record.overrides.includes(COMPLETE) ? Infinity : closeUpToUs);
        requireEvidence(decision, members, decisions === 0);
        if (decision.record.overrides.includes(COMPLETE)) await group.readBadLines();
        markHeadless(closeUpToUs);
        decide(decision.record);
        await commit();
      }
      graph.finish();
      await commit();
    },
  };
  return task;

  function closeUpTo(upToUs: number, overrides: readonly string[]): void {
    markHeadless(upToUs);
    const { sizeUs } = settings.window;
    const windows = [...new Set(shards.flatMap(({ shard }) => openWindows(shard, upToUs)))].sort((a, b) => a - b);
    for (const window of windows) close((window + 1) * sizeUs, overrides);
    // Windows in which nothing lies close too: a record that comes for one later is late, and a decision must say so.
    if (windows.length === 0 || (windows[windows.length - 1] + 1) * sizeUs < upToUs) decide(decisionAt(upToUs, overrides));
  }

  function closeDeclared(): void {
    markHeadless(Infinity);
    const last = Math.max(...shards.flatMap(({ shard }) => openWindows(shard, Infinity)));
    if (Number.isFinite(last)) close((last + 1) * settings.window.sizeUs, [COMPLETE]);
  }

  function close(closeUpToUs: number, overrides: readonly string[]): void {
    decide(decisionAt(closeUpToUs, overrides));
    evidenceFrom = claims.map(claim => claim.frontier);
  }

  function decisionAt(closeUpToUs: number, overrides: readonly string[]): DecisionRecord {
    const bounds = evidence.map(side => boundsOf(side, settings.window));
    return takeDecision(settings, claims, claims.map(({ side }) => bounds[side]), { closeUpToUs, overrides, from: evidenceFrom, takenAtUs: nowUs(claims) });
  }

  /** Taken or read back. */
  function decide(record: DecisionRecord): void {
    const declared = record.overrides.includes(COMPLETE) || record.overrides.includes(BEGINNING);
    if (decisions++ === 0 && declared) cold.clear();
    for (const shard of cold) {
      if (!shard.partitions.some(hasSpoken)) continue;
      shard.warmUpUntilUs = warmUpUntilUs(shard.partitions, settings.window);
      cold.delete(shard);
    }
    counts.settle(parseTime(record.closeUpTo), record.overrides.includes(COMPLETE));
    collector.collect('audit', record);
    graph.punctuate(decisionOf(settings, record));
  }

  function markHeadless(upToUs: number): void {
    for (const claim of claims) markHeadlessOf(claim, shards[routing === 'partition' ? claim.partition : 0].shard, upToUs);
  }
}
