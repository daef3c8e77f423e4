// The canonical key of a row: for each key column its name (length, bytes), tag and value (length, bytes). Columns by name and not the
// serialised record key, which differs between serialisers; so it can be printed without knowing the pair.
import { maxKeyBytes } from '../limits.ts';
import { beginPart, copyInto, endPart, reserve, writeVarint } from '../canonical/sink.ts';
import type { Sink } from '../canonical/sink.ts';
import { TAG, UNAVAILABLE } from '../canonical/tags.ts';
import { writeColumn } from '../canonical/column-value.ts';
import { fail, TOKEN, scanValue, skipSpace } from './json-scan.ts';
import { readObject } from './object-reader.ts';
import { createRowReader, writing } from './row-reader.ts';
import type { RowReader, RowSettings } from './row-reader.ts';
import { createEnvelopes, openEnvelope } from './schema-envelope.ts';
import type { Envelopes } from './schema-envelope.ts';

export interface KeyReader {
  readonly envelopes: Envelopes<RowReader>;
  readonly columns: readonly string[];
  /** The columns of the record key read last; undefined where it has none (null, or no object). */
  row: RowReader | undefined;
}

export function createKeyReader(settings: RowSettings): KeyReader {
  return { envelopes: createEnvelopes((schema) => createRowReader(settings, schema, true)), columns: settings.key, row: undefined };
}

/** Reads the record key b[from, to). */
export function readKey(keys: KeyReader, b: Buffer, from: number, to: number): void {
  keys.row = undefined;
  const c = b[from];
  if (from < to && c < 32 && c !== 9 && c !== 10 && c !== 13) fail(from, 'JSON, not a framed key', 'unknown-magic');
  openEnvelope(keys.envelopes, b, skipSpace(b, from, to), to);
  const { payload, end, readers } = keys.envelopes;
  const isObject = payload < end && b[payload] === 123;
  const p = isObject ? readObject(readers, b, payload, end) : scanValue(b, payload, end, 0);
  if (skipSpace(b, p, end) !== end) fail(p, 'the end of the key');
  if (isObject) keys.row = readers;
}

/** Writes the key: from the record key, and what it lacks from the row (`undefined`: there is none to look in). */
export function writeKey(sink: Sink, keys: KeyReader, b: Buffer, row: RowReader | undefined, rowBytes: Buffer): void {
  const from = sink.at;
  let values = 0;
  const own = keys.row;
  if (keys.columns.length === 0) {
    if (own === undefined) return fail(-1, 'a record key, or `key` in the configuration', 'no-key');
    const { sorted } = own.shape.plan;
    for (let n = 0; n < sorted.length; n++) values += writePart(sink, own, sorted[n], b);
  } else {
    if (own === undefined && row === undefined) fail(-1, 'a record key', 'no-key');
    for (let n = 0; n < keys.columns.length; n++) {
      const place = own === undefined ? -1 : own.shape.plan.keyPlaces[n];
      if (place >= 0 && own !== undefined) { values += writePart(sink, own, place, b); continue; }
      const rowPlace = row === undefined ? -1 : row.shape.plan.keyPlaces[n];
      if (rowPlace < 0 || row === undefined) return fail(-1, `the key column ${keys.columns[n]}`, 'bad-key');
      values += writePart(sink, row, rowPlace, rowBytes);
    }
  }
  if (values === 0) fail(-1, 'a key column that is not null', 'bad-key');
  if (sink.at - from > maxKeyBytes) fail(-1, `a key of at most ${maxKeyBytes} bytes`, 'oversize');
}

/** Writes one column; returns 1 where it has a value, 0 where it is null. */
function writePart(sink: Sink, row: RowReader, place: number, b: Buffer): number {
  const rule = row.shape.plan.rules[place];
  const name = rule.columnBytes;
  writing.column = rule.column;
  writeVarint(sink, name.length);
  copyInto(sink, name, 0, name.length);
  reserve(sink, 1);
  const tagAt = sink.at++;
  const part = beginPart(sink);
  const tag = writeColumn(sink, rule, row.tokens[place], b, row.starts[place], row.ends[place]);
  if (tag === UNAVAILABLE || tag === TAG.placeholder) fail(-1, `a known value of the key column ${rule.column}`, 'bad-key');
  sink.bytes[tagAt] = tag;
  endPart(sink, part);
  writing.column = '';
  return row.tokens[place] === TOKEN.null ? 0 : 1;
}
