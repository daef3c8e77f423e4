// The flags that say what to compare, as overrides of the configuration: with a file they change its pairs, without one they are the whole
// of it. Each override remembers its flag, so a problem in a value is reported at `--lag`, not at some line.
import { resolve } from 'node:path';

import type { Command } from 'commander';

import { ParitasError } from '../../schemas/errors.ts';
import type { FlagOverride } from '../config-overrides.ts';
import type { ConfigPath } from '../config-source.ts';

/** What commander gives for the flags below. */
export interface CheckFlags {
  readonly config?: string;
  readonly pair?: string;
  readonly set?: readonly string[];
  readonly source?: readonly string[];
  readonly target?: readonly string[];
  readonly key?: string;
  readonly match?: string;
  readonly format?: string;
  readonly window?: string;
  readonly lateness?: string;
  readonly lag?: string;
  readonly skew?: string;
  readonly policy?: string;
  readonly ignore?: string;
  readonly rename?: readonly string[];
  readonly type?: readonly string[];
  readonly mask?: string;
  readonly partitions?: string;
}

/** Of a command that works on the pairs of a configuration, and takes no captures. */
export type ConfigFlags = Pick<CheckFlags, 'config' | 'pair' | 'set'>;

export function addConfigFlags(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file (default: paritas.yaml)')
    .option('--pair <name>', 'only this pair of the configuration')
    .option('--set <path=value>', 'override any setting; repeatable', collect);
}

export function addCheckFlags(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file (default: paritas.yaml where no --source is given)')
    .option('--pair <name>', 'only this pair of the configuration')
    .option('--set <path=value>', 'override any setting, e.g. pairs.orders.window.lag=1m; repeatable', collect)
    .option('--source <file>', 'capture of the source (JSON Lines, .gz, - for standard input); repeatable', collect)
    .option('--target <file>', 'capture of the target; repeatable', collect)
    .option('--key <columns>', 'key columns, e.g. id or id,part (default: those of the record key)')
    .option('--match <how>', 'origin:source.lsn=after.origin_lsn, version:updated_at, or alignment')
    .option('--format <format>', 'format of both sides, or SOURCE:TARGET (default: auto)')
    .option('--window <duration>', 'size of a window (default: 1s)')
    .option('--lateness <duration>', 'how far a partition may be out of order (default: 5s)')
    .option('--lag <duration>', 'within what time a change is applied (default: 30s)')
    .option('--skew <duration>', 'how far the clocks of the sides may differ (default: 1s)')
    .option('--policy <policy>', 'exact, collapse or replay (default: exact)')
    .option('--ignore <columns>', 'columns not compared')
    .option('--rename <target=source>', 'a column that is called otherwise on the target; repeatable', collect)
    .option('--type <column=type>', 'type of a column on both sides, or COLUMN=SOURCETYPE:TARGETTYPE; repeatable', collect)
    .option('--mask <columns>', 'columns that are compared and stored as keyed hashes only')
    .option('--partitions <n>', 'how many partitions each side has, where some have no record');
}

/** The overrides for a configuration file: each applies to `--pair`, or to every pair of the file. */
export function pairOverrides(flags: CheckFlags, pairs: readonly number[], cwd: string): FlagOverride[] {
  return pairs.flatMap((index) => flagsOfPair(flags, ['pairs', index], cwd));
}

/** The overrides that make a whole configuration out of flags. */
export function wholeConfig(flags: CheckFlags, cwd: string): FlagOverride[] {
  for (const side of ['source', 'target'] as const) {
    if (flags[side] === undefined) {
      const other = side === 'source' ? '--target' : '--source';
      throw new ParitasError('usage', `${flags.source ?? flags.target ? `${other} needs --${side} beside it` : 'nothing to compare'}: give --source FILE --target FILE, or --config FILE`);
    }
  }
  if (flags.match === undefined) {
    throw new ParitasError('usage', '--match is missing: say how a target change names its source change, e.g. --match origin:source.lsn=after.origin_lsn, --match version:updated_at, or --match alignment');
  }
  const name = flags.pair ?? 'check';
  return [
    { path: ['application'], value: 'check', flag: 'flags' },
    { path: ['pairs'], value: [{ name }], flag: 'flags' },
    ...flagsOfPair(flags, ['pairs', 0], cwd),
  ];
}

function flagsOfPair(flags: CheckFlags, at: ConfigPath, cwd: string): FlagOverride[] {
  const overrides: FlagOverride[] = [];
  const put = (flag: string, path: ConfigPath, value: unknown): void => {
    if (value !== undefined) overrides.push({ path: [...at, ...path], value, flag });
  };
  const [sourceFormat, targetFormat = sourceFormat] = flags.format?.split(':') ?? [];
  for (const side of ['source', 'target'] as const) {
    put(`--${side}`, [side, 'file'], flags[side]?.map((file) => (file === '-' ? file : resolve(cwd, file))));
    put('--format', [side, 'format'], side === 'source' ? sourceFormat : targetFormat);
    put('--partitions', [side, 'partitions'], numeric(flags.partitions));
  }
  put('--key', ['key'], columnList(flags.key));
  put('--match', ['match'], flags.match === undefined ? undefined : parseMatch(flags.match));
  put('--window', ['window', 'size'], flags.window);
  for (const name of ['lateness', 'lag', 'skew'] as const) put(`--${name}`, ['window', name], flags[name]);
  put('--policy', ['policy'], flags.policy);
  put('--ignore', ['columns', 'ignore'], columnList(flags.ignore));
  put('--mask', ['columns', 'mask'], columnList(flags.mask));
  for (const text of flags.rename ?? []) {
    const [target, source] = assignment('--rename', text, 'TARGET=SOURCE, e.g. --rename full_name=name');
    put('--rename', ['columns', 'rename', target], columnList(source));
  }
  for (const text of flags.type ?? []) {
    const [column, type] = assignment('--type', text, "COLUMN=TYPE, e.g. --type 'amount=decimal(12,2)'");
    const [source, target] = type.split(':');
    put('--type', ['columns', 'types', column], target === undefined ? type : { source, target });
  }
  return overrides;
}

/** `origin:source.lsn=after.origin_lsn`, `origin:@partition,@offset=after.a,after.b`, `version:updated_at`, `alignment`. */
export function parseMatch(text: string): Record<string, unknown> {
  const [by, ...rest] = text.split(':');
  const fields = rest.join(':');
  if (by === 'alignment' && fields === '') return { by };
  if (by === 'version' && fields !== '') return { by, columns: fields.split(',') };
  const [source, target, ...more] = fields.split('=');
  if (by === 'origin' && source && target && more.length === 0) return { by, source: source.split(','), target: target.split(',') };
  throw new ParitasError('usage', `--match ${text}: expected origin:SOURCE_FIELD=TARGET_FIELD (origin:source.lsn=after.origin_lsn), version:COLUMN (version:updated_at), or alignment`);
}

function assignment(flag: string, text: string, example: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1) throw new ParitasError('usage', `${flag} ${text}: expected ${example}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function columnList(text: string | undefined): string[] | undefined {
  return text?.split(',').map((name) => name.trim());
}

function numeric(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
