// The second dimension of a verdict: for every key touched so far, is the last source version below W the last target version below
// W + L? Keys for which it is not are the open divergences; only they are kept. Where they agreed at the last closing and nothing of a
// side is live, that side still has the version both had then (ruling 17).
import { FLAG, SLOT } from '../stores/slot-store.ts';
import type { Closing } from './window.ts';
import { hexOf } from './delete-order.ts';
import { keyOf, originOf, type Finding, type FindingRef } from './finding.ts';
import { samePrint } from './past-version.ts';
import { ABSENT, print } from './images.ts';
import type { Group } from './group.ts';
import type { Shard } from './shard.ts';
import { CLASSES } from '../schemas/records.ts';

export interface Divergence {
  /** Fingerprints of the two versions; zeros for the absent row. */
  readonly source: number[];
  readonly target: number[];
  /** Hex of the origin of the target's last version, for a truncate that removes it; none where no version of it was seen. */
  readonly targetOrigin: string | undefined;
  /** Window at whose end the key first differed. */
  readonly window: number;
  /** The key's last finding not later than that window (ruling 20). */
  readonly finding: FindingRef | undefined;
}


export function judgeState(shard: Shard, group: Group, closing: Closing): void {
  const source = lastSource(shard, group, closing.endUs);
  const target = lastTarget(shard, group);
  if (source < 0 && target < 0) return;
  const findings = closing.findingsOfKey();
  const slot = source >= 0 ? source : target;
  if (findings.length === 0 && shard.openDivergences === 0 && source >= 0 && isPair(shard, source, target)) return;
  const key = keyOf(shard.slots, slot);
  const last = noteFindings(shard, key, findings);
  // Merged into a change that is not due yet, by which the key's state is judged then. Counter-example: A | B over a window's edge, merged
  // into B: the target never has A, and a clean run would be told diverged, and resolved one window later.
  if (source >= 0 && (shard.slots.flags[source] & FLAG.allowed) !== 0) return;
  const open = shard.openDivergences > 0 ? readDivergence(shard, key) : undefined;
  const past = open === undefined && (source < 0 || target < 0) ? shard.history.of(key).at(0) : undefined;
  const before = past?.print;
  // After a start in mid-stream, or beyond what is remembered, a side that was not seen is unknown until it is touched.
  if (open === undefined && before === undefined && (source < 0 || target < 0) && (shard.warmUpUntilUs > -Infinity || shard.history.forgetful)) return;
  const sourcePrint = source >= 0 ? lastPrint(shard, source, key, closing) : Int32Array.from(open?.source ?? before ?? ABSENT);
  // What the target has is what was applied: equal to the source's version, but by another print where it lacks a column.
  const targetPrint = target >= 0 ? printOf(shard, target) : Int32Array.from(open?.target ?? (past?.equal === true ? past.appliedPrint : before) ?? ABSENT);
  // Of two records without a carried column the prints are equal, whatever the rows hold there.
  const differs = shard.settings.columns.carry.length > 0 && target >= 0 && source >= 0 && shard.slots.link[target] === source && !isPair(shard, source, target);
  const equal = !differs && ((source >= 0 && isPair(shard, source, target) && samePrint(sourcePrint, 0, printOf(shard, source), 0)) || samePrint(sourcePrint, 0, targetPrint, 0)
    || isAsApplied(shard, source, key, targetPrint, closing) || (target < 0 && source >= 0 && isElided(shard, source, closing)));
  const targetOrigin = target >= 0 ? originOf(shard.slots, target).toString('hex') : open?.targetOrigin ?? past?.origin.toString('hex');
  if (equal) close(shard, key, open, closing);
  else keep(shard, key, open, { source: [...sourcePrint], target: [...targetPrint], targetOrigin }, last, closing);
}

/**
 * The target has what the last source version was applied as, and that was found equal. Counter-example: a column that one side does not know
 * makes the fingerprints of equal versions differ; a repeat of the application is the last target change then, and is no pair.
 */
function isAsApplied(shard: Shard, source: number, key: Buffer, target: Int32Array, closing: Closing): boolean {
  const { link, flags, time } = shard.slots;
  // Of the closing window: surely the last, and not in history yet.
  if (source >= 0 && time[source] >= closing.startUs) {
    const application = link[source];
    return application >= 0 && (flags[application] & FLAG.equal) !== 0 && samePrint(printOf(shard, application), 0, target, 0);
  }
  const last = shard.history.of(key).at(0);
  if (last === undefined || last.equal) return last !== undefined && samePrint(last.appliedPrint, 0, target, 0);
  // Missing, or not loaded, when its window closed, and applied since.
  const late = shard.ghosts.of(key).find(ghost => ghost.side.sortKey === hexOf(last.position));
  return late?.kind === 'applied' && late.equal && samePrint(Int32Array.from(late.appliedPrint), 0, target, 0);
}

/**
 * By alignment: the target had its version already, so nothing of it was logged. Counter-example: an insert merged into its delete over the edge
 * of a window: what history knows last of the key is the insert, and the target never had it.
 */
function isElided({ slots }: Shard, source: number, closing: Closing): boolean {
  return slots.time[source] >= closing.startUs && slots.kind[source] === SLOT.change && slots.link[source] === -1 && (slots.flags[source] & (FLAG.consumed | FLAG.missing)) === FLAG.consumed;
}

function close(shard: Shard, key: Buffer, open: Divergence | undefined, closing: Closing): void {
  if (open === undefined) return;
  shard.stores.divergences.delete(key);
  shard.openDivergences--;
  closing.resolved.push({ key, window: closing.window, finding: open.finding });
}

function keep(
  shard: Shard, key: Buffer, open: Divergence | undefined, versions: Pick<Divergence, 'source' | 'target' | 'targetOrigin'>, last: FindingRef | undefined, closing: Closing,
): void {
  if (open === undefined) shard.openDivergences++;
  const window = open?.window ?? closing.window;
  // Findings are of the closing window or an earlier one: the last at the moment of parting is not later than that.
  const finding = open === undefined ? last : open.finding;
  const value: Divergence = { ...versions, window, finding };
  shard.stores.divergences.put(key, Buffer.from(JSON.stringify(value)));
}

export function readDivergence(shard: Shard, key: Buffer): Divergence | undefined {
  const value = shard.stores.divergences.get(key);
  return value === undefined ? undefined : (JSON.parse(value.toString('utf8')) as Divergence);
}

/** Keeps the key's last finding, in the order in which findings are printed. */
export function noteFindings(shard: Shard, key: Buffer, findings: readonly Finding[]): FindingRef | undefined {
  const stored = shard.stores.findings.get(key);
  let last = stored === undefined ? undefined : (JSON.parse(stored.toString('utf8')) as FindingRef);
  for (const finding of findings) {
    const ref = refOf(finding);
    if (last === undefined || ref.window > last.window || (ref.window === last.window && ref.sort > last.sort)) last = ref;
  }
  if (findings.length > 0 && last !== undefined) {
    shard.stores.findings.put(key, Buffer.from(JSON.stringify(last)));
    shard.troubled.note(key);
  }
  return last;
}

function refOf(finding: Finding): FindingRef {
  return {
    window: finding.window, class: finding.class,
    source: finding.source?.identity ?? '', target: finding.target?.identity ?? '',
    sort: `${CLASSES.indexOf(finding.class)}/${finding.source?.sortKey ?? ''}/${finding.target?.sortKey ?? ''}`,
  };
}

function isPair(shard: Shard, source: number, target: number): boolean {
  return target >= 0 && shard.slots.link[target] === source && (shard.slots.flags[target] & FLAG.equal) !== 0;
}

/**
 * The fingerprint of the last source version. A change of the closing window is the last; of an older one another may be later by position
 * although it was committed earlier, and its slot may be gone already.
 */
function lastPrint(shard: Shard, source: number, key: Buffer, closing: Closing): Int32Array {
  if (shard.slots.time[source] >= closing.startUs) return printOf(shard, source);
  return shard.history.of(key).at(0)?.print ?? printOf(shard, source);
}

function printOf(shard: Shard, slot: number): Int32Array {
  print(shard, slot);
  return shard.slots.fingerprint.slice(slot * 4, slot * 4 + 4);
}

function lastSource(shard: Shard, group: Group, endUs: number): number {
  for (let i = group.sources.length - 1; i >= 0; i--) if (shard.slots.time[group.sources[i]] < endUs) return group.sources[i];
  return -1;
}

/**
 * Only what a verdict has consumed counts: an application of a source change that is not due yet does not (ruling 17). Nor does what a sink
 * that was thrown back has applied on its way to the last version, which it has reached in the evidence.
 */
function lastTarget(shard: Shard, group: Group): number {
  for (let j = group.targets.length - 1; j >= 0; j--) {
    if ((shard.slots.flags[group.targets[j]] & (FLAG.consumed | FLAG.allowed)) === FLAG.consumed) return group.targets[j];
  }
  return -1;
}

/** Whether a slot is a row's own event rather than an alias or a truncate. */
export function isRowEvent(shard: Shard, slot: number): boolean {
  const kind = shard.slots.kind[slot];
  return kind === SLOT.change || kind === SLOT.read;
}
