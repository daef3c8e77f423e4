// The origin of a change: the fields that `match` names, one behind the other, each with its length. As text without a tag, so that a
// number 24023128 and a string "24023128" are one origin. A missing or null field leaves the event without one.
import { beginPart, copyInto, endPart, writeAscii, writeInteger } from '../canonical/sink.ts';
import type { Sink } from '../canonical/sink.ts';
import { SHAPE } from '../canonical/column-type.ts';
import { writeColumn } from '../canonical/column-value.ts';
import { createPlaceholder } from '../canonical/placeholder.ts';
import { printPosition } from '../canonical/print.ts';
import { TAG, UNAVAILABLE } from '../canonical/tags.ts';
import { writeTyped } from '../canonical/typed.ts';
import { ParitasError } from '../errors.ts';
import type { RawRecord } from '../raw-record.ts';
import { unreachable } from '../unreachable.ts';
import { SOURCE_FIELDS } from './debezium-source.ts';
import type { FieldReader } from './debezium-source.ts';
import type { RowReader } from './row-reader.ts';

export const TRANSACTION_FIELDS = ['id', 'total_order', 'data_collection_order'] as const;

/** Where a part of the origin stands. `after` means the row: before of a delete. */
export interface OriginPath { readonly root: 'source' | 'after' | 'before' | 'key' | 'transaction' | 'log' | 'header' | 'position'; readonly name: string; readonly slot: number }

/** The field paths of the configuration. Throws for one that no record of this format has. */
export function originPaths(texts: readonly string[]): OriginPath[] {
  const paths = texts.map((text) => ({ ...originPath(text), slot: -1 }));
  return paths.map((path) => {
    const fields = path.root === 'source' ? sourceFields(paths) : path.root === 'transaction' ? transactionFields(paths) : [];
    return { ...path, slot: fields.indexOf(path.name) };
  });
}

function originPath(path: string): Omit<OriginPath, 'slot'> {
  if (path === 'position') return { root: 'position', name: '' };
  if (path.startsWith('@headers.')) return { root: 'header', name: path.slice('@headers.'.length) };
  if (path === '@partition' || path === '@offset' || path === '@timestamp') return { root: 'log', name: path };
  const point = path.indexOf('.');
  const root = path.slice(0, point);
  if (root === 'source' || root === 'after' || root === 'before' || root === 'key' || root === 'transaction') return { root, name: path.slice(point + 1) };
  throw new ParitasError('config', `match: no field ${path} in this format; try source.lsn, after.COLUMN, key.COLUMN, transaction.id, @partition, @offset or @headers.NAME`);
}

/** The parts of a record in which origin fields stand; undefined where the record does not have it. */
export interface OriginParts {
  source: FieldReader | undefined;
  transaction: FieldReader | undefined;
  after: RowReader | undefined;
  afterBytes: Buffer;
  before: RowReader | undefined;
  beforeBytes: Buffer;
  key: RowReader | undefined;
  positioned: boolean;
  position: Buffer;
}

/** Source fields in the order of their slots: the common ones and those of the paths. */
export function sourceFields(paths: readonly OriginPath[]): string[] {
  return fieldsWith(SOURCE_FIELDS, paths, 'source');
}

export function transactionFields(paths: readonly OriginPath[]): string[] {
  return fieldsWith(TRANSACTION_FIELDS, paths, 'transaction');
}

function fieldsWith(common: readonly string[], paths: readonly OriginPath[], root: string): string[] {
  return [...new Set([...common, ...paths.filter((path) => path.root === root).map((path) => path.name)])];
}

/** Writes the origin; returns its length, 0 where a part is missing. */
export function writeOrigin(sink: Sink, paths: readonly OriginPath[], parts: OriginParts, record: RawRecord): number {
  const from = sink.at;
  for (let n = 0; n < paths.length; n++) {
    const part = beginPart(sink);
    if (!writePart(sink, paths[n], n, parts, record)) {
      sink.at = from;
      return 0;
    }
    endPart(sink, part);
  }
  return sink.at - from;
}

function writePart(sink: Sink, path: OriginPath, n: number, parts: OriginParts, record: RawRecord): boolean {
  switch (path.root) {
    case 'source': return writeField(sink, parts.source, path.slot, record.data);
    case 'transaction': return writeField(sink, parts.transaction, path.slot, record.data);
    case 'after': return parts.after !== undefined ? writeRowField(sink, parts.after, n, parts.afterBytes) : writeRowField(sink, parts.before, n, parts.beforeBytes);
    case 'before': return writeRowField(sink, parts.before, n, parts.beforeBytes);
    case 'key': return writeRowField(sink, parts.key, n, record.data);
    case 'log':
      writeInteger(sink, path.name === '@partition' ? record.partition : path.name === '@offset' ? record.offset : record.timestampMs);
      return true;
    case 'header': {
      const header = record.header(path.name);
      if (header !== undefined) copyInto(sink, header, 0, header.length);
      return header !== undefined;
    }
    case 'position':
      if (parts.positioned) writeAscii(sink, printPosition(parts.position));
      return parts.positioned;
    default: return unreachable(path.root);
  }
}

const NO_PLACEHOLDER = createPlaceholder('');

function writeField(sink: Sink, fields: FieldReader | undefined, slot: number, b: Buffer): boolean {
  const place = fields === undefined ? -1 : fields.shape.plan[slot];
  if (fields === undefined || place < 0) return false;
  const tag = writeTyped(sink, SHAPE, undefined, NO_PLACEHOLDER, fields.tokens[place], b, fields.starts[place], fields.ends[place]);
  return tag !== TAG.null && tag !== UNAVAILABLE;
}

function writeRowField(sink: Sink, row: RowReader | undefined, n: number, b: Buffer): boolean {
  const place = row === undefined ? -1 : row.shape.plan.originPlaces[n];
  if (row === undefined || place < 0) return false;
  const tag = writeColumn(sink, row.shape.plan.rules[place], row.tokens[place], b, row.starts[place], row.ends[place]);
  return tag !== TAG.null && tag !== UNAVAILABLE && tag !== TAG.placeholder;
}

/** The columns that paths name in a row, '' for other paths. */
export function originColumnsOf(paths: readonly OriginPath[]): string[] {
  return paths.map((path) => (path.root === 'after' || path.root === 'before' || path.root === 'key' ? path.name : ''));
}
