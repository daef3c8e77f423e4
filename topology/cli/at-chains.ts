// Pairs at the chains that the log of the configuration says, for whoever asks before anything runs.
import type { PairSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import { readChains } from '../runtime/chains.ts';
import { hasLogToRead, openLogToRead } from './open-log.ts';
import { atChain } from './pair-plan.ts';

export async function atChains({ application, log: settings }: Pick<Config, 'application' | 'log'>, pairs: readonly PairSettings[]): Promise<PairSettings[]> {
  if (!hasLogToRead(settings)) return [...pairs];
  const log = await openLogToRead(settings);
  try {
    const chains = await readChains(application, log);
    return pairs.map(pair => atChain(pair, chains));
  } finally {
    await log.close();
  }
}
