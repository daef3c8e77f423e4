// What a one-shot run says at its end: the status of each partition, the summary of a pair, and the exit code (product.md §3, ruling 1).
import { verdictHash } from '../../processors/chain.ts';
import { countOpen } from '../../processors/closing.ts';
import { COUNT, createTally, printCounts, type Tally } from '../../processors/tally.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { StatusRecord, SummaryRecord, VerdictRecord } from '../../schemas/records.ts';
import { partitionStatus } from './partition-status.ts';
import type { PairTask } from './pair-task.ts';

export function summarise(settings: PairSettings, task: PairTask, verdicts: readonly VerdictRecord[]): SummaryRecord {
  const open = openOf(task);
  const total = totalsOf(task);
  total[COUNT.pending] += open.pending;
  const having = (change: VerdictRecord['change']): number => verdicts.filter(verdict => verdict.change === change).length;
  const windows = { parity: having('parity'), diverged: having('diverged'), undecidable: having('undecidable'), open: open.windows.size };
  const exitCode = exitCodeOf(windows, total[COUNT.openDivergences], total[COUNT.late] + total[COUNT.deadLettered]);
  const last = verdicts.at(-1);
  return {
    record: 'summary', pair: settings.name,
    windows: { parity: String(windows.parity), diverged: String(windows.diverged), undecidable: String(windows.undecidable), open: String(windows.open) },
    counts: printCounts(total), ...(last === undefined ? {} : { lastVerdictHash: verdictHash(last) }), exitCode,
  };
}

/** Windows above the closed frontier with an event that no verdict has consumed, and how many such events there are. */
export interface Open { readonly windows: ReadonlySet<number>; readonly pending: number }

export const NOTHING_OPEN: Open = { windows: new Set(), pending: 0 };

export function openOf({ shards }: Pick<PairTask, 'shards'>): Open {
  const counts = shards.map(({ shard }) => countOpen(shard));
  return { windows: new Set(counts.flatMap(({ windows }) => [...windows])), pending: counts.reduce((sum, { pending }) => sum + pending, 0) };
}

/** The counts of all windows so far, and what is open now of the divergences. */
export function totalsOf({ shards }: Pick<PairTask, 'shards'>): Tally {
  const total = createTally();
  for (const { shard } of shards) {
    shard.tallies.total.forEach((n, i) => (total[i] += n));
    total[COUNT.openDivergences] += shard.openDivergences;
  }
  return total;
}

/** How far each partition has come, and which of them hold the first window that stayed open. */
export function statusOf(settings: PairSettings, task: Pick<PairTask, 'shards' | 'members' | 'evidence'>, open: Open = openOf(task)): StatusRecord[] {
  return task.members.map(({ claim }) => partitionStatus(settings, claim, task.evidence, heldUs(settings, open)));
}

/** End of the first window that is open. */
export function heldUs({ window }: PairSettings, { windows }: Open): number | undefined {
  return windows.size === 0 ? undefined : (Math.min(...windows) + 1) * window.sizeUs;
}

function exitCodeOf(windows: { parity: number; diverged: number; undecidable: number }, openDivergences: number, deadLetters: number): number {
  const closed = windows.parity + windows.diverged + windows.undecidable;
  if (windows.diverged > 0 || openDivergences > 0) return 1;
  return windows.undecidable > 0 || deadLetters > 0 || closed === 0 ? 3 : 0;
}
