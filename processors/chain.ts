// The chain of a pair's verdicts: each holds the hash of the one before it, so that a later edit shows at the next link, and that of the last
// one at the head, which a summary names and an auditor keeps elsewhere. Ids and hashes are over the records as they are printed.
import { hashText } from '../schemas/hash-text.ts';
import type { DecisionRecord, Evidence, OfChain, VerdictRecord } from '../schemas/records.ts';

/** Hash before the first verdict of a chain. */
export const CHAIN_START: string = '0'.repeat(64);

export function verdictHash(verdict: VerdictRecord): string {
  return hashText('chain', JSON.stringify(verdict));
}

/** Not derived from what the verdict says: emitting a window's verdict again, amended, overwrites it. Another chain's verdict on the window is another one. */
export function verdictIdOf(pair: string, configHash: string, windowEndUs: number, { chain = 1 }: OfChain = {}): string {
  return hashText('verdict', pair, configHash, chain === 1 ? 'merged' : `merged ${chain}`, String(windowEndUs)).slice(0, 32);
}

export function evidenceHashOf(evidence: readonly Evidence[], decision: DecisionRecord, configHash: string): string {
  return hashText('evidence', JSON.stringify([evidence, decision.claims, configHash]));
}
