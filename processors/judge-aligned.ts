// Judges one key in match mode `alignment`: gives the aligner (alignment.ts) what is still known of the key, and acts on its verdicts. A
// source change that is still owed is one of its events wherever it is kept, in a slot or as a ghost.
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { alignmentWorkMax } from '../schemas/limits.ts';
import { align } from './alignment.ts';
import { asBulkMismatch } from './bulk-mismatch.ts';
import { createAlignment, OF_SOURCE, OF_TARGET } from './alignment-pairs.ts';
import { createAlignInput, IS } from './alignment-input.ts';
import { appliedVersions, isHeld, isKnownSame, samePrints, versionsOf } from './aligned-versions.ts';
import { keyOf, sideOfSlot } from './finding.ts';
import { ghostImage, type Ghost } from './ghosts.ts';
import { consume, imageOf, print } from './images.ts';
import type { Aligner, Group } from './group.ts';
import { applied, collapsed, duplicate, missing, pair, report, unexpected } from './judge-source.ts';
import { late, lateSlot, load, repeated, settle } from './judge-target.ts';
import type { Shard } from './shard.ts';
import type { Closing } from './window.ts';
import { COUNT } from './tally.ts';

export function createAligner(shard: Shard, group: Group): Aligner {
  const aligner: Aligner = { input: createAlignInput(versionsOf(shard, group, () => aligner)), alignment: createAlignment(), at: [], ghosts: [], held: undefined, applied: undefined, gone: undefined };
  return aligner;
}

/** True where the closing window has consumed an event of the key. */
export function judgeAligned(shard: Shard, group: Group, aligner: Aligner, window: Closing): boolean {
  fillInput(shard, group, aligner, window);
  const alignment = align(aligner.input, aligner.alignment);
  const { sourceCount, targetCount } = alignment.play;
  const closing = alignment.how === 'bulk' ? asBulkMismatch(window, aligner.input, sourceCount, targetCount) : window;
  let touched = false;
  for (let i = 0; i < aligner.at.length; i++) {
    if (alignment.reordered[i] === 1 && (aligner.input.sourceIs[i] & IS.consumed) !== 0) nameReordered(shard, aligner.at[i], closing);
    if (alignment.ofSource[i] === OF_SOURCE.none || alignment.ofSource[i] === OF_SOURCE.later) continue;
    touched = judgeOne(shard, group, aligner, i, closing) || touched;
  }
  for (let j = 0; j < group.targets.length; j++) touched = judgeLeft(shard, group, aligner, j, closing) || touched;
  return touched;
}

function fillInput(shard: Shard, group: Group, aligner: Aligner, closing: Closing): void {
  const { slots } = shard;
  const { input, at } = aligner;
  const { lagUs, skewUs } = shard.settings.window;
  input.clear();
  input.startUs = closing.startUs;
  input.endUs = closing.endUs;
  input.lagUs = lagUs;
  input.skewUs = skewUs;
  input.elides = shard.targetElides;
  input.policy = shard.settings.policy;
  input.workMax = alignmentWorkMax;
  at.length = 0;
  aligner.held = aligner.applied = aligner.gone = undefined;
  const slot = group.sources.at(0) ?? group.targets[0];
  // Only what had a finding can be owed.
  aligner.ghosts = shard.troubled.has(slot) ? shard.ghosts.of(keyOf(slots, slot)).filter(ghost => ghost.kind !== 'applied') : [];
  aligner.ghosts.forEach((ghost, g) => {
    at.push(-1 - g);
    input.addSource(ghost.timeUs, IS.ghost | (ghost.image === null ? IS.absent : 0), -1);
  });
  for (let i = 0; i < group.sources.length; i++) {
    const source = group.sources[i];
    at.push(source);
    input.addSource(slots.time[source], isSource(shard, group, aligner, i), slots.link[source] >= 0 ? group.place[slots.link[source]] : -1);
  }
  for (const target of group.targets) {
    const consumed = slots.kind[target] === SLOT.read || (slots.flags[target] & FLAG.consumed) !== 0;
    input.addTarget(slots.time[target], (consumed ? IS.consumed : 0) | (slots.kind[target] === SLOT.read ? IS.read : 0) | (slots.layout[target] < 0 ? IS.absent : 0));
  }
}

function isSource(shard: Shard, group: Group, aligner: Aligner, i: number): number {
  const { slots } = shard;
  const source = group.sources[i];
  const flags = slots.flags[source];
  const is = (slots.layout[source] < 0 ? IS.absent : 0) | (slots.kind[source] === SLOT.read ? IS.read : 0);
  if ((flags & FLAG.missing) !== 0 && slots.link[source] === -1) return is | IS.ghost;
  if ((flags & FLAG.consumed) === 0) return is | (shard.targetElides && isNoop(shard, group, aligner, i) ? IS.noop : 0);
  return is | IS.consumed | (slots.link[source] === -1 ? 0 : IS.applied) | ((flags & FLAG.outOfOrder) !== 0 ? IS.outOfOrder : 0) | ((flags & FLAG.named) !== 0 ? IS.reordered : 0);
}

/** Its fully known image is that of the change before it: an engine that elides no-ops has nothing to log. */
function isNoop(shard: Shard, group: Group, aligner: Aligner, i: number): boolean {
  const { slots } = shard;
  const source = group.sources[i];
  if (slots.kind[source] !== SLOT.change || slots.layout[source] < 0 || !shard.context.layoutById(slots.layout[source]).plain) return false;
  if (i > 0) return isKnownSame(shard, source, group.sources[i - 1]);
  return isHeld(shard, group, aligner, source);
}

/** True where something is consumed. */
function judgeOne(shard: Shard, group: Group, aligner: Aligner, i: number, closing: Closing): boolean {
  const { slots } = shard;
  const { alignment } = aligner;
  const verdict = alignment.ofSource[i];
  const source = aligner.at[i];
  const target = alignment.application[i] < 0 ? -1 : group.targets[alignment.application[i]];
  if (verdict === OF_SOURCE.lateApplied) return lateApplied(shard, aligner, source, target, closing);
  // A read row without a load stays in play for as long as its slot. Counter-example: read row X, then updates X, X, X over the edges of
  // windows: while the last application is not in evidence, its target change is missing, and the search takes the load for the first update's.
  if (verdict === OF_SOURCE.nothing) return false;
  print(shard, source);
  slots.addFlags(source, FLAG.consumed | (target >= 0 && alignment.inOrder[i] === 0 ? FLAG.outOfOrder : 0));
  if (slots.kind[source] === SLOT.read) {
    consume(shard, target);
    pair(shard, source, target, load(shard, imageOf(shard, source), sideOfSlot(shard, source), target, closing));
    slots.dropImage(target);
  } else judgeChange(shard, source, target, verdict, alignment.reordered[i] === 1, closing);
  return true;
}

function judgeChange(shard: Shard, source: number, target: number, verdict: number, reordered: boolean, closing: Closing): void {
  const { slots } = shard;
  closing.count(COUNT.sourceEvents, 1);
  if (verdict === OF_SOURCE.missing) return missing(shard, source, closing);
  if (verdict === OF_SOURCE.merged) return collapsed(shard, source, true, closing);
  // The row is as its last version then, if that can be told without the images.
  if (verdict === OF_SOURCE.mergedBack) return collapsed(shard, source, !samePrints(shard, source, target), closing);
  if (verdict === OF_SOURCE.elided) {
    closing.count(COUNT.elided, 1);
    shard.observer?.elided(source);
  } else applied(shard, source, target, reordered, true, closing);
  if (reordered) slots.addFlags(source, FLAG.named);
  slots.dropImage(source);
}

function lateApplied(shard: Shard, aligner: Aligner, source: number, target: number, closing: Closing): true {
  consume(shard, target);
  if (source < 0) lateGhost(shard, aligner.ghosts[-1 - source], target, closing);
  else {
    shard.slots.addFlags(source, FLAG.named | FLAG.outOfOrder);
    lateSlot(shard, source, target, true, closing);
  }
  shard.slots.dropImage(target);
  return true;
}

function lateGhost(shard: Shard, ghost: Ghost, target: number, closing: Closing): void {
  const equal = late(shard, ghost.window, ghostImage(shard.context, ghost), ghost.side, target, true, closing);
  settle(shard, keyOf(shard.slots, target), Buffer.from(ghost.side.sortKey, 'hex'), ghost, target, equal);
}

/** A target change that no source change of this closing has applied: a repeat, an out-of-band write, or one that still waits. */
function judgeLeft(shard: Shard, group: Group, aligner: Aligner, j: number, closing: Closing): boolean {
  const verdict = aligner.alignment.ofTarget[j];
  const target = group.targets[j];
  if (shard.slots.kind[target] === SLOT.read) {
    if (shard.slots.time[target] < closing.endUs) consume(shard, target);
    return shard.slots.time[target] < closing.endUs && shard.slots.time[target] >= closing.startUs;
  }
  if (verdict === OF_TARGET.passing || verdict === OF_TARGET.ends) return replayed(shard, target, verdict === OF_TARGET.passing, closing);
  if (verdict !== OF_TARGET.duplicate && verdict !== OF_TARGET.unexpected) return verdict === OF_TARGET.paired;
  consume(shard, target);
  closing.count(COUNT.targetEvents, 1);
  const cause = verdict === OF_TARGET.duplicate ? aligner.at[aligner.alignment.cause[j]] : undefined;
  if (cause !== undefined && cause >= 0) duplicate(shard, cause, target, true, closing);
  else if (cause !== undefined) repeated(shard, aligner.ghosts[-1 - cause].side, target, true, closing);
  else byHistory(shard, aligner, target, closing);
  shard.slots.dropImage(target);
  return true;
}

/** Policy `replay` allows it: it is excluded, and the row's state is that of the suffix's end. */
function replayed(shard: Shard, target: number, passing: boolean, closing: Closing): true {
  consume(shard, target);
  if (passing) shard.slots.addFlags(target, FLAG.allowed);
  closing.count(COUNT.excluded, 1);
  closing.loaded();
  shard.slots.dropImage(target);
  return true;
}

/** A version applied long ago, whose slots are gone, may be the one that is repeated (ruling 11). */
function byHistory(shard: Shard, aligner: Aligner, target: number, closing: Closing): void {
  aligner.applied ??= appliedVersions(shard, keyOf(shard.slots, target));
  const side = aligner.applied.get(shard.slots.fingerprint.subarray(target * 4, target * 4 + 4).join())?.();
  if (side === undefined) unexpected(shard, target, true, closing);
  else repeated(shard, side, target, true, closing);
}

/** Found only now, for a change that an earlier window has counted. */
function nameReordered(shard: Shard, source: number, closing: Closing): void {
  const { slots } = shard;
  slots.addFlags(source, FLAG.named);
  if (slots.link[source] >= 0) report(shard, 'reordered', source, slots.link[source], true, closing);
}
