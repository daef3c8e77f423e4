// Each setting with the value in force and where it came from: a default, file:line:column, a variable or a flag. Secrets are not shown.
import type { ConfigFile } from './config-file.ts';
import { looksSecret, pathKey, placeOf, printOrigin, printPath } from './config-source.ts';
import type { ConfigPath, ConfigSource } from './config-source.ts';

export interface EffectiveValue {
  /** As in `--set`: `pairs[0].window.size`. */
  readonly path: string;
  /** The value as JSON. */
  readonly value: string;
  /** `default`, `paritas.yaml:7:13`, `PARITAS_STATE_DIRECTORY`, `--lag`. */
  readonly from: string;
}

export const REDACTED = '"[redacted]"';

/** The leaves of the checked file, in its order. A schema given inline is one value. */
export function effectiveValues(file: ConfigFile, source: ConfigSource): EffectiveValue[] {
  const values: EffectiveValue[] = [];
  const walk = (value: unknown, path: ConfigPath): void => {
    if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
      value.forEach((item, i) => walk(item, [...path, i]));
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isSchema(path) && Object.keys(value).length > 0) {
      for (const [name, item] of Object.entries(value)) walk(item, [...path, name]);
    } else {
      values.push({ path: printPath(path), value: shown(source, path, value), from: fromWhere(source, path) });
    }
  };
  walk(file, []);
  return values;
}

function isSchema(path: ConfigPath): boolean {
  const name = path[path.length - 1];
  return name === 'valueSchema' || name === 'keySchema';
}

function shown(source: ConfigSource, path: ConfigPath, value: unknown): string {
  const isSecret = path.some((_, i) => source.secrets.has(pathKey(path.slice(0, i + 1)))) || secretBelow(source, path);
  // `pairs[0].key` is a list of columns, not a secret; names that look secret count only in client properties.
  if (isSecret || (path.includes('properties') && looksSecret(String(path[path.length - 1])))) return REDACTED;
  return JSON.stringify(value).replace(/(\w+:\/\/)[^/\s"@]*@/g, '$1[redacted]@');
}

function secretBelow(source: ConfigSource, path: ConfigPath): boolean {
  const below = `${pathKey(path)}\u0000`;
  return [...source.secrets].some((key) => key.startsWith(below));
}

function fromWhere(source: ConfigSource, path: ConfigPath): string {
  let node = source.tree;
  for (const step of path) {
    if (typeof node !== 'object' || node === null || !(step in node)) return 'default';
    node = (node as Record<string | number, unknown>)[step];
  }
  const origin = placeOf(source, path, 'value');
  return origin === undefined ? 'default' : printOrigin(origin);
}
