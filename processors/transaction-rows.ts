// The rows of a window by their transaction, whose text stands behind key and origin of each.
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { groupLength } from '../schemas/transaction-end.ts';
import type { Shard } from './shard.ts';

/**
 * Every change of the window that has a transaction, with the part of its id that its END has too, as latin1. Rows of one transaction follow
 * each other as a rule, so the text is made once for a run of them. `truncates`: those as well; what a truncate stands for never.
 */
export function eachRow({ slots }: Shard, window: number, side: number, truncates: boolean, take: (transaction: string, slot: number) => void): void {
  let transaction = '';
  for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) {
    if (slots.side[slot] !== side || slots.transactionLength[slot] === 0 || (slots.flags[slot] & FLAG.truncated) !== 0) continue;
    if (slots.kind[slot] !== SLOT.change && !(truncates && slots.kind[slot] === SLOT.truncate)) continue;
    const page = slots.heads.pages[slots.headPage[slot]];
    const at = slots.headAt[slot] + slots.keyLength[slot] + slots.originLength[slot];
    const length = groupLength(page, at, at + slots.transactionLength[slot]);
    if (!isText(page, at, length, transaction)) transaction = page.toString('latin1', at, at + length);
    take(transaction, slot);
  }
}

function isText(page: Buffer, at: number, length: number, text: string): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (page[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
