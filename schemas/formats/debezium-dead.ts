// A record that cannot be read, or whose row cannot be told, as a dead letter: it says where and what was expected, never what stood there.
import { KIND } from '../change-event.ts';
import type { ChangeEvent } from '../change-event.ts';
import type { RawRecord } from '../raw-record.ts';
import { readRecordKey } from './debezium-keys.ts';
import { clear } from './debezium-state.ts';
import type { State } from './debezium-state.ts';
import { Malformed } from './json-scan.ts';
import { writeKey } from './record-key.ts';
import { writing } from './row-reader.ts';

export function bury(event: ChangeEvent, reason: ChangeEvent['deadReason'], detail: string): void {
  event.kind = KIND.dead;
  event.deadReason = reason;
  event.deadDetail = detail;
}

/** A dead letter keeps what could be read without a doubt: its commit time where the whole text was JSON, and the record's key. */
export function buryMalformed(state: State, record: RawRecord, error: Malformed): void {
  const { event, sink } = state;
  const place = error.at < 0 ? (writing.column === '' ? '' : `column ${writing.column}: `) : `${state.reading} byte ${error.at - state.readingFrom}: `;
  const detail = `${place}expected ${error.expected}`;
  const reason = error.reason;
  const { commitTimeUs, keyLength, snapshot, positioned, op } = event;
  clear(event);
  event.commitTimeUs = commitTimeUs;
  event.snapshot = snapshot;
  event.positioned = positioned;
  event.op = op;
  writing.column = '';
  event.keyLength = keyLength > 0 ? keyLength : ownKey(state, record);
  sink.at = event.keyLength;
  bury(event, reason, detail);
}

/** Length of the record key, written at the front of the sink; 0 where it cannot be read. */
function ownKey(state: State, record: RawRecord): number {
  state.sink.at = 0;
  try {
    readRecordKey(state, record);
    writeKey(state.sink, state.keys, record.data, undefined, record.data);
    return state.sink.at;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    writing.column = '';
    return 0;
  }
}
