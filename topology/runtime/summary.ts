// What a one-shot run says at its end: the status of each partition, the summary of a pair, and the exit code (product.md §3, ruling 1).
import { verdictHash } from '../../processors/chain.ts';
import { countOpen } from '../../processors/closing.ts';
import { COUNT, createTally, printCounts } from '../../processors/tally.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { StatusRecord, SummaryRecord, VerdictRecord } from '../../schemas/records.ts';
import { partitionStatus } from './partition-status.ts';
import type { PairTask } from './pair-task.ts';

export function summarise(settings: PairSettings, task: PairTask, verdicts: readonly VerdictRecord[]): SummaryRecord {
  const total = createTally();
  const open = new Set<number>();
  for (const { shard } of task.shards) {
    shard.tallies.total.forEach((n, i) => (total[i] += n));
    const { windows, pending } = countOpen(shard);
    for (const window of windows) open.add(window);
    total[COUNT.pending] += pending;
    total[COUNT.openDivergences] += shard.openDivergences;
  }
  const having = (change: VerdictRecord['change']): number => verdicts.filter(verdict => verdict.change === change).length;
  const windows = { parity: having('parity'), diverged: having('diverged'), undecidable: having('undecidable'), open: open.size };
  const exitCode = exitCodeOf(windows, total[COUNT.openDivergences], total[COUNT.late] + total[COUNT.deadLettered]);
  const last = verdicts.at(-1);
  return {
    record: 'summary', pair: settings.name,
    windows: { parity: String(windows.parity), diverged: String(windows.diverged), undecidable: String(windows.undecidable), open: String(windows.open) },
    counts: printCounts(total), ...(last === undefined ? {} : { lastVerdictHash: verdictHash(last) }), exitCode,
  };
}

/** How far each partition has come, and which of them hold the first window that stayed open. */
export function statusOf(settings: PairSettings, task: Pick<PairTask, 'shards' | 'members' | 'evidence'>): StatusRecord[] {
  const open = task.shards.flatMap(({ shard }) => [...countOpen(shard).windows]);
  const heldUs = open.length === 0 ? undefined : (Math.min(...open) + 1) * settings.window.sizeUs;
  return task.members.map(({ claim }) => partitionStatus(settings, claim, task.evidence, heldUs));
}

function exitCodeOf(windows: { parity: number; diverged: number; undecidable: number }, openDivergences: number, deadLetters: number): number {
  const closed = windows.parity + windows.diverged + windows.undecidable;
  if (windows.diverged > 0 || openDivergences > 0) return 1;
  return windows.undecidable > 0 || deadLetters > 0 || closed === 0 ? 3 : 0;
}
