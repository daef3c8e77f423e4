// What becomes of a record: decoded, then routed to its shard, counted as excluded, or buried as a dead letter. Every record that is read ends in
// one of these, and the counts say in which.
import { noteBlind } from '../../processors/blind-spots.ts';
import { isFromFuture, noteRecord, type PartitionClaim } from '../../processors/claims.ts';
import { hashBytes } from '../../processors/hash.ts';
import type { EventInput, ReconcileProcessor } from '../../processors/reconcile-processor.ts';
import { tallyWindow, windowOf, type Shard } from '../../processors/shard.ts';
import { COUNT } from '../../processors/tally.ts';
import type { TransactionCounts } from '../../processors/transaction-counts.ts';
import { KIND, OP, type ChangeEvent } from '../../schemas/change-event.ts';
import type { Decoder } from '../../schemas/decoder.ts';
import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { RawRecord } from '../../schemas/raw-record.ts';
import type { DeadLetterRecord } from '../../schemas/records.ts';
import { formatTime } from '../../schemas/time.ts';
import { createAuxiliaryTaker, type AuxiliaryMember } from './auxiliaries.ts';
import { nothingKept } from './nothing-kept.ts';
import { badLine, deadLetter, lateDetail } from './dead-letters.ts';
import type { VerifyPlace } from './co-partitioning.ts';
import type { GroupMember } from './partition-group.ts';
import type { RecordCollector } from './record-collector.ts';

export interface RecordIntake {
  readonly recordsRead: number;
  readonly deadLetters: number;
  /** Takes the record that the member's reader is at. `index`: the member's place. */
  take(member: GroupMember, index: number): void;
  takeBeside(member: AuxiliaryMember): void;
}

export interface IntakeParts {
  readonly settings: PairSettings;
  readonly members: readonly GroupMember[];
  readonly shards: readonly ReconcileProcessor[];
  readonly decoders: readonly [Decoder, Decoder];
  readonly collector: RecordCollector;
  readonly counts: TransactionCounts;
  /** Records read and dead letters made before, where a run goes on. */
  readonly from: { readonly recordsRead: number; readonly deadLetters: number } | undefined;
  /** `partition`: shard i has the changes of partition i and its own list of partitions, as a pair's tasks have them. Else a change goes to the shard of its key. */
  readonly routing?: Routing | undefined;
  /** Told of each record of the rows when it is decoded. */
  readonly verify?: VerifyPlace | undefined;
  /** Whether what cannot be read beside the rows is buried here: of several tasks that read it, in one. */
  readonly buriesBeside?: boolean | undefined;
}

export type Routing = 'key' | 'partition';

export function createRecordIntake({ settings, members, shards, decoders, collector, counts, from, routing = 'key', verify, buriesBeside = true }: IntakeParts): RecordIntake {
  const claims: readonly PartitionClaim[] = members.map(member => member.claim);
  const input: EventInput = { side: 0, partition: 0, record: members[0].reader.record, event: decoders[0].event, counted: true };
  const beside = createAuxiliaryTaker(settings, counts.takeEnd, buryBeside);
  /** Of each member, where its shard's table has it. */
  const places = claims.map(claim => first(claim).shard.partitions.indexOf(claim));
  let recordsRead = from?.recordsRead ?? 0;
  let buried = from?.deadLetters ?? 0;
  return {
    get recordsRead() {
      return recordsRead;
    },
    get deadLetters() {
      return buried;
    },
    take, takeBeside,
  };

  function take(member: GroupMember, index: number): void {
    try {
      takeRecord(member, index);
    } catch (thrown) {
      throw atRecord(settings.name, member.reader.record, thrown);
    }
  }

  function takeRecord(member: GroupMember, index: number): void {
    const { reader, claim } = member;
    const { record } = reader;
    recordsRead++;
    if (record.bad !== undefined) return refuse(claim, badLine(settings, claim.side, record));
    const decoder = decoders[claim.side];
    decoder.decode(record);
    const { event } = decoder;
    verify?.(record, event);
    // The change took place, before the log had it: it is judged at the record's own timestamp, and is evidence of nothing.
    const isFuture = isFromFuture(event.commitTimeUs, record.timestampMs, settings.window);
    if (isFuture) correctTime(claim, record, event);
    if (event.kind === KIND.dead) refuse(claim, deadLetter(settings, claim.side, record, event.deadReason, event.deadDetail));
    else if (event.kind !== KIND.change) exclude(claim, event);
    else if (Number.isNaN(event.commitTimeUs)) refuse(claim, deadLetter(settings, claim.side, record, 'malformed', 'the change has no commit time (source.ts_ms)'));
    else enterShard(member, index, event);
    noteRecord(claim, record.offset, record.timestampMs, isFuture ? NaN : event.commitTimeUs);
  }

  function correctTime(claim: PartitionClaim, { offset, timestampMs }: RawRecord, event: ChangeEvent): void {
    event.commitTimeUs = timestampMs * 1000;
    claim.ahead++;
    claim.aheadOffset = offset;
  }

  function takeBeside(member: AuxiliaryMember): void {
    recordsRead++;
    beside.take(member);
  }

  function enterShard(member: GroupMember, index: number, event: ChangeEvent): void {
    input.side = member.claim.side;
    input.partition = places[index];
    input.record = member.reader.record;
    input.event = event;
    const shard = shardOf(member.claim, event);
    shard.process(input);
    if (event.op === OP.truncate) copyToOthers();
    if (shard.entered !== 'late') return;
    counts.takeLate(input.side, event);
    const detail = lateDetail(event, formatTime(shard.shard.closedUpToUs));
    bury(member.claim, deadLetter(settings, input.side, input.record, 'late', detail));
  }

  function shardOf(claim: PartitionClaim, event: ChangeEvent): ReconcileProcessor {
    if (routing === 'partition' || shards.length === 1 || event.op === OP.truncate) return first(claim);
    return shards[(hashBytes(event.bytes, 0, event.keyLength, 0) >>> 0) % shards.length];
  }

  /** Has what is counted of a partition's records that are no row's changes. */
  function first(claim: PartitionClaim): ReconcileProcessor {
    return shards[routing === 'partition' ? claim.partition : 0];
  }

  /** A truncate speaks of the rows of every shard; the first has counted it. */
  function copyToOthers(): void {
    input.counted = false;
    for (let i = 1; i < shards.length; i++) shards[i].process(input);
    input.counted = true;
  }

  /** Not a row's change: counted where its partition's last commit time is. */
  function exclude(claim: PartitionClaim, event: ChangeEvent): void {
    count(first(claim), Number.isNaN(event.commitTimeUs) ? claim.lastTimeUs : event.commitTimeUs, COUNT.excluded);
  }

  function refuse(claim: PartitionClaim, letter: DeadLetterRecord): void {
    const { shard } = first(claim);
    count(first(claim), claim.lastTimeUs, COUNT.deadLettered);
    bury(claim, letter);
    const blind = routing === 'partition' ? [first(claim)] : shards;
    for (const each of blind) noteBlind(each.shard, claim.side, { partition: each.shard.partitions.indexOf(claim), offset: letter.offset === undefined ? claim.frontier : Number(letter.offset), timeUs: claim.lastTimeUs });
    counts.takeUnread(claims.indexOf(claim));
    if (Number.isNaN(claim.lastTimeUs)) claim.headless++;
    else if (claim.lastTimeUs >= shard.closedUpToUs) shard.undecidable.add(windowOf(shard, claim.lastTimeUs));
  }

  /** Its key sorts by side, partition and offset; a skipped line stands behind the record before it. */
  function bury(claim: PartitionClaim, letter: DeadLetterRecord): void {
    collectLetter(claim.side, claim.partition, letter.offset ?? String(Math.max(claim.frontier - 1, 0)), letter);
  }

  function buryBeside(side: number, letter: DeadLetterRecord): void {
    if (!buriesBeside) return;
    count(shards[0], NaN, COUNT.deadLettered);
    collectLetter(side, letter.partition ?? 0, letter.offset ?? '0', letter);
  }

  function collectLetter(side: number, partition: number, offset: string, letter: DeadLetterRecord): void {
    const place = [side, String(partition).padStart(6, '0'), offset.padStart(16, '0'), String(buried++).padStart(12, '0')];
    collector.collect('dead-letters', letter, `${settings.name}/${place.join('/')}`);
  }

  function count({ shard }: ReconcileProcessor, timeUs: number, name: number): void {
    if (Number.isNaN(timeUs)) shard.tallies.total[name]++;
    else shard.tallies.add(tallyWindow(shard, timeUs), name, 1);
  }
}

/** A fault of ours names the record that it came with; what was meant for the user says what it says. */
function atRecord(pair: string, { topic, partition, offset }: RawRecord, thrown: unknown): unknown {
  return thrown instanceof ParitasError ? thrown : new ParitasError('internal', `pair "${pair}": an internal error at ${topic}-${partition}@${offset}: ${nothingKept(thrown)}`, { cause: thrown });
}

/** Records that came before any commit time of their partition belong to the window of its least one. */
export function markHeadlessOf(claim: PartitionClaim, shard: Shard, upToUs: number): void {
  if (claim.headless === 0 || claim.minTimeUs >= upToUs) return;
  shard.undecidable.add(windowOf(shard, claim.minTimeUs));
  claim.headless = 0;
}
