// Merges the shards' windows to one verdict each, chains their hashes, and publishes. A one-shot run prints each window once, with what
// amended it since (ruling 12), so windows are held until the input has ended.
import type { PairSettings } from '../schemas/pair.ts';
import type { ShardWindow } from './window.ts';
import { CHAIN_START, verdictHash } from './chain.ts';
import type { Decision } from './decision.ts';
import type { Finding } from './finding.ts';
import type { Processor, ProcessorContext } from './processor.ts';
import { COUNT } from './tally.ts';
import { mergeWindows, publish } from './verdict.ts';

/** One shard's word on a window, under the decision that closed it. */
export interface ShardVerdict { readonly shard: number; readonly result: ShardWindow; readonly decision: Decision }

interface Held {
  result: ShardWindow;
  readonly decision: Decision;
  readonly late: Finding[];
  /** Open divergences of the shards that spoke of this window. */
  readonly open: Map<number, number>;
}

export function createMergeProcessor(pair: PairSettings): (context: ProcessorContext) => Processor<ShardVerdict> {
  return context => {
    const held = new Map<number, Held>();
    const noted = new Set<string>();
    return {
      process({ shard, result, decision }) {
        const earlier = result.findings.filter(finding => finding.window !== result.window);
        const own = { ...result, findings: result.findings.filter(finding => finding.window === result.window) };
        const known = held.get(result.window);
        if (known !== undefined) known.result = mergeWindows(known.result, own);
        else held.set(result.window, { result: own, decision, late: [], open: new Map() });
        held.get(result.window)?.open.set(shard, result.openDivergences);
        for (const [window, by] of result.amended) amend(held, window, by);
        for (const finding of earlier) held.get(finding.window)?.late.push(finding);
      },
      finish() {
        let previous = CHAIN_START;
        // A shard that says nothing of a window has as many open divergences as it had before.
        const open = new Map<number, number>();
        for (const window of [...held.keys()].sort((a, b) => a - b)) {
          const { result, decision, late, open: spoken } = held.get(window) as Held;
          for (const [shard, count] of spoken) open.set(shard, count);
          result.tally[COUNT.openDivergences] = [...open.values()].reduce((sum, count) => sum + count, 0);
          if (!says(result)) continue;
          const all = { ...result, findings: [...result.findings, ...late] };
          const published = publish(pair, all, decision, late.length > 0, previous);
          previous = verdictHash(published.verdict);
          for (const record of published.manifest) context.forward('manifests', record);
          for (const record of published.schema) {
            if (noted.has(record.side + record.column)) continue;
            noted.add(record.side + record.column);
            context.forward('verdicts', record);
          }
          context.forward('verdicts', published.verdict);
          for (const record of published.resolved) context.forward('verdicts', record);
        }
        held.clear();
      },
    };
  };
}

/** Ruling 1: a verdict is given where a source change, a consumed target change or a resolved key is, or where nothing can be told. */
function says(result: ShardWindow): boolean {
  const { tally } = result;
  return tally[COUNT.sourceEvents] + tally[COUNT.targetEvents] + result.findings.length + result.resolved.length + result.loads > 0 || result.undecidable;
}

function amend(held: Map<number, Held>, window: number, by: number): void {
  const amended = held.get(window);
  if (amended === undefined) return;
  const tally = amended.result.tally.slice();
  tally[COUNT.lateApplied] += by;
  tally[COUNT.targetEvents] += by;
  amended.result = { ...amended.result, tally };
}
