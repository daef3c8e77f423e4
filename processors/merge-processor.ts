// Merges the shards' windows to one verdict each, chains their hashes, and publishes. A one-shot run publishes each window once, with what
// amended it since (ruling 12), so windows are held until the input has ended. A long-running one publishes `final` when a window closes
// and, when a change that was missing is applied after all, `amended`: the same verdictId, a new link of the chain. The last word on a window is
// the same in both but for its link.
import type { PairSettings } from '../schemas/pair.ts';
import type { Status } from '../schemas/records.ts';
import type { ShardWindow } from './window.ts';
import { verdictHash } from './chain.ts';
import type { Decision } from './decision.ts';
import type { Finding } from './finding.ts';
import { createMergeMemory, MERGE_STORE, openMergeMemory, type Held } from './merge-memory.ts';
import type { Processor, ProcessorContext } from './processor.ts';
import { COUNT } from './tally.ts';
import { NO_TORN_MEMORY, openTornMemory } from './torn-memory.ts';
import { mergeWindows, publish } from './verdict.ts';

/** One shard's word on a window, before the decision that closes it. */
export interface ShardVerdict { readonly shard: number; readonly result: ShardWindow }

/** When verdicts are published: each once when the input has ended, or as windows close. */
export type Publishing = 'at-end' | 'at-close';

/** `alone`: there is one shard. */
export function createMergeProcessor(pair: PairSettings, publishing: Publishing = 'at-end', alone = true): (context: ProcessorContext) => Processor<ShardVerdict> {
  return context => {
    const store = publishing === 'at-end' ? undefined : context.store(MERGE_STORE);
    const memory = store === undefined ? createMergeMemory() : openMergeMemory(store, pair);
    const transactions = alone ? NO_TORN_MEMORY : openTornMemory(pair.window, store);
    const { held, head } = memory;
    const said: ShardVerdict[] = [];
    return {
      process: word => void said.push(word),
      punctuate(decision) {
        for (const word of said.splice(0)) take(word, decision);
        if (publishing === 'at-close') giveAll();
      },
      finish() {
        giveAll();
        held.clear();
      },
    };

    function take(word: ShardVerdict, decision: Decision): void {
      const { result } = word;
      const earlier = result.findings.filter(finding => finding.window !== result.window);
      const own = { ...word, result: { ...result, findings: result.findings.filter(finding => finding.window === result.window) } };
      hold(held, own, decision);
      for (const [window, by] of result.amended) amend(memory.find(window), by);
      for (const finding of earlier) addLate(memory.find(finding.window), finding);
    }

    function giveAll(): void {
      const news = inOrder(held).filter(window => held.get(window)?.changed);
      for (const window of news) give(held.get(window) as Held);
      if (news.length > 0) memory.keepHead();
      for (const window of news) keep(window, held.get(window) as Held);
    }

    function keep(window: number, { result, late }: Held): void {
      if (canBeAmended(result, late)) memory.keepWindow(window);
      else memory.dropWindow(window);
    }

    function give(of: Held): void {
      of.changed = false;
      if (of.status === undefined) {
        of.result = { ...of.result, transactions: transactions.take(of.result.window, of.result.transactions) };
        for (const [shard, count] of of.open) head.open.set(shard, count);
        of.result.tally[COUNT.openDivergences] = [...head.open.values()].reduce((sum, count) => sum + count, 0);
      }
      if (says(of.result)) say(of, of.late.length > 0 ? 'amended' : 'final');
    }

    function say(of: Held, status: Status): void {
      const isFirst = of.status === undefined;
      of.status = status;
      const published = publish(pair, { ...of.result, findings: [...of.result.findings, ...of.late] }, of.decision, status, head.previous);
      head.previous = verdictHash(published.verdict);
      for (const record of published.manifest) context.forward('manifests', record);
      for (const record of published.schema) {
        if (head.noted.has(record.side + record.column)) continue;
        head.noted.add(record.side + record.column);
        context.forward('verdicts', record);
      }
      context.forward('verdicts', published.verdict);
      if (isFirst) for (const record of published.resolved) context.forward('verdicts', record);
    }
  };
}

function inOrder(windows: ReadonlyMap<number, Held>): number[] {
  return [...windows.keys()].sort((a, b) => a - b);
}

function hold(into: Map<number, Held>, { shard, result }: ShardVerdict, decision: Decision): void {
  let known = into.get(result.window);
  if (known !== undefined) known.result = mergeWindows(known.result, result);
  else into.set(result.window, (known = { result, decision, late: [], open: new Map(), status: undefined, changed: true }));
  known.changed = true;
  known.open.set(shard, result.openDivergences);
}

function addLate(amended: Held | undefined, finding: Finding): void {
  if (amended === undefined) return;
  amended.late.push(finding);
  amended.changed = true;
}

/** While some change of it is missing and was not applied since. */
function canBeAmended({ findings }: ShardWindow, late: readonly Finding[]): boolean {
  return findings.filter(finding => finding.class === 'missing').length > late.length;
}

/** Ruling 1: a verdict is given where a source change, a consumed target change or a resolved key is, or where nothing can be told. */
function says(result: ShardWindow): boolean {
  const { tally } = result;
  return tally[COUNT.sourceEvents] + tally[COUNT.targetEvents] + result.findings.length + result.resolved.length + result.loads > 0 || result.undecidable;
}

function amend(amended: Held | undefined, by: number): void {
  if (amended === undefined) return;
  const tally = amended.result.tally.slice();
  tally[COUNT.lateApplied] += by;
  tally[COUNT.targetEvents] += by;
  amended.result = { ...amended.result, tally };
  amended.changed = true;
}
