// What a simulated run leaves behind: two logs of records, as a connector would have written them, before they are made JSON.
// The oracle judges these records; `render.ts` writes the same ones as captures for the real `check`.
import type { Side } from '../../schemas/change-event.ts';
import type { Plan, PlannedBeat } from './plan.ts';

/** The compared columns and the tag: the origin on a target row, the version where rows have one, else null. */
export interface Image { readonly v: string | null; readonly n: number | null; readonly tag: number | null }

export type RowOp = 'create' | 'update' | 'delete' | 'read' | 'truncate';

/** One database change, in position order of its side. `key` is null for a truncate. */
export interface RowChange {
  readonly op: RowOp;
  readonly key: number | null;
  readonly timeUs: number;
  /** `sequence[0]`, the end of the last commit, then `lsn`: the position. */
  readonly seq: number;
  readonly lsn: number;
  readonly tx: number;
  /** `transaction.total_order`, -1 without a transaction block. */
  readonly totalOrder: number;
  readonly before: Image | null;
  readonly after: Image | null;
  /** A row of an incremental snapshot: its record has no position. */
  readonly unpositioned?: true;
}

/** What PostgreSQL's connector writes for a column that the update did not touch and that is stored out of line. */
export const UNAVAILABLE = '__debezium_unavailable_value';

export type Content =
  | { readonly kind: 'row'; readonly change: RowChange }
  | { readonly kind: 'tombstone'; readonly key: number }
  | { readonly kind: 'garbage' };

/** A record at its place in a log. Offsets of a partition ascend and may have holes. */
export interface LogRecord { readonly side: Side; readonly partition: number; readonly offset: number; readonly content: Content }

/** The END of a transaction, in commit order of its side; in whole milliseconds, as connectors write it. */
export interface End { readonly tx: number; readonly lsn: number; readonly timeUs: number; readonly rows: number }

/** A record of a heartbeat topic, in whose order they stand, and when it was written. */
export interface Beat { readonly kind: PlannedBeat['kind']; readonly timeUs: number; readonly timestampMs: number }

export interface History {
  readonly plan: Plan;
  readonly source: readonly LogRecord[];
  readonly target: readonly LogRecord[];
  /** Where the sides have a transaction topic. */
  readonly ends?: Readonly<Record<Side, readonly End[]>>;
  /** Where they have a heartbeat topic. */
  readonly beats?: Readonly<Record<Side, readonly Beat[]>>;
}
