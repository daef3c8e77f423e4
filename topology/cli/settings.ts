// From flags to settings, the same way for every command that needs a configuration.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ParitasError } from '../../schemas/errors.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { configFromFlags, loadConfig, selectPairs } from '../config.ts';
import type { Config } from '../config.ts';
import { parseSet } from '../config-overrides.ts';
import { pairOverrides, wholeConfig } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { warn } from './io.ts';
import type { CliIo } from './io.ts';

export interface Settings { readonly config: Config; readonly pairs: readonly PairSettings[]; readonly file: string | undefined }

const DEFAULT_FILE = 'paritas.yaml';

/** The configuration that the flags mean: a file (--config, PARITAS_CONFIG, ./paritas.yaml) or the flags themselves. Prints its warnings. */
export function settingsOf(flags: CheckFlags, io: CliIo): Settings {
  const file = configFile(flags, io);
  const sets = (flags.set ?? []).map(parseSet);
  const config = file === undefined
    ? configFromFlags(io.cwd, { env: io.env, flags: [...wholeConfig(flags, io.cwd), ...sets] })
    : configFromFile(file, flags, sets, io);
  warn(io, config.warnings);
  return { config, pairs: file === undefined ? config.pairs : selectPairs(config, flags.pair), file };
}

/** Flags about a pair apply to the chosen pairs; which index they have is known once the file has been read. */
function configFromFile(file: string, flags: CheckFlags, sets: ReturnType<typeof parseSet>[], io: CliIo): Config {
  const overrides = pairOverrides(flags, [0], io.cwd);
  if (overrides.length === 0) return loadConfig(placeInMessages(io.cwd, file), { env: io.env, flags: sets });
  const plain = loadConfig(placeInMessages(io.cwd, file), { env: io.env, flags: sets });
  const chosen = selectPairs(plain, flags.pair).map((pair) => plain.pairs.indexOf(pair));
  return loadConfig(placeInMessages(io.cwd, file), { env: io.env, flags: [...pairOverrides(flags, chosen, io.cwd), ...sets] });
}

function configFile(flags: CheckFlags, io: CliIo): string | undefined {
  if (flags.config !== undefined) return flags.config;
  if (flags.source !== undefined || flags.target !== undefined) return undefined;
  const named = io.env['PARITAS_CONFIG'];
  if (named !== undefined && named !== '') return named;
  if (existsSync(join(io.cwd, DEFAULT_FILE))) return DEFAULT_FILE;
  throw new ParitasError('usage', `nothing to read: give --config FILE, or --source FILE --target FILE; there is no ${DEFAULT_FILE} here`);
}

/** The file as the user named it, for messages, unless the working folder is not the process's own. */
function placeInMessages(cwd: string, file: string): string {
  return cwd === process.cwd() || file.startsWith('/') ? file : join(cwd, file);
}
