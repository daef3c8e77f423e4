// Runs the target of a plan: each source change is applied after its lag, in order per key, except where a fault says otherwise.
// The target is a table with upserts: what is logged is what really happens to its rows (a delete of no row logs nothing).
import type { Image, RowChange, RowOp } from './history.ts';
import type { Plan, PlannedFault } from './plan.ts';
import type { SourceChange } from './source-history.ts';
import { beforeImage, cut, logged, sourceHistory } from './source-history.ts';

interface Step {
  readonly atUs: number;
  readonly key: number | null;
  /** undefined: delete; 'kept': an out-of-band update leaves the tag as it was. */
  readonly image: { readonly v: string | null; readonly n: number | null; readonly tag: number | null | 'kept' } | undefined;
  /** Only if the row is there (true), is not there (false), or either (undefined). */
  readonly needsRow: boolean | undefined;
  /** Its column `v` is too large for the log, where it stays as it was. */
  readonly large?: boolean | undefined;
}

/** In position order, which is also the order of commit times. */
export function targetHistory(plan: Plan): RowChange[] {
  const rows = new Map<number, Image>();
  const changes: RowChange[] = [];
  const log = { lsn: 5_000_000, seq: 5_000_000, tx: 90_000, atUs: -1, order: 0 };
  const ordered = targetSteps(plan).sort((a, b) => a.atUs - b.atUs);
  for (const step of ordered) {
    const op = operation(step, rows);
    if (op === undefined) continue;
    if (step.atUs !== log.atUs) { log.seq = log.lsn; log.tx++; log.order = 0; log.atUs = step.atUs; }
    log.lsn += 8;
    log.order++;
    const before = step.key === null ? null : rows.get(step.key) ?? null;
    const after = step.image === undefined ? null : { ...step.image, tag: step.image.tag === 'kept' ? before?.tag ?? null : step.image.tag };
    changes.push({
      op, key: step.key, timeUs: cut(step.atUs, plan.resolutionUs.target), seq: log.seq, lsn: log.lsn, tx: log.tx,
      totalOrder: plan.transactionBlocks ? log.order : -1, before: beforeImage(before, op, plan.identity.target), after: logged(after, before, op, step.large === true),
    });
    if (step.key === null) rows.clear();
    else if (after === null) rows.delete(step.key);
    else rows.set(step.key, after);
  }
  return changes;
}

function operation(step: Step, rows: ReadonlyMap<number, Image>): RowOp | undefined {
  if (step.key === null) return 'truncate';
  const there = rows.has(step.key);
  if (step.needsRow !== undefined && step.needsRow !== there) return undefined;
  if (step.image === undefined) return there ? 'delete' : undefined;
  return there ? 'update' : 'create';
}

function targetSteps(plan: Plan): Step[] {
  const source = sourceHistory(plan);
  const steps: Step[] = [];
  const appliedUs = new Map<number, number>();
  const normal = new Map<number, Step[]>();
  const merged = mergedChanges(plan, source);
  let allUs = 0;
  for (const change of source) {
    if (merged.has(change) || change.unpositioned) continue;
    const faults = plan.faults.filter((f) => f.changeId === change.planned.id);
    const floorUs = change.key === null ? allUs : Math.max(appliedUs.get(change.key) ?? 0, appliedUs.get(-1) ?? 0);
    const atUs = Math.max(change.planned.timeUs + change.planned.lagUs, floorUs);
    if (!faults.some((f) => f.kind === 'reordered' || f.kind === 'late' || f.kind === 'early' || f.kind === 'missing')) {
      appliedUs.set(change.key ?? -1, atUs);
      allUs = Math.max(allUs, atUs);
    }
    const own = applications(plan, change, atUs, faults);
    steps.push(...own);
    if (change.key !== null && change.op !== 'truncate') steps.push(...replayed(plan, change, atUs, own, normal));
  }
  return steps;
}

/** Thrown back: the key's last applications once more, at the time of the last, behind it. */
function replayed(plan: Plan, change: SourceChange, atUs: number, own: readonly Step[], applied: Map<number, Step[]>): Step[] {
  const key = change.key ?? -1;
  const ofKey = applied.get(key) ?? [];
  applied.set(key, ofKey);
  if (own.length > 0) ofKey.push(own[0]);
  const replays = (plan.replays ?? []).filter((r) => r.changeId === change.planned.id);
  return replays.flatMap((r) => ofKey.slice(-r.count).map((step) => ({ ...step, atUs: Math.max(step.atUs, atUs) })));
}

/**
 * The wished-for merges that are a legal collapse: a put into the next change of its key, in time for its own window, never the insert of a
 * row into its delete (which would then find no row, and leave no trace).
 */
function mergedChanges(plan: Plan, source: readonly SourceChange[]): Set<SourceChange> {
  const merged = new Set<SourceChange>();
  const latestUs = applicationTimes(source);
  for (const [i, change] of [...source.entries()].reverse()) {
    if (!(plan.merged ?? []).includes(change.planned.id) || !mayMerge(plan, change)) continue;
    const at = source.findIndex((next, k) => k > i && (next.key === change.key || next.key === null) && !merged.has(next));
    if (at < 0 || !mayMerge(plan, source[at], true) || (change.op === 'create' && source[at].op === 'delete')) continue;
    if (latestUs[at] < change.timeUs + plan.window.lagUs - 2 * plan.window.skewUs) merged.add(change);
  }
  return merged;
}

/** A row that a fault hurts is neither merged nor merged into: the fault shall leave its own trace. */
function mayMerge(plan: Plan, change: SourceChange, asSurvivor = false): boolean {
  if (plan.faults.some((f) => f.changeId === change.planned.id)) return false;
  return change.op === 'create' || change.op === 'update' || (asSurvivor && change.op === 'delete');
}

/** When each change would be applied at the latest, if none were merged. */
function applicationTimes(source: readonly SourceChange[]): number[] {
  const byKey = new Map<number | null, number>();
  return source.map((change) => {
    const atUs = Math.max(change.planned.timeUs + change.planned.lagUs, byKey.get(change.key) ?? 0);
    byKey.set(change.key, atUs);
    return atUs;
  });
}

/** What becomes of one source change: its application, as far as it is not lost, and what the faults add. */
function applications(plan: Plan, change: SourceChange, atUs: number, faults: readonly PlannedFault[]): Step[] {
  const { stored } = change;
  const tag = plan.matchBy === 'version' ? stored?.tag ?? null : change.lsn;
  const image = stored === null ? undefined : { v: stored.v, n: stored.n, tag };
  let normal: Step | undefined = { atUs, key: change.key, image, needsRow: undefined, large: plan.unavailable?.target.includes(change.planned.id) };
  const extra: Step[] = [];
  for (const fault of faults) {
    const harm = (key: number | null, image: Step['image'], needsRow: boolean | undefined, harmUs = fault.atUs): number => extra.push({ atUs: harmUs, key, image, needsRow });
    switch (fault.kind) {
      case 'missing': normal = undefined; break;
      case 'mismatch': if (normal?.image !== undefined) normal = { ...normal, image: { ...fault.value, tag } }; break;
      case 'duplicate': harm(change.key, image, undefined, atUs); break;
      case 'stale': harm(change.key, image, undefined, Math.max(atUs, fault.atUs)); break;
      case 'reordered': case 'late': if (normal !== undefined) normal = { ...normal, atUs: Math.max(atUs, fault.atUs) }; break;
      case 'early': if (normal !== undefined) normal = { ...normal, atUs: 2 * change.planned.timeUs - fault.atUs }; break;
      case 'oob-update': harm(change.key, { ...fault.value, tag: 'kept' }, true); break;
      case 'oob-insert': harm(change.key, { ...fault.value, tag: null }, false); break;
      case 'oob-insert-foreign': harm(change.key, { ...fault.value, tag: 77_777_777 }, false); break;
      case 'oob-delete': harm(change.key, undefined, true); break;
    }
  }
  return normal === undefined ? extra : [normal, ...extra.filter((s) => s.key !== null)];
}
