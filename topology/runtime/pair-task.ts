// Runs one pair: reads its partitions in step by event time, decodes, routes each change to its shard, and closes windows by decisions.
// The numbered phases of `run` are the whole order of events.
import { noteBlind } from '../../processors/blind-spots.ts';
import type { PartitionClaim } from '../../processors/claims.ts';
import { noteRecord, warmUpUntilUs } from '../../processors/claims.ts';
import { BEGINNING, COMPLETE, decisionOf } from '../../processors/decision.ts';
import { NO_EVIDENCE, type PairEvidence } from '../../processors/evidence.ts';
import { hashBytes } from '../../processors/hash.ts';
import { openWindows, type EventInput, type ReconcileProcessor } from '../../processors/reconcile-processor.ts';
import { tallyWindow, windowOf } from '../../processors/shard.ts';
import { takeDecision } from '../../processors/take-decision.ts';
import { COUNT } from '../../processors/tally.ts';
import { KIND, OP, type ChangeEvent } from '../../schemas/change-event.ts';
import type { Decoder } from '../../schemas/decoder.ts';
import { recordsPerSlice } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { DeadLetterRecord, DecisionRecord } from '../../schemas/records.ts';
import { formatTime, parseTime } from '../../schemas/time.ts';
import type { RecordedDecision } from '../check-types.ts';
import { badLine, deadLetter, lateDetail } from './dead-letters.ts';
import { createAuxiliaryTaker, type AuxiliaryMember, type TakeTransactionEnd } from './auxiliaries.ts';
import type { NodeGraph } from './node-graph.ts';
import { createPartitionGroup, type GroupMember } from './partition-group.ts';
import type { RecordCollector } from './record-collector.ts';
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
  /** Closes windows as evidence comes, without end. `more` waits until there may be something to read; false: stop. */
  follow(more: () => Promise<boolean>): Promise<void>;
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
  readonly onTransactionEnd?: TakeTransactionEnd;
  /** What each side knows beside its rows. */
  readonly evidence?: PairEvidence;
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
  /** Records between two pauses. For tests. */
  readonly sliceRecords?: number;
}

export function createPairTask(
  {
    settings, members, auxiliaries = [], onTransactionEnd = () => undefined, evidence = [NO_EVIDENCE, NO_EVIDENCE], decoders, graph, collector, commit, pause,
    nowUs = newestTimestampUs, from, sliceRecords = recordsPerSlice,
  }: PairTaskParts,
): PairTask {
  const shards = graph.instances('reconcile') as unknown as readonly ReconcileProcessor[];
  const claims: readonly PartitionClaim[] = members.map(member => member.claim);
  const input: EventInput = { side: 0, partition: 0, record: members[0].reader.record, event: decoders[0].event, counted: true };
  const beside = createAuxiliaryTaker(settings, onTransactionEnd, buryBeside);
  const group = createPartitionGroup(members, settings.window, take, () => pause(task.recordsRead), sliceRecords, { members: auxiliaries, take: takeBeside, evidence }, from?.gateUs ?? undefined);
  let evidenceFrom: readonly number[] | undefined = from?.evidenceFrom ?? undefined;
  let decisions = from?.decisions ?? 0;
  let recordsRead = from?.recordsRead ?? 0;
  let buried = from?.deadLetters ?? 0;

  const task: PairTask = {
    shards, members, evidence,
    get recordsRead() {
      return recordsRead;
    },
    place: () => ({ recordsRead, decisions, deadLetters: buried, gateUs: Number.isFinite(group.gateUs) ? group.gateUs : null, evidenceFrom: evidenceFrom ?? null }),
    async run(complete) {
      // 1. No window closes before every partition has said something.
      if (await group.prime()) {
        const overrides = complete && claims.some(claim => claim.firstOffset > 0) ? [BEGINNING] : [];
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
    async follow(more) {
      while (!(await group.prime())) if (!(await more())) return;
      for (;;) {
        const upToUs = await group.advance();
        if (upToUs !== undefined) closeUpTo(upToUs, []);
        else if (!(await more())) return;
        await commit();
      }
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
    for (const each of shards) noteBlind(each.shard, claim.side, { partition: claims.indexOf(claim), offset: letter.offset === undefined ? claim.frontier : Number(letter.offset), timeUs: claim.lastTimeUs });
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
    return takeDecision(settings, claims, evidence, { closeUpToUs, overrides, from: evidenceFrom, takenAtUs: nowUs(claims) });
  }

  /** Taken or read back: the first decision also settles what is warm-up. */
  function decide(record: DecisionRecord): void {
    const declared = record.overrides.includes(COMPLETE) || record.overrides.includes(BEGINNING);
    if (decisions++ === 0 && !declared) for (const { shard } of shards) shard.warmUpUntilUs = warmUpUntilUs(claims, settings.window);
    collector.collect('audit', record);
    graph.punctuate(decisionOf(settings, record));
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

function newestTimestampUs(claims: readonly PartitionClaim[]): number {
  return Math.max(...claims.map(claim => claim.maxTimestampMs)) * 1000;
}
