// Runs the source of a plan: wishes become the database changes that really happen, with before and after images.
import type { Image, RowChange, RowOp } from './history.ts';
import { UNAVAILABLE } from './history.ts';
import type { Plan, PlannedChange } from './plan.ts';

/** A source change, the wish it comes from (a key change makes two of one), and the row that it leaves, whatever of it is logged. */
export interface SourceChange extends RowChange { readonly planned: PlannedChange; readonly stored: Image | null }

/** In position order. Dropped or pointless wishes (a delete of no row) leave nothing. */
export function sourceHistory(plan: Plan): SourceChange[] {
  const rows = new Map<number, Image>();
  const changes: SourceChange[] = [];
  for (const planned of plan.changes) {
    for (const [op, key] of steps(planned, rows)) {
      const before = key === null ? null : rows.get(key) ?? null;
      const after = planned.kind === 'incremental' ? before : op === 'delete' || op === 'truncate' ? null : { ...planned.value, tag: versionOf(plan, planned) };
      changes.push({
        planned, stored: after, op, key, timeUs: cut(planned.timeUs, plan.resolutionUs.source), seq: planned.seq, lsn: planned.lsn, tx: planned.tx,
        totalOrder: plan.transactionBlocks && op !== 'read' ? totalOrder(changes, planned) : -1,
        before: beforeImage(before, op, plan.identity.source), after: logged(after, before, op, plan.unavailable?.source.includes(planned.id) === true),
        ...(planned.kind === 'incremental' ? { unpositioned: true as const } : {}),
      });
      if (key === null) rows.clear();
      else if (after === null) rows.delete(key);
      else rows.set(key, after);
    }
  }
  return changes;
}

function steps(planned: PlannedChange, rows: ReadonlyMap<number, Image>): (readonly [RowOp, number | null])[] {
  const there = rows.has(planned.key);
  switch (planned.kind) {
    case 'read': return [['read', planned.key]];
    case 'incremental': return there ? [['read', planned.key]] : [];
    case 'put': return [[there ? 'update' : 'create', planned.key]];
    case 'delete': return there ? [['delete', planned.key]] : [];
    case 'move': return there && !rows.has(planned.toKey) ? [['delete', planned.key], ['create', planned.toKey]] : [];
    case 'truncate': return [['truncate', null]];
  }
}

/** Versions are unique but not in the order of positions: even changes count up, odd ones down. */
function versionOf(plan: Plan, planned: PlannedChange): number | null {
  if (plan.matchBy !== 'version') return null;
  return 1_000_000 + (planned.id % 4 === 3 ? -planned.id : planned.id);
}

function totalOrder(changes: readonly SourceChange[], planned: PlannedChange): number {
  return 1 + changes.filter((c) => c.tx === planned.tx && c.op !== 'read').length;
}

/** Under REPLICA IDENTITY DEFAULT an update has no before image and a delete's holds only the key; NOT NULL columns are invented. */
export function beforeImage(row: Image | null, op: RowOp, identity: 'full' | 'default' | 'invented'): Image | null {
  if (row === null || op === 'create' || op === 'read') return null;
  if (identity === 'full') return row;
  if (op === 'update') return null;
  return identity === 'default' ? { v: null, n: null, tag: null } : { v: '', n: 0, tag: 0 };
}

/** The row as the log has it: a large column that an update leaves as it was is not repeated. */
export function logged(after: Image | null, before: Image | null, op: RowOp, large: boolean): Image | null {
  return large && op === 'update' && after !== null && after.v !== null && after.v === before?.v ? { ...after, v: UNAVAILABLE } : after;
}

export function cut(timeUs: number, resolutionUs: number): number {
  return timeUs - (timeUs % resolutionUs);
}
