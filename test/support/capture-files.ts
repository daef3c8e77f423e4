// What the tests of capture files share: files in a folder that is gone afterwards, lines, and records as text.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after } from 'node:test';
import { openCaptures } from '../../topology/log/capture-log.ts';
import type { CaptureOptions } from '../../topology/log/capture-log.ts';
import type { CapturePartition } from '../../topology/log/capture-reader.ts';

export const folder: string = mkdtempSync(join(tmpdir(), 'capture-log-test-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
export function file(content: string | Buffer, name: string = `f${files++}.jsonl`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

export function line(partition: number, offset: number, value: string | null = `v${partition}-${offset}`, more: object = {}): string {
  return `${JSON.stringify({ topic: 't', partition, offset, timestamp: offset * 10, key: `k${offset}`, value, headers: [], ...more })}\n`;
}

/** A record as text: `offset=value`, `!file:line` for a bad line. */
export function shown({ record }: CapturePartition): string {
  if (record.bad !== undefined) return `!${basename(record.bad.file)}:${record.bad.line}`;
  return `${record.offset}=${record.valueStart < 0 ? 'null' : record.data.toString('utf8', record.valueStart, record.valueEnd)}`;
}

export async function drain(reader: CapturePartition): Promise<string[]> {
  const got: string[] = [];
  do {
    while (reader.next()) got.push(shown(reader));
  } while (await reader.fill());
  return got;
}

/** Everything, one partition after the other: `topic/partition` to its records. */
export async function readAll(names: readonly string[], options: Partial<CaptureOptions> = {}): Promise<Record<string, string[]>> {
  const log = await openCaptures(names, { topic: '', skipBadLines: false, ...options });
  const got: Record<string, string[]> = {};
  for (const reader of [...log.partitions, ...log.others]) got[`${reader.topic}/${reader.partition}`] = await drain(reader);
  await log.close();
  return got;
}
