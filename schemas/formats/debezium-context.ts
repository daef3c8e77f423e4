// Whose work a change was part of: its transaction, and its trace context.
import type { RawRecord } from '../raw-record.ts';
import { copyInto } from '../canonical/sink.ts';
import { unescape } from '../canonical/text.ts';
import { wholeNumber, type FieldReader } from './debezium-source.ts';
import type { State } from './debezium-state.ts';
import { TOKEN } from './json-scan.ts';

/** Writes the transaction's id as it is printed, and takes the change's order in it, over all tables and among those of its own. */
export function writeTransaction({ event, sink, scanned, parts }: State, b: Buffer): void {
  if (parts.transaction === undefined) return;
  const { transaction } = scanned;
  const id = transaction.shape.plan[0];
  const from = sink.at;
  if (id >= 0 && transaction.tokens[id] === TOKEN.text) copyInto(sink, b, transaction.starts[id] + 1, transaction.ends[id] - 1);
  else if (id >= 0 && transaction.tokens[id] === TOKEN.escaped) unescape(sink, b, transaction.starts[id] + 1, transaction.ends[id] - 1);
  event.transactionLength = sink.at - from;
  event.totalOrder = orderAt(transaction, 1, b);
  event.tableOrder = orderAt(transaction, 2, b);
}

/** A whole number, also one in quotes; -1 where there is none. */
function orderAt(transaction: FieldReader, slot: number, b: Buffer): number {
  const place = transaction.shape.plan[slot];
  if (place < 0) return -1;
  const quoted = transaction.tokens[place] === TOKEN.text ? 1 : 0;
  if (quoted === 0 && transaction.tokens[place] !== TOKEN.integer) return -1;
  const value = wholeNumber(b, transaction.starts[place] + quoted, transaction.ends[place] - quoted);
  return Number.isSafeInteger(value) ? value : -1;
}

/** W3C: version 00, 55 characters of hex digits and hyphens. Anything else is no trace context. */
export function writeTrace({ event, sink }: State, record: RawRecord): void {
  const header = record.header('traceparent');
  if (header === undefined || header.length !== 55 || !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(header.toString('latin1'))) return;
  copyInto(sink, header, 0, 55);
  event.traceLength = 55;
}
