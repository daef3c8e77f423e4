// The configuration before it is checked: a tree of plain values that knows where each of them came from. Read from YAML with positions,
// `${NAME}` filled in from the environment, then overridden by environment and flags (config-overrides.ts).
// Invariant: a value keeps its digits. A number that a double would change (1.10, 9223372036854775807) stays text.
import { readFileSync } from 'node:fs';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, Node, Scalar, YAMLParseError } from 'yaml';

import { ParitasError } from '../schemas/errors.ts';

export type ConfigPath = readonly (string | number)[];
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a value came from. Lines and columns count from 1. */
export type Origin =
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'flag'; readonly flag: string };

export interface ConfigSource {
  /** The file as the user named it; undefined where everything came from flags. */
  readonly file: string | undefined;
  /** What relative paths in the file are relative to. */
  readonly folder: string;
  tree: unknown;
  readonly keyPlaces: Map<string, Origin>;
  readonly valuePlaces: Map<string, Origin>;
  /** Paths whose values hold a secret: filled in from a variable that looks like one, or from a `*_FILE`. */
  readonly secrets: Set<string>;
}

export const MAX_NODES = 100_000; // aliases may refer to aliases: a small file can stand for billions of values

/** Reads YAML text. Throws a `config` error that lists every problem with file:line:column. */
export function parseConfig(text: string, file: string, folder: string, env: Environment): ConfigSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: string[] = [];
  const [broken] = document.errors; // what follows the first is mostly its echo
  if (broken !== undefined) throw new ParitasError('config', syntaxProblem(text, file, lines, broken));
  if (document.contents === null) throw new ParitasError('config', `${file}:1:1: the file is empty; "paritas init" writes one to start from`);
  const source: ConfigSource = { file, folder, tree: undefined, keyPlaces: new Map(), valuePlaces: new Map(), secrets: new Set() };
  const reader: Reader = { document, lines, source, env, problems, nodes: 0 };
  source.tree = valueOf(reader, document.contents, []);
  if (problems.length > 0) throw new ParitasError('config', problems.join('\n'));
  return source;
}

/** The place of a path or, where it has none, of the nearest thing around it. */
export function placeOf(source: ConfigSource, path: ConfigPath, of: 'key' | 'value'): Origin | undefined {
  if (of === 'key') {
    const key = source.keyPlaces.get(pathKey(path));
    if (key !== undefined) return key;
  }
  for (let length = path.length; length >= 0; length--) {
    const place = source.valuePlaces.get(pathKey(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return undefined;
}

export function printOrigin(origin: Origin): string {
  switch (origin.kind) {
    case 'file': return `${origin.file}:${origin.line}:${origin.column}`;
    case 'env': return origin.name;
    case 'flag': return origin.flag;
  }
}

/** A path as a map key. No name in a file holds the separator. */
export function pathKey(path: ConfigPath): string {
  return path.join('\u0000');
}

/** A path as it is printed: `pairs[0].window.size`. */
export function printPath(path: ConfigPath): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : (i === 0 ? '' : '.') + step)).join('');
}

function syntaxProblem(text: string, file: string, lines: LineCounter, error: YAMLParseError): string {
  const at = lines.linePos(error.pos[0]);
  const line = text.split('\n')[at.line - 1] ?? '';
  const hint = line.includes('${') && error.code !== 'DUPLICATE_KEY' ? "; inside { } a value with ${NAME} needs quotes: '${NAME}'" : '';
  return `${file}:${at.line}:${at.col}: ${error.message}${hint}`;
}

interface Reader {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly source: ConfigSource;
  readonly env: Environment;
  readonly problems: string[];
  nodes: number;
}

function valueOf(reader: Reader, node: unknown, path: ConfigPath): unknown {
  if (++reader.nodes > MAX_NODES) throw new ParitasError('config', `${reader.source.file}: more than ${MAX_NODES} values; are aliases nested?`);
  if (isAlias(node)) return valueOf(reader, node.resolve(reader.document), path);
  note(reader, reader.source.valuePlaces, node, path);
  if (isMap(node)) return mapOf(reader, node.items, path);
  if (isSeq(node)) return node.items.map((item, i) => valueOf(reader, item, [...path, i]));
  if (isScalar(node)) return scalarOf(reader, node, path);
  return null;
}

function mapOf(reader: Reader, items: readonly { key: unknown; value: unknown }[], path: ConfigPath): Record<string, unknown> {
  // No prototype: a column may be called `__proto__` or `constructor`.
  const map: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const { key, value } of items) {
    const name = isScalar(key) ? (key.source ?? String(key.value)) : String(key);
    note(reader, reader.source.keyPlaces, key, [...path, name]);
    map[name] = value === null ? null : valueOf(reader, value, [...path, name]);
  }
  return map;
}

function scalarOf(reader: Reader, node: Scalar, path: ConfigPath): unknown {
  const { value } = node;
  if (typeof value === 'string') return value.includes('${') ? filledIn(reader, node, value, path) : value;
  if (typeof value === 'number') return String(value) === node.source ? value : (node.source ?? String(value));
  return value;
}

const VARIABLE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?/g;

/** Fills in `${NAME}` and `${NAME:-default}`; `$${` stands for `${`. Where NAME is not set, NAME_FILE names a file with the value. */
function filledIn(reader: Reader, node: Scalar, value: string, path: ConfigPath): unknown {
  const result = value.replace(VARIABLE, (all, name: string | undefined, fallback: string | undefined) => {
    if (all === '$${') return '${';
    if (name === undefined) return problem(reader, node, 'expected ${NAME} or ${NAME:-default}; write $${ for the two characters');
    const secret = lookUp(reader.env, name);
    if (secret?.fromFile === true || looksSecret(name)) reader.source.secrets.add(pathKey(path));
    const found = secret?.value ?? fallback;
    return found ?? problem(reader, node, `the environment has no ${name} (and no ${name}_FILE)`);
  });
  return node.type === 'PLAIN' && /^\d{1,15}$/.test(result) ? Number(result) : result;
}

/** The variable NAME, or what the file named by NAME_FILE holds without its last line end. */
export function lookUp(env: Environment, name: string): { readonly value: string; readonly fromFile: boolean } | undefined {
  const value = env[name];
  if (value !== undefined) return { value, fromFile: false };
  const file = env[`${name}_FILE`];
  if (file === undefined) return undefined;
  try {
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, ''), fromFile: true };
  } catch (cause) {
    throw new ParitasError('config', `${name}_FILE: cannot read ${file}`, { cause });
  }
}

/** Whether a name says that its value must not be printed. */
export function looksSecret(name: string): boolean {
  return /pass|secret|token|credential|jaas|private|(^|[_.])(key|auth|pwd)$/i.test(name);
}

function problem(reader: Reader, node: Node, message: string): string {
  const at = reader.lines.linePos(node.range?.[0] ?? 0);
  reader.problems.push(`${reader.source.file}:${at.line}:${at.col}: ${message}`);
  return '';
}

function note(reader: Reader, places: Map<string, Origin>, node: unknown, path: ConfigPath): void {
  const range = isMap(node) || isSeq(node) || isScalar(node) ? node.range : undefined;
  if (range === null || range === undefined || reader.source.file === undefined) return;
  const at = reader.lines.linePos(range[0]);
  places.set(pathKey(path), { kind: 'file', file: reader.source.file, line: at.line, column: at.col });
}
