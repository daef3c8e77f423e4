// The change event: what every format is decoded to. One long-lived object per decoder, overwritten by each record; no object per
// record is made on the hot path. Its variable parts lie one behind the other in `bytes`, so that whoever keeps the event copies once.

import type { TransactionEnd } from './transaction-end.ts';

export const SIDES = ['source', 'target'] as const;
export type Side = (typeof SIDES)[number];
export const SOURCE = 0;
export const TARGET = 1;

/** What a record is, once decoded. */
export const KIND = {
  /** A change or a state observation of a row, or a truncate. */
  change: 0,
  /** A null value after a delete: the same delete once more, for compaction. */
  tombstone: 1,
  /** Liveness only; never a watermark (semantics.md §3). */
  heartbeat: 2,
  /** BEGIN or END of a transaction. */
  transaction: 3,
  /** A logical message (`pg_logical_emit_message`). It has a commit time only if it was transactional. */
  message: 4,
  /** Schema changes, notifications and what else a connector writes beside rows. */
  other: 5,
  /** Cannot be decoded, or its row cannot be told: `deadReason` and `deadDetail` say why. */
  dead: 6,
} as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

export const OP = { create: 0, update: 1, delete: 2, read: 3, truncate: 4 } as const;
export type Op = (typeof OP)[keyof typeof OP];
export const OP_NAMES = ['create', 'update', 'delete', 'read', 'truncate'] as const;

export const DEAD_REASONS = ['malformed', 'no-key', 'bad-key', 'unknown-magic', 'late', 'future', 'oversize', 'bad-line'] as const;
/** malformed: not what its format says. no-key: a row without a key. bad-key: key columns missing or all null. unknown-magic: a
 *  framing byte of no known wire format. late: below a decision. future: evidence beside the rows, committed long after the log has it. oversize: above a limit. bad-line: not a line of a capture file. */
export type DeadReason = (typeof DEAD_REASONS)[number];

/** Bytes of a position: epoch (4), then the connector's own order, zero-padded behind. Sorts by unsigned bytes. */
export const POSITION_BYTES = 32;

/**
 * The columns of a row image that are known, in the order in which their values stand in the image: sorted by the UTF-16 code units of the
 * source column's name. Interned per pair, so that two images with the same layout may be compared byte by byte.
 */
export interface Layout {
  readonly id: number;
  /** Compared columns whose value is known (null is a value), sorted. */
  readonly known: readonly string[];
  /** Compared columns that are there but unavailable (TOAST placeholder on a side that can produce it, ambiguous encoding), sorted. */
  readonly unavailable: readonly string[];
  /** Known columns that hold the placeholder as a stored value (ruling 30): equal to nothing. */
  readonly placeholders: readonly string[];
  /** Nothing is unavailable and nothing a placeholder: equal bytes are equal rows. */
  readonly plain: boolean;
  /** 16 bytes over `known`, put in front of the image when it is hashed. */
  readonly hash: Buffer;
  /** 32 bits of the hash that are none of PRINT's own tags: the first word of an image's print. */
  readonly tag: number;
}

/**
 * Prints of the row before and after a change: three words each, a tag and 64 bits over the image. By them it is told whether a change
 * continues the one before it.
 */
export const PRINT = {
  words: 6, after: 0, before: 3,
  /** Tags. Not known, or not to be relied on. */
  none: 0,
  /** No row. */
  absent: 1,
} as const;
/** Of one of the two. */
export const PRINT_WORDS: number = PRINT.before - PRINT.after;

/** A decoded record. Which fields are set depends on `kind`; everything else is as `reset` leaves it. */
export interface ChangeEvent {
  kind: Kind;
  op: Op;
  /** Commit time in microseconds since the epoch; NaN where the record has none. */
  commitTimeUs: number;
  /** False where the record has no position (an incremental snapshot's read row). */
  positioned: boolean;
  /** Its engine does not log an update that changes nothing (MySQL, MariaDB). */
  elidesNoops: boolean;
  /** POSITION_BYTES, overwritten by each record. */
  readonly position: Buffer;
  /** Order within the transaction (`transaction.total_order`), -1 where there is none. Part of the identity. */
  totalOrder: number;
  /** Order among the transaction's changes of its table, from 1 (`transaction.data_collection_order`); -1 where there is none. */
  tableOrder: number;
  /** A snapshot row (`source.snapshot` other than false). Part of the identity. */
  snapshot: boolean;
  /** key, origin, transaction id, trace context, row image: one behind the other from 0, with these lengths in bytes. */
  bytes: Buffer;
  keyLength: number;
  /** 0 where the event carries no origin. For a delete: the origin in its before image, that of the version it removed. */
  originLength: number;
  transactionLength: number;
  traceLength: number;
  imageLength: number;
  /** The layout of the image; undefined where there is no after image (delete, truncate). */
  layout: Layout | undefined;
  /** PRINT.words words. The before print only where the record has the whole row before the change. */
  readonly prints: Int32Array;
  deadReason: DeadReason;
  deadDetail: string;
  /** The counts of a transaction's END (`kind` transaction); undefined for a BEGIN and everything else. */
  transactionEnd: TransactionEnd | undefined;
  /** Says of a PK change which key the row had before (on the create) or has now (on the delete): canonical key bytes, else undefined. */
  linkedKey: Buffer | undefined;
}
