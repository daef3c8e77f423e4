// The state of a reconcile task, or of a one-shot run, at a commit: what changed since the last one, as one ordered list of writes, from which
// both the changelog records and the batch of the local store are made (architecture.md §4); and the way back at a start.
//
// Families: those of the shards' small stores, `windows` of the merge, `slots` (window segments), and `task`: the claims and the place of the
// task, and of each shard what it keeps beside its slots; and the ENDs of transactions whose windows are open.
import { MERGE_STORE } from '../../processors/merge-memory.ts';
import { packClaims, restoreClaims } from '../../processors/claims-state.ts';
import type { PartitionClaim } from '../../processors/claims.ts';
import { RECONCILE_STORES, type ReconcileProcessor } from '../../processors/reconcile-processor.ts';
import type { TransactionCounts } from '../../processors/transaction-counts.ts';
import { packShard, restoreShard } from '../../processors/shard-state.ts';
import { ParitasError } from '../../schemas/errors.ts';
import type { PairContext } from '../../schemas/decoder.ts';
import { segmentsReadAtOnce } from '../../schemas/limits.ts';
import { createSegmentIndex, readSegments, SLOTS_FAMILY } from '../../stores/segment-index.ts';
import { createSlotRestore } from '../../stores/slot-restore.ts';
import { createSegmentPacker, type LayoutNames } from '../../stores/slot-segments.ts';
import type { KeyRange, StoreEngine, WriteOp } from '../../stores/store.ts';
import type { WriteOverlay } from '../../stores/write-overlay.ts';
import { requireSame } from './same-chain.ts';
import { decisiveSettings } from '../config-hash.ts';
import type { AuxiliaryMember } from './auxiliaries.ts';
import type { InputPosition } from './commit.ts';
import type { TaskPlace } from './pair-task.ts';
import { readPlace, TASK_FAMILY, writePlace, type PlaceRecord } from './place-record.ts';

/** The stores of the topology's processors. */
export const STORES: readonly string[] = [...RECONCILE_STORES, MERGE_STORE];
export const STATE_FAMILIES: readonly string[] = [...STORES, SLOTS_FAMILY, TASK_FAMILY];
/** Those that are not written with each change: findings, what came of them, and the few records of a commit. */
export const RARE_FAMILIES: readonly string[] = STATE_FAMILIES.filter(family => ![SLOTS_FAMILY, 'history', 'rows'].includes(family));

const COUNTS = 'counts/';
const shardKey = (shard: number): Buffer => Buffer.from(`shard/${shard}`);

interface ReconcilePlaceRecord extends PlaceRecord {
  readonly shards: number;
  /** Number of the commit: names the segments of the next one. */
  readonly commit: number;
  readonly place: TaskPlace;
  /** How many each shard has. Older ones do not say. */
  readonly slots?: readonly number[];
  readonly claims: ReturnType<typeof packClaims>;
  /** Of the partitions beside the rows. */
  readonly beats: ReturnType<typeof packClaims>;
}

export interface TaskState {
  /** Where the task stood when the state was written; undefined: there is none, the task begins. */
  readonly restored: TaskPlace | undefined;
  /** What it had read then. */
  readonly positions: readonly InputPosition[] | undefined;
  /**
   * Takes what changed since the last call: families in byte order, each key once. What is taken is not told again: whoever cannot write it
   * drops the task and restores it.
   */
  seal(place: TaskPlace): WriteOp[];
  /** Ranges of which all is deleted by what was taken last; nothing that it sets lies in them. */
  expired(): readonly KeyRange[];
}

export interface TaskStateParts {
  readonly engine: StoreEngine;
  readonly overlay: WriteOverlay;
  readonly context: PairContext;
  readonly shards: readonly ReconcileProcessor[];
  readonly claims: readonly PartitionClaim[];
  readonly auxiliaries?: readonly AuxiliaryMember[];
  readonly counts?: TransactionCounts;
  /** By input topic; left out where topics have none. */
  readonly topicIds?: Readonly<Record<string, string>>;
}

/** `shards` are new, over the restored stores, and `claims` too: both get what the state says. Throws StoreError, ParitasError `state`. */
export function openTaskState({ engine, overlay, context, shards, claims, auxiliaries = [], counts, topicIds = {} }: TaskStateParts): TaskState {
  const index = createSegmentIndex();
  const layouts = layoutNames(context);
  const packer = createSegmentPacker(context.settings.window.sizeUs, layouts);
  for (const { shard } of shards) {
    shard.slots.followChanges();
    shard.lastRows.forEach((rows, side) => { rows.follow(shard.stores.rows, side); });
  }
  const record = readRecord(engine, shards.length, context.settings.name);
  const settings = decisiveSettings(context.settings);
  if (record !== undefined) requireSame(context.settings.name, record, { settings, topicIds });
  let commit = record?.commit ?? 0;
  let expired: KeyRange[] = [];
  if (record !== undefined) {
    shards.forEach(({ shard: { slots } }, i) => { slots.reserve(record.slots?.[i] ?? 0); });
    restoreSlots(engine, shards, layouts, key => { index.note(key); });
    shards.forEach(({ shard }, i) => { restoreShard(shard, required(engine, shardKey(i))); });
    restoreClaims(claims, record.claims);
    restoreClaims(auxiliaries.map(({ beats }) => beats), record.beats);
    counts?.restore(countsOf(engine));
  }

  function sealSlots(): WriteOp[] {
    expired = [];
    return shards.flatMap(({ shard: { slots } }, i) => {
      const { deletes: ops, range } = index.dropGone(i, new Set(slots.windows()));
      if (range !== undefined) expired.push(range);
      packer.pack(slots, (window, value) => void ops.push({ family: SLOTS_FAMILY, key: index.add(i, window, commit), value }));
      return ops;
    });
  }

  return {
    restored: record?.place, positions: record?.positions, expired: () => expired,
    seal(place) {
      const slots = sealSlots().sort((a, b) => Buffer.compare(a.key, b.key));
      shards.forEach(({ shard }, i) => { overlay.put(TASK_FAMILY, shardKey(i), packShard(shard)); });
      for (const [key, value] of counts?.takeChanges() ?? []) {
        if (value === undefined) overlay.delete(TASK_FAMILY, Buffer.from(COUNTS + key));
        else overlay.put(TASK_FAMILY, Buffer.from(COUNTS + key), value);
      }
      commit++;
      writePlace<ReconcilePlaceRecord>(overlay, {
        shards: shards.length, commit, place, slots: shards.map(({ shard }) => shard.slots.live), claims: packClaims(claims), beats: packClaims(auxiliaries.map(({ beats }) => beats)), positions: positionsOf(claims, auxiliaries), settings, topicIds,
      });
      return [...overlay.drain(), ...slots].sort((a, b) => (a.family < b.family ? -1 : Number(a.family > b.family)));
    },
  };
}

/** The next offset to read of each partition of the rows, then of those beside them. */
export function positionsOf(claims: readonly PartitionClaim[], auxiliaries: readonly AuxiliaryMember[]): InputPosition[] {
  return [
    ...claims.map(({ topic, partition, frontier }) => ({ topic, partition, offset: frontier })),
    ...auxiliaries.map(({ reader: { topic, partition, position } }) => ({ topic, partition, offset: position })),
  ];
}

function readRecord(engine: StoreEngine, shards: number, pair: string): ReconcilePlaceRecord | undefined {
  const record = readPlace<ReconcilePlaceRecord>(engine, pair);
  if (record === undefined || record.shards === shards) return record;
  throw new ParitasError('state', `the state was written by ${record.shards} shards, and there are ${shards} now: the number of shards of a pair that runs cannot change`);
}

/** Up to `0`, which comes after `/`. */
function countsOf(engine: StoreEngine): (readonly [string, Buffer])[] {
  const rows = engine.range(TASK_FAMILY, { gte: Buffer.from(COUNTS), lt: Buffer.from('counts0') });
  return rows.map(([key, value]) => [key.toString('utf8', COUNTS.length), value] as const);
}

function restoreSlots(engine: StoreEngine, shards: readonly ReconcileProcessor[], layouts: LayoutNames, note: (key: Buffer) => void): void {
  const restores = shards.map(({ shard }) => createSlotRestore(shard.slots, layouts));
  for (const { key, shard, window, bytes } of readSegments(engine, segmentsReadAtOnce)) {
    restores[shard].apply(window, bytes);
    note(key);
  }
  for (const restore of restores) restore.finish();
}

function required(engine: StoreEngine, key: Buffer): Buffer {
  const bytes = engine.get(TASK_FAMILY, key);
  if (bytes === undefined) throw new ParitasError('state', `the state has no record ${key.toString()}: drop the local state, it is restored from the changelog`);
  return bytes;
}

function layoutNames(context: PairContext): LayoutNames {
  return {
    nameOf(id) {
      const { known, unavailable, placeholders } = context.layoutById(id);
      return JSON.stringify([known, unavailable, placeholders]);
    },
    idOf(name) {
      const [known, unavailable, placeholders] = JSON.parse(name) as [string[], string[], string[]];
      return context.layout(known, unavailable, placeholders).id;
    },
  };
}
