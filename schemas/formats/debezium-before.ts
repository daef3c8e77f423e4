// The print of the row before a change, where the record has it whole. That is so under REPLICA IDENTITY FULL and on MySQL and MariaDB. Of a
// side that says nothing of its identity an update with a before image is taken for FULL, as under DEFAULT it has none, unless the image has
// a value that a connector invents for a column it does not know: null, "", 0, false, the epoch (USING INDEX, and every delete). MySQL and
// MariaDB can be told to log less than the whole row: an image that holds nothing beside its key but such values is what is left then.
import { OP, PRINT } from '../change-event.ts';
import { isMySql } from './debezium-source.ts';
import type { State } from './debezium-state.ts';
import { Malformed, TOKEN } from './json-scan.ts';
import { readObject } from './object-reader.ts';
import { writeKey } from './record-key.ts';
import { hashKey, recallPrint, recallRow, rememberRow } from './row-memo.ts';
import { printImage } from './row-print.ts';
import { writeImage, writing, type RowReader } from './row-reader.ts';

/** `b`: the record. The key, the after image and its print are written. */
export function printBefore(state: State, b: Buffer): void {
  const { event, scanned, sink, values: { readers: { seed } } } = state;
  const { memo } = scanned;
  if (event.op === OP.delete) event.prints[PRINT.after] = PRINT.absent;
  const mySql = isMySql(scanned.source, b);
  const whole = state.fullImages || mySql;
  const isRead = scanned.beforeToken === TOKEN.object && !state.keyImages && (event.op === OP.update || (event.op === OP.delete && whole));
  const isKept = event.op !== OP.delete && scanned.afterToken === TOKEN.object && (isRead || whole);
  if (isRead || isKept) hashKey(memo, sink, event.keyLength);
  if (isRead) {
    if (memo.found >= 0 || recallRow(memo, b, scanned.beforeStart, scanned.beforeEnd, seed)) recallPrint(memo, event);
    else readBefore(state, b, whole, mySql);
  }
  if (isKept) rememberRow(memo, event, b, scanned.afterStart, scanned.afterEnd, seed);
}

/** A before image that cannot be read tells nothing; the change itself is good. */
function readBefore(state: State, b: Buffer, whole: boolean, mySql: boolean): void {
  const { event, scanned, scratch, values } = state;
  const row = values.readers.before;
  try {
    readObject(row, b, scanned.beforeStart, values.end);
    if (!isSameKey(state, row, b) || (!state.fullImages && looksInvented(state, b, mySql))) return;
    scratch.at = 0;
    const layout = writeImage(scratch, row, b, whole, mySql, state.context);
    printImage(layout, scratch, 0, scratch.at, event.prints, PRINT.before);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    writing.column = '';
  }
}

/** Key columns that are no part of the record key may change in an update: then the row before was another. */
function isSameKey(state: State, row: RowReader, b: Buffer): boolean {
  const { event, sink, scratch } = state;
  scratch.at = 0;
  writeKey(scratch, state.keys, b, row, b);
  return scratch.at === event.keyLength && scratch.bytes.compare(sink.bytes, 0, event.keyLength, 0, scratch.at) === 0;
}

/** `all`: it counts as invented where nothing was logged beside the key; else where some column was not. */
function looksInvented(state: State, b: Buffer, all: boolean): boolean {
  const row = state.values.readers.before;
  const { order, rules } = row.shape.plan;
  for (let n = 0; n < order.length; n++) {
    if (all && isKeyColumn(state, rules[order[n]].column)) continue;
    if (isInvented(row, order[n], b) !== all) return !all;
  }
  return all;
}

function isKeyColumn({ keys }: State, column: string): boolean {
  return keys.columns.length > 0 ? keys.columns.includes(column) : keys.row?.shape.plan.rules.some(rule => rule.column === column) === true;
}

/** Whether a connector may have put the value there for one that it does not know. */
function isInvented(row: RowReader, place: number, b: Buffer): boolean {
  const from = row.starts[place];
  const to = row.ends[place];
  switch (row.tokens[place]) {
    case TOKEN.null: case TOKEN.false: case TOKEN.object: case TOKEN.array: return true;
    case TOKEN.text: case TOKEN.escaped: return isPlain(b, from + 1, to - 1);
    case TOKEN.true: return false;
    default: return isPlain(b, from, to);
  }
}

/** Nothing but zeros and punctuation, or the epoch, or bytes of zeros in base64. */
function isPlain(b: Buffer, from: number, to: number): boolean {
  if (to - from >= 10 && b.toString('latin1', from, from + 10) === '1970-01-01') return true;
  for (let i = from; i < to; i++) {
    const c = b[i];
    // A and = are base64 for zeros; T, Z and P stand in times.
    const isLetter = (c >= 97 && c <= 122) || (c > 65 && c <= 90 && c !== 84 && c !== 90 && c !== 80);
    if ((c >= 49 && c <= 57) || isLetter || c > 127) return false;
  }
  return true;
}
