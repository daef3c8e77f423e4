// A state goes on only with what it was begun with: the settings that decide a verdict, and the same input topics. What may change in place
// (files, outputs, the interval of commits, another pair beside this one) is not among them.
import { ParitasError } from '../../schemas/errors.ts';

export interface ChainOrigin {
  readonly settings: Readonly<Record<string, string>>;
  readonly topicIds: Readonly<Record<string, string>>;
}

/** What resolves every refusal of a state. */
export function toBeginAnew(pair: string): string {
  return `begin a new chain beside this one: ${RESET} --pair ${pair} --execute (without --execute it says what it would do)`;
}

/** Whoever knows the configuration's file puts it behind this. */
export const RESET = 'paritas state reset';

/** Throws ParitasError `state` that names each difference, old and new, and what to do. */
export function requireSame(pair: string, then: ChainOrigin, now: ChainOrigin): void {
  const changed = [...new Set([...Object.keys(then.settings), ...Object.keys(now.settings)])].filter(path => then.settings[path] !== now.settings[path]).sort();
  if (changed.length > 0) {
    const lines = changed.map(path => `  ${path}: was ${then.settings[path] ?? 'not set'}, is ${now.settings[path] ?? 'not set'}${path === 'rules' ? ' (of the program: another version judges otherwise)' : ''}`);
    throw new ParitasError('state', `pair "${pair}": its state was made under other settings, and verdicts under two rules make no chain:\n${lines.join('\n')}\n`
      + `Put them back, or ${toBeginAnew(pair)}. What the new settings would have said: paritas replay --diff`);
  }
  const made = Object.keys(then.topicIds).find(topic => now.topicIds[topic] !== undefined && now.topicIds[topic] !== then.topicIds[topic]);
  if (made === undefined) return;
  throw new ParitasError('state', `pair "${pair}": the topic ${made} is not the one that was read before: it was made anew, and the offsets read of the old one mean nothing in it. `
    + `To read it from its beginning, ${toBeginAnew(pair)}`);
}
