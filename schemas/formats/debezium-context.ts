// Whose work a change was part of: its transaction, and its trace context.
import type { RawRecord } from '../raw-record.ts';
import { copyInto } from '../canonical/sink.ts';
import { unescape } from '../canonical/text.ts';
import { wholeNumber } from './debezium-source.ts';
import type { State } from './debezium-state.ts';
import { TOKEN } from './json-scan.ts';

/** Writes the transaction's id as it is printed, and takes the change's order in it. */
export function writeTransaction({ event, sink, scanned, parts }: State, b: Buffer): void {
  if (parts.transaction === undefined) return;
  const { transaction } = scanned;
  const id = transaction.shape.plan[0];
  const order = transaction.shape.plan[1];
  const from = sink.at;
  if (id >= 0 && transaction.tokens[id] === TOKEN.text) copyInto(sink, b, transaction.starts[id] + 1, transaction.ends[id] - 1);
  else if (id >= 0 && transaction.tokens[id] === TOKEN.escaped) unescape(sink, b, transaction.starts[id] + 1, transaction.ends[id] - 1);
  event.transactionLength = sink.at - from;
  if (order < 0) return;
  const quoted = transaction.tokens[order] === TOKEN.text ? 1 : 0;
  if (quoted === 0 && transaction.tokens[order] !== TOKEN.integer) return;
  const value = wholeNumber(b, transaction.starts[order] + quoted, transaction.ends[order] - quoted);
  if (Number.isSafeInteger(value)) event.totalOrder = value;
}

/** W3C: version 00, 55 characters of hex digits and hyphens. Anything else is no trace context. */
export function writeTrace({ event, sink }: State, record: RawRecord): void {
  const header = record.header('traceparent');
  if (header === undefined || header.length !== 55 || !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(header.toString('latin1'))) return;
  copyInto(sink, header, 0, 55);
  event.traceLength = 55;
}
