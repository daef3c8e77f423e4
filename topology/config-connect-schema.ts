// A Kafka Connect schema as users give it: an object in the file, JSON text, or the path of a JSON file.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { ConnectSchema } from '../schemas/pair.ts';

const TYPES = ['struct', 'int8', 'int16', 'int32', 'int64', 'float', 'float32', 'double', 'float64', 'boolean', 'string', 'bytes', 'array', 'map'];

/** The schema, or what is wrong with it. Relative paths are relative to `folder`. */
export function readConnectSchema(given: string | Record<string, unknown>, folder: string): ConnectSchema | { readonly problem: string } {
  if (typeof given === 'object') return checked(given);
  if (given.trimStart().startsWith('{')) return parsed(given, 'the schema');
  let text: string;
  try {
    text = readFileSync(resolve(folder, given), 'utf8');
  } catch {
    return { problem: `cannot read ${given} (a path relative to the folder of the configuration)` };
  }
  return parsed(text, given);
}

function parsed(text: string, what: string): ConnectSchema | { readonly problem: string } {
  try {
    return checked(JSON.parse(text));
  } catch (error) {
    return { problem: `${what} is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function checked(value: unknown): ConnectSchema | { readonly problem: string } {
  // A record with its envelope is what people have at hand; its schema is meant.
  const schema = isRecord(value) && value['type'] === undefined && isRecord(value['schema']) ? value['schema'] : value;
  const problem = problemOf(schema, '');
  return problem === undefined ? (schema as ConnectSchema) : { problem };
}

function problemOf(schema: unknown, at: string): string | undefined {
  const where = at === '' ? '' : `${at}: `;
  if (!isRecord(schema)) return `${where}expected a schema object, e.g. {"type":"int64","field":"id"}`;
  const type = schema['type'];
  if (typeof type !== 'string' || !TYPES.includes(type)) return `${where}"type" is ${JSON.stringify(type) ?? 'missing'}; expected one of ${TYPES.join(', ')}`;
  if (type === 'array') return problemOf(schema['items'], `${at}.items`);
  if (type !== 'struct') return undefined;
  const fields = schema['fields'];
  if (!Array.isArray(fields)) return `${where}a struct needs "fields"`;
  for (const [i, field] of fields.entries()) {
    if (!isRecord(field) || typeof field['field'] !== 'string') return `${at}.fields[${i}]: a field needs its name in "field"`;
    const problem = problemOf(field, `${at}.${field['field']}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
