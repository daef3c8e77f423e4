// A record that cannot be judged goes to the dead letters with a reason and its place, and makes its window undecidable (ruling 23). Its
// value goes with it, except where columns are masked: a value that cannot be decoded cannot be masked either.
import { SIDES, type ChangeEvent, type DeadReason } from '../../schemas/change-event.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { RawRecord } from '../../schemas/raw-record.ts';
import { chainOf, type DeadLetterRecord } from '../../schemas/records.ts';
import { deadLetterValueBytes } from '../../schemas/limits.ts';

export function deadLetter(pair: PairSettings, side: number, record: RawRecord, reason: DeadReason, detail: string): DeadLetterRecord {
  const value = pair.columns.mask.length > 0 || record.valueStart < 0 ? undefined : record.data.subarray(record.valueStart, Math.min(record.valueEnd, record.valueStart + deadLetterValueBytes));
  return {
    record: 'dead-letter', pair: pair.name, ...chainOf(pair), side: SIDES[side],
    topic: record.topic, partition: record.partition, offset: String(record.offset),
    reason, detail, ...(value === undefined ? {} : { valueBase64: value.toString('base64') }),
  };
}

export function badLine(pair: PairSettings, side: number, record: RawRecord): DeadLetterRecord {
  const { bad } = record;
  return {
    record: 'dead-letter', pair: pair.name, ...chainOf(pair), side: SIDES[side], file: bad?.file ?? '', line: String(bad?.line ?? 0),
    reason: 'bad-line', detail: bad?.detail ?? '',
  };
}

export function lateDetail(event: ChangeEvent, closedUpTo: string): string {
  return `committed ${event.commitTimeUs} µs after the epoch, in a window that closed (up to ${closedUpTo}) on the evidence read before it`;
}

export function futureDetail(event: ChangeEvent, { timestampMs }: RawRecord): string {
  return `committed ${event.commitTimeUs} µs after the epoch, ${Math.floor(event.commitTimeUs / 1000 - timestampMs)} ms after the record's own timestamp: a clock was wrong, and it is evidence of nothing`;
}
