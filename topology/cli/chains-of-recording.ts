// A pair whose state was reset has more than one chain in a recording: each is taken as a pair of its own.
import type { RecordedLine } from '../../processors/verify-chain.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { chainOf, type OfChain } from '../../schemas/records.ts';

type OfPair = { readonly pair: string } & OfChain;

/** Distinct for distinct chains. */
export function chainName({ pair, chain = 1 }: OfPair): string {
  return `${chain} ${pair}`;
}

export function pairOf({ name, ...pair }: PairSettings): OfPair {
  return { pair: name, ...chainOf(pair) };
}

/** The pair once for each chain of it that the recording has, in their order. */
export function chainsIn(recording: readonly RecordedLine[], pair: PairSettings): PairSettings[] {
  const chains = new Set(recording.flatMap(({ record }) => (record.pair !== pair.name ? [] : [('chain' in record ? record.chain : undefined) ?? 1])));
  return [...chains].sort((a, b) => a - b).map(chain => ({ ...pair, ...chainOf({ chain }) }));
}

/** Of each pair its last chain. */
export function lastOf(pairs: readonly PairSettings[]): PairSettings[] {
  return [...new Map(pairs.map(pair => [pair.name, pair])).values()];
}
