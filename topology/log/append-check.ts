// What the embedded logs, in memory and on disk, ask of a record before its first byte is written.
import { maxRecordBytes } from '../../schemas/limits.ts';
import { LogError } from './embedded-error.ts';
import type { AppendRecord, TopicSettings } from './log.ts';

/** Throws LogError `invalid-record`. */
export function checkRecord(record: AppendRecord, settings: TopicSettings): void {
  const refuse = (why: string): never => {
    throw new LogError('invalid-record', `a record for topic "${record.topic}"${why}`);
  };
  for (const bytes of [record.key, record.value]) {
    if (bytes !== null && !(bytes instanceof Uint8Array)) refuse(' has a key or value that is no Buffer');
    if (bytes !== null && bytes.length > maxRecordBytes) refuse(` is above ${maxRecordBytes} bytes`);
  }
  if (record.key === null && settings.cleanup === 'compact') refuse(', which is compacted, has no key');
  if (record.timestampMs !== undefined && !Number.isFinite(record.timestampMs)) refuse(` has the timestamp ${record.timestampMs}`);
  if (record.headers === undefined) return;
  let headersBytes = 0;
  for (const [name, value] of record.headers) {
    if (Buffer.byteLength(name) > 0xffff) refuse(' has a header whose name is above 65535 bytes');
    if (value !== null && !(value instanceof Uint8Array)) refuse(' has a header whose value is no Buffer');
    headersBytes += Buffer.byteLength(name) + (value?.length ?? 0);
  }
  if (headersBytes > maxRecordBytes) refuse(` has headers above ${maxRecordBytes} bytes`);
}

export function isOffset(offset: number): boolean {
  return Number.isSafeInteger(offset) && offset >= 0;
}
