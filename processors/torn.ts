// Transactions of the source of which the target has a part: torn (semantics.md §7). A shard tells what it has of each transaction, for a
// transaction's rows may lie in several shards; whether it is torn is told where the shards' words are merged (merge-processor.ts).
//
// PostgreSQL gives all changes of a transaction one commit time, MySQL and MariaDB each the time of its statement. So what earlier windows
// have of a transaction counts too, and the first window that shows it torn reports it. Counter-example to counting a window alone: two
// statements, a second apart, the second one lost. Its window has nothing of the transaction but what is missing.
//
// A shard that is alone finds those earlier windows in its slots, and only where something is missing. One of several says what the closing window has
// of every transaction, and the merge remembers it (torn-memory.ts). Counter-example to each shard's own slots: of two statements each in a shard of
// its own, neither shard has both, and the one whose statement is not in the window has nothing to say of it.
import { printKey } from '../schemas/canonical/print.ts';
import { SOURCE } from '../schemas/change-event.ts';
import { tornKeysMax, tornTransactionsMax } from '../schemas/limits.ts';
import type { WindowSettings } from '../schemas/pair.ts';
import type { KeyJson, TornTransaction } from '../schemas/records.ts';
import { FLAG } from '../stores/slot-store.ts';
import { keyOf } from './finding.ts';
import type { Shard } from './shard.ts';
import { eachRow } from './transaction-rows.ts';
import type { Closing } from './window.ts';

/** What there is of a transaction that has a change in the closing window: in that window and those before it, and of that in those before it alone. */
export interface TransactionPart {
  readonly transaction: string;
  readonly applied: number;
  readonly missing: number;
  readonly appliedBefore: number;
  readonly missingBefore: number;
  /** Of the changes that are missing. */
  readonly keys: readonly Buffer[];
}

/** After the window's keys were judged. `alone`: no other shard has rows of the pair, so what is not torn here is not torn. */
export function partsOfTransactions(shard: Shard, closing: Closing, alone: boolean): readonly TransactionPart[] {
  if (closing.startUs < shard.warmUpUntilUs) return NONE;
  const windows = alone ? [...shard.slots.windows()].filter(window => isTold(shard, closing, window)) : [closing.window];
  if (alone && !windows.some(window => shard.lossyWindows.has(window))) return NONE;
  const parts = new Map<string, { -readonly [Name in keyof TransactionPart]: TransactionPart[Name] } & { keys: Buffer[] }>();
  eachChange(shard, closing.window, (transaction, slot) => {
    let part = parts.get(transaction);
    if (part === undefined) parts.set(transaction, (part = { transaction, applied: 0, missing: 0, appliedBefore: 0, missingBefore: 0, keys: [] }));
    if (isMissing(shard, slot)) part.keys.push(keyOf(shard.slots, slot));
    part[isMissing(shard, slot) ? 'missing' : 'applied']++;
  });
  for (const window of windows) {
    if (window === closing.window) continue;
    eachChange(shard, window, (transaction, slot) => {
      const part = parts.get(transaction);
      if (part === undefined) return;
      const missing = isMissing(shard, slot);
      if (missing) part.keys.push(keyOf(shard.slots, slot));
      part[missing ? 'missing' : 'applied']++;
      part[missing ? 'missingBefore' : 'appliedBefore']++;
    });
  }
  return [...parts.values()].filter(part => !alone || isTorn(part));
}

/** The closing window, and those before it that count. */
function isTold(shard: Shard, closing: Closing, window: number): boolean {
  const { window: settings } = shard.settings;
  return window <= closing.window && window >= firstThatCounts(settings, closing.window) && window * settings.sizeUs >= shard.warmUpUntilUs;
}

/** The slots of the windows from this one on are there whatever else was closed: they stay L + 2ε longer than their window. */
export function firstThatCounts({ lagUs, skewUs, sizeUs }: WindowSettings, window: number): number {
  return Math.floor((window * sizeUs - lagUs - 2 * skewUs) / sizeUs);
}

/** Judged source changes with a transaction. */
function eachChange(shard: Shard, window: number, take: (transaction: string, slot: number) => void): void {
  eachRow(shard, window, SOURCE, false, (transaction, slot) => { if ((shard.slots.flags[slot] & FLAG.consumed) !== 0) take(transaction, slot); });
}

function isMissing({ slots }: Shard, slot: number): boolean {
  return (slots.flags[slot] & FLAG.missing) !== 0;
}

/** Sums and unions: the order of the list is settled when it is printed. */
export function mergeParts(a: readonly TransactionPart[], b: readonly TransactionPart[]): readonly TransactionPart[] {
  const merged = new Map(a.map(part => [part.transaction, part]));
  for (const part of b) {
    const known = merged.get(part.transaction);
    merged.set(part.transaction, known === undefined ? part : {
      transaction: part.transaction, applied: known.applied + part.applied, missing: known.missing + part.missing,
      appliedBefore: known.appliedBefore + part.appliedBefore, missingBefore: known.missingBefore + part.missingBefore, keys: [...known.keys, ...part.keys],
    });
  }
  return [...merged.values()];
}

/** As it is written: a transaction of which nothing is missing, as most are, is its text and a number. */
export type PackedPart = readonly [transaction: string, applied: number] | readonly [transaction: string, applied: number, missing: number, appliedBefore: number, missingBefore: number, keys: readonly Buffer[]];

export function packPart({ transaction, applied, missing, appliedBefore, missingBefore, keys }: TransactionPart): PackedPart {
  return missing + appliedBefore + missingBefore + keys.length === 0 ? [transaction, applied] : [transaction, applied, missing, appliedBefore, missingBefore, keys];
}

export function unpackPart([transaction, applied, missing = 0, appliedBefore = 0, missingBefore = 0, keys = []]: PackedPart): TransactionPart {
  return { transaction, applied, missing, appliedBefore, missingBefore, keys };
}

/** Of a window whose shards have all spoken: what there is to say of it, and to say again when it is amended. */
export function tornParts(parts: readonly TransactionPart[]): readonly TransactionPart[] {
  return parts.filter(isTorn);
}

/** The torn ones, by their text; beyond the limit they are counted. */
export function printTorn(parts: readonly TransactionPart[]): { readonly torn: readonly TornTransaction[]; readonly cut: number } {
  const torn = parts.filter(isTorn).map(print).sort((a, b) => Buffer.compare(Buffer.from(a.transaction), Buffer.from(b.transaction)));
  return { torn: torn.slice(0, tornTransactionsMax), cut: Math.max(torn.length - tornTransactionsMax, 0) };
}

/** Torn now, and no window before has said so. One that is missing as a whole is lost, not torn. */
function isTorn({ applied, missing, appliedBefore, missingBefore }: TransactionPart): boolean {
  return applied > 0 && missing > 0 && (appliedBefore === 0 || missingBefore === 0);
}

function print({ transaction, applied, missing, keys }: TransactionPart): TornTransaction {
  const rows = [...new Set(keys.map(key => JSON.stringify(printKey(key))))].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return {
    transaction: Buffer.from(transaction, 'latin1').toString('utf8'), applied: String(applied), missing: String(missing),
    keys: rows.slice(0, tornKeysMax).map(row => JSON.parse(row) as KeyJson), ...(rows.length > tornKeysMax ? { keysCut: String(rows.length - tornKeysMax) } : {}),
  };
}

const NONE: readonly TransactionPart[] = [];
