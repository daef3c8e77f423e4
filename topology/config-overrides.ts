// Overrides of single settings: `PARITAS_STATE_DIRECTORY=/data` and `--set state.directory=/data`. Flags win over the environment, the
// environment over the file. A pair is addressed by its name or its index: `pairs.orders.window.lag`, `PARITAS_PAIRS_ORDERS_WINDOW_LAG`.
import { parse } from 'yaml';

import { ParitasError } from '../schemas/errors.ts';
import { didYouMean } from './config-nearest.ts';
import { jsonSchema } from './config-schema.ts';
import type { SchemaNode } from './config-schema.ts';
import { looksSecret, lookUp, pathKey } from './config-source.ts';
import type { ConfigPath, ConfigSource, Environment, Origin } from './config-source.ts';

/** A setting given outside the file. `flag` is how the user wrote it, for messages. */
export interface FlagOverride { readonly path: string | ConfigPath; readonly value: unknown; readonly flag: string }

/** Variables that begin with PARITAS_ and are no settings: ours for other things, and what Kubernetes makes for a service called paritas. */
const NOT_SETTINGS = /^PARITAS_(CONFIG|MASK_KEY|MASK_KEY_FILE|TEST_.*|SERVICE_.*|PORT|PORT_.*)$/;

/** Applies every PARITAS_ variable that names a setting. Returns warnings for those that name none. */
export function overrideFromEnvironment(source: ConfigSource, env: Environment): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith('PARITAS_') && !NOT_SETTINGS.test(name)).sort(byCodeUnits);
  if (names.length === 0) return [];
  const known = new Map(settingPaths(source, jsonSchema()).map((path) => [variableName(source, path), path]));
  const warnings: string[] = [];
  for (const name of names) {
    const base = name.endsWith('_FILE') && !known.has(name) ? name.slice(0, -'_FILE'.length) : name;
    const path = known.get(base);
    const value = lookUp(env, base);
    if (path === undefined || value === undefined) {
      warnings.push(`the environment variable ${name} names no setting${didYouMean(name, known.keys())}`);
      continue;
    }
    if (value.fromFile || looksSecret(base)) source.secrets.add(pathKey(path));
    setAt(source, path, typed(value.value), { kind: 'env', name });
  }
  return warnings;
}

export function overrideFromFlags(source: ConfigSource, overrides: readonly FlagOverride[]): void {
  for (const { path, value, flag } of overrides) {
    const steps = typeof path === 'string' ? stepsOf(source, path, flag) : path;
    setAt(source, steps, value, { kind: 'flag', flag });
  }
}

/** Reads `path=value` of `--set`. */
export function parseSet(text: string): FlagOverride {
  const at = text.indexOf('=');
  if (at <= 0) throw new ParitasError('usage', `--set ${text}: expected PATH=VALUE, e.g. --set pairs.orders.window.lag=1m`);
  return { path: text.slice(0, at), value: typed(text.slice(at + 1)), flag: `--set ${text.slice(0, at)}` };
}

/** `a.b[0].c`, where a step below `pairs` may be the name of a pair. */
function stepsOf(source: ConfigSource, path: string, flag: string): ConfigPath {
  const steps: (string | number)[] = path.replace(/\[(\d+)\]/g, '.$1').split('.');
  if (steps[0] !== 'pairs' || steps.length < 2) return steps;
  const name = String(steps[1]);
  const index = pairIndex(source, name);
  if (index === undefined) {
    throw new ParitasError('usage', `${flag}: there is no pair "${name}"${didYouMean(name, pairNames(source))}`);
  }
  return ['pairs', index, ...steps.slice(2)];
}

/** The index of the pair with that name, else the index itself where there is such a pair. */
export function pairIndex(source: ConfigSource, name: string): number | undefined {
  const names = pairNames(source);
  const index = names.indexOf(name);
  if (index >= 0) return index;
  return /^\d+$/.test(name) && Number(name) < names.length ? Number(name) : undefined;
}

/** Names of the pairs as far as the tree has them; the tree is not checked yet. */
export function pairNames(source: ConfigSource): string[] {
  const pairs = isRecord(source.tree) ? source.tree['pairs'] : undefined;
  return Array.isArray(pairs) ? pairs.map((pair: unknown) => (isRecord(pair) ? String(pair['name']) : '')) : [];
}

/** Every path that the schema knows, with one copy of a pair's paths for each pair of the tree. */
export function settingPaths(source: ConfigSource, schema: SchemaNode): ConfigPath[] {
  const paths: ConfigPath[] = [];
  const walk = (node: SchemaNode, path: ConfigPath): void => {
    if (path.length > 0) paths.push(path);
    for (const branch of node.anyOf ?? [node]) {
      for (const [name, below] of Object.entries(branch.properties ?? {})) walk(below, [...path, name]);
    }
    if (path.length === 1 && path[0] === 'pairs' && node.items !== undefined) {
      const { items } = node;
      pairNames(source).forEach((_, i) => walk(items, [...path, i]));
    }
  };
  walk(schema, []);
  return paths;
}

/** `PARITAS_LOG_KAFKA_BOOTSTRAP_SERVERS`, `PARITAS_PAIRS_ORDERS_WINDOW_LAG`. */
function variableName(source: ConfigSource, path: ConfigPath): string {
  const names = pairNames(source);
  const steps = path.map((step) => (typeof step === 'number' ? names[step] || String(step) : step.replace(/([a-z])([A-Z])/g, '$1_$2')));
  return ['PARITAS', ...steps].join('_').replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

function setAt(source: ConfigSource, path: ConfigPath, value: unknown, origin: Origin): void {
  let node = asContainer(source.tree);
  source.tree = node;
  path.slice(0, -1).forEach((step, i) => {
    node[step] = typeof path[i + 1] === 'number' && Array.isArray(node[step]) ? node[step] : asContainer(node[step]);
    node = node[step] as Record<string | number, unknown>;
  });
  node[path[path.length - 1]] = value;
  forgetPlaces(source, path);
  source.valuePlaces.set(pathKey(path), origin);
  source.keyPlaces.set(pathKey(path), origin);
}

/** What lay below an overridden value has no place any more. */
function forgetPlaces(source: ConfigSource, path: ConfigPath): void {
  const below = `${pathKey(path)}\u0000`;
  for (const places of [source.keyPlaces, source.valuePlaces]) {
    for (const key of places.keys()) if (key.startsWith(below)) places.delete(key);
  }
}

function asContainer(value: unknown): Record<string | number, unknown> {
  return isRecord(value) || Array.isArray(value) ? (value as Record<string | number, unknown>) : {};
}

/** Text from outside as a value: lists, objects and numbers as in YAML, everything else as it stands. */
function typed(text: string): unknown {
  if (!/^\s*[[{]|^-?\d{1,15}$|^(true|false|null)$/.test(text)) return text;
  try {
    return parse(text) as unknown;
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
