// JsonConverter's envelope {"schema":…,"payload":…}, detected for each record. A schema is parsed once per distinct bytes: the bytes up to
// the payload are kept, and a record that begins with the same ones has the same schema.
import { compiledSchemas } from '../limits.ts';
import { scan, scanColon, scanNext, next, scanString, scanValue, skipSpace, TOKEN } from './json-scan.ts';
import type { ConnectSchema } from '../pair.ts';

export interface Envelopes<R> {
  /** What stands for records without a schema. */
  readonly plain: R;
  readonly make: (schema: ConnectSchema) => R;
  readonly known: { readonly prefix: Buffer; readonly readers: R }[];
  /** Findings of the last `openEnvelope`: the span that holds the payload alone, and whose readers it needs. */
  payload: number;
  end: number;
  readers: R;
}

export function createEnvelopes<R>(make: (schema: ConnectSchema | undefined) => R): Envelopes<R> {
  const plain = make(undefined);
  return { plain, make, known: [], payload: 0, end: 0, readers: plain };
}

const SCHEMA = Buffer.from('"schema"');
const PAYLOAD = Buffer.from('"payload"');

/** Looks for an envelope around b[from, to). Throws `malformed` only where it begins like one. */
export function openEnvelope<R>(envelopes: Envelopes<R>, b: Buffer, from: number, to: number): void {
  envelopes.payload = from;
  envelopes.end = to;
  envelopes.readers = envelopes.plain;
  const first = from < to && b[from] === 123 ? skipSpace(b, from + 1, to) : to;
  // Nearly all names differ from these two in their first letter.
  const c = first + 1 < to ? b[first + 1] : 0;
  if ((c !== 115 && c !== 112) || (!begins(b, first, to, SCHEMA) && !begins(b, first, to, PAYLOAD))) return;
  if (b[to - 1] === 125) {
    for (const { prefix, readers } of envelopes.known) {
      if (from + prefix.length >= to || b.compare(prefix, 0, prefix.length, from, from + prefix.length) !== 0) continue;
      envelopes.payload = from + prefix.length;
      envelopes.end = to - 1;
      envelopes.readers = readers;
      return;
    }
  }
  search(envelopes, b, from, first, to);
}

function begins(b: Buffer, p: number, to: number, word: Buffer): boolean {
  if (p + word.length > to) return false;
  for (let i = 0; i < word.length; i++) if (b[p + i] !== word[i]) return false;
  return true;
}

/** Members of the object; an envelope has exactly these two, the schema an object or null. A row may well have a column `schema`. */
function search<R>(envelopes: Envelopes<R>, b: Buffer, from: number, p: number, to: number): void {
  const spans = { schema: -1, schemaEnd: -1, schemaToken: -1, payload: -1, payloadEnd: -1, count: 0 };
  for (;;) {
    const isSchema = begins(b, p, to, SCHEMA);
    const isPayload = begins(b, p, to, PAYLOAD);
    if ((!isSchema && !isPayload) || ++spans.count > 2) return;
    p = scanColon(b, scanString(b, p + 1, to), to);
    const end = scanValue(b, p, to, 1);
    if (isSchema) { spans.schema = p; spans.schemaEnd = end; spans.schemaToken = scan.token; }
    else { spans.payload = p; spans.payloadEnd = end; }
    const more = scanNext(b, end, to, 125);
    p = next.at;
    if (!more) break;
  }
  if (spans.schema < 0 || spans.payload < 0 || skipSpace(b, p, to) !== to) return;
  if (spans.schemaToken !== TOKEN.object && spans.schemaToken !== TOKEN.null) return;
  envelopes.payload = spans.payload;
  envelopes.end = spans.payloadEnd;
  if (spans.schemaToken === TOKEN.object) envelopes.readers = remember(envelopes, b, from, spans);
}

function remember<R>(envelopes: Envelopes<R>, b: Buffer, from: number, spans: { schema: number; schemaEnd: number; payload: number }): R {
  const readers = envelopes.make(connectSchema(JSON.parse(b.toString('utf8', spans.schema, spans.schemaEnd))));
  if (spans.payload > spans.schema) {
    if (envelopes.known.length >= compiledSchemas) envelopes.known.length = 0;
    envelopes.known.push({ prefix: Buffer.from(b.subarray(from, spans.payload)), readers });
  }
  return readers;
}

/** A Connect schema from whatever JSON stood there: what is not of the right kind is left out. */
function connectSchema(json: unknown): ConnectSchema {
  const from: Record<string, unknown> = typeof json === 'object' && json !== null ? { ...json } : {};
  const parameters: Record<string, unknown> = typeof from['parameters'] === 'object' && from['parameters'] !== null ? { ...from['parameters'] } : {};
  return {
    type: typeof from['type'] === 'string' ? from['type'] : '',
    optional: from['optional'] === true,
    ...(typeof from['name'] === 'string' ? { name: from['name'] } : {}),
    ...(typeof from['field'] === 'string' ? { field: from['field'] } : {}),
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
    ...(Array.isArray(from['fields']) ? { fields: from['fields'].map(connectSchema) } : {}),
    ...(from['items'] === undefined ? {} : { items: connectSchema(from['items']) }),
  };
}
