// The first records of a capture, parsed as people would look at them: for `init`, which guesses, never for judging. Numbers keep their
// digits (as text), so that a log position beyond 2^53 is compared exactly.
import { createReadStream, openSync, readSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

import { ParitasError } from '../../schemas/errors.ts';

export interface SampleRecord {
  readonly topic: string | undefined;
  /** The key's columns without a schema envelope; undefined where the record has no JSON key. */
  readonly key: JsonObject | undefined;
  /** The value without a schema envelope; undefined for a tombstone or bytes that are no JSON object. */
  readonly value: JsonObject | undefined;
  /** The first byte of a value in a binary framing; else undefined. */
  readonly framing: number | undefined;
}
export type JsonObject = Readonly<Record<string, unknown>>;

export const SAMPLE_RECORDS = 5000;
const SAMPLE_BYTES = 32 * 2 ** 20;

/** Up to SAMPLE_RECORDS records or 32 MiB from the beginning of a file (.gz by its magic bytes). Lines that are no JSON are left out. */
export async function sampleCapture(file: string): Promise<SampleRecord[]> {
  if (file === '-') throw new ParitasError('usage', 'init looks at the captures first, so it cannot read standard input: name files');
  const zipped = isGzip(file); // opens the file: a missing one is an error here, not an event nobody listens to
  const raw = createReadStream(file);
  const input = zipped ? raw.pipe(createGunzip()) : raw;
  const lines = createInterface({ input, crlfDelay: Infinity });
  const records: SampleRecord[] = [];
  let sizeBytes = 0;
  try {
    for await (const line of lines) {
      sizeBytes += line.length;
      const record = sampleLine(line.replace(/^\ufeff/, ''));
      if (record !== undefined) records.push(record);
      if (records.length >= SAMPLE_RECORDS || sizeBytes >= SAMPLE_BYTES) break;
    }
  } catch (cause) {
    throw new ParitasError('input', `${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    lines.close();
    raw.destroy();
  }
  if (records.length === 0) throw new ParitasError('input', `${file}: holds no record; a capture is JSON Lines, one Kafka record or change event a line`);
  return records;
}

export function parseLossless(text: string): unknown {
  const keepDigits = (_name: string, value: unknown, context: { source?: string }): unknown =>
    (typeof value === 'number' ? context.source ?? value : value);
  try {
    return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

function sampleLine(line: string): SampleRecord | undefined {
  const parsed = parseLossless(line);
  if (!isObject(parsed)) return undefined;
  const isRecord = 'offset' in parsed && ('value' in parsed || 'payload' in parsed || 'valueBase64' in parsed);
  if (!isRecord) return { topic: undefined, key: undefined, value: withoutEnvelope(parsed), framing: undefined };
  const value = parsed['value'] ?? parsed['payload'];
  const base64 = parsed['valueBase64'];
  return {
    topic: typeof parsed['topic'] === 'string' ? parsed['topic'] : undefined,
    key: fromText(parsed['key']),
    value: fromText(value),
    framing: typeof base64 === 'string' ? Buffer.from(base64.slice(0, 4), 'base64')[0] : undefined,
  };
}

function fromText(text: unknown): JsonObject | undefined {
  return typeof text === 'string' ? withoutEnvelope(parseLossless(text)) : undefined;
}

function withoutEnvelope(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  return 'schema' in value && isObject(value['payload']) ? value['payload'] : value;
}

function isGzip(file: string): boolean {
  const head = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  try {
    return readSync(descriptor, head, 0, 2, 0) === 2 && head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    closeSync(descriptor);
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
