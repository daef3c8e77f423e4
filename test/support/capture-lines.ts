// The records of a capture of test/fixtures/captures as text, to be put together anew: some taken out, some changed.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { captureFile } from './captures.ts';

export interface Envelope {
  readonly after: { readonly id: number; readonly origin_lsn?: number } | null;
  readonly source: { readonly lsn: number };
  readonly transaction: { readonly id: string } | null;
}

/** One line a record. */
export function linesOf(capture: string, topic: string): string[] {
  return gunzipSync(readFileSync(captureFile(capture, topic))).toString('utf8').trimEnd().split('\n');
}

/** Undefined for a tombstone. */
export function envelopeOf(line: string): Envelope | undefined {
  const { value } = JSON.parse(line) as { value: string | null };
  return value === null ? undefined : JSON.parse(value) as Envelope;
}

/** Place in the log and row of each change but deletes of PostgreSQL's transaction `txid` in that topic, in the order of the log. */
export function changesOf(capture: string, topic: string, txid: string): { readonly lsn: number; readonly id: string }[] {
  return linesOf(capture, topic).map(envelopeOf).flatMap(envelope => (
    envelope?.transaction?.id.startsWith(`${txid}:`) === true && envelope.after !== null ? [{ lsn: envelope.source.lsn, id: String(envelope.after.id) }] : [])).sort((a, b) => a.lsn - b.lsn);
}
