// The records of Debezium's transaction topic: `{"status":"END","id":"949:62065552","event_count":2,"data_collections":[{"data_collection":
// "public.orders","event_count":2}],"ts_ms":1796073216733}`. BEGIN has null for the counts.
import type { CollectionCount, TransactionEnd } from '../transaction-end.ts';
import { createFieldReader, wholeNumber } from './debezium-source.ts';
import type { FieldReader } from './debezium-source.ts';
import { fail, next, scanNext, skipSpace, TOKEN } from './json-scan.ts';
import { readObject, textOf } from './object-reader.ts';

const FIELDS = ['status', 'id', 'event_count', 'data_collections', 'ts_ms'];
const STATUS = 0;
const ID = 1;
const COUNT = 2;
const COLLECTIONS = 3;
const TIME = 4;
const COLLECTION_FIELDS = ['data_collection', 'event_count'];

export interface TransactionReader {
  readonly fields: FieldReader;
  readonly collection: FieldReader;
  readonly end: TransactionEnd;
}

export function createTransactionReader(): TransactionReader {
  return { fields: createFieldReader(FIELDS), collection: createFieldReader(COLLECTION_FIELDS), end: { id: '', commitTimeUs: NaN, eventCount: NaN, collections: [] } };
}

/** Reads the object at `p`, which was scanned before. The END it is, or undefined for a BEGIN. Fails where a count is none. */
export function readTransaction(reader: TransactionReader, b: Buffer, p: number, limit: number): TransactionEnd | undefined {
  const { fields, end } = reader;
  readObject(fields, b, p, limit);
  const status = textAt(fields, STATUS, b);
  if (status === 'BEGIN') return undefined;
  if (status !== 'END') fail(-1, 'a status of BEGIN or END');
  end.id = textAt(fields, ID, b);
  end.eventCount = countAt(fields, COUNT, b);
  end.commitTimeUs = countAt(fields, TIME, b) * 1000;
  end.collections.length = 0;
  const place = fields.shape.plan[COLLECTIONS];
  if (place >= 0 && fields.tokens[place] === TOKEN.array) readCollections(reader, b, fields.starts[place], fields.ends[place]);
  return end;
}

function readCollections({ collection, end }: TransactionReader, b: Buffer, start: number, limit: number): void {
  let p = skipSpace(b, start + 1, limit);
  while (p < limit && b[p] !== 93) {
    if (b[p] !== 123) fail(p, 'a collection with its count');
    p = readObject(collection, b, p, limit);
    const counted: CollectionCount = { name: textAt(collection, 0, b), eventCount: countAt(collection, 1, b) };
    end.collections.push(counted);
    if (!scanNext(b, p, limit, 93)) return;
    p = next.at;
  }
}

function textAt(reader: FieldReader, slot: number, b: Buffer): string {
  const place = reader.shape.plan[slot];
  if (place < 0) return '';
  const token = reader.tokens[place];
  if (token !== TOKEN.text && token !== TOKEN.escaped) return '';
  return textOf(b, reader.starts[place] + 1, reader.ends[place] - 1, token);
}

/** NaN where there is none or null. */
function countAt(reader: FieldReader, slot: number, b: Buffer): number {
  const place = reader.shape.plan[slot];
  if (place < 0 || reader.tokens[place] === TOKEN.null) return NaN;
  const value = reader.tokens[place] === TOKEN.integer ? wholeNumber(b, reader.starts[place], reader.ends[place]) : NaN;
  return value >= 0 && Number.isSafeInteger(value) ? value : fail(reader.starts[place], 'a count');
}
