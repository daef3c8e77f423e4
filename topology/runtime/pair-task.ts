// Runs one pair: reads its partitions in step by event time, decodes, routes each change to its shard, and closes windows by decisions.
// The numbered phases of `run` are the whole order of events.
import type { PartitionClaim } from '../../processors/claims.ts';
import { noteRecord, warmUpUntilUs } from '../../processors/claims.ts';
import { takeDecision, type Decision } from '../../processors/decision.ts';
import { hashBytes } from '../../processors/hash.ts';
import { openWindows, type EventInput, type ReconcileProcessor } from '../../processors/reconcile-processor.ts';
import { tallyWindow, windowOf } from '../../processors/shard.ts';
import { COUNT } from '../../processors/tally.ts';
import { KIND, OP, type ChangeEvent } from '../../schemas/change-event.ts';
import type { Decoder } from '../../schemas/decoder.ts';
import { recordsPerSlice } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { DeadLetterRecord } from '../../schemas/records.ts';
import { formatTime } from '../../schemas/time.ts';
import { badLine, deadLetter, lateDetail } from './dead-letters.ts';
import { createAuxiliaryTaker, type AuxiliaryMember, type TakeTransactionEnd } from './auxiliaries.ts';
import type { NodeGraph } from './node-graph.ts';
import { createPartitionGroup, type GroupMember } from './partition-group.ts';
import type { RecordCollector } from './record-collector.ts';
import { statusOf } from './summary.ts';

export interface PairTask {
  /** Reads to the end of the input. `complete`: the ends are declared, and every window closes. */
  run(complete: boolean): Promise<void>;
  readonly shards: readonly ReconcileProcessor[];
  readonly members: readonly GroupMember[];
  readonly recordsRead: number;
}

export interface PairTaskParts {
  readonly settings: PairSettings;
  readonly members: readonly GroupMember[];
  /** The partitions of the topics beside the rows. */
  readonly auxiliaries?: readonly AuxiliaryMember[];
  readonly onTransactionEnd?: TakeTransactionEnd;
  readonly decoders: readonly [Decoder, Decoder];
  readonly graph: NodeGraph;
  readonly collector: RecordCollector;
  /** After each closing: writes what has been collected, if it is time. */
  commit(): Promise<void>;
  /** Between slices: lets the event loop turn, reports progress, throws when the run is aborted. */
  pause(recordsRead: number): Promise<void>;
}

export function createPairTask({ settings, members, auxiliaries = [], onTransactionEnd = () => undefined, decoders, graph, collector, commit, pause }: PairTaskParts): PairTask {
  const shards = graph.instances('reconcile') as unknown as readonly ReconcileProcessor[];
  const claims: readonly PartitionClaim[] = members.map(member => member.claim);
  const input: EventInput = { side: 0, partition: 0, record: members[0].reader.record, event: decoders[0].event, counted: true };
  const beside = createAuxiliaryTaker(settings, onTransactionEnd, buryBeside);
  const group = createPartitionGroup(members, settings.window, take, () => pause(task.recordsRead), recordsPerSlice, { members: auxiliaries, take: takeBeside });
  let frontiers: readonly number[] | undefined;
  let recordsRead = 0;
  let buried = 0;

  const task: PairTask = {
    shards, members,
    get recordsRead() {
      return recordsRead;
    },
    async run(complete) {
      // 1. No window closes before every partition has said something.
      if (await group.prime()) {
        for (const { shard } of shards) {
          shard.closedUpToUs = group.gateUs - settings.window.sizeUs;
          if (!complete) shard.warmUpUntilUs = warmUpUntilUs(claims, settings.window);
        }
        // 2. One window after another: read each partition to its frontier, then close what all of them let close.
        for (let upToUs = await group.advance(); upToUs !== undefined; upToUs = await group.advance()) {
          closeUpTo(upToUs);
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
  };
  return task;

  function take(member: GroupMember, index: number): void {
    const { reader, claim } = member;
    const { record } = reader;
    recordsRead++;
    if (record.bad !== undefined) return refuse(claim, badLine(settings, claim.side, record));
    const decoder = decoders[claim.side];
    decoder.decode(record);
    const { event } = decoder;
    if (event.kind === KIND.dead) refuse(claim, deadLetter(settings, claim.side, record, event.deadReason, event.deadDetail));
    else if (event.kind !== KIND.change) exclude(claim, event);
    else if (Number.isNaN(event.commitTimeUs)) refuse(claim, deadLetter(settings, claim.side, record, 'malformed', 'the change has no commit time (source.ts_ms)'));
    else enterShard(member, index, event);
    noteRecord(claim, record.offset, record.timestampMs, event.commitTimeUs);
  }

  function takeBeside(member: AuxiliaryMember): void {
    recordsRead++;
    beside.take(member);
  }

  function enterShard(member: GroupMember, index: number, event: ChangeEvent): void {
    input.side = member.claim.side;
    input.partition = index;
    input.record = member.reader.record;
    input.event = event;
    const number = shards.length === 1 || event.op === OP.truncate ? 0 : (hashBytes(event.bytes, 0, event.keyLength, 0) >>> 0) % shards.length;
    const shard = shards[number];
    shard.process(input);
    if (event.op === OP.truncate) copyToOthers();
    if (shard.entered !== 'late') return;
    const detail = lateDetail(event, formatTime(shard.shard.closedUpToUs));
    bury(member.claim, deadLetter(settings, input.side, input.record, 'late', detail));
  }

  /** A truncate speaks of the rows of every shard; the first has counted it. */
  function copyToOthers(): void {
    input.counted = false;
    for (let i = 1; i < shards.length; i++) shards[i].process(input);
    input.counted = true;
  }

  /** Not a row's change: counted where its partition's last commit time is. */
  function exclude(claim: PartitionClaim, event: ChangeEvent): void {
    count(Number.isNaN(event.commitTimeUs) ? claim.lastTimeUs : event.commitTimeUs, COUNT.excluded);
  }

  function refuse(claim: PartitionClaim, letter: DeadLetterRecord): void {
    const { shard } = shards[0];
    count(claim.lastTimeUs, COUNT.deadLettered);
    bury(claim, letter);
    if (Number.isNaN(claim.lastTimeUs)) claim.headless++;
    else if (claim.lastTimeUs >= shard.closedUpToUs) shard.undecidable.add(windowOf(shard, claim.lastTimeUs));
  }

  /** Its key sorts by side, partition and offset; a skipped line stands behind the record before it. */
  function bury(claim: PartitionClaim, letter: DeadLetterRecord): void {
    collectLetter(claim.side, claim.partition, letter.offset ?? String(Math.max(claim.frontier - 1, 0)), letter);
  }

  function buryBeside(side: number, letter: DeadLetterRecord): void {
    count(NaN, COUNT.deadLettered);
    collectLetter(side, letter.partition ?? 0, letter.offset ?? '0', letter);
  }

  function collectLetter(side: number, partition: number, offset: string, letter: DeadLetterRecord): void {
    const place = [side, String(partition).padStart(6, '0'), offset.padStart(16, '0'), String(buried++).padStart(12, '0')];
    collector.collect('dead-letters', letter, `${settings.name}/${place.join('/')}`);
  }

  function count(timeUs: number, name: number): void {
    const { shard } = shards[0];
    if (Number.isNaN(timeUs)) shard.tallies.total[name]++;
    else shard.tallies.add(tallyWindow(shard, timeUs), name, 1);
  }

  function closeUpTo(upToUs: number): void {
    markHeadless(upToUs);
    const { sizeUs } = settings.window;
    const windows = [...new Set(shards.flatMap(({ shard }) => openWindows(shard, upToUs)))].sort((a, b) => a - b);
    for (const window of windows) decide(takeDecision(settings, claims, frontiers, (window + 1) * sizeUs, false));
    for (const { shard } of shards) shard.closedUpToUs = Math.max(shard.closedUpToUs, upToUs);
  }

  function closeDeclared(): void {
    markHeadless(Infinity);
    const last = Math.max(...shards.flatMap(({ shard }) => openWindows(shard, Infinity)));
    if (Number.isFinite(last)) decide(takeDecision(settings, claims, frontiers, (last + 1) * settings.window.sizeUs, true));
  }

  function decide(decision: Decision): void {
    frontiers = decision.frontiers;
    collector.collect('audit', decision.record);
    graph.punctuate(decision);
  }

  /** Records that came before any commit time of their partition belong to the window of its least one. */
  function markHeadless(upToUs: number): void {
    for (const claim of claims) {
      if (claim.headless === 0 || claim.minTimeUs >= upToUs) continue;
      shards[0].shard.undecidable.add(windowOf(shards[0].shard, claim.minTimeUs));
      claim.headless = 0;
    }
  }
}
