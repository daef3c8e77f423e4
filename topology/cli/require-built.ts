// Settings of the contract that the engine does not act on yet. They are refused: a verdict under a rule that was not applied would be wrong
// without a word. Counter-example: a column that was to be carried is not compared, and the pair is called in parity.
import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';

/** Throws `not-built` where a pair asks for what is not there yet, naming the setting and what to use instead. */
export function requireBuilt(pair: PairSettings): void {
  const refuse = (setting: string, instead: string): never => {
    throw new ParitasError('not-built', `pair "${pair.name}": ${setting} is not built yet; ${instead}`);
  };
  if (pair.columns.carry.length > 0) refuse('columns.carry', 'without it those columns are counted as unknown where the log does not carry them');
}
