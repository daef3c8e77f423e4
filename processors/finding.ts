// A finding: one discrepancy as the core knows it, before it becomes a manifest record. Findings are few, so they are plain objects; all
// their bytes are copied, for the slots they come from are reused.
import { OP_NAMES, POSITION_BYTES } from '../schemas/change-event.ts';
import { formatTime } from '../schemas/time.ts';
import { printOrigin, printPosition } from '../schemas/canonical/print.ts';
import type { Class, ColumnDifference, Hint, ManifestSide } from '../schemas/records.ts';
import type { SlotStore } from '../stores/slot-store.ts';
import type { PastVersion } from './past-version.ts';
import type { Shard } from './shard.ts';

export interface Finding {
  readonly class: Class;
  readonly window: number;
  /** Canonical key bytes. */
  readonly key: Buffer;
  readonly source: FindingSide | undefined;
  readonly target: FindingSide | undefined;
  readonly columns: readonly ColumnDifference[];
  readonly hint: Hint | undefined;
  /** Of a gap that is no row's: what is missing. Of a bulk mismatch: how many changes were too many. */
  readonly detail?: string;
  readonly attribution: 'origin' | 'version' | 'aligned';
}

/** What a manifest record can be named by, before it has its id. */
export interface FindingRef { window: number; class: Finding['class']; source: string; target: string; sort: string }

export interface Resolution { readonly key: Buffer; readonly window: number; readonly finding: FindingRef | undefined }

export interface FindingSide {
  readonly record: ManifestSide;
  /** What makes it this change, whatever its offset: printed position, order and snapshot. Part of manifest ids and core hashes. */
  readonly identity: string;
  /** Position bytes in hex: what findings of one key are sorted by. */
  readonly sortKey: string;
  readonly traceparent: string | undefined;
}

export function sideOfSlot(shard: Shard, slot: number): FindingSide {
  const { slots } = shard;
  const page = slots.heads.pages[slots.headPage[slot]];
  const originAt = slots.headAt[slot] + slots.keyLength[slot];
  const transactionAt = originAt + slots.originLength[slot];
  const traceAt = transactionAt + slots.transactionLength[slot];
  const position = positionBytes(slots, slot);
  const origin = slots.originLength[slot] > 0 ? printOrigin(page.subarray(originAt, transactionAt)) : undefined;
  const transaction = slots.transactionLength[slot] > 0 ? page.toString('utf8', transactionAt, traceAt) : undefined;
  const trace = slots.traceLength[slot] > 0 ? page.toString('latin1', traceAt, traceAt + slots.traceLength[slot]) : undefined;
  return {
    record: {
      op: OP_NAMES[slots.op[slot]],
      position: printPosition(position),
      ...(origin === undefined ? {} : { origin }),
      commitTime: formatTime(slots.time[slot]),
      ...coordinates(shard, slots.partition[slot], slots.offset[slot]),
      ...(transaction === undefined ? {} : { transaction }),
    },
    identity: identityText(position, slots.totalOrder[slot]),
    sortKey: position.toString('hex'),
    traceparent: trace,
  };
}

export function sideOfPast(shard: Shard, version: PastVersion): FindingSide {
  const position = Buffer.alloc(POSITION_BYTES);
  version.position.forEach((word, i) => position.writeUInt32BE(word, i * 4));
  return {
    record: {
      op: OP_NAMES[version.op],
      position: printPosition(position),
      ...(version.origin.length === 0 ? {} : { origin: printOrigin(version.origin) }),
      commitTime: formatTime(version.timeUs),
      ...coordinates(shard, version.partition, version.offset),
    },
    identity: identityText(position, version.totalOrder),
    sortKey: position.toString('hex'),
    traceparent: undefined,
  };
}

function coordinates(shard: Shard, partition: number, offset: number): { topic: string; partition: number; offset: string } {
  const at = shard.partitions[partition];
  return { topic: at.topic, partition: at.partition, offset: String(offset) };
}

function identityText(position: Buffer, totalOrder: number): string {
  return `${printPosition(position)}/${totalOrder}`;
}

export function positionBytes(slots: SlotStore, slot: number): Buffer {
  const bytes = Buffer.alloc(POSITION_BYTES);
  for (let i = 0; i < POSITION_BYTES / 4; i++) bytes.writeUInt32BE(slots.position[slot * (POSITION_BYTES / 4) + i], i * 4);
  return bytes;
}

export function keyOf(slots: SlotStore, slot: number): Buffer {
  const page = slots.heads.pages[slots.headPage[slot]];
  return Buffer.from(page.subarray(slots.headAt[slot], slots.headAt[slot] + slots.keyLength[slot]));
}

export function originOf(slots: SlotStore, slot: number): Buffer {
  const page = slots.heads.pages[slots.headPage[slot]];
  const at = slots.headAt[slot] + slots.keyLength[slot];
  return Buffer.from(page.subarray(at, at + slots.originLength[slot]));
}

/** A source delete names its own origin by its position, so only the operation tells how a finding was attributed. */
export function attributionOf(shard: Shard, aligned: boolean): Finding['attribution'] {
  if (aligned || shard.settings.match.by === 'alignment') return 'aligned';
  return shard.settings.match.by;
}
