// A source change whose window closes: missing, or applied; and what its applications have against them.
import { FLAG, LINK_GONE, SLOT } from '../stores/slot-store.ts';
import { OP, SOURCE, TARGET } from '../schemas/change-event.ts';
import type { Closing } from './window.ts';
import { withCarried } from './carried.ts';
import { differences } from './columns.ts';
import type { Comparison } from './comparator.ts';
import { MARKER } from './digest.ts';
import { attributionOf, keyOf, originOf, positionBytes, sideOfSlot } from './finding.ts';
import { samePrint } from './past-version.ts';
import type { Group } from './group.ts';
import { consume, imageOf, isSameImage, print, takeCommonPrint } from './images.ts';
import { acceptReplay } from './replay.ts';
import { windowOf, type Shard } from './shard.ts';
import { COUNT } from './tally.ts';

export function judgeSource(shard: Shard, group: Group, i: number, closing: Closing): void {
  const { slots } = shard;
  const source = group.sources[i];
  consume(shard, source);
  closing.count(COUNT.sourceEvents, 1);
  const first = group.first[i];
  if (first < 0) return shard.settings.policy === 'collapse' && group.collapsed[i] ? collapsed(shard, source, true, closing) : missing(shard, source, closing);
  applied(shard, source, group.targets[first], group.reordered[i] !== 0, group.aligned[first], closing);
  for (let j = group.next[first]; j >= 0; j = group.next[j]) again(shard, group, source, group.targets[first], j, closing);
  slots.dropImage(source);
}

/**
 * Legally merged into another change: counted, in no digest, no finding. It counts as applied: what writes it again later repeats it.
 * `isOpen`: that change may be not due yet, so of the row's state nothing is said if this one is the last.
 */
export function collapsed(shard: Shard, source: number, isOpen: boolean, closing: Closing): void {
  const { slots } = shard;
  if (isOpen) slots.addFlags(source, FLAG.allowed);
  slots.setLink(source, LINK_GONE);
  closing.count(COUNT.collapsed, 1);
  slots.dropImage(source);
}

export function missing(shard: Shard, source: number, closing: Closing): void {
  const { slots } = shard;
  slots.addFlags(source, FLAG.missing);
  shard.lossyWindows.add(windowOf(shard, slots.time[source]));
  closing.count(COUNT.missing, 1);
  closing.element(source, source, MARKER.applied, slots.fingerprint, source * 4);
  closing.add(SOURCE);
  const origin = slots.originLength[source] > 0 && slots.op[source] !== OP.delete ? originOf(slots, source) : undefined;
  closing.find({
    class: 'missing', window: closing.window, key: keyOf(slots, source), source: sideOfSlot(shard, source),
    target: origin === undefined ? undefined : shard.ghosts.stray(keyOf(slots, source), origin),
    columns: [], hint: undefined, attribution: attributionOf(shard, false),
  });
}

export function applied(shard: Shard, source: number, target: number, reordered: boolean, aligned: boolean, closing: Closing): void {
  if (!reordered && isSameImage(shard, source, target)) return matched(shard, source, target, closing);
  const image = imageOf(shard, source);
  const at = positionBytes(shard.slots, source).toString('hex');
  const comparison = withCarried(shard, shard.comparator.compare(image, imageOf(shard, target)), image, at, target, closing);
  closing.count(COUNT.unknownColumns, comparison.unknown);
  for (const { side, column } of comparison.undeclared) closing.undeclared(side, column);
  print(shard, target);
  pair(shard, source, target, comparison.equal);
  closing.count(COUNT.targetEvents, 1);
  if (comparison.equal && !reordered) closing.count(COUNT.matched, 1);
  addElements(shard, source, target, comparison, reordered, closing);
  if (!comparison.equal) {
    const { columns, hint } = differences(shard, imageOf(shard, source), imageOf(shard, target), comparison);
    report(shard, 'mismatch', source, target, aligned, closing, columns, hint);
  }
  if (reordered) report(shard, 'reordered', source, target, aligned, closing);
  dropApplied(shard, target, closing);
}

/**
 * By alignment and policy `collapse` an application may turn out to be that of a later, equal change as well (alignment-merged.ts): its image
 * is kept for as long as such a change may come. Fingerprints do not tell equality where a side does not know a column.
 */
function dropApplied(shard: Shard, target: number, closing: Closing): void {
  const { match, policy, window } = shard.settings;
  if (policy === 'collapse' && match.by === 'alignment' && shard.slots.time[target] >= closing.endUs - window.skewUs) return;
  shard.slots.dropImage(target);
}

/** The clean pair: one fingerprint and one digest element for both sides. */
function matched(shard: Shard, source: number, target: number, closing: Closing): void {
  const { slots } = shard;
  slots.fingerprint.copyWithin(target * 4, source * 4, source * 4 + 4);
  slots.fingerprinted[target] = 1;
  pair(shard, source, target, true);
  closing.count(COUNT.targetEvents, 1);
  closing.count(COUNT.matched, 1);
  closing.element(source, source, MARKER.applied, slots.fingerprint, source * 4);
  closing.add(SOURCE);
  closing.add(TARGET);
  dropApplied(shard, target, closing);
}

/** A clean pair has one element, computed once and added to both sides. */
function addElements(shard: Shard, source: number, target: number, comparison: Comparison, reordered: boolean, closing: Closing): void {
  const { fingerprint } = shard.slots;
  const common = comparison.equal && comparison.unknown > 0;
  const [words, at] = common ? [takeCommonPrint(shard, source, target), 0] : [fingerprint, source * 4];
  closing.element(source, source, MARKER.applied, words, at);
  closing.add(SOURCE);
  if (!comparison.equal) {
    const marker = samePrint(fingerprint, source * 4, fingerprint, target * 4) ? MARKER.unequal : MARKER.applied;
    closing.element(source, source, reordered ? MARKER.reordered : marker, fingerprint, target * 4);
  } else if (reordered) closing.element(source, source, MARKER.reordered, words, at);
  closing.add(TARGET);
}

/** A further application: a duplicate if its image is that of the first one or of the change, else an out-of-band write (ruling 10). */
function again(shard: Shard, group: Group, source: number, first: number, j: number, closing: Closing): void {
  const { slots } = shard;
  const { fingerprint } = slots;
  const target = group.targets[j];
  consume(shard, target);
  const same = samePrint(fingerprint, target * 4, fingerprint, first * 4) || samePrint(fingerprint, target * 4, fingerprint, source * 4);
  if (!same || !acceptReplay(shard, group, j, closing)) {
    closing.count(COUNT.targetEvents, 1);
    if (same) duplicate(shard, source, target, group.aligned[j], closing);
    else unexpected(shard, target, group.aligned[j], closing);
  }
  slots.dropImage(target);
}

export function duplicate(shard: Shard, source: number, target: number, aligned: boolean, closing: Closing): void {
  closing.count(COUNT.duplicate, 1);
  closing.element(source, source, MARKER.applied, shard.slots.fingerprint, target * 4);
  closing.add(TARGET);
  report(shard, 'duplicate', source, target, aligned, closing);
}

/** No source change caused it. The origin it claims, if any, is remembered for the change it may name (ruling 13). */
export function unexpected(shard: Shard, target: number, aligned: boolean, closing: Closing): void {
  const { slots } = shard;
  closing.count(COUNT.unexpected, 1);
  closing.element(target, target, MARKER.unattributed, slots.fingerprint, target * 4);
  closing.add(TARGET);
  const side = sideOfSlot(shard, target);
  closing.find({
    class: 'unexpected', window: closing.window, key: keyOf(slots, target), source: undefined, target: side,
    columns: [], hint: undefined, attribution: attributionOf(shard, aligned),
  });
  // A delete carries no origin of its own: it names what it removed, not what it applied.
  if (slots.originLength[target] > 0 && slots.op[target] !== OP.delete) shard.ghosts.putStray(keyOf(slots, target), originOf(slots, target), side);
}

export function report(
  shard: Shard, kind: 'mismatch' | 'reordered' | 'duplicate', source: number, target: number, aligned: boolean, closing: Closing,
  columns: ReturnType<typeof differences>['columns'] = [], hint?: ReturnType<typeof differences>['hint'],
): void {
  if (kind !== 'duplicate') closing.count(COUNT[kind], 1);
  closing.find({
    class: kind, window: closing.window, key: keyOf(shard.slots, source),
    source: sideOfSlot(shard, source), target: sideOfSlot(shard, target), columns, hint, attribution: attributionOf(shard, aligned),
  });
}

export function pair(shard: Shard, source: number, target: number, equal: boolean): void {
  const { slots } = shard;
  slots.setLink(source, target);
  slots.setLink(target, source);
  slots.addFlags(target, FLAG.consumed | (equal ? FLAG.equal : 0));
  if (slots.kind[source] === SLOT.read) slots.addFlags(source, FLAG.loaded);
  shard.observer?.paired(source, target);
}
