// What the shards of a pair have said of transactions, kept as long as a lone shard keeps its slots: L + 2ε before the window that is given out. So a
// transaction is told torn whatever windows and shards its changes lie in, as by one shard.
//
// It takes every transaction, for which of them will lose a change is not known yet. One row of the merge's store holds what was said of a window.
import { tornMemoryMax } from '../schemas/limits.ts';
import type { WindowSettings } from '../schemas/pair.ts';
import type { KeyValueStore } from './key-value.ts';
import { firstThatCounts, tornParts, type TransactionPart } from './torn.ts';
import { pack, unpack } from './window-bytes.ts';

export interface TornMemory {
  /** Of a window, given once, in order: its transactions that are torn by now, with what the windows before it have of them. */
  take(window: number, transactions: readonly TransactionPart[]): readonly TransactionPart[];
}

/** For a lone shard, which has looked at the windows before itself. */
export const NO_TORN_MEMORY: TornMemory = { take: (_, transactions) => tornParts(transactions) };

/** `store`: none for a run that nothing outlives. `max`: transactions of a window and their rows together. */
export function openTornMemory(settings: WindowSettings, store?: KeyValueStore, max: number = tornMemoryMax): TornMemory {
  /** Oldest first. */
  const windows: { readonly window: number; readonly transactions: readonly TransactionPart[] }[] = [];
  /** Of each transaction what those windows have of it, in their order. */
  const known = new Map<string, TransactionPart[]>();
  let size = 0;
  for (const said of storedIn(store)) remember(said.window, said.transactions);

  return {
    take(window, transactions) {
      while (windows.length > 0 && windows[0].window < firstThatCounts(settings, window)) forget();
      const torn = tornParts(transactions.map(part => (known.get(part.transaction) ?? []).reduce(withEarlier, part)));
      if (transactions.length > 0) {
        remember(window, transactions);
        store?.put(keyOf(window), pack({ transactions }));
      }
      while (size > max) forget();
      return torn;
    },
  };

  function remember(window: number, transactions: readonly TransactionPart[]): void {
    windows.push({ window, transactions });
    size += sizeOf(transactions);
    for (const part of transactions) {
      const parts = known.get(part.transaction);
      if (parts === undefined) known.set(part.transaction, [part]);
      else parts.push(part);
    }
  }

  /** The oldest window. */
  function forget(): void {
    const oldest = windows.shift();
    if (oldest === undefined) return;
    size -= sizeOf(oldest.transactions);
    for (const { transaction } of oldest.transactions) {
      const parts = known.get(transaction) ?? [];
      parts.shift();
      if (parts.length === 0) known.delete(transaction);
    }
    store?.delete(keyOf(oldest.window));
  }
}

function withEarlier(part: TransactionPart, before: TransactionPart): TransactionPart {
  return {
    transaction: part.transaction, applied: part.applied + before.applied, missing: part.missing + before.missing,
    appliedBefore: part.appliedBefore + before.applied, missingBefore: part.missingBefore + before.missing, keys: [...part.keys, ...before.keys],
  };
}

function sizeOf(transactions: readonly TransactionPart[]): number {
  return transactions.reduce((sum, { keys }) => sum + 1 + keys.length, 0);
}

const PREFIX = 'torn/';
const BEHIND = Buffer.from('torn0');
const keyOf = (window: number): Buffer => Buffer.from(PREFIX + String(window));

function storedIn(store: KeyValueStore | undefined): { window: number; transactions: readonly TransactionPart[] }[] {
  const rows = [...store?.range(Buffer.from(PREFIX), BEHIND) ?? []];
  return rows.map(([key, value]) => ({
    window: Number(key.toString().slice(PREFIX.length)), transactions: (unpack(value) as { transactions: readonly TransactionPart[] }).transactions,
  })).sort((a, b) => a.window - b.window);
}
