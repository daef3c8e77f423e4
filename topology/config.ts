// The configuration: paritas.yaml, overridden by PARITAS_ variables, overridden by flags; checked as a whole before anything runs.
// Invariant: a Config is complete and consistent. Whoever holds one asks for no default and checks no value again.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { ParitasError } from '../schemas/errors.ts';
import type { PairSettings } from '../schemas/pair.ts';
import type { RocksdbChoice } from '../stores/rocksdb-platform.ts';
import { list } from './config-columns.ts';
import { effectiveValues } from './config-effective.ts';
import type { EffectiveValue } from './config-effective.ts';
import { deriveMaskKey } from './config-hash.ts';
import { didYouMean } from './config-nearest.ts';
import { overrideFromEnvironment, overrideFromFlags } from './config-overrides.ts';
import type { FlagOverride } from './config-overrides.ts';
import { pairSettings } from './config-pair.ts';
import { addIssues, createProblems } from './config-problems.ts';
import type { Problems } from './config-problems.ts';
import { configSchema, jsonSchema } from './config-schema.ts';
import type { ConfigFile } from './config-file.ts';
import { lookUp, parseConfig } from './config-source.ts';
import type { ConfigSource, Environment } from './config-source.ts';
import { parseDurationUs, parseSizeBytes } from './units.ts';

export type LogSettings =
  | {
    readonly kind: 'embedded';
    readonly directory: string;
    readonly fsync: 'always' | 'interval' | 'never';
    readonly fsyncIntervalMs: number;
    readonly retention: { readonly ageMs?: number; readonly sizeBytes?: number };
  }
  | {
    readonly kind: 'kafka';
    readonly bootstrapServers: readonly string[];
    /** Client properties, or the absolute path of a .properties file. */
    readonly properties: string | Readonly<Record<string, string | number | boolean | null>> | undefined;
    /** A cluster before transaction.version 2 will do. */
    readonly allowTransactionsV1: boolean;
  };

export interface Config {
  readonly application: string;
  readonly log: LogSettings;
  /** Threads of one `run` that share its tasks. */
  readonly workers: number;
  readonly state: { readonly directory: string; readonly engine: RocksdbChoice; readonly standbyReplicas: number };
  readonly commit: { readonly intervalUs: number };
  readonly pairs: readonly PairSettings[];
  readonly outputs: ConfigFile['outputs'];
  readonly status: { readonly host: string; readonly port: number };
  /** An address or an absolute folder; exactly one of the two. */
  readonly schemaRegistry: { readonly url?: string; readonly directory?: string } | undefined;
  /** What the user should hear once, on standard error. */
  readonly warnings: readonly string[];
  readonly effective: readonly EffectiveValue[];
}

/** What overrides the file. The environment is an argument: only the command line reads the process's own. */
export interface ConfigOverrides { readonly env?: Environment; readonly flags?: readonly FlagOverride[] }

/** Reads, overrides and checks a file. Throws a ParitasError (`config`, `input`) that lists every problem with its place. */
export function loadConfig(path: string, overrides: ConfigOverrides = {}): Config {
  const folder = dirname(resolve(path));
  return resolveConfig(parseConfig(readConfig(path), path, folder, overrides.env ?? {}), overrides);
}

/** The same from flags alone; relative paths are relative to `folder`. */
export function configFromFlags(folder: string, overrides: ConfigOverrides): Config {
  const source: ConfigSource = { file: undefined, folder, tree: {}, keyPlaces: new Map(), valuePlaces: new Map(), secrets: new Set() };
  return resolveConfig(source, overrides);
}

/** The pair with that name, or all of them. */
export function selectPairs(config: Config, name: string | undefined): readonly PairSettings[] {
  if (name === undefined) return config.pairs;
  const pair = config.pairs.find((candidate) => candidate.name === name);
  if (pair !== undefined) return [pair];
  const names = config.pairs.map((candidate) => candidate.name);
  throw new ParitasError('usage', `there is no pair "${name}"${didYouMean(name, names) || `; known are ${names.join(', ')}`}`);
}

function resolveConfig(source: ConfigSource, { env = {}, flags = [] }: ConfigOverrides): Config {
  // Flags first set what a pair is called, then the environment may address it; where both name a setting, the flag is applied last.
  if (source.file === undefined) overrideFromFlags(source, flags);
  const warnings = overrideFromEnvironment(source, env);
  overrideFromFlags(source, flags);
  const problems = createProblems(source);
  const parsed = configSchema.safeParse(source.tree);
  if (!parsed.success) addIssues(problems, jsonSchema(), parsed.error.issues);
  problems.throwIfAny();
  const config = checked(parsed.data as ConfigFile, source, env, warnings, problems);
  problems.throwIfAny();
  return config;
}

function checked(file: ConfigFile, source: ConfigSource, env: Environment, warnings: string[], problems: Problems): Config {
  const secret = lookUp(env, 'PARITAS_MASK_KEY')?.value;
  if (secret === undefined && file.pairs.some((pair) => list(pair.columns.mask).length > 0)) {
    warnings.push('columns are masked without PARITAS_MASK_KEY: the key is derived from the application name, so whoever knows the name can test guesses against masked values');
  }
  const context = { folder: source.folder, maskKey: deriveMaskKey(secret, file.application), problems };
  const pairs = file.pairs.map((pair, i) => pairSettings(pair, ['pairs', i], context));
  pairs.forEach(({ name }, i) => {
    const first = pairs.findIndex((pair) => pair.name === name);
    if (first < i) problems.add(['pairs', i, 'name'], `pairs[${i}].name: "${name}" is the name of pairs[${first}] too; a pair needs a name of its own`);
  });
  const log = logSettings(file, source, problems);
  return {
    application: file.application,
    log,
    workers: file.workers,
    state: { ...file.state, directory: resolve(source.folder, file.state.directory) },
    commit: { intervalUs: parseDurationUs(file.commit.interval) ?? 0 },
    pairs,
    outputs: file.outputs,
    status: listenAddress(file.status.listen, problems),
    schemaRegistry: registrySettings(file, source, problems),
    warnings,
    effective: effectiveValues(log.kind === 'kafka' ? file : { ...file, log: { embedded: file.log.embedded ?? EMBEDDED_DEFAULTS } }, source),
  };
}

const EMBEDDED_DEFAULTS: NonNullable<ConfigFile['log']['embedded']> = { directory: './data/log', fsync: 'always', fsyncInterval: '1s', retention: {} };

function logSettings({ log }: ConfigFile, source: ConfigSource, problems: Problems): LogSettings {
  if (log.kafka === undefined) {
    const { directory, fsync, fsyncInterval, retention: { age, size } } = log.embedded ?? EMBEDDED_DEFAULTS;
    return {
      kind: 'embedded', directory: resolve(source.folder, directory), fsync, fsyncIntervalMs: (parseDurationUs(fsyncInterval) ?? 0) / 1000,
      retention: {
        ...(age === undefined ? {} : { ageMs: (parseDurationUs(age) ?? 0) / 1000 }),
        ...(size === undefined ? {} : { sizeBytes: parseSizeBytes(size) ?? 0 }),
      },
    };
  }
  if (log.embedded !== undefined) problems.add(['log', 'kafka'], 'log: either embedded or kafka, not both', 'key');
  const { bootstrapServers, properties, allowTransactionsV1 } = log.kafka;
  return {
    kind: 'kafka',
    bootstrapServers: list(bootstrapServers),
    properties: typeof properties === 'string' ? resolve(source.folder, properties) : properties,
    allowTransactionsV1,
  };
}

function registrySettings({ schemaRegistry }: ConfigFile, source: ConfigSource, problems: Problems): Config['schemaRegistry'] {
  if (schemaRegistry === undefined) return undefined;
  const { url, directory } = schemaRegistry;
  if ((url === undefined) === (directory === undefined)) problems.add(['schemaRegistry'], 'schemaRegistry: needs either a url or a directory');
  return { ...(url === undefined ? {} : { url }), ...(directory === undefined ? {} : { directory: resolve(source.folder, directory) }) };
}

function listenAddress(listen: string, problems: Problems): Config['status'] {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:]+):(\d{1,5})$/.exec(listen);
  const port = Number(match?.[2]);
  if (match === null || port > 65535) problems.add(['status', 'listen'], `status.listen: expected HOST:PORT, e.g. 127.0.0.1:8088, got "${listen}"`);
  return { host: match?.[1].replace(/^\[|\]$/g, '') ?? '', port };
}

function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new ParitasError('input', missing
      ? `${path}: no such file; write one with "paritas init --source FILE --target FILE", or name one with --config`
      : `${path}: cannot be read`, { cause });
  }
}
