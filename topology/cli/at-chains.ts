// Pairs at the chains that the log says, for whoever asks before anything runs.
import type { PairSettings } from '../../schemas/pair.ts';
import { readChains, type ChainLog } from '../runtime/chains.ts';
import { atChain } from './pair-plan.ts';

export async function atChains(application: string, pairs: readonly PairSettings[], log: ChainLog): Promise<PairSettings[]> {
  const chains = await readChains(application, log);
  return pairs.map(pair => atChain(pair, chains));
}
