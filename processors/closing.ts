// Closing a window: the one place where verdicts are made. Every key with an event in the window is judged once; then the window's
// identities and versions are remembered, and slots too old to be looked back at are freed.
import { SOURCE, TARGET } from '../schemas/change-event.ts';
import type { Side } from '../schemas/change-event.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { horizonUs } from './claims.ts';
import { findCoverageGaps } from './coverage.ts';
import { trimBlindSpots } from './blind-spots.ts';
import { findEvidenceGaps } from './continuity.ts';
import { LANES, type DigestSums } from './digest.ts';
import { isRowEvent } from './divergences.ts';
import type { Finding, Resolution } from './finding.ts';
import type { Group } from './group.ts';
import { createGroup, judgeKey } from './judge.ts';
import { forget, remember } from './retire.ts';
import { windowOf, type Shard } from './shard.ts';
import { COUNT, createTally, type Tally } from './tally.ts';
import { partsOfTransactions } from './torn.ts';
import { findStreamGaps } from './transaction-gaps.ts';
import type { Closing, ShardWindow } from './window.ts';

/** Closes windows of a shard, in order. Undefined: there is nothing to say of this one. */
export type WindowCloser = (window: number) => ShardWindow | undefined;

/** `alone`: the pair has no other shard. */
export function createWindowCloser(shard: Shard, alone: boolean): WindowCloser {
  const group = createGroup(shard);
  const { retainUs, lagUs, skewUs, sizeUs } = shard.settings.window;
  // What is remembered outlives the slots: what they no longer know is looked for there.
  const rememberedUs = Math.max(retainUs, lagUs + 2 * skewUs + sizeUs);
  return window => {
    const draft = open(shard, window, alone);
    findEvidenceGaps(shard, draft.closing);
    findStreamGaps(shard, draft.closing);
    judgeKeys(shard, group, draft);
    findCoverageGaps(shard, draft.closing, draft.missing());
    remember(shard, window);
    shard.closedUpToUs = draft.closing.endUs;
    const result = draft.finish();
    forget(shard, window);
    shard.blindSpots.forEach(trimBlindSpots);
    shard.history.expire(draft.closing.endUs - rememberedUs);
    return result;
  };
}

interface Draft { readonly closing: Closing; beginKey(): void; missing(): number; finish(): ShardWindow | undefined }

function judgeKeys(shard: Shard, group: Group, draft: Draft): void {
  const { slots } = shard;
  for (let slot = slots.window(draft.closing.window); slot >= 0; slot = slots.nextInWindow[slot]) judgeKeyOf(shard, group, draft, slot);
}

function judgeKeyOf(shard: Shard, group: Group, draft: Draft, slot: number): void {
  const { slots } = shard;
  if (slots.mark[slot] === draft.closing.number || !isRowEvent(shard, slot)) return;
  if (slots.side[slot] === TARGET && (slots.flags[slot] & FLAG.consumed) !== 0) return;
  draft.beginKey();
  judgeKey(shard, group, slot, draft.closing);
}

function open(shard: Shard, window: number, alone: boolean): Draft {
  const { sizeUs } = shard.settings.window;
  const endUs = (window + 1) * sizeUs;
  const sums: DigestSums = new BigUint64Array(LANES * 2);
  const findings: Finding[] = [];
  const resolved: Resolution[] = [];
  const amended = new Map<number, number>();
  const schema: { side: Side; column: string }[] = [];
  let undecidable = shard.undecidable.delete(window);
  const counts = createTally();
  let keyFrom = 0;
  let loads = 0;
  const closing: Closing = {
    number: shard.closings++,
    window, startUs: window * sizeUs, endUs, resolved,
    targetEvidenceUs: endUs + horizonUs(TARGET, shard.settings.window),
    sourceEvidenceUs: endUs + horizonUs(SOURCE, shard.settings.window),
    count: (name, by) => void (counts[name] += by),
    element(slot, at, marker, print, printAt) {
      const { slots } = shard;
      const start = slots.headAt[slot];
      const page = slots.heads.pages[slots.headPage[slot]];
      shard.hasher.element(page, start, start + slots.keyLength[slot], slots.position, at * WORDS, marker, print, printAt);
    },
    digest: (...parts) => { shard.hasher.element(...parts); },
    add: side => shard.hasher.addTo(sums, side),
    find(finding) {
      if (finding.window * sizeUs >= shard.warmUpUntilUs) findings.push(finding);
    },
    findingsOfKey: () => (findings.length === keyFrom ? NO_FINDINGS : findings.slice(keyFrom)),
    loaded: () => void loads++,
    amend(earlier) {
      if (earlier * sizeUs < shard.warmUpUntilUs) return void (counts[COUNT.excluded] += 1);
      amended.set(earlier, (amended.get(earlier) ?? 0) + 1);
      shard.tallies.total[COUNT.lateApplied]++;
      shard.tallies.total[COUNT.targetEvents]++;
    },
    undeclared(side, column) {
      undecidable = true;
      if (shard.schemaNotes.has(side + column)) return;
      shard.schemaNotes.add(side + column);
      schema.push({ side, column });
    },
  };
  const isWarmUp = window * sizeUs < shard.warmUpUntilUs;
  function finish(): ShardWindow | undefined {
    if (isWarmUp) undecidable = excludeUnmatched(counts, sums) || undecidable;
    counts.forEach((by, name) => by > 0 && shard.tallies.add(window, name, by));
    const tally = shard.tallies.take(window);
    const says = findings.length + resolved.length + loads > 0 || undecidable || tally.some(n => n > 0) || shard.openDivergences > 0;
    if (!says) return undefined;
    tally[COUNT.openDivergences] = shard.openDivergences;
    return { window, tally, sums, findings, resolved, amended, schema, undecidable, loads, openDivergences: shard.openDivergences, targetElides: shard.targetElides, transactions: partsOfTransactions(shard, closing, alone) };
  }
  return { closing, beginKey: () => void (keyFrom = findings.length), missing: () => counts[COUNT.missing], finish };
}

/** In a warm-up window only what matched is told; the rest is excluded. True where the window has anything to say at all. */
function excludeUnmatched(counts: Tally, sums: DigestSums): boolean {
  const matched = counts[COUNT.matched];
  const changes = counts[COUNT.sourceEvents] + counts[COUNT.targetEvents];
  const excluded = counts[COUNT.excluded] + changes - 2 * matched;
  counts.fill(0);
  counts[COUNT.matched] = counts[COUNT.sourceEvents] = counts[COUNT.targetEvents] = matched;
  counts[COUNT.excluded] = excluded;
  sums.fill(0n);
  return changes > 0;
}

const WORDS = 8;
const NO_FINDINGS: readonly Finding[] = [];

/** Windows above the closed frontier that hold an event no verdict has consumed, and the number of those events. */
export function countOpen(shard: Shard): { windows: Set<number>; pending: number } {
  const windows = new Set<number>();
  let pending = 0;
  for (const window of shard.slots.windows()) pending += countPending(shard, window, windows);
  return { windows, pending };
}

function countPending(shard: Shard, window: number, windows: Set<number>): number {
  const { slots } = shard;
  let pending = 0;
  for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) {
    if (slots.kind[slot] === SLOT.alias || slots.kind[slot] === SLOT.read || (slots.flags[slot] & FLAG.consumed) !== 0) continue;
    pending++;
    if (slots.time[slot] >= shard.closedUpToUs) windows.add(windowOf(shard, slots.time[slot]));
  }
  return pending;
}
