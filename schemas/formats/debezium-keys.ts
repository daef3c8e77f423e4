// The key of a record, and the key that a change of the key links it to.
import { maxRecordBytes } from '../limits.ts';
import type { RawRecord } from '../raw-record.ts';
import type { State } from './debezium-state.ts';
import { fail, Malformed } from './json-scan.ts';
import { readKey, writeKey } from './record-key.ts';

/** Reads the record key, if there is one, so that it can be written. */
export function readRecordKey(state: State, record: RawRecord): void {
  const { keys } = state;
  keys.row = undefined;
  if (record.keyStart >= 0) {
    state.reading = 'key';
    state.readingFrom = record.keyStart;
    if (record.keyEnd - record.keyStart > maxRecordBytes) fail(record.keyEnd, `a key of at most ${maxRecordBytes} bytes`, 'oversize');
    readKey(keys, record.data, record.keyStart, record.keyEnd);
    state.reading = 'value';
    state.readingFrom = record.valueStart;
  }
  state.parts.key = keys.row;
}

/** The other key of a key change, from a header in JSON; a header of another spelling tells nothing. */
export function linkedKey(state: State, record: RawRecord, name: string): Buffer | undefined {
  const header = record.header(name);
  if (header === undefined) return undefined;
  const { linkedKeys, linkedSink } = state;
  try {
    linkedSink.at = 0;
    readKey(linkedKeys, header, 0, header.length);
    writeKey(linkedSink, linkedKeys, header, undefined, header);
    return Buffer.from(linkedSink.bytes.subarray(0, linkedSink.at));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return undefined;
  }
}
