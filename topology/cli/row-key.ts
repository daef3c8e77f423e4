// A row key as a user types it: `42`, `id=42`, `id=42,part=2` or JSON. Values are text, as in the records, so no digit is lost.
import { ParitasError } from '../../schemas/errors.ts';
import type { KeyJson } from '../../schemas/records.ts';

export type RowKey =
  | { readonly kind: 'columns'; readonly columns: KeyJson }
  /** Bare text, where the names of the key columns are not known. */
  | { readonly kind: 'bare'; readonly text: string };

/** `columns`: the key columns where the configuration names them. Throws a usage error for what is no key. */
export function parseKey(text: string, columns: readonly string[] | undefined): RowKey {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return { kind: 'columns', columns: fromJson(trimmed) };
  const named = /^[^=,\s]+=/.test(trimmed) ? fromAssignments(trimmed) : undefined;
  if (named !== undefined && (columns === undefined || columns.every((column) => column in named))) return { kind: 'columns', columns: named };
  const values = columns === undefined || columns.length === 1 ? [text] : text.split(',');
  if (columns === undefined) return { kind: 'bare', text };
  if (values.length !== columns.length) {
    throw new ParitasError('usage', `KEY ${text}: the key has the columns ${columns.join(', ')}; write ${columns.map((column) => `${column}=…`).join(',')} or JSON`);
  }
  return { kind: 'columns', columns: Object.fromEntries(columns.map((column, i) => [column, values[i]])) };
}

/** What the engine takes: JSON with the columns in the order given, or the bare text. */
export function keyForEngine(key: RowKey): string {
  return key.kind === 'bare' ? key.text : JSON.stringify(key.columns);
}

/** Whether a record's key is the one asked for. Bare text fits any column's value. */
export function keyMatches(asked: RowKey, key: KeyJson): boolean {
  if (asked.kind === 'bare') return Object.values(key).includes(asked.text);
  return Object.entries(asked.columns).every(([name, value]) => name in key && key[name] === value);
}

function fromAssignments(text: string): KeyJson {
  const key: KeyJson = {};
  // A comma belongs to the value unless another `name=` follows it.
  for (const part of text.split(/,(?=[^=,\s]+=)/)) {
    const at = part.indexOf('=');
    key[part.slice(0, at).trim()] = part.slice(at + 1);
  }
  return key;
}

function fromJson(text: string): KeyJson {
  // The reviver's context has the digits as they were typed.
  const keepDigits = (_name: string, value: unknown, context: { source?: string }): unknown =>
    (typeof value === 'number' ? context.source ?? String(value) : typeof value === 'boolean' ? String(value) : value);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
  } catch {
    throw new ParitasError('usage', `KEY ${text}: not JSON; write e.g. '{"id":42}', id=42 or 42`);
  }
  return parsed as KeyJson;
}
